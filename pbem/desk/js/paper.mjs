// A key as 24 words, to be written down on paper and read back: the list and the checksum of BIP-39, in English. The
// twin of pbem/player/paper.py. The words are the whole key: whoever has them can play as its owner.

import { sha256 } from "../../site/js/bytes.mjs";
import { quoted, refuse } from "../../site/js/refusal.mjs";
import { say } from "./say.mjs";
import { WORDS } from "./wordlist.mjs";

const COUNT = 24;
const BITS = 11;

export async function toWords(raw) {
  const sum = (await sha256(raw))[0];
  let bits = raw.reduce((whole, byte) => (whole << 8n) | BigInt(byte), 0n);
  bits = (bits << 8n) | BigInt(sum);
  return Array.from({ length: COUNT }, (_, i) => WORDS[Number((bits >> BigInt(BITS * (COUNT - 1 - i))) & 2047n)]);
}

// The 32 bytes that words spell, numbered or not, in any case, four letters of each being enough. Refused `kit/words`.
export async function fromWords(text) {
  const said = text.toLowerCase().replaceAll(",", " ").split(/\s+/).filter((word) => word !== "" && !/^[.:)]*[0-9]+[.:)]*$/.test(word));
  if (said.length !== COUNT) throw wrong(say("There are {found} words, not {wanted}", { found: said.length, wanted: COUNT }));
  const places = said.map((word, i) => placeOf(word, i + 1));
  let bits = places.reduce((whole, place) => (whole << BigInt(BITS)) | BigInt(place), 0n);
  const sum = Number(bits & 255n);
  bits >>= 8n;
  const raw = Uint8Array.from({ length: 32 }, (_, i) => Number((bits >> BigInt(8 * (31 - i))) & 255n));
  if ((await sha256(raw))[0] !== sum) {
    throw wrong(say("The words do not belong together: one is another than was written down, or two changed places"));
  }
  return raw;
}

function placeOf(word, number) {
  const exact = WORDS.indexOf(word);
  if (exact >= 0) return exact;
  const fits = (one) => word.length >= 4 && one.startsWith(word.slice(0, 4)) && word.startsWith(one.slice(0, 4));
  const found = WORDS.filter(fits);
  if (found.length !== 1) throw wrong(say("Word {number}, {word}, is not on the list", { number, word: quoted(word.slice(0, 30)) }));
  return WORDS.indexOf(found[0]);
}

const wrong = (problem) => refuse("kit/words", { problem });
