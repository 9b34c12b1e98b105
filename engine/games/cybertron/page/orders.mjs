// What a player writes: one record per order, tagged by `do`. The twin of `orders.py`.

import { FLAG, NUMBER, TEXT, list, map, may, numberOr, record, union, word } from "../../../kernel/page/shape.mjs";

export const MOST_ROBOTS = 99;
export const MOST_UNTIL = 20;
export const MOST_MOVED = 50;
export const MOST_ROLLS = 30;

const order = (name, fields = {}) => record(fields, { tag: ["do", name] });

const NO_GUARDS = Object.freeze({ held: [], not_held: [], captured: [], at_least: {}, at_most: {} });
const WHEN = record({
  held: may(list(TEXT), []),
  not_held: may(list(TEXT), []),
  captured: may(list(TEXT), []),
  at_least: may(map(NUMBER), {}),
  at_most: may(map(NUMBER), {}),
});
const MOVE = { from: TEXT, to: TEXT, robots: NUMBER, leader: may(FLAG, false) };

const ORDERS = [
  order("claim", { zone: TEXT }),
  order("spare", { zone: TEXT }),
  order("play_card", {
    card: TEXT,
    zone: may(TEXT, ""),
    form: may(word("robot", "vehicle", ""), ""),
    from: may(TEXT, ""),
    to: may(TEXT, ""),
    robots: may(NUMBER, undefined),
    leader: may(FLAG, false),
  }),
  order("recall_leader", { zone: TEXT, form: may(word("robot", "vehicle"), "robot") }),
  order("place", { zone: TEXT, robots: may(numberOr("rest"), "rest") }),
  order("flip_leader"),
  order("morph", { card: TEXT, zone: TEXT }),
  order("attack", {
    from: TEXT,
    to: TEXT,
    dice: NUMBER,
    leader: may(FLAG, false),
    cards: may(list(TEXT), []),
    until: may(numberOr("captured"), "captured"),
    keep: may(NUMBER, 0),
    move_in: may(numberOr("least", "all"), "least"),
    when: may(WHEN, NO_GUARDS),
  }),
  order("back_up", MOVE),
  order("jump", { to: TEXT }),
  order("give", { zone: TEXT }),
  order("end_turn"),
  order("defend", { dice: NUMBER, leader: may(FLAG, false), cards: may(list(TEXT), []) }),
  order("bonus", { plus: NUMBER }),
  order("flee", { zone: TEXT }),
];
export const ACTION = union("do", () => ORDERS);

// The entries of a map by zone, in the order of the names.
export const byName = (limits) => Object.entries(limits).sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
