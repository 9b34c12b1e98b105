// The parts of a picture of Cybertron: its colours, the signs of the seats, leaders, special zones; the twin of
// shapes_parts.py.

import { COMMON, mark, number, palette, rect, stroke, text } from "../../../../pbem/desk/js/shapes.mjs";

export const PALETTE = {
  ...COMMON,
  ...palette({
    now: ["#e9efe0", "#2c3a2f"],
    edge: ["#1c1a17", "#f3f1ec"],
    route: ["#8d8577", "#8791a0"],
    battle: ["#c4301f", "#ff8a5c"],
    gold: ["#ffd34d", "#ffd34d"],
    white_letter: ["#ffffff", "#ffffff"],
    black_letter: ["#17150f", "#17150f"],
    optimus_prime: ["#b9251c", "#b9251c"],
    bumblebee: ["#f2c230", "#f2c230"],
    megatron: ["#33363b", "#33363b"],
    barricade: ["#1f55b5", "#1f55b5"],
    red: ["#fbe3df", "#4a2724"],
    yellow: ["#faf1c8", "#47401c"],
    green: ["#dff0dc", "#21402a"],
    blue: ["#dde8fa", "#223656"],
    purple: ["#ecdff5", "#3c2a50"],
    orange: ["#fde6cd", "#4e361c"],
  }),
};
export const SIGNS = { optimus_prime: "disc", bumblebee: "square", megatron: "diamond", barricade: "hexagon" };
const TINTS = ["red", "yellow", "green", "blue", "purple", "orange"];
const LETTER_ON = { bumblebee: "black_letter" };

export const SIGN = 20;
const RING = 29;
const HOUSE = 26;

// The ground of a sector; one that is not called by a colour gets the colour of its place.
export const tint = (atlas, sector) =>
  TINTS.includes(sector) ? sector : TINTS[[...atlas.sectors.keys()].indexOf(sector) % TINTS.length];

// A seat's sign around a centre, with something written on it.
export function sign(seat, x, y, r = SIGN, told = null) {
  const parts = [mark(x, y, r, { sign: SIGNS[seat], fill: seat, line: "edge" })];
  if (told) parts.push(text(x, y, told, 2 * r, { size: 24, bold: true, fill: LETTER_ON[seat] ?? "white_letter" }));
  return parts;
}

// A leader: a star in robot form, a triangle in vehicle form.
export const leader = (form, x, y, r = 10) =>
  mark(x, y, r, { sign: form === "robot" ? "star" : "triangle", fill: "gold", line: "black_letter", wide: 1.5 });

// What stands in a zone: the holder's sign with its robots, and his leader beside it, or alone on it.
export function piece(seat, robots, form, x, y) {
  if (form && !robots) return [...sign(seat, x, y), leader(form, x, y)];
  const parts = sign(seat, x, y, SIGN, number(robots));
  return form ? [...parts, leader(form, x + 25, y - 15)] : parts;
}

// Around a spinner: whole while it is closed, a dashed one while ways lead through it.
export const ring = (x, y, isOpen, r = RING) =>
  mark(x, y, r, { fill: "card", line: "edge", wide: isOpen ? 2 : 4, dash: isOpen ? "dashed" : "" });

// A secret war factory beside its slider: dashed and crossed out while it is closed.
export function factory(x, y, isOpen, r = HOUSE) {
  const house = mark(x, y, r, { sign: "house", fill: "card", line: "edge", dash: isOpen ? "" : "dashed" });
  if (isOpen) return [house];
  const arm = r * 0.42;
  const low = y + r * 0.12;
  return [
    house,
    stroke([[x - arm, low - arm], [x + arm, low + arm]], { line: "route", wide: 3 }),
    stroke([[x + arm, low - arm], [x - arm, low + arm]], { line: "route", wide: 3 }),
  ];
}

// Words on a small ground of their own, around a centre.
export const plate = (told, x, y, room, fill) => [
  rect(x - room / 2, y - 13, room, 26, { fill, line: "route", wide: 1.5, round: 13 }),
  text(x, y, told, room - 10, { bold: true }),
];
