// The key file: the one small file that a player keeps, and must keep to himself. The twin of pbem/player/keys.py,
// so that the page and `pbem key` read each other's files.

import { concat, hex, sha256, unhex, utf8 } from "../../site/js/bytes.mjs";
import { ENVELOPE, isObject, read } from "../../site/js/canonical.mjs";
import { Refused, refuse } from "../../site/js/refusal.mjs";
import { exactly, fields, hex64, letters, string } from "../../site/js/shape.mjs";
import { pretty } from "./outgoing.mjs";
import { say, words } from "./say.mjs";
import { privateKey } from "./sign.mjs";

export const KIND = "pbem-key";
const SHAPE = fields(
  { v: exactly(1), kind: exactly(KIND), private_key: hex64, public_key: hex64, check: letters(16, 16) },
  { warning: string },
);
const WARNING = say(
  "This is your private key. Whoever has it can play as you, so send it to nobody. Keep a copy in a safe"
  + " place: without it you can not go on with your games.",
);

export const newKey = () => privateKey(crypto.getRandomValues(new Uint8Array(32)));

// The file's bytes, with a word of warning for whoever opens it.
export async function keyFile(key, lang = "en") {
  const check = await checkOf(key.raw);
  const named = { v: 1, kind: KIND, warning: words(WARNING, lang), private_key: hex(key.raw), public_key: key.public, check };
  return pretty(named);
}

// Whether the bytes look like a key file at all.
export function isKeyFile(bytes) {
  try {
    const value = read(bytes, ENVELOPE);
    return isObject(value) && value.kind === KIND;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

// The key in a file's bytes; `file` is its name, for the answer. Refused `kit/not-a-key`, `kit/key-damaged`.
export async function readKey(bytes, file) {
  // 1. a key file at all
  if (!isKeyFile(bytes)) throw refuse("kit/not-a-key", { file });
  // 2. whole: its parts, its checksum, and the public half that belongs to it
  const value = read(bytes, ENVELOPE);
  if (SHAPE(value) !== "") throw refuse("kit/key-damaged", { file });
  const raw = unhex(value.private_key);
  const key = await privateKey(raw);
  if (value.check !== (await checkOf(raw)) || value.public_key !== key.public) throw refuse("kit/key-damaged", { file });
  return key;
}

// Finds damage, and gives nothing away that the public key doesn't.
const checkOf = async (raw) => hex(await sha256(concat(utf8("pbem/v1/key-file"), await sha256(raw)))).slice(0, 16);
