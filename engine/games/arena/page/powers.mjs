// The twelve powers (HU p.10-12): whether one can be activated, and what it does. The twin of `powers.py`.
//
// What a Titan draws is never foreseen, for another's hand is not seen.
//
// The law. The combat card that activates a power lies on the table when the power is judged. A `use` is {seat, source,
// second}: by whom, from whose card, and whether as an Ettin's second card.

import { Unseen, refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { checkCell, checkReveal, putToken } from "./bet.mjs";
import { creatureOf } from "./cards.mjs";
import { draw } from "./rounds.mjs";
import { cellAt, currentRow, step, top, withCell, withColumn, withPlayer } from "./state.mjs";
import { findVisible, lift, visible } from "./table.mjs";

const AMAZON_DRAW = 3;
export const TITAN_DRAW = 3;

// Whether a power has what it needs, its card already laid. Only the Troll's may do without (#2.1).
export const checkPower = (state, use, power) => CHECKS[power.use](state, use, power);

const CHECKS = {
  amazon: (state) => (state.deck.length ? null : refusal("moment/empty-pile")),
  magus: () => null,
  colossus: checkColossus,
  cyclops: (state, use, power) => checkVictim(state, power.seat, 1),
  daimon: (state, use, power) => checkCell(state, use.seat, power.creature, power.row),
  ettin: (state, use) => (use.second ? refusal("moment/ettin-used") : null),
  gorgon: (state, use, power) => checkVictim(state, power.seat, 0) ?? checkAlive(state, power.creature),
  seraphim(state, use, power) {
    const copied = power.as.use;
    if (!state.dead.includes(copied)) return refusal("moment/creature-alive", { creature: copied });
    return checkPower(state, use, power.as);
  },
  titan: (state, use, power) => checkVictim(state, power.seat, TITAN_DRAW),
  troll(state, use, power) {
    const cards = trollCards(state, use.source);
    if (!power.take) return cards.length ? refusal("moment/must-take", { card: cards[0] }) : null;
    return cards.includes(power.take) ? null : refusal("moment/not-visible", { card: power.take });
  },
  unicorn: (state, use, power) => power.swap.map((card) => checkSwapped(state, card)).find((no) => no) ?? null,
  wyrm: checkWyrm,
};

// A creature that must be alive.
export const checkAlive = (state, creature) =>
  state.dead.includes(creature) ? refusal("moment/creature-dead", { creature }) : null;

// Another player with at least so many cards that are not frozen (#41, #47).
export function checkVictim(state, seat, least) {
  const player = state.players[seat];
  if (player.resigned) return refusal("moment/has-resigned", { seat });
  const count = player.hand.length;
  return count < least ? refusal("moment/few-cards", { seat, least, count }) : null;
}

function checkColossus(state, use, { token }) {
  if (token.secret) return checkReveal(state, use.seat);
  const lies = token.revealed
    ? state.columns[token.revealed].revealed.includes(use.seat)
    : cellAt(state, token.creature, token.row)?.token === use.seat;
  return lies ? null : refusal("moment/not-your-token");
}

// The visible combat cards of the source in earlier rows (HU p.12, #27).
export const trollCards = (state, source) =>
  visible(state)
    .filter(([, name, row]) => name === source && row < currentRow(state))
    .map(([card]) => card);

const checkSwapped = (state, card) => (findVisible(state, card) ? null : refusal("moment/not-visible", { card }));

function checkWyrm(state, use, { creature }) {
  if (creature === use.source) return refusal("moment/same-creature", { creature });
  const dead = checkAlive(state, creature);
  if (dead) return dead;
  return top(cellAt(state, creature, currentRow(state))) ? null : refusal("moment/empty-cell", { creature });
}

// What a power does, once its use is announced. The Ettin's second card is left on the agenda.
export const applyPower = (state, use, power, dice) => EFFECTS[power.use](state, use, power, dice);

const EFFECTS = {
  amazon: (state, use) => draw(state, use.seat, AMAZON_DRAW, true),
  colossus,
  cyclops,
  daimon(state, { seat }, { creature, row }) {
    return step(putToken(state, seat, creature, row), [told("bet_placed", { seat, creature, row }, { daimon: true })]);
  },
  ettin: (state, use) => step({ ...state, agenda: [{ task: "ettin", seat: use.seat }, ...state.agenda] }),
  gorgon(state, use, { seat, creature }) {
    const task = { task: "gorgon", seat, taker: use.seat, creature };
    const demanded = told("card_demanded", { seat: use.seat, victim: seat, creature });
    return step({ ...state, agenda: [task, ...state.agenda] }, [demanded]);
  },
  magus(state) {
    const agenda = state.agenda.map((task) => (task.task === "discard" ? { ...task, magus: true } : task));
    return step({ ...state, agenda });
  },
  seraphim: (state, use, power, dice) => applyPower(state, use, power.as, dice),
  titan() {
    throw new Unseen("hidden");
  },
  troll: (state, use, power) => (power.take ? takeCard(state, use.seat, power.take, "troll") : step(state)),
  unicorn,
  wyrm,
};

// A visible combat card from a cell into a hand (HU p.8, p.12).
export function takeCard(before, seat, card, by) {
  const [, , row] = findVisible(before, card);
  const bared = lift(before, creatureOf(card), row);
  const state = withPlayer(bared.state, seat, { hand: [...bared.state.players[seat].hand, card] });
  return step(state, [told("card_taken", { seat, card, row, by }), ...bared.events]);
}

// A token back to the stock (HU p.11, #10, #11).
function colossus(before, { seat }, { token }) {
  const { stock, secret } = before.players[seat];
  let state = withPlayer(before, seat, { stock: stock + 1 });
  if (token.secret) {
    state = withPlayer(state, seat, { secret: "" });
    state = { ...state, discards: [...state.discards, secret] };
    return step(state, [told("secret_bet_taken_back", { seat, card: secret })]);
  }
  if (token.revealed) {
    const revealed = state.columns[token.revealed].revealed.filter((other) => other !== seat);
    const taken = told("token_taken_back", { seat, creature: token.revealed });
    return step(withColumn(state, token.revealed, { revealed }), [taken]);
  }
  const { creature, row } = token;
  return step(withCell(state, creature, row, { token: "" }), [told("token_taken_back", { seat, creature }, { row })]);
}

// Half a hand, rounded up, face down (HU p.11).
function cyclops(state, use, { seat: victim }, dice) {
  const { hand, frozen } = state.players[victim];
  const mixed = dice.shuffleHidden(hand);
  const half = Math.floor((mixed.length + 1) / 2);
  const cards = hand.filter((card) => mixed.slice(0, half).includes(card));
  const left = hand.filter((card) => !cards.includes(card));
  const there = withPlayer(state, victim, { hand: left, frozen: [...frozen, ...cards] });
  return step(there, [told("cards_frozen", { seat: victim, count: half }, { cards })]);
}

// One card from one hand to another; the question at the head of the agenda is answered.
function handOver(before, from, to, card) {
  const answered = { ...before, agenda: before.agenda.slice(1) };
  const [giver, taker] = [before.players[from], before.players[to]];
  const state = withPlayer(answered, from, { hand: giver.hand.filter((other) => other !== card) });
  return withPlayer(state, to, { hand: [...taker.hand, card] });
}

export function keepCard(state, { seat, victim }, card) {
  return step(handOver(state, victim, seat, card), [told("card_kept", { seat, victim }, { card })]);
}

// To the Gorgon's player (HU p.11).
export function giveCard(state, { seat, taker, creature }, card) {
  return step(handOver(state, seat, taker, card), [told("card_given", { seat, taker, creature }, { card })]);
}

// The victim's hand, without frozen cards, to the Gorgon's player alone (HU p.11, #47).
export function showToGorgon(state, { seat, taker }) {
  const shown = told("hand_seen", { seat, taker }, { cards: state.players[seat].hand });
  return step({ ...state, agenda: state.agenda.slice(1) }, [shown]);
}

// The tops of two cells of one creature change places (HU p.12, #31).
function unicorn(before, use, power) {
  const [[first, creature, low], [second, , high]] = power.swap.map((card) => findVisible(before, card));
  let state = before;
  for (const [card, row] of [[second, low], [first, high]]) {
    const { cards } = cellAt(state, creature, row);
    state = withCell(state, creature, row, { cards: [...cards.slice(0, -1), card] });
  }
  return step(state, [told("cards_swapped", { seat: use.seat, creature, cards: [first, second], rows: [low, high] })]);
}

// The top card of a cell of the current row to the discards (HU p.12).
function wyrm(before, use, { creature }) {
  const row = currentRow(before);
  const card = top(cellAt(before, creature, row));
  const bared = lift(before, creature, row);
  const state = { ...bared.state, discards: [...bared.state.discards, card] };
  return step(state, [told("card_lifted", { seat: use.seat, card, creature, row }), ...bared.events]);
}
