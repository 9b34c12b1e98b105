// A view as a position, with blanks where it sees nothing, and a position as a view: the twins of `imagine.py` and
// `view.py`. The law: what is imagined of a view looks like that view.

import { list, read, write } from "../../../kernel/page/shape.mjs";
import { isEmpty } from "../../../kernel/page/tell.mjs";
import { blank, inOrder } from "./cards.mjs";
import { backerOf, places } from "./standing.mjs";
import { STALEMATE, TASK, WITHOUT_STALEMATES, currentRow, top } from "./state.mjs";

const AGENDA = list(TASK);
const TITAN_DRAW = 3;

// The position that a view shows.
export function imagine(view) {
  let number = 0;
  const take = (count) => Array.from({ length: Math.max(0, count) }, () => blank((number += 1)));
  const agenda = read(AGENDA, view.agenda ?? []);
  const columns = Object.entries(view.columns).map(([name, column]) => [name, columnOf(column, take)]);
  const players = Object.fromEntries(view.order.map((seat) => [seat, player(view, agenda, seat, take)]));
  const deck = take(view.deck ?? 0);
  const buried = take((view.discards ?? 0) - 1);
  return {
    turn: view.turn,
    seat: view.seat,
    order: view.order,
    creatures: view.creatures,
    columns: Object.fromEntries(columns),
    players,
    agenda: agenda.map((task) => imaginedTask(task, players)),
    dead: view.dead ?? [],
    deck,
    discards: [...buried, ...(view.discard ? [view.discard] : [])],
    gone: take(view.gone ?? 0),
    stirred: view.stirred ?? false,
    idle: view.idle ?? 0,
    ask: view.ask ?? false,
    ended: view.ended ?? "",
    stalemate: view.stalemate ? read(STALEMATE, view.stalemate) : WITHOUT_STALEMATES,
  };
}

const columnOf = ({ rows = [], revealed = [] }, take) => ({ rows: rows.map((cell) => cellOf(cell, take)), revealed });

const cellOf = ({ top: card = "", covered = 0, token = "" }, take) => ({ cards: card ? [...take(covered), card] : [], token });

// `policy` stays as the view has it: nothing here is decided by standing orders.
function player(view, agenda, seat, take) {
  const seen = view.seats[seat];
  const own = view.own ?? {};
  const { stock, resigned = false } = seen;
  if (seat === view.me) {
    const { hand = [], frozen = [], secret = "", policy } = own;
    return { hand, frozen, secret, stock, resigned, policy };
  }
  const known = agenda.filter(({ task, victim }) => task === "titan" && victim === seat).flatMap(({ cards }) => cards);
  const hand = inOrder([...known, ...take(seen.hand - known.length)]);
  const frozen = take(seen.frozen ?? 0);
  return { hand, frozen, secret: seen.secret ? take(1)[0] : "", stock, resigned, policy: undefined };
}

// A Titan's question that the viewer does not know: any three cards of the victim's.
function imaginedTask(task, players) {
  if (task.task !== "titan" || task.cards.length) return task;
  return { ...task, cards: players[task.victim].hand.slice(0, TITAN_DRAW) };
}

const some = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));

// What a seat may know, as JSON.
export function look(state, seat) {
  const ranks = state.ended ? places(state) : [];
  const { hand, frozen, secret, policy } = state.players[seat];
  return {
    me: seat,
    turn: state.turn,
    row: currentRow(state),
    seat: state.seat,
    order: state.order,
    creatures: state.creatures,
    columns: Object.fromEntries(state.creatures.map((name) => [name, columnView(state, name)])),
    seats: Object.fromEntries(state.order.map((name) => [name, seatView(state, name, ranks)])),
    own: { ...some({ hand, frozen, secret }), ...(policy === undefined ? {} : { policy }) },
    ...some({
      agenda: write(AGENDA, state.agenda.map((task) => taskView(task, seat))),
      dead: state.dead,
      deck: state.deck.length,
      discards: state.discards.length,
      discard: state.discards.at(-1) ?? "",
      gone: state.gone.length,
      stirred: state.stirred,
      idle: state.idle,
      ask: state.ask,
      ended: state.ended,
    }),
    ...(state.stalemate === WITHOUT_STALEMATES ? {} : { stalemate: write(STALEMATE, state.stalemate) }),
  };
}

function columnView(state, name) {
  const { rows, revealed } = state.columns[name];
  const cells = rows.map((cell) => some({ top: top(cell), covered: Math.max(0, cell.cards.length - 1), token: cell.token }));
  return some({ rows: cells, revealed, backer: backerOf(state, name) });
}

function seatView(state, seat, ranks) {
  const { hand, frozen, secret, stock, resigned } = state.players[seat];
  const rank = ranks.find((one) => one.seat === seat);
  const more = { frozen: frozen.length, secret: Boolean(secret), resigned, gold: rank?.score, place: rank?.place };
  return { hand: hand.length, stock, ...some(more) };
}

function taskView(task, seat) {
  const concerned = task.task !== "titan" || task.seat === seat || task.victim === seat;
  return concerned ? task : { ...task, cards: [] };
}
