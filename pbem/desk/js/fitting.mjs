// How words get into the room that a picture gives them, by how wide letters are in the bundled font; the twin of
// pbem/render/fitting.py and metrics.py.

import { ADVANCES, EM, MISSING } from "./advances.mjs";

export const FAMILY = "DejaVu Sans Condensed";
export const CAPITALS = 0.729;
export const LEADING = 1.1;

// How wide a text is, in the units of its size.
export function width(text, size, bold) {
  const known = ADVANCES[bold ? 1 : 0];
  let sum = 0;
  for (const letter of text) sum += known.get(letter.codePointAt(0)) ?? MISSING[bold ? 1 : 0];
  return (sum * size) / EM;
}

// The lines of a text shape, and the size at which they fit, which is its own size wherever that is possible.
export function fitted(shape, shown) {
  const lines = shape.lines > 1 ? broken(shape, shown.split(" ")) : [shown];
  const widest = Math.max(...lines.map((line) => width(line, shape.size, shape.bold)));
  return [lines, shape.size * Math.min(1, shape.room / Math.max(widest, 1))];
}

// As few lines as fit; what is left over stays in the last one.
function broken(shape, words) {
  const lines = [words[0]];
  for (const word of words.slice(1)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length < shape.lines && width(longer, shape.size, shape.bold) > shape.room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
