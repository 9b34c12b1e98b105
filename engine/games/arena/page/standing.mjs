// How things stand, worked out from a position and never stored: the twin of `standing.py`.

import { strengthOf } from "./cards.mjs";
import { active, cellAt, currentRow, living, top } from "./state.mjs";

const ROW_VALUES = [4, 3, 2, 1, 0];
const SECRET_VALUE = 5;

// The seat with the greatest total of public tokens on a creature; empty if none or tied (HU p.4).
export function backer(column) {
  const totals = new Map();
  const add = (seat, value) => totals.set(seat, (totals.get(seat) ?? 0) + value);
  for (const [place, { token }] of column.rows.entries()) if (token) add(token, ROW_VALUES[place]);
  for (const seat of column.revealed) add(seat, SECRET_VALUE);
  const best = Math.max(0, ...totals.values());
  const leaders = [...totals.keys()].filter((seat) => totals.get(seat) === best);
  return leaders.length === 1 ? leaders[0] : "";
}

// The backer of a living creature; the dead have none (HU p.4).
export const backerOf = (state, creature) => (state.dead.includes(creature) ? "" : backer(state.columns[creature]));

// The living creature that dies now (HU p.9): all have a card in the row, and its is the one lowest.
export function doomed(state) {
  const tops = living(state).map((name) => [top(cellAt(state, name, currentRow(state))), name]);
  if (!tops.every(([card]) => card)) return "";
  const strengths = tops.map(([card]) => strengthOf(card));
  const low = Math.min(...strengths);
  return strengths.filter((one) => one === low).length === 1 ? tops[strengths.indexOf(low)][1] : "";
}

// The row that a stalemate shuffles (FAQ): the lowest that holds a card, `filled` up to the current row; 0 if none.
export function rowForAPile(filled, again) {
  const now = filled.length;
  return filled.findIndex((full, place) => full && !(place + 1 === now && now === again)) + 1;
}

// The worth of a seat's public tokens on the living creatures (HU p.9).
function gold(state, seat) {
  const worth = ({ rows, revealed }) =>
    rows.reduce((sum, { token }, place) => sum + (token === seat ? ROW_VALUES[place] : 0), 0) +
    SECRET_VALUE * revealed.filter((one) => one === seat).length;
  return living(state).reduce((sum, name) => sum + worth(state.columns[name]), 0);
}

// Final places, best first: most gold; of equals, who had a turn most recently (HU p.9, #57); then who has resigned.
export function places(state) {
  const turn = state.order.indexOf(state.seat);
  const recent = [...state.order.slice(0, turn + 1).reverse(), ...state.order.slice(turn + 1).reverse()];
  const left = active(state);
  const worth = new Map(state.order.map((seat) => [seat, gold(state, seat)]));
  const gone = (seat) => Number(!left.includes(seat));
  const ranked = recent.sort((one, other) => gone(one) - gone(other) || worth.get(other) - worth.get(one));
  return ranked.map((seat, place) => ({ seat, place: place + 1, score: worth.get(seat) }));
}
