// Ed25519 seals over canonical bytes (protocol.md section 3). Decides whether a seal is the one that a key's
// owner made over a payload of one kind; knows no roster and no field of a payload.

import { concat, hex, sha256, unbase64, unhex, utf8 } from "./bytes.mjs";
import { isSound, verifies } from "./curve.mjs";
import { quoted, refuse } from "./refusal.mjs";

const KEY_ID_DIGITS = 16;

// The bytes that are signed: DSSE v1 pre-authentication encoding of the type and the payload.
export function pae(kind, payload) {
  const type = `application/vnd.pbem.${kind}+json`;
  return concat(utf8(`DSSEv1 ${utf8(type).length} ${type} ${payload.length} `), payload);
}

export const keyId = async (key) => hex(await sha256(key)).slice(0, KEY_ID_DIGITS);

// At registration: one encoding, prime order, not the identity (`key` is hex).
export function checkPublicKey(key) {
  if (!isSound(unhex(key))) throw refuse("seal/weak-key");
}

// Returns if the seal over the payload's canonical bytes is the key's (hex). Throws Refused `seal/…`.
export async function verifySeal(key, kind, payload, sig) {
  const raw = unhex(key);
  // 1. the right signer's id (the shape has been looked at)
  const expected = await keyId(raw);
  if (sig.key !== expected) throw refuse("seal/other-key", { expected, found: quoted(sig.key) });
  // 2. one spelling of the value only
  const value = unbase64(sig.val);
  if (value === null || value.length !== 64) throw refuse("seal/value");
  // 3. the signature itself
  if (!(await fits(raw, value, pae(kind, payload)))) throw refuse("seal/wrong");
}

const imported = new Map();

// By the browser where it knows Ed25519 (and takes this key), else by our own arithmetic.
async function fits(raw, value, message) {
  const name = raw.join();
  if (!imported.has(name)) imported.set(name, crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]).catch(() => null));
  const key = await imported.get(name);
  return key === null ? verifies(raw, value, message) : crypto.subtle.verify("Ed25519", key, value, message);
}
