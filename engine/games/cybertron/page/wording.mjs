// What is wrong with an order whatever the position: `order/…`. The twin of `wording.py`.

import { first, refusal } from "../../../kernel/page/refusal.mjs";
import { mapOf } from "./atlas.mjs";
import { JUMPER, ofCard } from "./backup.mjs";
import { cardsOf } from "./deck.mjs";
import { MOST_MOVED, MOST_ROBOTS, MOST_UNTIL, byName } from "./orders.mjs";
import { isAllied } from "./standing.mjs";
import { MOST_ATTACKERS, MOST_DEFENDERS } from "./state.mjs";

// The first fault in the words of an order, or null.
export const checkWording = (state, seat, order) => first(FAULTS[order.do](state, order, seat));

const FAULTS = {
  attack,
  *place(state, order) {
    yield* zone(state, order.zone);
    if (order.robots !== "rest") yield* number("robots", order.robots, 1, MOST_ROBOTS);
  },
  back_up: move,
  play_card: playCard,
  *claim(state, order) {
    yield* zone(state, order.zone);
    if (mapOf(state).place.get(order.zone) >= mapOf(state).normal) yield refusal("order/no-claim", { zone: order.zone });
  },
  recall_leader: (state, order) => zone(state, order.zone),
  spare: (state, order) => zone(state, order.zone),
  flee: (state, order) => zone(state, order.zone),
  morph,
  *jump(state, order, seat) {
    yield* zone(state, order.to);
    if (seat !== JUMPER) yield refusal("order/not-optimus", { seat });
  },
  *give(state, order) {
    yield* zone(state, order.zone);
    if (!isAllied(state)) yield refusal("order/no-team-mate");
  },
  *defend(state, order) {
    yield* number("dice", order.dice, 1, MOST_DEFENDERS);
    yield* cardsFor(state, order.cards, "defence");
  },
  bonus: (state, order) => number("plus", order.plus, 0, MOST_ROBOTS),
  flip_leader: () => [],
  end_turn: () => [],
};

function* zone(state, name) {
  if (!mapOf(state).place.has(name)) yield refusal("order/unknown-zone", { zone: name });
}

function* zones(state, names) {
  yield* once(names);
  for (const name of names) yield* zone(state, name);
}

function* card(state, name) {
  if (!cardsOf(state).cards.has(name)) yield refusal("order/no-such-card", { card: name });
}

function* number(field, found, low, high) {
  if (found < low || found > high) yield refusal("order/number", { field, low, high, found });
}

function* once(words) {
  for (const [place, word] of words.entries()) {
    if (words.indexOf(word) < place) yield refusal("order/twice", { word });
  }
}

// Cards of an attack or a defence, each once.
function* cardsFor(state, cards, time) {
  yield* once(cards);
  for (const name of cards) {
    yield* card(state, name);
    if (cardsOf(state).time(name) !== time) {
      yield refusal("order/other-card", { card: name, upgrade: cardsOf(state).upgrade(name).id });
    }
  }
}

function* attack(state, order) {
  yield* zone(state, order.from);
  yield* zone(state, order.to);
  yield* number("dice", order.dice, 1, MOST_ATTACKERS);
  yield* cardsFor(state, order.cards, "attack");
  if (order.until !== "captured") yield* number("until", order.until, 1, MOST_UNTIL);
  yield* number("keep", order.keep, 0, MOST_ROBOTS);
  if (typeof order.move_in === "number") yield* number("move_in", order.move_in, 1, MOST_MOVED);
  yield* guards(state, order.when);
}

function* guards(state, when) {
  for (const names of [when.held, when.not_held, when.captured]) yield* zones(state, names);
  for (const [field, limits, low] of [["at_least", when.at_least, 1], ["at_most", when.at_most, 0]]) {
    for (const [name, found] of byName(limits)) {
      yield* zone(state, name);
      yield* number(field, found, low, MOST_ROBOTS);
    }
  }
}

function* move(state, order) {
  yield* zone(state, order.from);
  yield* zone(state, order.to);
  if (order.from === order.to) yield refusal("order/same-zone", { zone: order.from });
  yield* number("robots", order.robots, order.leader ? 0 : 1, MOST_ROBOTS);
}

function* morph(state, order) {
  yield* card(state, order.card);
  yield* zone(state, order.zone);
  if (!cardsOf(state).card(order.card).morph) yield refusal("order/no-icon", { card: order.card });
  const { specials } = mapOf(state);
  if (!specials.includes(order.zone)) {
    yield refusal("order/not-special", { zone: order.zone, zones: specials.join(", ") });
  }
}

function* playCard(state, order) {
  yield* card(state, order.card);
  const upgrade = cardsOf(state).upgrade(order.card);
  const time = cardsOf(state).time(order.card);
  if (["attack", "defence"].includes(time)) {
    yield refusal("order/card-of-battle", { card: order.card, upgrade: upgrade.id });
  }
  const [returns, moves] = [time === "place", time === "morph"];
  const given = [
    ["zone", order.zone, returns],
    ["form", order.form, returns],
    ["from", order.from, moves],
    ["to", order.to, moves],
    ["robots", order.robots !== undefined, moves],
    ["leader", order.leader, moves],
  ];
  for (const [field, isGiven, isAllowed] of given) {
    if (isGiven && !isAllowed) yield refusal("order/needless", { card: order.card, field });
  }
  if (returns) yield* zone(state, order.zone);
  if (moves) yield* move(state, ofCard(order));
}
