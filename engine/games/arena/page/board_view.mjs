// A view with nothing left out, and what everybody can work out of it: the twin of parts of view.py and
// report_board.py. It decides nothing.

import { plural, say } from "../../../../pbem/desk/js/say.mjs";
import { CREATURES, ROW_VALUES, SEATS, SECRET_VALUE } from "./board_cards.mjs";

const CELL = { top: "", covered: 0, token: "" };
const SEAT = { stock: 0, frozen: 0, secret: false, resigned: false, gold: 0, place: 0 };
const OWN = { hand: [], frozen: [], secret: "" };
const VIEW = { agenda: [], dead: [], deck: 0, discards: 0, discard: "", ended: "" };

const columnOf = (column) => ({
  revealed: [],
  backer: "",
  ...column,
  rows: (column.rows ?? []).map((cell) => ({ ...CELL, ...cell })),
});

const each = (things, change) => Object.fromEntries(Object.entries(things).map(([name, one]) => [name, change(one)]));

// The view with every field that its JSON leaves out.
export const whole = (view) => ({
  ...VIEW,
  ...view,
  columns: each(view.columns, columnOf),
  seats: each(view.seats, (seat) => ({ ...SEAT, ...seat })),
  own: { ...OWN, ...view.own },
  stalemate: { began: "", declared: "", ...view.stalemate },
});

export const alive = (view) => view.creatures.filter((name) => !view.dead.includes(name));

// What a seat's public tokens on the living creatures are worth as it stands.
export function gold(view, seat) {
  let total = 0;
  for (const name of alive(view)) {
    const column = view.columns[name];
    column.rows.forEach((cell, place) => {
      if (cell.token === seat && place < ROW_VALUES.length) total += ROW_VALUES[place];
    });
    total += SECRET_VALUE * column.revealed.filter((one) => one === seat).length;
  }
  return total;
}

// A seat in a table or heading.
export const title = (view, seat) =>
  seat === view.me ? say("{seat} (you)", { seat: SEATS[seat] }) : SEATS[seat];

// What the stalemate variant adds to how things stand.
export function stalemate(view) {
  const began = say("{seat} began the round.", { seat: SEATS[view.stalemate.began] });
  if (!view.stalemate.declared) return began;
  return say("{began} {seat} has declared a stalemate.", { began, seat: SEATS[view.stalemate.declared] });
}

export function about(view, rounds) {
  const fallen = plural("{n} creature has fallen", "{n} creatures have fallen", view.dead.length);
  if (view.ended) return say("The arena at the end: {fallen}.", { fallen });
  return say("Round {row} of {rounds}: {fallen}.", { row: view.row, rounds, fallen });
}

// A creature and what became of it, or is about to.
export function fate(view, name, falls) {
  const creature = CREATURES[name];
  if (view.dead.includes(name)) {
    return say("{creature}, fallen in row {row}", { creature, row: view.dead.indexOf(name) + 1 });
  }
  return falls ? say("{creature}, falls next", { creature }) : creature;
}
