// What a seat may do, and what it can tell of its orders before it sends them: `menu` and `foresee` of cybertron.

import { foresee as foreseeBy } from "../../../kernel/page/foresee.mjs";
import { apply, check, pending } from "./agenda.mjs";
import { menu } from "./menu.mjs";
import { ACTION } from "./orders.mjs";
import { imagine, look } from "./view.mjs";

const RULES = {
  action: ACTION,
  imagine,
  view: look,
  check,
  apply,
  pending,
  isOver: (state) => Boolean(state.ended),
  hear: (event) => event, // only who draws a card hears which, and it is he who ends the turn
};

// As `engine.kernel.foresee`: the steps, the view after them or null, what is heard, why nothing more can be told.
export const foresee = (view, seat, orders) => foreseeBy(RULES, view, seat, orders);

export { menu };
