// A picture as data, in JavaScript: the shapes of engine/kernel/shapes.py as the JSON that Python writes of them, in
// which a field with its usual value is left out. Knows no game, no format of pictures and no language.

import { say } from "./say.mjs";

export const WIDTH = 720;
export const SMALLEST = 20;

export const USUAL = {
  rect: { fill: "", line: "", wide: 2, round: 0, hatch: "", dash: "" },
  mark: { sign: "disc", fill: "", line: "", wide: 2, dash: "" },
  stroke: { line: "", fill: "", wide: 2, arrow: false, dash: "" },
  text: { size: SMALLEST, lines: 1, bold: false, anchor: "middle", fill: "ink" },
  group: { head: [], row: [], of: "" },
};

const shape = (draw, needed, more) => {
  const made = { draw, ...needed };
  for (const [name, value] of Object.entries(more)) {
    const usual = USUAL[draw][name];
    if (Array.isArray(usual) ? value.length : value !== usual) made[name] = value;
  }
  return made;
};

export const rect = (x, y, w, h, more = {}) => shape("rect", { x, y, w, h }, more);

export const mark = (x, y, r, more = {}) => shape("mark", { x, y, r }, more);

// `points` are pairs of numbers.
export const stroke = (points, more = {}) => shape("stroke", { points }, more);

export const text = (x, y, told, room, more = {}) => shape("text", { x, y, text: told, room }, more);

// With `head` a table, whose rows are the groups within that have a `row`; `of` is what it stands for in menus.
export const group = (title, parts, more = {}) => shape("group", { title, parts }, more);

// A number as a sentence.
export const number = (n) => say("{n}", { n });

const shade = (light, dark) => ({ light, dark });

// Colours by role, from pairs of one on light and one on dark ground.
export const palette = (pairs) =>
  Object.fromEntries(Object.entries(pairs).map(([role, [light, dark]]) => [role, shade(light, dark)]));

// Roles that every game may use.
export const COMMON = palette({
  ground: ["#ffffff", "#15181d"],
  panel: ["#f4f1ea", "#23282f"],
  card: ["#fffdf7", "#333a44"],
  line: ["#b9b2a4", "#525b68"],
  ink: ["#1c1a17", "#f3f1ec"],
  faint: ["#5b564d", "#b9bec6"],
  alert: ["#b3261e", "#ff8a80"],
  new: ["#8f3fb0", "#d79bf0"],
});
