// A position: the twin of `state.py`. Records are never changed; the functions here copy and change one part.
//
// Rows count from 1. A column has one cell for every row that has begun while its creature lived.

import { FLAG, NUMBER, TEXT, list, may, record, union } from "../../../kernel/page/shape.mjs";
import { inOrder } from "./cards.mjs";

export const HAND = 8;
export const ROUNDS = 5;

const task = (name, fields = {}) => record({ seat: TEXT, ...fields }, { tag: ["task", name] });
const TASKS = [
  task("bet"),
  task("play"),
  task("ettin"),
  task("titan", { victim: TEXT, cards: may(list(TEXT), []) }),
  task("gorgon", { taker: TEXT, creature: TEXT }),
  task("discard", { magus: may(FLAG, false), passed: may(FLAG, false), secret: may(FLAG, false) }),
  task("end", { secret: may(FLAG, false) }),
  task("stalemate"),
];
export const TASK = union("task", () => TASKS);

export const STALEMATE = record({
  began: may(TEXT, ""),
  declared: may(TEXT, ""),
  count: may(NUMBER, 0),
  again: may(NUMBER, 0),
});
export const WITHOUT_STALEMATES = Object.freeze({ began: "", declared: "", count: 0, again: 0 });

// The current row, which is the number of the round: 1 … 5.
export const currentRow = (state) => Math.min(state.dead.length + 1, ROUNDS);

// The living creatures in the order of the row.
export const living = (state) => state.creatures.filter((name) => !state.dead.includes(name));

// The seats that have not resigned, in turn order.
export const active = (state) => state.order.filter((seat) => !state.players[seat].resigned);

// The cell of a column in a row, or undefined if that row has not begun there.
export const cellAt = (state, creature, row) => (row >= 1 ? state.columns[creature].rows[row - 1] : undefined);

// The tasks that wait for an answer now: the head of the agenda, or all questions about a stalemate.
export function openTasks(agenda) {
  const asked = agenda.filter(({ task: kind }) => kind === "stalemate");
  return asked.length ? asked : agenda.slice(0, 1);
}

// The visible card of a cell; empty if there is none.
export const top = (cell) => cell?.cards.at(-1) ?? "";

// The state with one player changed; a new hand is put in order.
export function withPlayer(state, seat, changes) {
  const ordered = changes.hand ? { ...changes, hand: inOrder(changes.hand) } : changes;
  return { ...state, players: { ...state.players, [seat]: { ...state.players[seat], ...ordered } } };
}

export function withColumn(state, creature, changes) {
  const column = { ...state.columns[creature], ...changes };
  return { ...state, columns: { ...state.columns, [creature]: column } };
}

export function withCell(state, creature, row, changes) {
  const rows = state.columns[creature].rows.map((cell, place) => (place === row - 1 ? { ...cell, ...changes } : cell));
  return withColumn(state, creature, { rows });
}

// The state with the note that something has moved in this turn.
export const stirred = (state) => (state.stirred ? state : { ...state, stirred: true });

export const step = (state, events = []) => ({ state, events });
