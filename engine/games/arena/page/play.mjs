// Phase 2, play a card (HU p.7-9): combat cards with their powers, spectators, referees; passing. The twin of `play.py`.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { checkHand, reveal } from "./bet.mjs";
import { MAGISTER, PREFECTS, creatureOf, isSpectator } from "./cards.mjs";
import { applyPower, checkAlive, checkPower, takeCard } from "./powers.mjs";
import { backer as backerIn } from "./standing.mjs";
import { active, cellAt, currentRow, step, stirred, top, withPlayer } from "./state.mjs";
import { findVisible, lay, visible } from "./table.mjs";

const isSecond = (state) => state.agenda[0].task === "ettin";

// Whether a card can be played now, first or second in the turn.
export function checkPlay(state, seat, play) {
  const { card, power } = play;
  const missing = checkHand(state, seat, card);
  if (missing) return missing;
  if (PREFECTS.includes(card)) return checkTaken(state, play.take);
  const creature = play.on || creatureOf(card);
  const dead = checkAlive(state, creature);
  if (dead || !power) return dead;
  const use = { seat, source: creature, second: isSecond(state) };
  return checkBacker(state, seat, creature) ?? checkPower(laid(state, seat, card), use, power);
}

// The position in which a combat card's power is judged: out of the hand, on the table.
export const laid = (state, seat, card) => lay(pastPhase2(outOfHand(state, seat, card)), creatureOf(card), card);

// A prefect takes a visible combat card if there is one (HU p.8, #15, #16).
function checkTaken(state, card) {
  if (card) return findVisible(state, card) ? null : refusal("moment/not-visible", { card });
  const there = visible(state);
  return there.length ? refusal("moment/must-take", { card: there[0][0] }) : null;
}

// Whether a combat card laid now activates the power: backer, and no spectator beneath (HU p.7-8, #6).
export function checkBacker(state, seat, creature) {
  const backer = backerIn(state.columns[creature]);
  if (!backer) return refusal("moment/no-backer", { creature });
  if (backer !== seat) return refusal("moment/not-backer", { creature, backer });
  const beneath = top(cellAt(state, creature, currentRow(state)));
  return beneath && isSpectator(beneath) ? refusal("moment/on-spectator", { creature, card: beneath }) : null;
}

// The cards that a seat could play: all but combat cards of dead creatures (HU p.9, #43).
export const playable = (state, seat) => state.players[seat].hand.filter((card) => !state.dead.includes(creatureOf(card)));

// Passing phase 2 (HU p.9): only with no playable card.
export function checkPass(state, seat) {
  const could = playable(state, seat);
  return could.length ? refusal("moment/can-play", { card: could[0] }) : null;
}

// The hand is shown to all, and phase 3 follows.
export function applyPass(before, seat) {
  const state = pastPhase2(before);
  const agenda = state.agenda.map((task) => (task.task === "discard" ? { ...task, passed: true } : task));
  return step({ ...state, agenda }, [told("hand_shown", { seat, cards: state.players[seat].hand })]);
}

// Phases 1 and 2, or an Ettin's second card, are off the agenda.
function pastPhase2(state) {
  return { ...state, agenda: state.agenda.filter(({ task }) => !["bet", "play", "ettin"].includes(task)) };
}

// A card from the hand to the table or, once it has done its work, to the discards.
export function applyPlay(before, seat, play, dice) {
  const second = isSecond(before);
  const { card, power } = play;
  const state = outOfHand(stirred(pastPhase2(before)), seat, card);
  if (PREFECTS.includes(card) || card === MAGISTER) return referee(state, seat, play);
  const creature = play.on || creatureOf(card);
  const played = told("card_played", { seat, card, creature, row: currentRow(state) });
  const there = lay(state, creature, card);
  if (!power) return step(there, [played]);
  const used = usePower(there, { seat, source: creature, second }, power, dice);
  return step(used.state, [played, ...used.events]);
}

// The state without one card of a hand.
const outOfHand = (state, seat, card) =>
  withPlayer(state, seat, { hand: state.players[seat].hand.filter((other) => other !== card) });

// A prefect takes a card, the magister bares secret bets in turn order; then to the discards (HU p.8).
function referee(before, seat, play) {
  const happened = [told("referee_played", { seat, card: play.card }, { creature: play.on })];
  let state = before;
  const take = (done) => {
    state = done.state;
    happened.push(...done.events);
  };
  if (play.take) take(takeCard(state, seat, play.take, "prefect"));
  for (const other of play.card === MAGISTER ? active(state) : []) {
    const { secret } = state.players[other];
    if (secret && creatureOf(secret) === play.on) take(reveal(state, other, "magister"));
  }
  return step({ ...state, discards: [...state.discards, play.card] }, happened);
}

function usePower(before, use, power, dice) {
  const copied = power.as ?? null;
  const used = told("power_used", { seat: use.seat, power: power.use }, { copied: copied?.use });
  const done = applyPower(before, use, power, dice);
  const then = (copied ?? power).then ?? [];
  const play = then.find((one) => checkPlay(done.state, use.seat, one) === null);
  if (!play) return step(done.state, [used, ...done.events]);
  const second = applyPlay(done.state, use.seat, play, dice);
  return step(second.state, [used, ...second.events]);
}
