// Accumulators, draw keys and the stream of numbers (protocol.md section 5, Setup to Stream).
//
// Decides which bytes each hash and MAC is made of, and which values come of them. Knows no log and no game.
// Links, tips, accumulators and digests are hex, keys raw bytes.

import { concat, hex, hmac, sha256, u32, unhex, utf8 } from "./bytes.mjs";
import { ctx, lp } from "./chain.mjs";
import { quoted, refuse } from "./refusal.mjs";

const ALL = 2 ** 32;

// A_0 from the charter line's digest, the host's link 1 and every seat's [key, tip, link 1].
export async function setupAcc(charter, hostLink, seats) {
  const sorted = [...seats].sort(([one], [two]) => (one < two ? -1 : 1));
  const parts = sorted.flatMap(([, tip, reveal]) => [unhex(tip), unhex(reveal)]);
  const setup = await sha256(ctx("setup", unhex(charter), unhex(hostLink), ...parts));
  return hex(await sha256(ctx("acc0", setup)));
}

// A_t from A_{t-1}, t, host link t+1 and the reveals of turn t in charter order ("" for none).
export async function nextAcc(acc, turn, hostLink, reveals) {
  const tail = reveals.map((reveal, i) => concat(lp(u32(i)), lp(unhex(reveal))));
  return hex(await sha256(concat(ctx("acc", unhex(acc), turn, unhex(hostLink)), ...tail)));
}

export const hiddenCommit = async (game, kHidden) => hex(await sha256(ctx("hidden-commit", game, unhex(kHidden))));

// The dice of a turn: `acc` and `turn`, and `kHidden` where hidden draws are to be made.
export const drawKey = ({ game, acc, turn, kHidden }, label) =>
  kHidden === undefined
    ? hmac(unhex(acc), ctx("public", game, turn, label))
    : hmac(unhex(kHidden), ctx("hidden", game, label, unhex(acc)));

// A stream of numbers under a key; what it drew is kept in `drawn` as {word, sides, value}, value -1 for a
// word that was thrown away.
export function stream(key) {
  let block = 0;
  let words = [];
  const drawn = [];
  const word = async () => {
    if (words.length === 0) {
      const bytes = await hmac(key, concat(u32(0), u32(block)));
      block += 1;
      const view = new DataView(bytes.buffer);
      words = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i));
    }
    return words.shift();
  };
  const below = async (sides) => {
    const limit = ALL - (ALL % sides);
    for (;;) {
      const found = await word();
      drawn.push({ word: found, sides, value: found < limit ? found % sides : -1 });
      if (found < limit) return found % sides;
    }
  };
  return { below, drawn };
}

// The values that a draw must have, and how they came about.
export async function redraw(draw, dice) {
  const key = await drawKey(dice, draw.label);
  const { below, drawn } = stream(key);
  const values = draw.items === undefined ? await roll(below, draw.sides || 1, draw.values.length) : await shuffle(below, draw.items);
  return { key: hex(key), values, drawn };
}

async function roll(below, sides, count) {
  const values = [];
  while (values.length < count) values.push(1 + (await below(sides)));
  return values;
}

async function shuffle(below, items) {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}

// Refuses a draw that is neither dice of one size nor a whole shuffle.
export function checkDrawShape({ label, values, sides, items }) {
  let fits = label !== "" && utf8(label).length === label.length;
  if (fits && sides !== undefined) {
    // no values is no excuse: a number out of bounds has no place in a log
    const oneSize = items === undefined && sides >= 1 && sides <= ALL;
    fits = oneSize && values.every((value) => typeof value === "number" && value >= 1 && value <= sides);
  } else if (fits) {
    fits = items !== undefined && items.length === values.length && values.every((value) => typeof value === "string");
  }
  if (!fits) throw refuse("log/draw-shape", { label: quoted(label) });
}

// Draws again under the label and refuses if other values come. The shape has been looked at.
export async function checkDraw(draw, dice) {
  const { values } = await redraw(draw, dice);
  const same = values.length === draw.values.length && values.every((value, i) => value === draw.values[i]);
  if (!same) throw refuse("log/draw-value", { label: draw.label });
}
