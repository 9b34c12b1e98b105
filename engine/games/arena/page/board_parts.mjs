// The parts of a picture of the arena: its colours, cards, tokens and lines of words; the twin of shapes_parts.py.

import { say } from "../../../../pbem/desk/js/say.mjs";
import { COMMON, mark, number, palette, rect, text } from "../../../../pbem/desk/js/shapes.mjs";
import { CREATURES, LETTERS, called, creatureOf, isBlank, isReferee, isSpectator, strengthOf } from "./board_cards.mjs";

export const PALETTE = {
  ...COMMON,
  ...palette({
    now: ["#e9efe0", "#2c3a2f"],
    crowd: ["#e4e9f7", "#2d3858"],
    dead: ["#dedbd5", "#2a2b2e"],
    bones: ["#ebe9e4", "#37383c"],
    back: ["#5d4a7a", "#8b78ad"],
    edge: ["#1c1a17", "#f3f1ec"],
    white_letter: ["#ffffff", "#ffffff"],
    black_letter: ["#17150f", "#17150f"],
    red: ["#b9251c", "#b9251c"],
    blue: ["#1f55b5", "#1f55b5"],
    green: ["#1f7433", "#1f7433"],
    yellow: ["#f2c230", "#f2c230"],
    white: ["#ffffff", "#ffffff"],
  }),
};

const SIGNS = { red: "disc", blue: "diamond", green: "square", yellow: "hexagon", white: "house" };
const LETTER_ON = { yellow: "black_letter", white: "black_letter" };
const CARD = [46, 64];

// A token with its letter around a centre; a faded one is worth nothing any more.
export function token(seat, x, y, r = 13, faded = false) {
  const fill = faded ? "bones" : seat;
  const ink = faded ? "faint" : LETTER_ON[seat] ?? "white_letter";
  return [
    mark(x, y, r, { sign: SIGNS[seat], fill, line: faded ? "faint" : "edge", wide: 1.5 }),
    text(x, y, LETTERS[seat], r * 2, { bold: true, fill: ink }),
  ];
}

// A token in stock.
export const pip = (seat, x, y) => mark(x, y, 7, { sign: SIGNS[seat], fill: seat, line: "edge", wide: 1.5 });

// Words that begin at `x`.
export const left = (x, y, told, room, size = 20) => text(x, y, told, room, { size, anchor: "start" });

// A card in the arena, upright, with its strength; spectators have three heads below it.
export function face(card, x, y, frame = "line", faded = false) {
  const [w, h] = CARD;
  const wide = frame === "line" ? 2 : 4;
  if (isBlank(card)) {
    return [
      rect(x, y, w, h, { fill: "back", line: frame, wide, round: 7 }),
      text(x + w / 2, y + h / 2, say("?"), w, { size: 30, bold: true, fill: "white_letter" }),
    ];
  }
  const crowd = isSpectator(card);
  const fill = faded ? "bones" : crowd ? "crowd" : "card";
  const ink = faded ? "faint" : "ink";
  const middle = y + (crowd ? 25 : h / 2);
  const heads = crowd ? [-12, 0, 12].map((shift) => mark(x + w / 2 + shift, y + 51, 4.5, { fill: ink })) : [];
  return [
    rect(x, y, w, h, { fill, line: frame, wide, round: 7 }),
    text(x + w / 2, middle, number(strengthOf(card)), w - 2, { size: 32, bold: true, fill: ink }),
    ...heads,
  ];
}

// A card in a hand, 168 by 56: its strength in a box, its name beside it.
export function longCard(card, x, y, faded, frozen) {
  const fill = faded ? "bones" : "card";
  const ink = faded ? "faint" : "ink";
  const box = rect(x, y, 168, 56, { fill, line: "line", round: 8, dash: frozen ? "dashed" : "" });
  if (isBlank(card)) return [box, left(x + 14, y + 28, called(card), 140)];
  if (isReferee(card)) {
    return [
      box,
      mark(x + 24, y + 28, 11, { sign: "star", fill: "now", line: ink, wide: 1.5 }),
      text(x + 50, y + 28, called(card), 112, { size: 22, anchor: "start", fill: ink }),
    ];
  }
  const crowd = isSpectator(card);
  const name = crowd ? say("spectator") : CREATURES[creatureOf(card)];
  return [
    box,
    rect(x + 4, y + 4, 40, 48, { fill: faded ? fill : crowd ? "crowd" : "panel", round: 6 }),
    text(x + 24, y + 28, number(strengthOf(card)), 38, { size: 28, bold: true, fill: ink }),
    text(x + 51, y + 28, name, 112, { size: 22, anchor: "start", fill: ink }),
  ];
}
