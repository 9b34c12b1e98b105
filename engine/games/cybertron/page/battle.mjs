// A battle after its dice have fallen (FI p.11-15): comparisons, the +1 after the roll, losses, the results. The twin
// of `reactions.py` and of what `battle.py` and `conquest.py` do with dice that lie; a throw itself raises Unseen.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { mostDefenders, nextRoll } from "./assault.mjs";
import { mapOf } from "./atlas.mjs";
import { checkHands, loseRobots, step } from "./ground.mjs";
import { MOST_ROLLS } from "./orders.mjs";
import { eliminate } from "./rounds.mjs";
import { hasLeader, pieces } from "./standing.mjs";
import { countOf, withPlayer, withZone } from "./state.mjs";

const ESCAPES = "bumblebee";

// One or two pieces of the zone, the leader if he is there, cards of one's own hand (FI p.11-12).
export function checkDefend(state, seat, order) {
  const zone = state.battle.target;
  const place = mapOf(state).place.get(zone);
  const { dice } = order;
  if (order.leader && !hasLeader(state, place)) return refusal("moment/leader-elsewhere", { zone });
  const most = mostDefenders(state);
  if (dice > most) return refusal("moment/too-many-defend", { zone, dice, most });
  const robots = state.robots[place];
  if (dice - Number(order.leader) > robots) return refusal("moment/needs-leader", { zone, dice, robots });
  return checkHands(state, seat, order.cards);
}

// No more than there is (FI p.14).
export const checkBonus = ({ most }, { plus }) => (plus <= most ? null : refusal("moment/too-much", { plus, most }));

// A neighbouring zone of one's own (FI p.14).
export const checkFlee = ({ zones }, { zone }) =>
  zones.includes(zone) ? null : refusal("moment/no-refuge", { zone, zones: zones.join(", ") });

// Whatever the defender says, both roll at once.
export const applyDefend = (state, seat, order, dice) => dice.roll();

// What a side adds to its die of the comparison that is next (FI p.14-15).
export function applyBonus(before, order, dice) {
  const state = { ...before, agenda: before.agenda.slice(1) };
  const { roll } = state.battle;
  if (roll.added >= 0) return goOn(withRoll(state, compared(roll, order.plus)), dice);
  const added = { ...roll, added: order.plus };
  const [high, low] = next(added);
  if (low < high && high <= low + roll.parry) return ask(withRoll(state, added), state.battle.defender, roll.parry);
  return goOn(withRoll(state, compared(added, 0)), dice);
}

// What the two dice count that are compared next, with what the attacker has added.
function next(roll) {
  const done = roll.compared.length;
  return [roll.attack[done][0] + Math.max(0, roll.added), roll.defence[done][0]];
}

// Compare, dice by dice, until something must be decided or the roll is done (FI p.12, steps 5 to 7).
function goOn(before, dice) {
  let state = before;
  for (;;) {
    let { roll } = state.battle;
    if (roll.compared.length === Math.min(roll.attack.length, roll.defence.length)) return finishRoll(state, dice);
    const [high, low] = next(roll);
    if (roll.added < 0) {
      const turns = high + roll.plus > low && high <= low + roll.parry && roll.plus;
      if (turns) return ask(state, state.seat, roll.plus);
      roll = { ...roll, added: 0 };
    }
    if (low < high && high <= low + roll.parry) return ask(withRoll(state, roll), state.battle.defender, roll.parry);
    state = withRoll(state, compared(roll, 0));
  }
}

const ask = (state, seat, most) => step({ ...state, agenda: [{ task: "bonus", seat, most }, ...state.agenda] });

const withRoll = (state, roll) => ({ ...state, battle: { ...state.battle, roll } });

// The next two dice compared, with what both have added; the loser's piece is counted off (FI p.12).
function compared(roll, parry) {
  const [high, low] = next(roll);
  const wins = high > low + parry;
  const attackers = roll.attackers - Number(!wins);
  const defenders = roll.defenders - Number(wins);
  const last = wins ? roll.defending_leader && !defenders : roll.attacking_leader && !attackers;
  const lost = wins ? (last ? "defending_leader" : "defender") : last ? "attacking_leader" : "attacker";
  return {
    ...roll,
    attackers,
    defenders,
    plus: roll.plus - roll.added,
    parry: roll.parry - parry,
    compared: [...roll.compared, { lost, plus: roll.added, parry }],
    added: -1,
  };
}

// Losses leave the board (FI p.12, step 6); Bumblebee may escape; then the results.
function finishRoll(before, dice) {
  let { battle } = before;
  const { roll } = battle;
  const { place } = mapOf(before);
  const lost = roll.compared.map((one) => one.lost);
  const happened = [rolled(battle)];
  let state = before;
  for (const [zone, word] of [[battle.origin, "attacker"], [battle.target, "defender"]]) {
    if (lost.includes(word)) state = loseRobots(state, place.get(zone), countOf(lost, word));
  }
  const beaten = countOf(lost, "defender") + countOf(lost, "defending_leader");
  battle = { ...battle, lost: battle.lost + lost.length - beaten, beaten: battle.beaten + beaten };
  state = { ...state, battle };
  const leaders = [["attacking_leader", state.seat, battle.origin], ["defending_leader", battle.defender, battle.target]];
  for (const [word, seat, zone] of leaders.filter(([word]) => lost.includes(word))) {
    const zones = refugesOf(state, seat, zone);
    if (zones.length > 1) return step({ ...state, agenda: [{ task: "flee", seat, zones }, ...state.agenda] }, happened);
    const left = leaves(state, seat, zone, zones[0] ?? "");
    state = left.state;
    happened.push(...left.events);
  }
  const came = results(state, dice);
  return step(came.state, [...happened, ...came.events]);
}

function rolled({ number, rolls, roll }) {
  const { attack, defence, attacking_leader, defending_leader } = roll;
  const told_of = roll.compared.map(({ lost, plus, parry }) => ({ lost, ...(plus ? { plus } : {}), ...(parry ? { parry } : {}) }));
  return told(
    "rolled",
    { battle: number, roll: rolls, attack, defence, compared: told_of },
    { attacking_leader, defending_leader },
  );
}

// Where a leader who would be destroyed in a zone can go: Bumblebee, as a Camaro, next door (FI p.14).
function refugesOf(state, seat, zone) {
  if (seat !== ESCAPES || state.players[seat].form !== "vehicle") return [];
  const where = mapOf(state);
  const near = where.links(state.opened)[where.place.get(zone)];
  return near.filter((place) => state.owner[place] === seat).map((place) => where.ids[place]);
}

function leaves(state, seat, zone, refuge) {
  const gone = withPlayer(state, seat, { leader: refuge });
  if (refuge) return step(gone, [told("leader_fled", { seat, origin: zone, target: refuge })]);
  return step(gone, [told("leader_destroyed", { seat, zone })]);
}

// Bumblebee stands in his refuge, and the battle's results follow (FI p.14).
export function applyFlee(state, seat, order, dice) {
  const zone = state.players[seat].leader;
  const left = leaves({ ...state, agenda: state.agenda.slice(1) }, seat, zone, order.zone);
  const came = results(left.state, dice);
  return step(came.state, [...left.events, ...came.events]);
}

// Captured, failed, stopped, or the next roll (FI p.12-13, results 1 to 3).
function results(state, dice) {
  const now = state.battle;
  if (!pieces(state, mapOf(state).place.get(now.target))) return captured(state, dice);
  const how = stop(state, now);
  return how ? over(state, how) : step(nextRoll(state));
}

// Why the attack does not go on; empty if it does.
function stop(state, now) {
  const left = pieces(state, mapOf(state).place.get(now.origin));
  const gone = now.far && state.players[state.seat].leader !== now.origin;
  if (left < 2 || gone) return "failed";
  if (now.plan.until !== "captured" && now.rolls >= now.plan.until) return "until";
  if (left <= now.plan.keep) return "keep";
  return now.rolls >= MOST_ROLLS ? "limit" : "";
}

function over(state, how, moved = 0, leader = false) {
  const now = state.battle;
  const { place } = mapOf(state);
  const { number, origin, target, defender, rolls, lost, beaten } = now;
  const ended = told(
    "attack_ended",
    { seat: state.seat, battle: number, origin, target, defender, how, rolls },
    { lost, beaten, moved, leader, left: pieces(state, place.get(origin)), garrison: pieces(state, place.get(target)) },
  );
  return step({ ...state, battle: null }, [ended]);
}

// How many robots follow those that fought, as ordered and as far as one piece stays (FI p.13).
function followers(state, now, involved, leads) {
  if (now.far) return 0;
  const origin = mapOf(state).place.get(now.origin);
  const robots = state.robots[origin] - (involved - Number(leads));
  const most = hasLeader(state, origin) && !leads ? robots : robots - 1;
  if (now.plan.move_in === "least") return 0;
  return now.plan.move_in === "all" ? most : Math.max(0, Math.min(now.plan.move_in - involved, most));
}

// Result 1 (FI p.13): the zone changes hands.
function captured(before, dice) {
  const now = before.battle;
  const { roll } = now;
  const { place } = mapOf(before);
  const [origin, target] = [place.get(now.origin), place.get(now.target)];
  const leads = roll.attacking_leader && !roll.compared.some((one) => one.lost === "attacking_leader");
  const moved = roll.attackers + followers(before, now, roll.attackers, leads);
  const robots = moved - Number(leads);
  let state = withZone(before, origin, before.seat, before.robots[origin] - robots);
  state = withZone(state, target, state.seat, robots);
  if (leads) state = withPlayer(state, state.seat, { leader: now.target });
  const ended = over({ ...state, captured: [...state.captured, now.target] }, "captured", moved, leads);
  const out = eliminate(ended.state, now.defender, ended.state.seat, dice);
  return step(out.state, [...ended.events, ...out.events]);
}
