// Pieces on the ground and cards from the hand: the twin of `ground.py`. Nothing here asks whether a rule allows it.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { mapOf } from "./atlas.mjs";
import { withPlayer, withZone } from "./state.mjs";

export const step = (state, events = []) => ({ state, events });

// So many robots of a seat come from its scrapheap or pile to a zone, which is then its own.
export function addRobots(state, place, seat, robots) {
  const there = withZone(state, place, seat, state.robots[place] + robots);
  return withPlayer(there, seat, { placed: there.players[seat].placed + robots });
}

// So many robots of a zone's owner go to his scrapheap.
export function loseRobots(state, place, robots) {
  const seat = state.owner[place];
  const there = withZone(state, place, seat, state.robots[place] - robots);
  return withPlayer(there, seat, { destroyed: there.players[seat].destroyed + robots });
}

// A card from the hand, face up to the discards (FI p.11).
export function spendCard(state, seat, card) {
  const hand = state.players[seat].hand.filter((other) => other !== card);
  return { ...withPlayer(state, seat, { hand }), discards: [...state.discards, card] };
}

// Whether a zone is the seat's own.
export function checkOwn(state, seat, zone) {
  const owner = state.owner[mapOf(state).place.get(zone)];
  if (owner === seat) return null;
  return owner ? refusal("moment/not-yours", { zone, seat: owner }) : refusal("moment/closed", { zone });
}

// Whether a card is in the seat's hand.
export const checkHand = (state, seat, card) =>
  state.players[seat].hand.includes(card) ? null : refusal("moment/not-in-hand", { card });

// The first card of an order that is not in the hand.
export const checkHands = (state, seat, cards) =>
  cards.map((card) => checkHand(state, seat, card)).find((missing) => missing) ?? null;
