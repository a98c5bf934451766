// Serves the rules to kozyr: what any plugin does, in any language. See docs/plugins.md.
//
//     node plugin.js                                as a child of a host, which says where to listen
//     node plugin.js --listen 127.0.0.1:7461        by itself
//
// --protos PATH names the directory that holds kozyr/v1, where this is not in kozyr's repository.

import { closeSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import * as grpc from "@grpc/grpc-js";
import * as loader from "@grpc/proto-loader";
import { HealthImplementation } from "grpc-health-check";

import * as rules from "./rules.js";

const PROTOCOL_VERSION = 1;
const POSITIONS_MAX = 4096; // of others the host sends the log again
const DRAIN_MS = 2000;

/** How gRPC says that something cannot be. */
const STATUS = new Map([
  [rules.Refused, grpc.status.INVALID_ARGUMENT],
  [rules.Impossible, grpc.status.FAILED_PRECONDITION],
]);

/** Positions by match, version and digest; the one asked for least recently goes first. */
class Positions {
  #kept = new Map();

  find(head) {
    const key = Positions.#key(head);
    const position = this.#kept.get(key);
    if (position !== undefined) this.#put(key, position);
    return position;
  }

  keep(head, position) {
    this.#put(Positions.#key(head), position);
    if (this.#kept.size > POSITIONS_MAX) this.#kept.delete(this.#kept.keys().next().value);
  }

  #put(key, position) {
    this.#kept.delete(key);
    this.#kept.set(key, position);
  }

  // The opening is one for a match: what its digest is, is the host's business.
  static #key({ match_id: match, version, digest }) {
    return version === 0 ? `${match} 0` : `${match} ${version} ${digest.toString("hex")}`;
  }
}

const positions = new Positions();

function describe({ protocol_versions: offered }) {
  if (!offered.includes(PROTOCOL_VERSION)) {
    throw refusal(grpc.status.FAILED_PRECONDITION, `this plugin speaks ${PROTOCOL_VERSION} only`);
  }
  const schema = { type: "object", additionalProperties: false, properties: rules.OPTIONS };
  const variant = {
    variant: rules.VARIANT,
    title: rules.TITLE,
    summary: "Tricks without trump, in JavaScript.",
    rules_versions: [rules.RULES_VERSION],
    options_schema: struct(schema),
    seat_counts: rules.SEAT_COUNTS,
  };
  return { protocol_version: PROTOCOL_VERSION, variants: [variant] };
}

function configure({ variant, rules_version: version, options_json: text, seats }) {
  checkRules(variant, version);
  return {
    options_json: JSON.stringify(options(text)),
    seat_counts: rules.SEAT_COUNTS,
    actions: { moves: actions() },
    teams: rules.SEAT_COUNTS.includes(seats) ? Array.from({ length: seats }, (_, seat) => seat) : [],
  };
}

function begin({ header, log }) {
  if (header === null) throw new rules.Refused("a match has a header");
  checkRules(header.variant, header.rules_version);
  const seats = header.players.length;
  if (!rules.SEAT_COUNTS.includes(seats)) {
    throw new rules.Refused(`${seats} do not play this; ${rules.SEAT_COUNTS.join(", ")} do`);
  }
  const position = rules.opening(options(header.options_json), seats);
  const head = { match_id: header.match_id, version: 0 };
  positions.keep(head, position);
  return { step: take(head, position, log).at(-1) ?? step(position, []) };
}

function act({ head, entries }) {
  const position = head && positions.find(head);
  if (!position) return { need_log: true };
  return { steps: take(head, position, entries) };
}

function check({ head, seat, action }) {
  const position = head && positions.find(head);
  if (!position) return { need_log: true };
  return rules.whyNot(position, seat, action) ?? {};
}

function sample() {
  throw refusal(grpc.status.UNIMPLEMENTED, "this variant draws no worlds");
}

/** Take entries, all or none: the step of each. */
function take({ match_id: match, version }, position, entries) {
  const steps = [];
  let last = null;
  for (const entry of entries) {
    version += 1;
    if (entry.version !== version || entry.digest.length === 0) {
      throw new rules.Impossible(`entry ${entry.version} with its digest does not follow there`);
    }
    const next = rules.taken(position, entry);
    position = next.position;
    steps.push(step(position, next.events));
    last = { match_id: match, version, digest: entry.digest };
  }
  if (last !== null) positions.keep(last, position);
  return steps;
}

/** What came of an entry, as the host reads it. */
function step(position, events) {
  const cards = rules.deck(position);
  const deciding = cards.length === 0 && !rules.isOver(position);
  const legal = deciding ? rules.legal(position) : [];
  return {
    events: events.flatMap((faces, ordinal) => faces.map((face) => ({ ordinal, ...face }))),
    decisions: deciding
      ? [{ seat: position.turn, legal_actions: legal, default_action: legal[0] }]
      : [],
    deck: cards,
    scores: position.totals,
    outcome: rules.outcome(position),
  };
}

/** An action is the number of the card that it plays; numbers between are none. */
function actions() {
  return Array.from({ length: Math.max(...rules.PACK) + 1 }, (_, number) =>
    rules.PACK.includes(number) ? { play: { card: number } } : { custom: { name: "unused" } },
  );
}

function options(text) {
  try {
    return rules.completed(JSON.parse(text || "{}"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new rules.Refused(`no JSON: ${error.message}`);
    throw error;
  }
}

function checkRules(variant, version) {
  if (variant !== rules.VARIANT) {
    throw refusal(grpc.status.NOT_FOUND, `no variant ${variant}; there is ${rules.VARIANT}`);
  }
  if (version !== rules.RULES_VERSION) {
    throw refusal(grpc.status.UNIMPLEMENTED, `rules_version ${rules.RULES_VERSION} is served`);
  }
}

function refusal(code, details) {
  return Object.assign(new Error(details), { code, details });
}

/** A plain object as google.protobuf.Struct. */
function struct(object) {
  const fields = Object.entries(object).map(([name, each]) => [name, value(each)]);
  return { fields: Object.fromEntries(fields) };
}

function value(plain) {
  if (typeof plain === "string") return { stringValue: plain };
  if (typeof plain === "number") return { numberValue: plain };
  if (typeof plain === "boolean") return { boolValue: plain };
  return { structValue: struct(plain) };
}

/** A method of the service: a message in, a message or a refusal out. */
function answering(method) {
  return ({ request }, callback) => {
    try {
      callback(null, method(request));
    } catch (error) {
      const code = STATUS.get(error.constructor) ?? error.code;
      if (typeof code !== "number") console.error(error); // a bug of ours: the host logs it
      callback({ code: code ?? grpc.status.INTERNAL, details: error.message });
    }
  };
}

async function main() {
  const { values: flags } = parseArgs({
    options: { listen: { type: "string" }, protos: { type: "string" } },
  });
  const listen = flags.listen ?? process.env.KOZYR_PLUGIN_LISTEN;
  if (!listen) throw new Error("say where to serve: --listen HOST:PORT or unix:PATH");
  const protos = flags.protos ?? fileURLToPath(new URL("../../protos", import.meta.url));
  const definition = await loader.load("kozyr/v1/rules.proto", {
    includeDirs: [protos],
    keepCase: true,
    longs: Number,
    defaults: true,
    oneofs: true,
  });
  const { RulesService } = grpc.loadPackageDefinition(definition).kozyr.v1;
  const methods = { describe, configure, begin, act, check, sample };
  const server = new grpc.Server();
  server.addService(
    RulesService.service,
    Object.fromEntries(Object.entries(methods).map(([name, each]) => [name, answering(each)])),
  );
  new HealthImplementation({ "": "SERVING" }).addToServer(server);
  const port = await new Promise((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync(listen, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  process.on("SIGTERM", () => {
    server.tryShutdown(() => process.exit(0));
    setTimeout(() => process.exit(0), DRAIN_MS);
  });
  greet(listen.startsWith("unix:") ? listen : listen.replace(/\d+$/, port));
}

/** Say where we serve: to the host that has started us, or to whoever looks on. */
function greet(address) {
  const descriptor = process.env.KOZYR_PLUGIN_FD;
  if (descriptor === undefined) {
    console.log(`serving ${rules.VARIANT} on ${address}`);
    return;
  }
  const greeting = { protocol_version: PROTOCOL_VERSION, address };
  writeSync(Number(descriptor), `${JSON.stringify(greeting)}\n`);
  closeSync(Number(descriptor));
}

await main();
