// Who stands with whom, what a turn gives, and who wins (FI p.4, p.7-8, p.13, p.18). The twin of `standing.py`.

import { mapOf } from "./atlas.mjs";
import { countOf } from "./state.mjs";

const ALLIED = 4;
const MOST_FROM_FACTORY = 3;

export const isAllied = (state) => state.order.length === ALLIED;

// The team-mate of a seat, resigned or out or not; empty without teams.
export function mate(state, seat) {
  if (!isAllied(state)) return "";
  const { leaders } = mapOf(state);
  return state.order.find((other) => other !== seat && leaders.get(other).faction === leaders.get(seat).faction);
}

export const side = (state, seat) => state.order.filter((other) => other === seat || other === mate(state, seat));

export const isEnemy = (state, seat, other) => Boolean(other) && other !== seat && other !== mate(state, seat);

// The seats that still play, in turn order.
export const active = (state) => state.order.filter((seat) => !(state.players[seat].resigned || state.players[seat].out));

// The sides of which somebody still plays, in turn order.
export function sidesLeft(state) {
  const found = [];
  for (const seat of active(state)) {
    if (!found.some((one) => one.includes(seat))) found.push(side(state, seat));
  }
  return found;
}

export function hasLeader(state, place) {
  const owner = state.owner[place];
  return Boolean(owner) && state.players[owner].leader === mapOf(state).ids[place];
}

// How many pieces stand in a zone: robots, and the leader as one (FI p.6).
export const pieces = (state, place) => state.robots[place] + Number(hasLeader(state, place));

// What a turn of this seat would begin with, as a view has it (FI p.7-8, steps A, C, D).
export function income(state, seat) {
  const where = mapOf(state);
  const { owner } = state;
  const zones = countOf(owner, seat);
  if (!zones) return { zones: 0, robots: 0 };
  const robots = where.robotsFor(zones);
  const whole = where.board.sectors.filter(({ id }) =>
    where.sectors.get(id).every((place) => owner[place] === seat || (!owner[place] && place >= where.normal)),
  );
  const sectors = whole.map((sector) => sector.id);
  const bonus = whole.reduce((sum, sector) => sum + sector.bonus, 0);
  const held = where.ids.map((id, place) => [id, place]).filter(([, place]) => place >= where.normal && owner[place] === seat);
  const yields = held.map(([id, place]) => [id, Math.min(MOST_FROM_FACTORY, pieces(state, place))]);
  const made = yields.reduce((sum, [, count]) => sum + count, 0);
  const total = robots + bonus + made;
  return {
    zones,
    robots,
    ...(sectors.length ? { sectors } : {}),
    ...(bonus ? { bonus } : {}),
    ...(yields.length ? { factories: Object.fromEntries(yields) } : {}),
    ...(total ? { total } : {}),
  };
}

// How many zones a seat's side holds, also those of a mate who has resigned (FI p.18).
const sideZones = (state, seat) => side(state, seat).reduce((sum, one) => sum + countOf(state.owner, one), 0);

// How the sixth day ends, and the seats that share the first place (FI p.18; sections 1.2, 7.1).
export function final(state) {
  const sides = sidesLeft(state);
  const most = Math.max(...sides.map((one) => sideZones(state, one[0])));
  const best = sides.filter((one) => sideZones(state, one[0]) === most);
  if (best.length === 1) return ["days", best[0]];
  const where = mapOf(state);
  const holder = state.owner[where.place.get(where.board.launch_pad)];
  const winner = sides.find((one) => one.includes(holder));
  return winner ? ["launch_pad", winner] : ["shared", best.flat()];
}

// Final places, best first: the winners, then by zones of the side; equal zones share a place (section 7.1).
export function places(state) {
  const winners = ["conquest", "resigned"].includes(state.ended) ? sidesLeft(state)[0] ?? [] : final(state)[1];
  const worth = (seat) => sideZones(state, seat);
  const before = (one, other) => {
    const won = [winners.includes(one), winners.includes(other)];
    if (won[0] !== won[1]) return won[0];
    return !won[0] && worth(one) > worth(other);
  };
  const ranked = [...state.order].sort((one, other) => Number(before(other, one)) - Number(before(one, other)));
  return ranked.map((seat) => ({
    seat,
    place: 1 + state.order.filter((other) => before(other, seat)).length,
    score: worth(seat),
  }));
}
