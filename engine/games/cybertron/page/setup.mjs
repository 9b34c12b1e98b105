// A live setup (FI p.5): one claim, then one spare robot, a turn. The twin of what `setup.py` does after the start.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { mapOf } from "./atlas.mjs";
import { addRobots, step } from "./ground.mjs";
import { openTurn } from "./rounds.mjs";
import { active } from "./standing.mjs";
import { withPlayer } from "./state.mjs";

// An empty zone (FI p.5).
export function checkClaim(state, { zone }) {
  const seat = state.owner[mapOf(state).place.get(zone)];
  return seat ? refusal("moment/claimed", { zone, seat }) : null;
}

// One robot there, and the next seat's turn (FI p.5).
export const applyClaim = (state, seat, { zone }) => next(claimed(state, seat, zone), seat);

export const applySpare = (state, seat, { zone }) => next(spared(state, seat, zone), seat);

function next(done, seat) {
  const opened = openSetup({ ...done.state, agenda: [] }, after(done.state, seat));
  return step(opened.state, [...done.events, ...opened.events]);
}

const after = (state, seat) => state.order[(state.order.indexOf(seat) + 1) % state.order.length];

const hasEmpty = (state) => state.owner.slice(0, mapOf(state).normal).includes("");

// A turn of a live setup, or the first day; claims of who has left are made for him (section 7.1, Resigned).
function openSetup(before, from) {
  let [state, seat] = [before, from];
  const happened = [];
  while (hasEmpty(state) || state.order.some((one) => state.players[one].spare)) {
    const claims = hasEmpty(state);
    const skipped = !claims && !state.players[seat].spare;
    if (!skipped && !state.players[seat].resigned) {
      const agenda = [{ task: claims ? "claim" : "spare", seat }];
      return step({ ...state, turn: state.turn + 1, seat, agenda }, happened);
    }
    if (!skipped) {
      const done = claims ? claimed(state, seat, firstOf(state, "")) : spared(state, seat, firstOf(state, seat));
      state = done.state;
      happened.push(...done.events);
    }
    seat = after(state, seat);
  }
  const opened = openTurn(state, active(state)[0], 1);
  return step(opened.state, [...happened, ...opened.events]);
}

// The first zone in board order that a seat holds, or with no seat the first empty one.
const firstOf = (state, seat) => mapOf(state).ids[state.owner.indexOf(seat)];

const claimed = (state, seat, zone) => step(put(state, seat, zone), [told("zones_claimed", { seat, zones: [zone] })]);

const spared = (state, seat, zone) => step(put(state, seat, zone), [told("spares_placed", { seat, zones: { [zone]: 1 } })]);

// One of a seat's spare robots on a zone.
function put(state, seat, zone) {
  const there = addRobots(state, mapOf(state).place.get(zone), seat, 1);
  return withPlayer(there, seat, { spare: there.players[seat].spare - 1 });
}
