// A view as a position, with blanks where it sees nothing, and a position as a view: the twins of `imagine.py` and
// `view.py`. The law: what is imagined of a view looks like that view.

import { list, may, read, write } from "../../../kernel/page/shape.mjs";
import { mapOf } from "./atlas.mjs";
import { blank } from "./deck.mjs";
import { income, places } from "./standing.mjs";
import { BATTLE, BOOST, NO_BOOST, NO_PLAN, TASK, countOf } from "./state.mjs";

const AGENDA = list(TASK);
const MAYBE_BATTLE = may(BATTLE, null);

// The position that a view shows.
export function imagine(view) {
  let number = 0;
  const take = (count) => Array.from({ length: count }, () => blank((number += 1)));
  const where = mapOf({ board: view.board });
  const zones = where.ids.map((id) => view.zones[id] ?? {});
  const players = Object.fromEntries(view.order.map((seat) => [seat, player(view, seat, take)]));
  return {
    turn: view.turn,
    day: view.day,
    seat: view.seat,
    order: view.order,
    owner: zones.map((zone) => zone.seat ?? ""),
    robots: zones.map((zone) => zone.robots ?? 0),
    players,
    agenda: read(AGENDA, view.agenda ?? []),
    opened: view.opened ?? [],
    pile: take(view.pile ?? 0),
    discards: view.discards ?? [],
    captured: view.captured ?? [],
    battles: view.battles ?? 0,
    boost: view.boost ? read(BOOST, view.boost) : NO_BOOST,
    battle: view.battle ? read(BATTLE, view.battle) : null,
    ask: view.ask ?? false,
    ended: view.ended ?? "",
    board: view.board ?? null,
    deck: view.deck ?? null,
  };
}

// `policy` stays as the view has it: nothing here is decided by standing orders.
function player(view, seat, take) {
  const seen = view.seats[seat];
  const mine = seat === view.me;
  return {
    hand: mine ? view.own?.hand ?? [] : take(seen.hand),
    leader: seen.leader,
    form: seen.form,
    spare: seen.spare ?? 0,
    placed: seen.placed ?? 0,
    destroyed: seen.destroyed ?? 0,
    resigned: seen.resigned ?? false,
    out: seen.out ?? false,
    policy: mine ? view.own?.policy : undefined,
  };
}

const some = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => isThere(value)));

function isThere(value) {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

// What a seat may know, as JSON.
export function look(state, seat) {
  const where = mapOf(state);
  const ranks = state.ended ? places(state) : [];
  const { hand, policy } = state.players[seat];
  const own = { ...some({ hand }), ...(policy === undefined ? {} : { policy }) };
  const zones = where.ids.map((id, place) => [id, some({ seat: state.owner[place], robots: state.robots[place] })]);
  return {
    me: seat,
    turn: state.turn,
    day: state.day,
    seat: state.seat,
    order: state.order,
    zones: Object.fromEntries(zones.filter((_, place) => state.owner[place] || place < where.normal)),
    seats: Object.fromEntries(state.order.map((name) => [name, seatOf(state, name, ranks)])),
    own,
    ...some({
      agenda: write(AGENDA, state.agenda),
      opened: state.opened,
      pile: state.pile.length,
      discards: state.discards,
      captured: state.captured,
      battles: state.battles,
    }),
    ...(state.boost === NO_BOOST ? {} : { boost: write(BOOST, state.boost) }),
    ...(state.battle ? { battle: battleOf(state, seat) } : {}),
    ...some({ ask: state.ask, ended: state.ended, board: state.board, deck: state.deck }),
  };
}

function battleOf(state, seat) {
  const plan = state.seat === seat ? state.battle.plan : NO_PLAN;
  const lines = state.battle.defender === seat ? state.battle.lines : [];
  return write(MAYBE_BATTLE, { ...state.battle, plan, lines });
}

function seatOf(state, seat, ranks) {
  const one = state.players[seat];
  const rank = ranks.find((place) => place.seat === seat);
  const robots = state.robots.reduce((sum, count, place) => sum + (state.owner[place] === seat ? count : 0), 0);
  return {
    hand: one.hand.length,
    leader: one.leader,
    form: one.form,
    zones: countOf(state.owner, seat),
    robots,
    income: income(state, seat),
    ...some({
      spare: one.spare,
      placed: one.placed,
      destroyed: one.destroyed,
      resigned: one.resigned,
      out: one.out,
      place: rank?.place,
      score: rank?.score,
    }),
  };
}
