// What is wrong with an order whatever the position: `order/…`. The twin of `wording.py`.

import { first, refusal } from "../../../kernel/page/refusal.mjs";
import { MAGISTER, PREFECTS, STRENGTHS, creatureOf, isCard, isSpectator } from "./cards.mjs";
import {
  ALL_DEAD,
  HIGHEST,
  HIGHEST_BACKED,
  LOWEST,
  MOST_DISCARDS,
  MOST_PREFERENCES,
  MOST_SECOND_PLAYS,
  REFEREE,
  SPECTATOR_FROM,
} from "./orders.mjs";
import { ROUNDS } from "./state.mjs";

// The words of a preference list that are not cards.
export const PREFERENCE_WORDS = [
  ...[HIGHEST, LOWEST, HIGHEST_BACKED, REFEREE],
  ...STRENGTHS.map((strength) => `${SPECTATOR_FROM}${strength}`),
];

// The first fault in the words of an order, or null.
export const checkWording = (state, seat, order) => first(FAULTS[order.do](state, order, seat));

const FAULTS = {
  bet: (state, order) => creature(state, order.creature),
  secret_bet: (state, order) => combatCard(state, order.card),
  play: (state, order, seat) => play(state, seat, order, false),
  discard: discards,
  keep: (state, order) => card(state, order.card),
  give: (state, order) => combatCard(state, order.card),
  declare_stalemate: stalemates,
  accept: stalemates,
  object: stalemates,
  reveal_bet: () => [],
  show_hand: () => [],
  end_turn: () => [],
};

function* stalemates(state) {
  if (!state.stalemate.began) yield refusal("order/no-stalemates");
}

function* creature(state, name) {
  if (!state.creatures.includes(name)) {
    yield refusal("order/unknown-creature", { creature: name, creatures: state.creatures.join(", ") });
  }
}

function* card(state, name) {
  if (!isCard(state.creatures, name)) yield refusal("order/unknown-card", { card: name });
}

function* combatCard(state, name) {
  yield* card(state, name);
  if (!creatureOf(name)) yield refusal("order/combat-card", { card: name });
}

function* otherSeat(state, seat, other) {
  if (!state.order.includes(other)) yield refusal("order/unknown-seat", { seat: other, seats: state.order.join(", ") });
  if (other === seat) yield refusal("order/own-seat", { seat: other });
}

function* rowOf(row) {
  if (row < 1 || row > ROUNDS) yield refusal("order/row", { row });
}

function* once(words) {
  for (const [place, word] of words.entries()) {
    if (words.indexOf(word) < place) yield refusal("order/twice", { word });
  }
}

function* lengthOf(field, count, most) {
  if (count > most) yield refusal("order/too-long", { field, count, most });
}

function* discards(state, { cards }) {
  const count = cards.length;
  if (count < 1 || count > MOST_DISCARDS) yield refusal("order/discards", { count, most: MOST_DISCARDS });
  yield* once(cards);
  for (const name of cards) if (name !== ALL_DEAD) yield* combatCard(state, name);
}

function* play(state, seat, order, second) {
  const name = order.card;
  yield* card(state, name);
  const roams = isSpectator(name) || name === MAGISTER;
  const given = [
    ["on", order.on, roams],
    ["take", order.take, PREFECTS.includes(name)],
    ["power", order.power, creatureOf(name)],
  ];
  for (const [field, isGiven, isAllowed] of given) {
    if (isGiven && !isAllowed) yield refusal("order/needless", { card: name, field });
  }
  if (roams) {
    if (!order.on) yield refusal("order/where", { card: name });
    yield* creature(state, order.on);
  }
  if (order.take) yield* combatCard(state, order.take);
  if (order.power) {
    const used = order.power.use;
    if (used !== creatureOf(name)) yield refusal("order/other-power", { card: name, power: used });
    yield* power(state, seat, order.power, second);
  }
}

const power = (state, seat, used, second) => POWERS[used.use](state, seat, used, second);

const POWERS = {
  amazon: () => [],
  magus: () => [],
  colossus: (state, seat, used) => token(state, used.token),
  cyclops: (state, seat, used) => otherSeat(state, seat, used.seat),
  *daimon(state, seat, used) {
    yield* creature(state, used.creature);
    yield* rowOf(used.row);
  },
  *ettin(state, seat, used, second) {
    if (second) yield refusal("order/ettin-twice");
    yield* lengthOf("then", used.then.length, MOST_SECOND_PLAYS);
    for (const one of used.then) yield* play(state, seat, one, true);
  },
  *gorgon(state, seat, used) {
    yield* otherSeat(state, seat, used.seat);
    yield* creature(state, used.creature);
  },
  *seraphim(state, seat, used, second) {
    const name = used.as.use;
    if (name === used.use) yield refusal("order/copies-itself");
    yield* creature(state, name);
    yield* power(state, seat, used.as, second);
  },
  *titan(state, seat, used) {
    yield* otherSeat(state, seat, used.seat);
    yield* preferences(state, used.keep);
  },
  *troll(state, seat, used) {
    if (used.take) yield* combatCard(state, used.take);
  },
  *unicorn(state, seat, { swap: [one, other] }) {
    yield* combatCard(state, one);
    yield* combatCard(state, other);
    if (one === other || creatureOf(one) !== creatureOf(other)) yield refusal("order/swap", { first: one, second: other });
  },
  wyrm: (state, seat, used) => creature(state, used.creature),
};

function* token(state, { creature: name, row, secret, revealed }) {
  const cell = Boolean(name) && row !== 0;
  const half = Boolean(name) !== (row !== 0);
  if (half || [cell, secret, Boolean(revealed)].filter(Boolean).length !== 1) yield refusal("order/token");
  if (!secret) yield* creature(state, name || revealed);
  if (cell) yield* rowOf(row);
}

function* preferences(state, words) {
  yield* lengthOf("keep", words.length, MOST_PREFERENCES);
  yield* once(words);
  for (const word of words) {
    if (!isCard(state.creatures, word) && !PREFERENCE_WORDS.includes(word)) yield refusal("order/preference", { word });
  }
}
