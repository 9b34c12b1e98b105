// Phase 3 (FI p.11-12): declaring an attack, and announcing each roll of it. The twin of `assault.py`.

import { first, refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { mapOf } from "./atlas.mjs";
import { cardsOf } from "./deck.mjs";
import { checkHands, checkOwn, spendCard, step } from "./ground.mjs";
import { byName } from "./orders.mjs";
import { hasLeader, isEnemy, mate, pieces } from "./standing.mjs";
import { MOST_ATTACKERS, NO_BOOST } from "./state.mjs";

const CONFINES = "barricade";
const FLIES = "megatron";

// Whether Megatron stands in a zone as a space fighter (FI p.14).
export function canFly(state, seat, zone) {
  const player = state.players[seat];
  return seat === FLIES && player.form === "vehicle" && player.leader === zone;
}

// Whether an attack can be declared now (FI p.11-12).
export function checkAttack(state, seat, order) {
  const where = mapOf(state);
  const refused = checkOwn(state, seat, order.from) ?? checkTarget(state, seat, order.to);
  if (refused) return refused;
  const [origin, target] = [where.place.get(order.from), where.place.get(order.to)];
  const way = { zone: order.from, to: order.to };
  if (order.leader && !hasLeader(state, origin)) return refusal("moment/leader-elsewhere", { zone: order.from });
  if (!where.links(state.opened)[origin].includes(target)) {
    if (!canFly(state, seat, order.from)) return refusal("moment/not-adjacent", way);
    if (!order.leader || order.dice !== 1) return refusal("moment/flies-alone", way);
  }
  const here = pieces(state, origin);
  if (order.dice > Math.min(MOST_ATTACKERS, here - 1)) {
    const most = Math.max(0, Math.min(MOST_ATTACKERS, here - 1));
    return refusal("moment/too-many-dice", { zone: order.from, dice: order.dice, most });
  }
  if (here <= order.keep) return refusal("moment/keep", { zone: order.from, pieces: here, keep: order.keep });
  return checkHands(state, seat, order.cards) ?? first(unmet(state, seat, order.when));
}

function checkTarget(state, seat, zone) {
  const owner = state.owner[mapOf(state).place.get(zone)];
  if (isEnemy(state, seat, owner)) return null;
  if (!owner) return refusal("moment/closed", { zone });
  return refusal(owner === mate(state, seat) ? "moment/team-mate" : "moment/own-target", { zone });
}

// Guards that do not hold.
function* unmet(state, seat, when) {
  const isMine = (zone) => state.owner[mapOf(state).place.get(zone)] === seat;
  for (const zone of when.held) if (!isMine(zone)) yield refusal("moment/guard-held", { zone });
  for (const zone of when.not_held) if (isMine(zone)) yield refusal("moment/guard-not-held", { zone });
  for (const zone of when.captured) {
    if (!state.captured.includes(zone)) yield refusal("moment/guard-captured", { zone });
  }
  for (const [zone, number] of byName(when.at_least)) {
    const mine = mineIn(state, seat, zone);
    if (mine < number) yield refusal("moment/guard-at-least", { zone, pieces: mine, number });
  }
  for (const [zone, number] of byName(when.at_most)) {
    const mine = mineIn(state, seat, zone);
    if (mine > number) yield refusal("moment/guard-at-most", { zone, pieces: mine, number });
  }
}

// How many pieces of a seat stand in a zone.
export function mineIn(state, seat, zone) {
  const place = mapOf(state).place.get(zone);
  return state.owner[place] === seat ? pieces(state, place) : 0;
}

// The attack is declared, its cards are played, the first dice announced; the defender is asked (FI p.11-12).
export function applyAttack(before, seat, order) {
  const where = mapOf(before);
  const [origin, target] = [where.place.get(order.from), where.place.get(order.to)];
  const number = before.battles + 1;
  const defender = before.owner[target];
  const far = !where.links(before.opened)[origin].includes(target);
  const { dice, leader, until, keep, move_in } = order;
  const began = told(
    "attack_began",
    {
      ...{ seat, battle: number, origin: order.from, target: order.to, defender, dice },
      ...{ robots: before.robots[origin], garrison: before.robots[target] },
    },
    { leader, leader_home: hasLeader(before, origin), garrison_leader: hasLeader(before, target), far },
  );
  const battle = {
    ...{ number, origin: order.from, target: order.to, defender, dice, leader, far, rolls: 0 },
    ...{ boost: NO_BOOST, shield: NO_BOOST, cards: [], played: [], lines: [], lost: 0, beaten: 0, roll: null },
    plan: { dice, leader, until, keep, move_in },
  };
  const agenda = before.agenda.filter(({ task }) => task === "attack" || task === "back_up");
  let state = { ...before, agenda, battles: number, battle };
  const happened = [began];
  for (const card of order.cards) {
    const upgrade = cardsOf(state).upgrade(card);
    state = played(spendCard(state, seat, card), upgrade);
    happened.push(told("card_played", { seat, card, upgrade: upgrade.id }, { battle: number }));
  }
  return step(nextRoll(state), happened);
}

// An attacker's card, for this attack or for this turn (FI p.11).
function played(state, upgrade) {
  if (upgrade.duration === "this_turn") return { ...state, boost: raised(state.boost, upgrade) };
  const { battle } = state;
  return { ...state, battle: { ...battle, boost: raised(battle.boost, upgrade) } };
}

// A side's boost with one more card: additions add up, larger dice do not (section 7, 4).
function raised(boost, { effect }) {
  switch (effect.type) {
    case "die_bonus":
      return (effect.dice ?? "all") === "all"
        ? { ...boost, each: boost.each + effect.n }
        : { ...boost, one: boost.one + effect.n };
    case "die_size":
      return { ...boost, sides: Math.max(boost.sides, effect.sides) };
    case "limit_defenders":
      return { ...boost, limit: Math.min(boost.limit, effect.n) };
    default:
      return boost;
  }
}

// How many pieces may defend in the next roll (FI p.12, p.14).
export function mostDefenders(state) {
  const { battle } = state;
  const confined = battle.leader && state.seat === CONFINES && state.players[CONFINES].form === "vehicle";
  const limit = Math.min(state.boost.limit, battle.boost.limit, confined ? 1 : Infinity);
  return Math.min(limit, pieces(state, mapOf(state).place.get(battle.target)));
}

// The attacker's dice are announced (FI p.12, step 2), as many as ordered and possible; the defender is asked.
export function nextRoll(state) {
  const { battle } = state;
  const origin = mapOf(state).place.get(battle.origin);
  const dice = Math.min(battle.plan.dice, MOST_ATTACKERS, pieces(state, origin) - 1);
  const leader = battle.plan.leader && hasLeader(state, origin);
  const agenda = [{ task: "defend", seat: battle.defender }, ...state.agenda];
  return { ...state, battle: { ...battle, dice, leader, roll: null }, agenda };
}
