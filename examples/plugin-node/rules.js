// The rules of Plain Tricks, as pure functions: a position goes in, the next one comes out.
//
// P1  Two to four play, with 36 cards from the six up. A match has `deals` deals of `hand` cards
//     each. Seat 0 deals first, then the deal passes clockwise; cards are dealt one at a time from
//     the dealer's left, who leads the first trick.
// P2  Follow suit; with none, play anything. There is no trump.
// P3  The highest card of the suit led takes the trick, and whoever took it leads the next.
// P4  A trick is a point; with option `misere`, a point less.

export const VARIANT = "plain_tricks";
export const TITLE = "Plain tricks";
export const RULES_VERSION = 1;
export const SEAT_COUNTS = [2, 3, 4];

export const CHANCE = 17;
const WATCHER = 16;

const LANE = 15; // a suit's cards are 15 numbers: see docs/plugins.md
const SUITS = [0, 1, 2, 3];
const SIX = 6;
const ACE = 14;
const SUIT_NAMES = ["spade", "club", "diamond", "heart"];

export const PACK = SUITS.flatMap((suit) =>
  Array.from({ length: ACE - SIX + 1 }, (_, place) => suit * LANE + SIX + place - 1),
);

export const OPTIONS = {
  hand: { type: "integer", minimum: 1, maximum: 5, default: 3, description: "Cards in a hand." },
  deals: { type: "integer", minimum: 1, maximum: 6, default: 2, description: "Deals of a match." },
  misere: { type: "boolean", default: false, description: "Whether tricks cost points." },
};

/** Options that the rules do not allow. */
export class Refused extends Error {}

/** An entry that does not follow in a position. */
export class Impossible extends Error {}

/** All options: those that were given, and the defaults of the others. */
export function completed(given) {
  if (given === null || typeof given !== "object" || Array.isArray(given)) {
    throw new Refused("options are a JSON object");
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new Refused(`there is no option ${name}; there are: ${Object.keys(OPTIONS).join(", ")}`);
    }
  }
  return Object.fromEntries(
    Object.entries(OPTIONS).map(([name, schema]) => {
      const value = Object.hasOwn(given, name) ? given[name] : schema.default;
      return [name, checked(name, schema, value)];
    }),
  );
}

function checked(name, schema, value) {
  if (schema.type === "boolean" && typeof value !== "boolean") {
    throw new Refused(`${name} is true or false`);
  }
  if (
    schema.type === "integer" &&
    !(Number.isInteger(value) && schema.minimum <= value && value <= schema.maximum)
  ) {
    throw new Refused(`${name} is a whole number from ${schema.minimum} to ${schema.maximum}`);
  }
  return value;
}

/** The position before the first shuffle. */
export function opening(options, seats) {
  return {
    options,
    seats,
    deal: 0,
    hands: [], // of each seat, ascending; none before the cards are dealt
    table: [], // the cards of the trick, in the order played
    turn: 0,
    tricks: [],
    totals: Array(seats).fill(0),
  };
}

export function isOver(position) {
  return position.deal === position.options.deals;
}

/** The cards to shuffle, where chance is awaited. */
export function deck(position) {
  return !isOver(position) && position.hands.length === 0 ? PACK : [];
}

/** What the seat on turn may play, ascending (P2). */
export function legal(position) {
  const hand = position.hands[position.turn];
  if (position.table.length === 0) return hand;
  const following = hand.filter((card) => suitOf(card) === suitOf(position.table[0]));
  return following.length > 0 ? following : hand;
}

/** Why a seat may not do something: a clause and a sentence; null when it may. */
export function whyNot(position, seat, action) {
  if (position.hands.length === 0 || position.turn !== seat) {
    return { clause: "P1", explanation: "it is not your turn" };
  }
  if (legal(position).includes(action)) return null;
  if (!position.hands[seat].includes(action)) {
    return { clause: "P2", explanation: "you do not hold that card" };
  }
  const led = SUIT_NAMES[suitOf(position.table[0])];
  return { clause: "P2", explanation: `you hold a ${led} and must follow suit` };
}

/** The position after an entry, and what happened: events as lists of faces. */
export function taken(position, entry) {
  const next = structuredClone(position);
  const events = entry.actor === CHANCE ? dealt(next, entry.deck) : played(next, entry);
  return { position: next, events };
}

function dealt(position, cards) {
  if (deck(position).length === 0) throw new Impossible("no shuffle is awaited");
  const ascending = [...cards].sort((one, other) => one - other);
  if (ascending.length !== PACK.length || ascending.some((card, place) => card !== PACK[place])) {
    throw new Impossible("the deck is not a permutation of the pack");
  }
  const { seats } = position;
  const { hand } = position.options;
  const dealer = position.deal % seats;
  position.tricks = Array(seats).fill(0);
  position.turn = (dealer + 1) % seats;
  const events = [
    toAll({
      deal_began: {
        index: position.deal,
        deal_count: position.options.deals,
        kind: "regular",
        dealer,
        hand_size: hand,
        multiplier: 1,
      },
    }),
  ];
  for (let place = 0; place < seats; place++) {
    const seat = (dealer + 1 + place) % seats;
    const own = cards.filter((_, index) => index < hand * seats && index % seats === place);
    position.hands[seat] = [...own].sort((one, other) => one - other);
    events.push(toOne(seat, seats, { cards_dealt: { seat, count: hand } }, { cards: own }));
  }
  return events;
}

function played(position, { actor: seat, action: card }) {
  if (whyNot(position, seat, card) !== null) throw new Impossible("the action is not legal");
  position.hands[seat] = position.hands[seat].filter((each) => each !== card);
  position.table.push(card);
  position.turn = (seat + 1) % position.seats;
  const events = [toAll({ card_played: { seat, card } })];
  if (position.table.length === position.seats) events.push(...trickTaken(position, seat));
  return events;
}

/** P3. */
function trickTaken(position, last) {
  const { table, seats } = position;
  const following = table.filter((card) => suitOf(card) === suitOf(table[0]));
  const seat = (last + 1 + table.indexOf(Math.max(...following))) % seats;
  position.table = [];
  position.turn = seat;
  position.tricks[seat] += 1;
  const events = [toAll({ trick_taken: { seat } })];
  return position.hands[seat].length === 0 ? [...events, ...scored(position)] : events;
}

/** P4. */
function scored(position) {
  const worth = position.options.misere ? -1 : 1;
  const scores = position.tricks.map((count) => worth * count || 0);
  position.totals = position.totals.map((total, seat) => total + scores[seat]);
  position.hands = [];
  position.deal += 1;
  const events = [toAll({ deal_scored: { scores, totals: position.totals, result: "played" } })];
  if (isOver(position)) events.push(toAll({ match_ended: { outcome: outcome(position) } }));
  return events;
}

/** How the match ended; null while it goes on. */
export function outcome(position) {
  if (!isOver(position)) return null;
  const { totals } = position;
  return {
    scores: totals,
    places: totals.map((own) => 1 + totals.filter((other) => other > own).length),
    notes: totals.map(() => ({ words: [] })),
  };
}

function suitOf(card) {
  return Math.floor(card / LANE);
}

/** An event of which everybody sees the same. */
function toAll(payload) {
  return [{ audience: 0, payload }];
}

/** An event of which one seat sees the cards too. */
function toOne(seat, seats, payload, { cards }) {
  const [[kind, shown]] = Object.entries(payload);
  const everybody = ((1 << seats) - 1) | (1 << WATCHER);
  return [
    { audience: 1 << seat, payload: { [kind]: { ...shown, cards: { cards } } } },
    { audience: everybody & ~(1 << seat), payload },
  ];
}
