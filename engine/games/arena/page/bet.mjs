// Phase 1, bet (HU p.5-6): a token in the current row, a secret bet, the reveal of one. The twin of `bet.py`.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { creatureOf } from "./cards.mjs";
import { cellAt, currentRow, step, stirred, withCell, withColumn, withPlayer } from "./state.mjs";

// Whether a seat may put a token into a cell that has begun (HU p.5).
export function checkCell(state, seat, creature, row) {
  if (!state.players[seat].stock) return refusal("moment/no-token");
  if (state.dead.includes(creature)) return refusal("moment/creature-dead", { creature });
  const cell = cellAt(state, creature, row);
  if (!cell) return refusal("moment/no-row", { creature, row });
  return cell.token ? refusal("moment/cell-taken", { creature, row }) : null;
}

// A token from the stock into a cell.
export function putToken(state, seat, creature, row) {
  const paid = withPlayer(state, seat, { stock: state.players[seat].stock - 1 });
  return withCell(paid, creature, row, { token: seat });
}

export const checkBet = (state, seat, order) => checkCell(state, seat, order.creature, currentRow(state));

// A normal bet; phase 2 follows.
export function applyBet(state, seat, { creature }) {
  const row = currentRow(state);
  return step(putToken(pastPhase1(state), seat, creature, row), [told("bet_placed", { seat, creature, row })]);
}

const pastPhase1 = (state) => stirred({ ...state, agenda: state.agenda.filter(({ task }) => task !== "bet") });

// A secret bet (HU p.5-6); without an order: whether the seat could make one with a combat card.
export function checkSecretBet(state, seat, order = null) {
  if (state.dead.length) return refusal("moment/secret-late", { round: currentRow(state) });
  const revealed = Object.values(state.columns).some((column) => column.revealed.includes(seat));
  if (state.players[seat].secret || revealed) return refusal("moment/secret-made");
  if (!state.players[seat].stock) return refusal("moment/no-token");
  return order ? checkHand(state, seat, order.card) : null;
}

// Whether a seat holds a card that it may use now.
export function checkHand(state, seat, card) {
  const { hand, frozen } = state.players[seat];
  if (hand.includes(card)) return null;
  return refusal(frozen.includes(card) ? "moment/frozen" : "moment/not-in-hand", { card });
}

// A secret bet; phase 2 is skipped.
export function applySecretBet(before, seat, { card }) {
  const past = pastPhase1(before);
  const left = past.agenda.filter(({ task }) => task !== "play");
  const agenda = left.map((task) => (task.task === "discard" ? { ...task, secret: true } : task));
  const player = before.players[seat];
  const hand = player.hand.filter((other) => other !== card);
  const state = withPlayer({ ...past, agenda }, seat, { hand, secret: card, stock: player.stock - 1 });
  return step(state, [told("secret_bet_placed", { seat }, { card })]);
}

// The reveal of one's own secret bet, in any round, even on a dead creature (HU p.6, #13).
export const checkReveal = (state, seat) => (state.players[seat].secret ? null : refusal("moment/no-secret"));

export const applyReveal = (state, seat) => reveal(pastPhase1(state), seat, "owner");

// The card to the discards, the token above the creature (HU p.6).
export function reveal(before, seat, cause) {
  const card = before.players[seat].secret;
  const creature = creatureOf(card);
  let state = withPlayer(before, seat, { secret: "" });
  state = withColumn(state, creature, { revealed: [...state.columns[creature].revealed, seat] });
  state = { ...state, discards: [...state.discards, card] };
  return step(state, [told("secret_bet_revealed", { seat, card, creature, cause })]);
}
