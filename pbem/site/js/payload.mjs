// Envelopes that players wrote (protocol.md sections 3 and 4): their shape, their seal, and whether a record says
// the same as its envelope. Knows no rule of a game and no schema of its orders.

import { canonical, isObject, spell } from "./canonical.mjs";
import { name, sigShape } from "./record.mjs";
import { refuse } from "./refusal.mjs";
import { verifySeal } from "./seal.mjs";
import { count, exactly, fields, hex64, letters, listOf, object, string } from "./shape.mjs";

const PLAYER_KINDS = ["join", "ready", "move", "standing", "resign", "rekey", "take", "press", "time", "withdraw", "settings", "undo"];
const HOST_KINDS = ["view", "receipt"];

const head = { v: exactly(1), kind: string, game: name, seat: name, base: hex64 };
const period = fields({ first: letters(0, 10), last: letters(0, 10) });
const away = fields({ do: exactly("away"), periods: listOf(period) });
const extend = fields({ do: exactly("extend"), turn: count, until: letters(0, 20) }, { reason: letters(0, 200) });
const ask = (value) => (isObject(value) && value.do === "extend" ? extend(value) : away(value));
const SHAPES = {
  join: fields({ ...head, token: letters(1, 128), public_key: hex64, tip: hex64 }),
  ready: fields({ ...head, reveal: hex64, setup: object, rev: count }),
  move: fields(
    { ...head, turn: count, orders: listOf(object), rev: count },
    { reveal: hex64, on_lapse: exactly("go_on", "stop"), note: letters(0, 2000) },
  ),
  standing: fields({ ...head, policy: object, rev: count }),
  resign: fields(head),
  rekey: fields({ ...head, public_key: hex64, tip: hex64 }),
  take: fields({ ...head, token: letters(1, 128), public_key: hex64, tip: hex64 }),
  time: fields({ ...head, ask, rev: count }),
  withdraw: fields({ ...head, of: count, rev: count }),
  undo: fields({ ...head, turn: count, rev: count }, { to: count, reason: letters(1, 200) }),
  settings: fields(
    { ...head, rev: count },
    { zone: letters(0, 64), quiet: letters(0, 11), pictures: exactly("on", "off", "text"), address: letters(1, 254), second: letters(0, 254), confirm: letters(1, 64) },
  ),
};
// A move in advance is a move with these fields: made in an earlier turn than the one it is played in.
const ADVANCE = fields(
  { ...head, advance: exactly(true), turn: count, orders: listOf(object), rev: count, reveal: hex64 },
  { when: object, on_lapse: exactly("go_on", "stop"), note: letters(0, 2000) },
);

// Which fields of a record its envelope says as well.
const SAID = {
  join: ["public_key", "tip"],
  key: ["public_key", "tip"],
  ready: ["reveal", "rev"],
  move: ["turn", "reveal"],
  standing: [],
  resign: [],
  time: ["ask"],
  undo: ["turn", "to", "reason"],
};

// The payload of an opened envelope whose id is right, written by who held `key` (hex) at its place in the log.
export async function openEnvelope(record, envelope, key, game) {
  // 1. an envelope of this record's kind, sealed by who sat there at that time
  const { payload, sig } = envelope;
  const place = sigShape(sig);
  if (place !== "") throw refuse("seal/shape");
  checkHead(payload);
  if (payload.kind !== kindFor(record)) throw refuse("audit/envelope-field", { field: "kind" });
  await verifySeal(key, payload.kind, canonical(payload), sig);
  // 2. its shape
  const early = payload.kind === "move" && "advance" in payload;
  const where = (early ? ADVANCE : SHAPES[payload.kind])(payload);
  if (where !== "") throw refuse("file/shape", { where });
  // 3. the record says what the envelope says
  const said = [["game", game], ["seat", record.seat], ["base", record.base]];
  const fieldsSaid = early ? ["reveal"] : SAID[record.kind];
  for (const [field, recorded] of [...said, ...fieldsSaid.map((field) => [field, record[field]])]) {
    if (!same(payload[field], recorded)) throw refuse("audit/envelope-field", { field });
  }
  return payload;
}

// The kind of envelope that a record stands for.
function kindFor(record) {
  if (record.kind !== "key") return record.kind;
  return record.how === "rotated" ? "rekey" : "take";
}

function same(one, other) {
  return isObject(one) && isObject(other) ? spell(one) === spell(other) : one === other;
}

function checkHead(payload) {
  if (!isObject(payload)) throw refuse("file/not-an-envelope");
  if (payload.v !== 1) throw refuse("file/version");
  const byPlayer = PLAYER_KINDS.includes(payload.kind);
  if (!byPlayer && !HOST_KINDS.includes(payload.kind)) throw refuse("file/unknown-kind");
  for (const field of ["game", "seat"]) if (name(payload[field]) !== "") throw refuse("file/shape", { where: field });
  if (byPlayer && hex64(payload.base) !== "") throw refuse("file/shape", { where: "base" });
}
