// Check words: one common English word at a line's end that depends on this line and on all before it; the twin of
// pbem/player/check_words.py.

import { sha256, utf8 } from "../../../site/js/bytes.mjs";
import { WORDS } from "../wordlist.mjs";

// The word of the last of these lines, each in its one way of writing.
export async function checkWord(lines) {
  const digest = await sha256(utf8(["pbem/lines/1", ...lines].map((line) => `${line}\n`).join("")));
  return WORDS[((digest[0] << 8) | digest[1]) >> 5];
}

// The lines, each with its check word.
export const withWords = (lines) =>
  Promise.all(lines.map(async (line, place) => `${line} #${await checkWord(lines.slice(0, place + 1))}`));
