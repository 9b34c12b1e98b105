// Phase 2, morph (FI p.9): the leader's form; spinners and sliders, for a card with the icon. The twin of `morph.py`.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { mapOf } from "./atlas.mjs";
import { addRobots, checkHand, loseRobots, spendCard, step } from "./ground.mjs";
import { eliminate } from "./rounds.mjs";
import { hasLeader } from "./standing.mjs";
import { countOf, withPlayer, withZone } from "./state.mjs";

// The leader stands on the board, and has not been turned in this turn (FI p.9).
export function checkFlip(state, seat) {
  if (!state.players[seat].leader) return refusal("moment/no-leader");
  const [task] = state.agenda;
  return task.task === "morph" && task.flipped ? refusal("moment/flipped") : null;
}

export function applyFlip(state, seat) {
  const form = state.players[seat].form === "vehicle" ? "robot" : "vehicle";
  const [task, ...later] = state.agenda;
  const turned = withPlayer(state, seat, { form });
  return step({ ...turned, agenda: [{ ...task, flipped: true }, ...later] }, [told("leader_flipped", { seat, form })]);
}

// A card with the icon, a foothold in the sector, and a zone left afterwards (FI p.9; section 7.1).
export function checkMorph(state, seat, order) {
  const missing = checkHand(state, seat, order.card);
  if (missing) return missing;
  const where = mapOf(state);
  const sector = where.within[where.place.get(order.zone)];
  if (!where.sectors.get(sector).some((place) => state.owner[place] === seat)) {
    return refusal("moment/no-foothold", { zone: order.zone, sector });
  }
  const factory = where.factoryOf.get(order.zone) ?? -1;
  const closes = factory >= 0 && state.opened.includes(order.zone);
  if (closes && state.owner[factory] === seat && countOf(state.owner, seat) === 1) {
    return refusal("moment/last-zone", { zone: where.ids[factory] });
  }
  return null;
}

// The special zone turned or slid.
export function applyMorph(before, seat, order, dice) {
  const where = mapOf(before);
  const { card, zone } = order;
  const opens = !before.opened.includes(zone);
  const factory = where.factoryOf.get(zone) ?? -1;
  const opened = where.specials.filter((id) => (id === zone ? opens : before.opened.includes(id)));
  const state = { ...spendCard(before, seat, card), opened };
  const name = factory < 0 ? "" : where.ids[factory];
  const morphed = told("zone_morphed", { seat, card, zone, opened: opens }, { factory: name });
  if (factory < 0) return step(state, [morphed]);
  if (opens) return step(addRobots(state, factory, seat, 1), [morphed]);
  const shut = close(state, seat, factory, dice);
  return step(shut.state, [morphed, ...shut.events]);
}

// All pieces in a factory to the scrapheap, a leader in either form; its owner may be out (section 7.1).
function close(before, seat, factory, dice) {
  const [owner, robots, leader] = [before.owner[factory], before.robots[factory], hasLeader(before, factory)];
  let state = loseRobots(before, factory, robots);
  if (leader) state = withPlayer(state, owner, { leader: "" });
  state = withZone(state, factory, "", 0);
  const closed = told("factory_closed", { seat: owner, factory: mapOf(state).ids[factory], robots }, { leader });
  const out = eliminate(state, owner, seat, dice);
  return step(out.state, [closed, ...out.events]);
}
