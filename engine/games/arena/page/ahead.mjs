// What a seat may do, and what it can tell of its orders before it sends them: `menu` and `foresee` of arena.

import { foresee as foreseeBy } from "../../../kernel/page/foresee.mjs";
import { apply, check, pending } from "./agenda.mjs";
import { menu } from "./menu.mjs";
import { ACTION } from "./orders.mjs";
import { imagine, look } from "./view.mjs";

// Who hears which cards an event is about; everybody hears the others whole.
const CONCERNED = {
  hand_dealt: ["seat"],
  cards_drawn: ["seat"],
  cards_frozen: ["seat"],
  cards_returned: ["seat"],
  secret_bet_placed: ["seat"],
  card_dealt: ["seat"],
  card_given: ["seat", "taker"],
  hand_seen: ["taker"],
  cards_sampled: ["seat", "victim"],
  card_kept: ["seat", "victim"],
};

// The event as a seat hears it: without the cards that it may not know.
function hear(event, seat) {
  if (event.event === "cards_discarded" && event.stack && event.seat !== seat) {
    return { ...event, cards: event.cards.slice(-1) };
  }
  const concerned = CONCERNED[event.event];
  if (!concerned || concerned.some((role) => event[role] === seat)) return event;
  return Object.fromEntries(Object.entries(event).filter(([name]) => name !== "card" && name !== "cards"));
}

const RULES = {
  action: ACTION,
  imagine,
  view: look,
  check,
  apply,
  pending,
  hear,
  isOver: (state) => Boolean(state.ended),
};

// As `engine.kernel.foresee`: the steps, the view after them or null, what is heard, why nothing more can be told.
export const foresee = (view, seat, orders) => foreseeBy(RULES, view, seat, orders);

export { menu };
