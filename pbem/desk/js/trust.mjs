// Files of the host's, held against the game that is known: charters, invitations, views. The twin of
// pbem/player/invitation.py and view.py. Whether a host deserves trust nobody can tell from a file: the first charter
// of a game that a player sees is the one that he keeps to.

import { hex, sha256, utf8 } from "../../site/js/bytes.mjs";
import { canonical, isObject, read } from "../../site/js/canonical.mjs";
import { refuse } from "../../site/js/refusal.mjs";
import { name, readRecord, sigShape, verifyRecord } from "../../site/js/record.mjs";
import { checkPublicKey, verifySeal } from "../../site/js/seal.mjs";
import { count, exactly, fields, hex64, letters, listOf, mapOf, object, oneOf, string } from "../../site/js/shape.mjs";
import { isAddress } from "./mail.mjs";

const VIEW = { size: 64 * 1024, depth: 24 };
const INVITATION = { size: 192 * 1024, depth: 24 };
const yes = (value, at = "$") => (typeof value === "boolean" ? "" : at);
const ruleset = fields({ id: string, version: oneOf(string, count) });
const invited = { v: exactly(1), kind: string, game: name, seat: name, token: name, address: string, charter_line: string };
const INVITED = fields(invited);
const OFFERED = fields({ ...invited, how: exactly("taken", "reset"), base: hex64, used: listOf(hex64) });
const HEAD = {
  ...{ v: exactly(1), kind: exactly("view"), game: name, seat: name, base: hex64, n: count, at: string },
  ...{ phase: exactly("join", "ready", "play", "over"), turn: count, ruleset, seats: listOf(name), charter: hex64 },
  ...{ link: count, given: letters(0, 64), owes: yes, revs: mapOf(count), address: string },
};
const MORE = { key: string, asked: yes, data: listOf(name), deadlines: mapOf(string), view: object, news: listOf(object), menu: object };

// What a JSON text is: "view", "invitation" (an offer is one), "move", or "" for anything else of ours. Throws `file/…`.
export function kindOf(value) {
  const kind = isObject(value) && isObject(value.payload) ? value.payload.kind : "";
  return kind === "offer" ? "invitation" : typeof kind === "string" ? kind : "";
}

export const readFile = (bytes) => read(bytes, INVITATION);

// The game that a charter line (no LF) opens: {line, digest, charter, hostKey}. Refused: `log/…`, `seal/…`, `file/…`.
export async function readCharter(line) {
  const charter = readRecord(line);
  if (charter.kind !== "charter") throw refuse("log/charter-first", { kind: charter.kind });
  checkPublicKey(charter.host_key);
  await verifyRecord(charter, charter.host_key);
  return { line, digest: hex(await sha256(line)), charter, hostKey: charter.host_key };
}

// An invitation checked: {game, seat, token, address, charter, offer?}.
export async function readInvitation(value) {
  // 1. an envelope of this kind
  const payload = isObject(value) && isObject(value.payload) ? value.payload : {};
  const { kind } = payload;
  if (Object.keys(value).sort().join() !== "payload,sig" || !["invitation", "offer"].includes(kind)) throw refuse("kit/not-an-invitation");
  if (payload.v !== 1) throw refuse("file/version");
  const where = (kind === "offer" ? OFFERED : INVITED)(payload);
  if (where !== "") throw refuse("file/shape", { where });
  // 2. a sound charter, signed by the key that it names, of this game, with this seat
  const charter = await readCharter(utf8(payload.charter_line));
  const { game, seat, token, address } = payload;
  if (charter.charter.game !== game || !charter.charter.seats.includes(seat)) throw refuse("kit/not-the-charter", { game, seat });
  // 3. the same key's signature on the invitation
  if (sigShape(value.sig) !== "") throw refuse("seal/shape");
  await verifySeal(charter.hostKey, kind, canonical(payload), value.sig);
  // 4. an address that can be written to
  if (!isAddress(address)) throw refuse("kit/address");
  const offer = kind === "offer" ? { how: payload.how, base: payload.base, used: payload.used } : null;
  return { game, seat, token, address, charter, offer };
}

// The head and content of a view: a claim. Refused `kit/not-a-view`, `file/…`, `seal/shape`, `kit/address`.
export function claimView(bytes) {
  const value = read(bytes, VIEW);
  if (kindOf(value) !== "view" || !Object.hasOwn(value, "sig")) throw refuse("kit/not-a-view");
  const { payload, sig } = value;
  if (payload.v !== 1) throw refuse("file/version");
  if (sigShape(sig) !== "") throw refuse("seal/shape");
  const known = Object.fromEntries(Object.entries(payload).filter(([key]) => Object.hasOwn(HEAD, key) || Object.hasOwn(MORE, key)));
  const where = fields(HEAD, MORE)(known); // later versions may say more
  if (where !== "") throw refuse("file/shape", { where });
  if (!isAddress(payload.address)) throw refuse("kit/address");
  return { payload, sig };
}

// Returns if the host of the game whose charter is known signed the view. Refused `kit/other-charter`, `seal/…`.
export async function trustView({ payload, sig }, charter) {
  if (payload.game !== charter.charter.game || payload.charter !== charter.digest) {
    const [known, found] = [charter.digest.slice(0, 16), payload.charter.slice(0, 16)];
    throw refuse("kit/other-charter", { game: payload.game, known, found });
  }
  await verifySeal(charter.hostKey, "view", canonical(payload), sig);
}
