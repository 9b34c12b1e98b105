// A view with nothing left out, what everybody can work out of it, and what its news tell: the twin of parts of
// view.py, report_board.py, report_gains.py and report_diary.py. It decides nothing.

import { plural, say } from "../../../../pbem/desk/js/say.mjs";
import { atlas } from "./atlas.mjs";

const DAYS = 6;
const ALLIED = 4;

export const SEATS = {
  optimus_prime: say("Optimus Prime"),
  bumblebee: say("Bumblebee"),
  megatron: say("Megatron"),
  barricade: say("Barricade"),
};

export const TEAMS = { autobot: say("Autobots"), decepticon: say("Decepticons") };

export const FORMS = { robot: say("robot"), vehicle: say("vehicle") };

const SEAT = { resigned: false, out: false, place: 0 };

// The view with every field that a picture looks at and its JSON may leave out, and its board's atlas.
export function whole(view) {
  const zones = Object.entries(view.zones).map(([id, one]) => [id, { seat: "", robots: 0, ...one }]);
  const seats = Object.entries(view.seats).map(([name, one]) => [name, { ...SEAT, ...one }]);
  return {
    opened: [],
    ended: "",
    battle: null,
    ...view,
    zones: new Map(zones),
    seats: Object.fromEntries(seats),
    atlas: atlas(view.board),
  };
}

// Whether the holder's leader stands in a zone.
export function hasLeader(view, id) {
  const holder = view.zones.get(id).seat;
  return Boolean(holder) && view.seats[holder].leader === id;
}

// A seat in a table or heading.
export const title = (view, seat) => (seat === view.me ? say("{seat} (you)", { seat: SEATS[seat] }) : SEATS[seat]);

// With four players the two teams by faction; else nothing.
export function sides(view) {
  if (view.order.length !== ALLIED) return [];
  return Object.keys(TEAMS).map((faction) => [
    faction,
    view.order.filter((seat) => view.atlas.leaders.get(seat).faction === faction),
  ]);
}

export function about(view) {
  const held = view.order.map((name) =>
    plural("{seat} holds {n} zone", "{seat} holds {n} zones", view.seats[name].zones, { seat: SEATS[name] }),
  );
  if (view.ended) return say("Cybertron after the war: {held}.", { held });
  return say("Day {day} of {days}: {held}.", { day: view.day, days: DAYS, held });
}

// What time it is.
export function when(view) {
  if (view.ended) return say("Game over");
  return view.day ? say("Day {day} of {days}", { day: view.day, days: DAYS }) : say("Set-up");
}

// Whose turn it is, or who has won.
export function turn(view) {
  if (!view.ended) return say("turn {turn}: {seat}", { turn: view.turn, seat: SEATS[view.seat] });
  const winners = view.order.filter((name) => view.seats[name].place === 1).map((name) => SEATS[name]);
  return plural("{winners} wins", "{winners} win", winners.length, { winners });
}

// Zones whose holder is another than before.
export function changed(news) {
  const first = new Map();
  const last = new Map();
  for (const event of news) {
    const change = changeOf(event);
    if (!change) continue;
    const [id, before, after] = change;
    if (!first.has(id)) first.set(id, before);
    last.set(id, after);
  }
  return new Set([...first.keys()].filter((id) => first.get(id) !== last.get(id)));
}

// A zone, its holder before and after; an empty holder is nobody.
function changeOf(event) {
  switch (event.event) {
    case "attack_ended":
      return event.how === "captured" ? [event.target, event.defender, event.seat] : null;
    case "zone_given":
      return [event.zone, event.seat, event.to];
    case "zone_morphed":
      return event.factory && event.opened ? [event.factory, "", event.seat] : null;
    case "factory_closed":
      return [event.factory, event.seat, ""];
    default:
      return null;
  }
}

const IN_BATTLE = new Set(["attack_began", "rolled", "attack_ended", "leader_destroyed", "leader_fled"]);

// The battles that the news tell of, each way once: origin, target, and whether any of them took the target.
export function battles(view, news) {
  const found = new Map();
  for (const fights of fightsByTurn(news)) {
    for (const [number, fight] of fights) {
      const told = fight.began ?? fight.ended ?? (view.battle?.number === number ? view.battle : null);
      if (!told?.origin) continue;
      const way = JSON.stringify([told.origin, told.target]);
      const before = found.get(way);
      const taken = fight.ended?.how === "captured" || before?.taken === true;
      found.set(way, { origin: told.origin, target: told.target, taken });
    }
  }
  return [...found.values()];
}

// For each turn its battles by number; a report may begin or end in the middle of one.
function fightsByTurn(news) {
  const turns = [new Map()];
  let number = 0;
  for (const event of news) {
    if (event.event === "turn_began") {
      turns.push(new Map());
      number = 0;
      continue;
    }
    if (!IN_BATTLE.has(event.event) && !(event.event === "card_played" && event.battle)) continue;
    number = event.battle ?? number;
    const fights = turns.at(-1);
    if (!fights.has(number)) fights.set(number, {});
    if (event.event === "attack_began") fights.get(number).began = event;
    if (event.event === "attack_ended") fights.get(number).ended = event;
  }
  return turns;
}
