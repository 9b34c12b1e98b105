// A turn as JSON: the panel of a game whose rules the page does not have. The menu of the view says what may be done.

import { isObject } from "../../site/js/canonical.mjs";
import { quoted, refuse } from "../../site/js/refusal.mjs";
import { element, labelled } from "./dom.mjs";
import { say } from "./say.mjs";

// {element, orders(), text()}; `change` is an event of the element.
export function plainPanel({ menu, draft = "" }) {
  const area = element("textarea", { rows: 8, id: "orders", spellcheck: "false" });
  area.value = draft;
  const asked = (menu?.asked ?? []).flatMap((one) => [
    element("p", {}, sentence(one.say)),
    element("ul", {}, (one.acts ?? []).map((act) => element("li", {}, element("code", {}, act.do), " ", sentence(act.say)))),
  ]);
  const made = element("div", { class: "panel" }, asked, labelled(say("Your orders as JSON: a list of them, in order"), area));
  area.addEventListener("input", () => made.dispatchEvent(new Event("change")));
  return { element: made, text: () => area.value, orders: () => ordersOf(area.value) };
}

const sentence = (given) => (isObject(given) && typeof given.id === "string" ? { args: {}, ...given } : "");

function ordersOf(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("desk/orders", { found: quoted(text) });
  }
  if (!Array.isArray(value) || !value.every((one) => isObject(one) && typeof one.do === "string")) throw refuse("desk/orders", { found: quoted(text) });
  return value;
}
