import assert from "node:assert/strict";
import { test } from "node:test";

import * as rules from "./rules.js";

const [SIX_OF_SPADES, ACE_OF_SPADES, SIX_OF_CLUBS, SEVEN_OF_CLUBS] = [5, 13, 20, 21];

/** A match of two that has been dealt; the dealer is seat 0, so that seat 1 leads. */
function dealt({ leader, dealer, misere = false }) {
  const options = { hand: leader.length, deals: 1, misere };
  const first = leader.flatMap((card, place) => [card, dealer[place]]);
  const deck = [...first, ...rules.PACK.filter((card) => !first.includes(card))];
  return rules.taken(rules.opening(options, 2), { actor: rules.CHANCE, deck }).position;
}

function played(position, ...cards) {
  return cards.reduce(
    (before, action) => rules.taken(before, { actor: before.turn, action }).position,
    position,
  );
}

test("P2: who holds the suit led must follow it", () => {
  const hands = { leader: [ACE_OF_SPADES, SIX_OF_CLUBS], dealer: [SIX_OF_SPADES, SEVEN_OF_CLUBS] };
  const position = played(dealt(hands), ACE_OF_SPADES);
  assert.deepEqual(rules.legal(position), [SIX_OF_SPADES]);
  assert.equal(rules.whyNot(position, 0, SEVEN_OF_CLUBS).clause, "P2");
});

test("P2: who is void plays anything", () => {
  const hands = { leader: [ACE_OF_SPADES, SIX_OF_SPADES], dealer: [SIX_OF_CLUBS, SEVEN_OF_CLUBS] };
  const position = played(dealt(hands), ACE_OF_SPADES);
  assert.deepEqual(rules.legal(position), [SIX_OF_CLUBS, SEVEN_OF_CLUBS]);
});

test("P3: a card of another suit takes nothing, and who took the trick leads", () => {
  const hands = { leader: [SIX_OF_SPADES, SIX_OF_CLUBS], dealer: [SEVEN_OF_CLUBS, 22] };
  const position = played(dealt(hands), SIX_OF_SPADES, SEVEN_OF_CLUBS);
  assert.deepEqual(position.tricks, [0, 1]);
  assert.equal(position.turn, 1);
});

test("P4: a trick is a point, and with misere a point less", () => {
  const hands = { leader: [SIX_OF_SPADES], dealer: [ACE_OF_SPADES] };
  for (const [misere, totals] of [
    [false, [1, 0]],
    [true, [-1, 0]],
  ]) {
    const position = played(dealt({ ...hands, misere }), SIX_OF_SPADES, ACE_OF_SPADES);
    assert.deepEqual(rules.outcome(position).scores, totals);
  }
});

test("equal totals share a place", () => {
  const position = { ...rules.opening(rules.completed({ deals: 1 }), 3), deal: 1, totals: [2, 1, 2] };
  assert.deepEqual(rules.outcome(position).places, [1, 3, 1]);
});

test("what is no option is refused with what is", () => {
  assert.throws(() => rules.completed({ depth: 1 }), /no option depth; there are: hand, deals, misere/);
  assert.throws(() => rules.completed({ hand: 9 }), /whole number from 1 to 5/);
  assert.throws(() => rules.completed({ misere: 1 }), /true or false/);
});

test("a deck that is not the pack is refused", () => {
  const position = rules.opening(rules.completed({}), 2);
  const entry = { actor: rules.CHANCE, deck: rules.PACK.slice(1) };
  assert.throws(() => rules.taken(position, entry), rules.Impossible);
});
