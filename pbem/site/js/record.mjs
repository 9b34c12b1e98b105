// Records: the lines of a log (protocol.md section 6). Decides the shape of one line and who sealed it; what may
// follow what is the ledger's business. A line is its canonical bytes with `sig`, without its LF.

import { equal } from "./bytes.mjs";
import { ENVELOPE, LINE, canonical, isObject, read, readCanonical, walk } from "./canonical.mjs";
import { refuse } from "./refusal.mjs";
import { verifySeal } from "./seal.mjs";
import { any, count, exactly, fields, hex64, integer, letters, listOf, mapOf, object, oneOf, string } from "./shape.mjs";

export const name = letters(1, 64);
export const sigShape = fields({ alg: exactly("ed25519"), key: letters(16, 16), val: letters(88, 88) });

const line = { kind: string, n: count, at: string, prev: hex64 };
const enveloped = { ...line, seat: name, envelope: hex64, base: hex64 };
const draws = listOf(fields({ label: string, values: listOf(oneOf(integer, string)) }, { sides: integer, items: listOf(string) }));
const changed = {
  ...line,
  ...{ seat: name, turn: count, events: listOf(object), draws, auto: listOf(object), public: hex64, state: hex64 },
};
const sealed = { sig: sigShape };
const closing = { ...sealed, link: hex64, next: listOf(name) };
const ruleset = fields({ id: string, version: oneOf(string, count) });

const SHAPES = {
  charter: fields(
    {
      ...line,
      ...{ game: name, ruleset, options: object, seats: listOf(name), host_key: hex64, tip: hex64 },
      ...{ hidden: hex64, schemas: mapOf(hex64), deadline: any },
    },
    { ...sealed, terms: object },
  ),
  data: fields({ ...line, name, value: any }, sealed),
  join: fields({ ...enveloped, public_key: hex64, tip: hex64 }, sealed),
  ready: fields({ ...enveloped, reveal: hex64, rev: count }, sealed),
  start: fields(
    {
      ...line,
      ...{ turn: exactly(0), link: hex64, next: listOf(name), order: listOf(name), events: listOf(object) },
      ...{ draws, public: hex64, state: hex64 },
    },
    sealed,
  ),
  move: fields({ ...changed, envelope: hex64, base: hex64 }, { ...closing, reveal: hex64 }),
  timeout: fields(changed, { ...closing, by: exactly("bot", "skip") }),
  resign: fields({ ...changed, envelope: hex64, base: hex64 }, closing),
  ruling: fields({ ...line, turn: count, reason: string, link: hex64, next: listOf(name) }, sealed),
  undo: fields({ ...enveloped, turn: count }, { ...sealed, to: count, reason: string }),
  undone: fields({ ...line, turn: count, to: count, reason: string, public: hex64, state: hex64 }, sealed),
  key: fields({ ...enveloped, public_key: hex64, tip: hex64, how: exactly("rotated", "reset", "taken") }, sealed),
  press: fields(enveloped, sealed),
  standing: fields(enveloped, sealed),
  time: fields({ ...enveloped, ask: object }, sealed),
  deadline: fields({ ...line, old: any, new: any, who: name, reason: string }, sealed),
  end: fields({ ...line, result: any, k_hidden: hex64, host_seed: hex64 }, sealed),
  opened: fields({ ...line, of: count, payload_and_sig: object }, sealed),
  drawn: fields({ ...line, of: count, draws }, sealed),
  names: fields({ ...line, names: mapOf(string) }, sealed),
};

// The fields whose inside is plain JSON, in the order in which they are walked.
const FREE = {
  charter: ["options", "schemas", "deadline", "terms"],
  data: ["value"],
  start: ["events"],
  move: ["events", "auto"],
  timeout: ["events", "auto"],
  resign: ["events", "auto"],
  time: ["ask"],
  deadline: ["old", "new"],
  end: ["result"],
  names: ["names"],
};

export const isEnveloped = (record) => isOpened(record) || record.kind === "press";
export const isOpened = (record) => ["join", "ready", "move", "resign", "standing", "key", "time", "undo"].includes(record.kind);
export const isChanged = (record) => ["start", "move", "timeout", "resign"].includes(record.kind);

function shapeOf(value) {
  const known = isObject(value) && typeof value.kind === "string" && Object.hasOwn(SHAPES, value.kind);
  return known ? SHAPES[value.kind] : null;
}

// The record that a line spells: a claim, until `verifyRecord`. Throws Refused `file/…` or `log/…`.
export function readRecord(bytes) {
  // 1. the size, before anything else is read
  if (bytes.length > LINE.size) throw refuse("file/too-long", { size: bytes.length, limit: LINE.size });
  // 2. of its kind's shape, and the very bytes that its value encodes to
  const record = readCanonical(bytes, LINE);
  if (record === undefined || shapeOf(record) === null || shapeOf(record)(record) !== "") throw explain(bytes);
  // 3. the plain JSON inside
  for (const field of FREE[record.kind] ?? []) if (Object.hasOwn(record, field)) walk(record[field], LINE.depth - 1);
  // 4. an envelope keeps its own limits and parts
  if (record.kind === "opened") checkOpened(record.payload_and_sig);
  return record;
}

function checkOpened(envelope) {
  walk(envelope, ENVELOPE.depth);
  const keys = Object.keys(envelope).sort().join();
  if (keys !== "payload,sig" || !isObject(envelope.payload)) throw refuse("log/shape", { where: "$.payload_and_sig" });
  const size = canonical(envelope).length;
  if (size > ENVELOPE.size) throw refuse("file/too-long", { size, limit: ENVELOPE.size });
}

// The exact reason why a line is no record.
function explain(bytes) {
  const value = read(bytes, LINE);
  if (!equal(canonical(value), bytes)) return refuse("log/not-canonical");
  if (!isObject(value)) return refuse("log/shape", { where: "$" });
  const shape = shapeOf(value);
  if (shape === null) return refuse("log/unknown-kind", { kind: "?" });
  return refuse("log/shape", { where: shape(value) || "$" });
}

// Returns if the host (public key in hex) sealed the record.
export async function verifyRecord(record, hostKey) {
  if (record.sig === undefined) throw refuse("log/not-sealed");
  const { sig, ...body } = record;
  await verifySeal(hostKey, "record", canonical(body), sig);
}
