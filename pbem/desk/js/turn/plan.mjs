// A turn while it is made: its orders, what can be foreseen of them, and the menu of the moment after them. Decides which
// orders can stand; knows no page. Every change gives a new plan, so that to undo is to go back to the one before.

import { told } from "./describe.mjs";
import { spelt } from "./menu.mjs";

export const MOST_ORDERS = 60;

// What a turn is made for, and what was foreseen of it before. Without rules of its own nothing is foreseen.
export class Scene {
  #known = new Map();

  constructor({ view, menu, news, seat, game }) {
    Object.assign(this, { view, news, seat, game, menu });
  }

  foreseen(orders) {
    const name = spelt(orders);
    if (!this.#known.has(name)) this.#known.set(name, this.#foresee(orders));
    return this.#known.get(name);
  }

  #foresee(orders) {
    if (this.game.foresee) return this.game.foresee(this.view, this.seat, orders);
    const steps = orders.map((_, place) => ({ order: place + 1, certainty: "hidden", refusal: null }));
    return { steps, view: orders.length ? null : this.view, events: [], after: orders.length ? "hidden" : "", closed: false };
  }
}

// The plan of some orders: {orders, steps, rows, menu, seen, sure, taken}. `rows` are the sentences of each order, `sure` how
// many orders the newest board that is known has behind it, `taken` the steps of those that can not be given and were left out.
export function planOf(scene, wanted) {
  let orders = wanted.slice(0, MOST_ORDERS);
  let seen = scene.foreseen(orders);
  const taken = seen.steps.filter((step) => step.certainty === "refused");
  if (taken.length) {
    orders = orders.filter((_, place) => seen.steps[place].certainty !== "refused");
    return { ...planOf(scene, orders), taken };
  }
  const rows = [];
  let menu = scene.menu;
  let last = { view: scene.view, events: [], count: 0 };
  orders.forEach((order, place) => {
    const before = scene.foreseen(orders.slice(0, place));
    if (place > 0 && before.view !== null) menu = scene.game.menu(before.view);
    if (before.view !== null) last = { view: before.view, events: before.events, count: place };
    rows.push(told(scene.game, menu, order));
  });
  if (orders.length && seen.view !== null) {
    menu = seen.closed ? { asked: [] } : scene.game.menu(seen.view);
    last = { view: seen.view, events: seen.events, count: orders.length };
  }
  const ended = seen.closed || orders.length >= MOST_ORDERS;
  return { orders, steps: seen.steps, rows, menu: ended ? { asked: [] } : menu, seen, last, taken };
}

// What a plan's newest known board looks like, with what has changed since the last letter.
export const boardOf = (scene, { last }) =>
  scene.game.picture ? scene.game.picture(last.view, [...scene.news, ...last.events]) : null;

export const moved = (orders, from, to) => {
  const left = orders.filter((_, place) => place !== from);
  return [...left.slice(0, to), orders[from], ...left.slice(to)];
};
