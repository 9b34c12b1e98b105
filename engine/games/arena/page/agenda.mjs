// Which order fits which task, and the rules of each: the twin of `agenda.py`.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { say } from "../../../kernel/page/say.mjs";
import * as bet from "./bet.mjs";
import { creatureOf } from "./cards.mjs";
import { applyPass, applyPlay, checkPass, checkPlay } from "./play.mjs";
import { giveCard, keepCard, showToGorgon } from "./powers.mjs";
import { answerStalemate, applyDiscard, checkDiscard, endTurn } from "./rounds.mjs";
import { applyDeclare, checkDeclare, isPlayed } from "./stalemate.mjs";
import { openTasks } from "./state.mjs";
import { checkWording } from "./wording.mjs";

const FITS = {
  bet: ["bet", "secret_bet", "reveal_bet", "play", "show_hand", "declare_stalemate"],
  play: ["play", "show_hand", "declare_stalemate"],
  ettin: ["play", "discard", "end_turn", "declare_stalemate"],
  titan: ["keep"],
  gorgon: ["give", "show_hand"],
  discard: ["discard", "end_turn", "declare_stalemate"],
  end: ["end_turn", "declare_stalemate"],
  stalemate: ["accept", "object"],
};

// Who must decide what: the head of the agenda, or all who may object; nobody once the game is over.
export const pending = (state) => openTasks(state.agenda);

// The open task that waits for a seat, or undefined.
export const taskOf = (state, seat) => openTasks(state.agenda).find((task) => task.seat === seat);

// The orders that fit a task in this game.
export const fitting = (state, task) =>
  FITS[task.task].filter((word) => word !== "declare_stalemate" || isPlayed(state));

// Whether an order may be carried out now: words first, then the table, then the rules of its own.
export function check(state, seat, order) {
  const fault = checkWording(state, seat, order);
  if (fault) return fault;
  if (!state.agenda.length) return refusal("moment/game-over");
  const task = taskOf(state, seat);
  if (!task) {
    const seats = openTasks(state.agenda).map((one) => one.seat).join(", ");
    return refusal("moment/not-your-turn", { seat, seats });
  }
  const words = fitting(state, task);
  if (words.includes(order.do)) return CHECKS[order.do](state, seat, order, task);
  return refusal("moment/not-now", { order: untimely(task, order.do), expected: words.join(", ") });
}

// An order that does not fit now, and why not where that may surprise: a secret bet costs the card (HU p.6).
function untimely(task, order) {
  const spent = (task.task === "discard" || task.task === "end") && task.secret;
  if (!spent || (order !== "play" && order !== "show_hand")) return order;
  return say("{order}; but the secret bet of this turn has taken the place of the card", { order });
}

// The cards that a victim could give to a Gorgon (HU p.11, #37).
export const gifts = (state, task) => state.players[task.seat].hand.filter((card) => creatureOf(card) === task.creature);

const CHECKS = {
  bet: bet.checkBet,
  secret_bet: bet.checkSecretBet,
  reveal_bet: bet.checkReveal,
  play: checkPlay,
  show_hand(state, seat, order, task) {
    if (task.task !== "gorgon") return checkPass(state, seat);
    return gifts(state, task).length ? refusal("moment/must-give", { creature: task.creature }) : null;
  },
  discard: checkDiscard,
  keep(state, seat, { card }, task) {
    return task.cards.includes(card) ? null : refusal("moment/not-drawn", { card, cards: task.cards.join(", ") });
  },
  give(state, seat, { card }, task) {
    if (creatureOf(card) === task.creature) return bet.checkHand(state, seat, card);
    return refusal("moment/other-creature", { card, creature: task.creature });
  },
  declare_stalemate: checkDeclare,
  end_turn: () => null,
  accept: () => null,
  object: () => null,
};

// Carry out an order that `check` accepts: the state and what happened.
export const apply = (state, seat, order, dice) => APPLIES[order.do](state, seat, order, dice);

const APPLIES = {
  bet: bet.applyBet,
  secret_bet: bet.applySecretBet,
  reveal_bet: bet.applyReveal,
  play: applyPlay,
  show_hand: (state, seat) =>
    state.agenda[0].task === "gorgon" ? showToGorgon(state, state.agenda[0]) : applyPass(state, seat),
  discard: applyDiscard,
  keep: (state, seat, { card }) => keepCard(state, state.agenda[0], card),
  give: (state, seat, { card }) => giveCard(state, state.agenda[0], card),
  end_turn: endTurn,
  declare_stalemate: applyDeclare,
  accept: (state, seat) => answerStalemate(state, seat, false),
  object: (state, seat) => answerStalemate(state, seat, true),
};
