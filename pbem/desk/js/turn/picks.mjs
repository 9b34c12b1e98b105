// A picture that can be clicked on: over each group that stands for something that is asked for lies a button with its
// name. The keyboard has one stop for all of them; arrows go to the next one in their direction.

import { words } from "../say.mjs";
import { svgOf, whenColoursChange } from "../shown.mjs";
import { extents } from "./extent.mjs";

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 3;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// `show({picture, values, chosen, onPick})` draws anew: `values` are what may be clicked on, `chosen` those of them, or
// others, that are chosen already.
export function pickBoard(lang) {
  const element = document.createElement("div");
  element.className = "picture picks";
  let shown = null;
  const redraw = (place) => {
    if (shown) place.replaceChildren(drawn(shown, lang));
  };
  whenColoursChange(element, redraw);
  return {
    element,
    show(more) {
      shown = more;
      redraw(element);
    },
    // Of what may be clicked on now, the button that is nearest to the place of a value; null if there is none.
    nearest(value) {
      const [x, y] = middle(extents(shown.picture.groups).find((one) => one.of === value) ?? { x: 0, y: 0, w: 0, h: 0 });
      const far = (button) => Math.hypot(middle(button.place)[0] - x, middle(button.place)[1] - y);
      const buttons = [...element.querySelectorAll(".pick[role]")].sort((one, other) => far(one) - far(other));
      return buttons[0] ?? null;
    },
  };
}

function drawn({ picture, values, chosen, onPick }, lang) {
  const svg = svgOf(picture, lang);
  const places = extents(picture.groups).filter((one) => values.has(one.of) || chosen.has(one.of));
  if (places.some((one) => values.has(one.of))) svg.setAttribute("role", "group");
  // what is larger lies below, so that a card can be reached that lies in a line
  const buttons = [...places].sort((one, other) => other.w * other.h - one.w * one.h).map((place) => overlay(place, { values, chosen }, lang));
  svg.append(...buttons);
  const live = places.map((place) => buttons.find((one) => one.place === place)).filter((one) => values.has(one.place.of));
  rove(live);
  for (const button of live) {
    button.addEventListener("click", () => onPick(button.place.of));
    button.addEventListener("keydown", (event) => pressed(event, button, live, onPick));
    button.addEventListener("focus", () => rove(live, button));
  }
  return svg;
}

function overlay(place, { values, chosen }, lang) {
  const button = document.createElementNS(SVG, "rect");
  const box = { x: place.x - ROOM, y: place.y - ROOM, width: place.w + 2 * ROOM, height: place.h + 2 * ROOM, rx: 8 };
  for (const [name, value] of Object.entries(box)) button.setAttribute(name, value);
  button.setAttribute("fill", "transparent");
  button.setAttribute("class", chosen.has(place.of) ? "pick chosen" : "pick");
  button.setAttribute("data-of", place.of);
  button.place = place;
  if (values.has(place.of)) {
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", words(place.title, lang));
    if (chosen.has(place.of)) button.setAttribute("aria-pressed", "true");
  }
  const title = document.createElementNS(SVG, "title");
  title.textContent = words(place.title, lang);
  button.append(title);
  return button;
}

// One stop for the keyboard: the first button, or the one that had it last.
function rove(buttons, current = buttons[0]) {
  for (const button of buttons) button.setAttribute("tabindex", button === current ? "0" : "-1");
}

function pressed(event, button, buttons, onPick) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    onPick(button.place.of);
    return;
  }
  const next = goal(event.key, button, buttons);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function goal(key, button, buttons) {
  if (key === "Home") return buttons[0];
  if (key === "End") return buttons.at(-1);
  const direction = ARROWS[key];
  return direction ? nextTo(button.place, direction, buttons) : null;
}

const middle = ({ x, y, w, h }) => [x + w / 2, y + h / 2];

// The nearest one in a direction: what lies to the side of it counts as farther away.
function nextTo(place, [right, down], buttons) {
  const [x, y] = middle(place);
  let best = null;
  for (const button of buttons) {
    const [u, v] = middle(button.place);
    const ahead = (u - x) * right + (v - y) * down;
    if (button.place === place || ahead <= 1) continue;
    const far = ahead + 2 * Math.abs((u - x) * down + (v - y) * right);
    if (!best || far < best.far) best = { far, button };
  }
  return best?.button ?? null;
}
