// Phase 1 (FI p.7-8): cards of step B, the leader's return, and placing every robot. The twin of `muster.py`.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { mapOf } from "./atlas.mjs";
import { cardsOf } from "./deck.mjs";
import { addRobots, checkHand, checkOwn, spendCard, step } from "./ground.mjs";
import { LEADER_PRICE, withPlayer } from "./state.mjs";

// How many operational robots are still to be placed; 0 once phase 1 is over.
export const leftToPlace = (state) => (state.agenda[0]?.task === "muster" ? state.agenda[0].left : 0);

export function checkCard(state, seat, order) {
  const missing = checkHand(state, seat, order.card);
  if (missing) return missing;
  const time = cardsOf(state).time(order.card);
  if (time !== "muster" && time !== "place") {
    return refusal("moment/card-phase", { card: order.card, upgrade: cardsOf(state).upgrade(order.card).id });
  }
  if (time === "muster") return state.agenda[0].placing ? refusal("moment/placing", { card: order.card }) : null;
  return checkReturn(state, seat, order.zone);
}

// The leader must be in the scrapheap, whatever put him there, and the zone one's own (FI p.8).
function checkReturn(state, seat, zone) {
  const { leader } = state.players[seat];
  return leader ? refusal("moment/leader-here", { zone: leader }) : checkOwn(state, seat, zone);
}

export function checkRecall(state, seat, order) {
  const refused = checkReturn(state, seat, order.zone);
  if (refused) return refused;
  const left = leftToPlace(state);
  return left < LEADER_PRICE ? refusal("moment/price", { left, price: LEADER_PRICE }) : null;
}

export function checkPlace(state, seat, order) {
  const refused = checkOwn(state, seat, order.zone);
  if (refused || order.robots === "rest") return refused;
  const left = leftToPlace(state);
  return order.robots > left ? refusal("moment/too-many", { robots: order.robots, left }) : null;
}

// The card's robots are there to be placed, or the leader is back.
export function applyCard(before, seat, order) {
  const upgrade = cardsOf(before).upgrade(order.card);
  const { effect } = upgrade;
  const [task] = before.agenda;
  const state = spendCard(before, seat, order.card);
  if (effect.type === "free_leader_return") {
    const played = told("card_played", { seat, card: order.card, upgrade: upgrade.id });
    const back = returned(state, seat, order.zone, order.form || "robot", 0);
    return step(back.state, [played, ...back.events]);
  }
  const doubled = effect.type === "multiply_sector_bonus";
  const more = doubled ? task.bonus * (effect.factor - 1) : effect.n;
  const bonus = task.bonus + (doubled ? more : 0);
  const played = told("card_played", { seat, card: order.card, upgrade: upgrade.id }, { robots: more });
  return step(withTask(state, { ...task, left: task.left + more, bonus }), [played]);
}

// Three robots stay in the scrapheap, and the leader stands on the board (FI p.8).
export const applyRecall = (state, seat, order) => returned(state, seat, order.zone, order.form, LEADER_PRICE);

function returned(state, seat, zone, form, paid) {
  const there = withPlayer(state, seat, { leader: zone, form });
  return step(placed(there, paid), [told("leader_recalled", { seat, zone, form }, { paid })]);
}

// Robots on a zone; with the last one phase 1 is over (FI p.8).
export function applyPlace(state, seat, order) {
  const left = leftToPlace(state);
  const robots = order.robots === "rest" ? left : order.robots;
  const there = addRobots(state, mapOf(state).place.get(order.zone), seat, robots);
  const happened = told("robots_placed", { seat, zone: order.zone, robots }, { left: left - robots });
  return step(placed(there, robots), [happened]);
}

// Step E has begun, and so many robots fewer are left.
function placed(state, robots) {
  const [task] = state.agenda;
  return withTask(state, { ...task, left: task.left - robots, placing: true });
}

function withTask(state, task) {
  const later = state.agenda.slice(1);
  return { ...state, agenda: task.left ? [task, ...later] : later };
}
