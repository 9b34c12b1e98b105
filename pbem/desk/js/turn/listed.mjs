// The orders of a turn in sentences, with what can be said of each before it is sent; each can be moved or taken out.

import { button, element } from "../dom.mjs";
import { say } from "../say.mjs";
import { draggable, small } from "./many.mjs";

const CERTAIN = { sure: "✓", dice: "⚄", hidden: "?" };

export function ordersPart({ plan, canUndo, onMove, onDelete, onUndo }) {
  const items = plan.orders.map((_, place) => itemOf(plan, place, { onMove, onDelete }));
  return [
    items.length ? element("ol", { class: "orders" }, items) : element("p", {}, say("No order is given yet.")),
    ...afterSays(plan).map((told) => element("p", { class: "after" }, told)),
    element("div", { class: "buttons" }, button(say("Undo"), onUndo, { id: "undo", disabled: !canUndo })),
  ];
}

function itemOf(plan, place, { onMove, onDelete }) {
  const [first, ...more] = plan.rows[place];
  const { certainty } = plan.steps[place];
  const number = place + 1;
  const item = element(
    "li",
    { draggable: "true", class: certainty },
    element("span", { class: "name" }, first),
    more.length ? element("ul", { class: "rows" }, more.map((row) => element("li", {}, row))) : null,
    element("p", { class: "certainty" }, element("span", { class: "mark", "aria-hidden": "true" }, CERTAIN[certainty]), certaintySay(number, certainty)),
    element(
      "div",
      { class: "buttons" },
      small("↑", say("Move order {number} up", { number }), () => onMove(place, place - 1), place === 0),
      small("↓", say("Move order {number} down", { number }), () => onMove(place, place + 1), place === plan.orders.length - 1),
      small("✕", say("Take order {number} out", { number }), () => onDelete(place)),
    ),
  );
  draggable(item, place, onMove);
  return item;
}

// What can be said of an order before it is sent.
export function certaintySay(number, certainty) {
  switch (certainty) {
    case "sure":
      return say("Order {number}: sure to be carried out.", { number });
    case "dice":
      return say("Order {number}: depends on dice.", { number });
    default:
      return say("Order {number}: depends on what is hidden.", { number });
  }
}

// What comes after the orders.
export function afterSays({ orders, seen }) {
  if (seen.closed) return [say("With them your turn ends.")];
  if (seen.after === "dice") return [say("What comes next depends on dice, which fall when your mail has arrived.")];
  if (seen.after === "hidden") return [say("What comes next depends on what you can not see yet; a letter will tell you.")];
  return orders.length ? [say("The turn stays open: you will be asked for the rest.")] : [];
}
