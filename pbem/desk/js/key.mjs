// The key file: the one small file that a player keeps, and must keep to himself. The twin of pbem/player/keys.py,
// so that the page and `pbem key` read each other's files, with a passphrase and without.

import { concat, hex, sha256, unhex, utf8 } from "../../site/js/bytes.mjs";
import { ENVELOPE, isObject, read } from "../../site/js/canonical.mjs";
import { Refused, refuse } from "../../site/js/refusal.mjs";
import { count, exactly, fields, hex64, letters, string } from "../../site/js/shape.mjs";
import { pretty } from "./outgoing.mjs";
import { say, words } from "./say.mjs";
import { privateKey } from "./sign.mjs";

export const KIND = "pbem-key";
const SHAPE = fields(
  { v: exactly(1), kind: exactly(KIND), private_key: hex64, public_key: hex64, check: letters(16, 16) },
  { warning: string },
);
const LOCKED = fields(
  {
    ...{ v: exactly(1), kind: exactly(KIND), public_key: hex64 },
    locked: fields({ kdf: exactly("pbkdf2-sha256"), rounds: count, salt: string, cipher: exactly("aes-256-gcm"), nonce: string, data: string }),
  },
  { warning: string },
);
const ROUNDS = 600000;
const MOST_ROUNDS = 10000000;
const SALT = 16;
const NONCE = 12;
const SEALED = 48;
const WARNING = say(
  "This is your private key. Whoever has it can play as you, so send it to nobody. Keep a copy in a safe"
  + " place: without it you can not go on with your games.",
);

const LOCKED_WARNING = say(
  "This is your private key, locked with a passphrase that nobody can give back to you. Keep a copy in a safe"
  + " place: without both you can not go on with your games.",
);

export const newKey = () => privateKey(crypto.getRandomValues(new Uint8Array(32)));

// The file's bytes, with a word of warning for whoever opens it.
export async function keyFile(key, lang = "en") {
  const check = await checkOf(key.raw);
  const named = { v: 1, kind: KIND, warning: words(WARNING, lang), private_key: hex(key.raw), public_key: key.public, check };
  return pretty(named);
}

// The same, locked with a passphrase that is not empty. `chance` are fresh random bytes.
export async function lockedFile(key, passphrase, lang = "en", chance = crypto.getRandomValues(new Uint8Array(SALT + NONCE))) {
  const [salt, nonce] = [chance.subarray(0, SALT), chance.subarray(SALT)];
  const lock = await stretched(passphrase, salt, ROUNDS, "encrypt");
  const data = await crypto.subtle.encrypt(bound(nonce, key.public), lock, key.raw);
  const locked = { kdf: "pbkdf2-sha256", rounds: ROUNDS, salt: hex(salt), cipher: "aes-256-gcm", nonce: hex(nonce), data: hex(new Uint8Array(data)) };
  return pretty({ v: 1, kind: KIND, warning: words(LOCKED_WARNING, lang), public_key: key.public, locked });
}

const bound = (iv, key) => ({ name: "AES-GCM", iv, additionalData: concat(utf8("pbem/v1/key-file"), unhex(key)) });

// The key of the lock. One spelling of what may be typed in several ways, on any keyboard.
// Refused `desk/no-crypto` where the browser keeps its ciphers from the page.
async function stretched(passphrase, salt, iterations, use) {
  if (crypto.subtle.deriveKey === undefined) throw refuse("desk/no-crypto");
  const typed = await crypto.subtle.importKey("raw", utf8(passphrase.normalize("NFKC")), "PBKDF2", false, ["deriveKey"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return crypto.subtle.deriveKey(how, typed, { name: "AES-GCM", length: 256 }, false, [use]);
}

async function unlocked({ public_key, locked }, file, passphrase) {
  const damaged = () => refuse("kit/key-damaged", { file });
  const parts = [locked.salt, locked.nonce, locked.data];
  const sizes = [SALT, NONCE, SEALED];
  const isFit = (text, i) => text.length === 2 * sizes[i] && /^[0-9a-f]*$/.test(text);
  if (!parts.every(isFit) || locked.rounds < 1 || locked.rounds > MOST_ROUNDS) throw damaged();
  if (passphrase === "") throw refuse("kit/key-locked", { file });
  const [salt, nonce, data] = parts.map(unhex);
  const lock = await stretched(passphrase, salt, locked.rounds, "decrypt");
  let raw;
  try {
    raw = await crypto.subtle.decrypt(bound(nonce, public_key), lock, data);
  } catch {
    throw refuse("kit/passphrase", { file }); // AES-GCM says no more than that it does not fit
  }
  const key = await privateKey(new Uint8Array(raw));
  if (key.public !== public_key) throw damaged();
  return key;
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

// The key in a file's bytes; `file` is its name, for the answer. Refused `kit/not-a-key`, `kit/key-damaged`, and of a
// locked one `kit/key-locked`, `kit/passphrase`.
export async function readKey(bytes, file, passphrase = "") {
  // 1. a key file at all
  if (!isKeyFile(bytes)) throw refuse("kit/not-a-key", { file });
  // 2. whole: its parts, its checksum, and the public half that belongs to it
  const value = read(bytes, ENVELOPE);
  if (Object.hasOwn(value, "locked")) {
    if (LOCKED(value) !== "") throw refuse("kit/key-damaged", { file });
    return unlocked(value, file, passphrase);
  }
  if (SHAPE(value) !== "") throw refuse("kit/key-damaged", { file });
  const raw = unhex(value.private_key);
  const key = await privateKey(raw);
  if (value.check !== (await checkOf(raw)) || value.public_key !== key.public) throw refuse("kit/key-damaged", { file });
  return key;
}

// Finds damage, and gives nothing away that the public key doesn't.
const checkOf = async (raw) => hex(await sha256(concat(utf8("pbem/v1/key-file"), await sha256(raw)))).slice(0, 16);
