// What a seat may do, and what it can tell of its orders before it sends them: `menu` and `foresee` of arena.

import { foresee as foreseeBy } from "../../../kernel/page/foresee.mjs";
import { apply, check, pending } from "./agenda.mjs";
import { menu } from "./menu.mjs";
import { ACTION } from "./orders.mjs";
import { imagine, look } from "./view.mjs";

// An event of one's own order as one hears it: without the cards of a hand that only another seat may see.
function hear(event, seat) {
  const { cards, ...rest } = event;
  const isHidden =
    (event.event === "cards_frozen" && event.seat !== seat) || (event.event === "hand_seen" && event.taker !== seat);
  return isHidden ? rest : event;
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
