// Phase 4, call for back-up (FI p.16), and the same move by a card in phase 2; Optimus' jump; a zone as a gift.
// The twin of `backup.py`.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { mapOf } from "./atlas.mjs";
import { cardsOf } from "./deck.mjs";
import { addRobots, checkHand, checkOwn, spendCard, step } from "./ground.mjs";
import { hasLeader, mate, pieces } from "./standing.mjs";
import { countOf, withPlayer, withZone } from "./state.mjs";

export const JUMPER = "optimus_prime";

// The zones to which a seat can move from a zone of its own, that zone among them (FI p.16): a set of places.
export function connected(state, seat, origin) {
  const links = mapOf(state).links(state.opened);
  const friend = mate(state, seat);
  const passes = (owner) => owner === seat || (Boolean(owner) && owner === friend);
  const found = new Set([origin]);
  const edge = [origin];
  while (edge.length) {
    for (const other of links[edge.pop()]) {
      if (!found.has(other) && passes(state.owner[other])) {
        found.add(other);
        edge.push(other);
      }
    }
  }
  return new Set([...found].filter((place) => state.owner[place] === seat));
}

// Whether the pieces are there, one stays, and the way is open (FI p.16).
function checkMove(state, seat, move) {
  const refused = checkOwn(state, seat, move.from) ?? checkOwn(state, seat, move.to);
  if (refused) return refused;
  const { place } = mapOf(state);
  const [origin, target] = [place.get(move.from), place.get(move.to)];
  if (move.leader && !hasLeader(state, origin)) return refusal("moment/leader-elsewhere", { zone: move.from });
  const leads = Number(move.leader);
  if (move.robots > state.robots[origin] || move.robots + leads >= pieces(state, origin)) {
    const most = Math.min(state.robots[origin], pieces(state, origin) - 1 - leads);
    return refusal("moment/too-many-move", { zone: move.from, robots: move.robots, most });
  }
  if (!connected(state, seat, origin).has(target)) {
    return refusal("moment/not-connected", { zone: move.from, to: move.to });
  }
  return null;
}

function movePieces(before, seat, move, card = "") {
  const { place } = mapOf(before);
  const [origin, target] = [place.get(move.from), place.get(move.to)];
  let state = withZone(before, origin, seat, before.robots[origin] - move.robots);
  state = withZone(state, target, seat, state.robots[target] + move.robots);
  if (move.leader) state = withPlayer(state, seat, { leader: move.to });
  const { from, to, robots, leader } = move;
  return step(state, [told("back_up_moved", { seat, origin: from, target: to, robots }, { leader, card })]);
}

// The one move of phase 4 (FI p.16).
export const checkBackUp = (state, seat, order) => checkUnmoved(state) ?? checkMove(state, seat, order);

export const applyBackUp = (state, seat, order) => movePieces(done(state, { moved: true }), seat, order);

// The move that a card makes in phase 2 (FI p.16).
export const ofCard = ({ from, to, robots = 0, leader }) => ({ from, to, robots, leader });

export function checkCard(state, seat, order) {
  const missing = checkHand(state, seat, order.card);
  if (missing) return missing;
  if (cardsOf(state).time(order.card) !== "morph") {
    return refusal("moment/card-phase", { card: order.card, upgrade: cardsOf(state).upgrade(order.card).id });
  }
  return checkMove(state, seat, ofCard(order));
}

// The card to the discards, and the move.
export function applyCard(state, seat, order) {
  const { card } = order;
  const played = told("card_played", { seat, card, upgrade: cardsOf(state).upgrade(card).id });
  const moved = movePieces(spendCard(state, seat, card), seat, ofCard(order), card);
  return step(moved.state, [played, ...moved.events]);
}

// Optimus, as a truck, leaves nobody's zone empty (FI p.14; section 7, 9).
export function checkJump(state, seat, order) {
  const player = state.players[seat];
  if (open(state).jumped) return refusal("moment/jumped");
  if (!player.leader || player.form !== "vehicle") return refusal("moment/not-a-truck");
  const refused = checkOwn(state, seat, order.to);
  if (refused) return refused;
  if (player.leader === order.to) return refusal("moment/same-zone", { zone: order.to });
  const alone = pieces(state, mapOf(state).place.get(player.leader)) < 2;
  return alone ? refusal("moment/leaves-empty", { zone: player.leader }) : null;
}

export function applyJump(state, seat, order) {
  const origin = state.players[seat].leader;
  const there = withPlayer(done(state, { jumped: true }), seat, { leader: order.to });
  return step(there, [told("leader_jumped", { seat, origin, target: order.to })]);
}

// A zone for a team-mate who still plays, instead of the move, and never the last one (FI p.16).
export function checkGive(state, seat, order) {
  const friend = mate(state, seat);
  const refused = checkUnmoved(state) ?? checkOwn(state, seat, order.zone);
  if (refused) return refused;
  if (state.players[friend].out || state.players[friend].resigned) return refusal("moment/mate-gone", { seat: friend });
  return countOf(state.owner, seat) === 1 ? refusal("moment/last-zone", { zone: order.zone }) : null;
}

// All pieces there to the scrapheap, the leader too; one robot of the team-mate's comes (FI p.16).
export function applyGive(before, seat, order) {
  const place = mapOf(before).place.get(order.zone);
  const friend = mate(before, seat);
  const [robots, leader] = [before.robots[place], hasLeader(before, place)];
  let state = done(before, { moved: true });
  state = withPlayer(state, seat, { destroyed: state.players[seat].destroyed + robots });
  if (leader) state = withPlayer(state, seat, { leader: "" });
  state = addRobots(withZone(state, place, "", 0), place, friend, 1);
  return step(state, [told("zone_given", { seat, to: friend, zone: order.zone, robots }, { leader })]);
}

const open = (state) => state.agenda.at(-1);

const checkUnmoved = (state) => (open(state).moved ? refusal("moment/moved") : null);

// Phase 4 is open, and this much of it done.
const done = (state, changes) => ({ ...state, agenda: [{ ...open(state), ...changes }] });
