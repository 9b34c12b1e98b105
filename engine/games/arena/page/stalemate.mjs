// The stalemate variant (FAQ), as far as a view can tell: the twin of `stalemate.py`. A row that is shuffled is never
// foreseen, for of seen and unseen cards shuffled together nothing can be told.

import { Unseen, refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { creatureOf, isBlank } from "./cards.mjs";
import { rowForAPile } from "./standing.mjs";
import { HAND, active, cellAt, currentRow, step, top } from "./state.mjs";

export const isPlayed = (state) => Boolean(state.stalemate.began);

// The left neighbour of whoever's turn it is, without those who have resigned (HU p.3).
export const nextSeat = (state) => firstActive(state, state.order.indexOf(state.seat) + 1);

// The seat that began the round; once it has resigned, the next one after it (v6).
const beginner = (state) => firstActive(state, state.order.indexOf(state.stalemate.began));

function firstActive(state, at) {
  const left = active(state);
  return [...state.order.slice(at), ...state.order.slice(0, at)].find((seat) => left.includes(seat));
}

// A creature has died: the next seat begins the round, and what was declared lapses (v7).
export const newRound = (state) => (isPlayed(state) ? change(state, { began: nextSeat(state), declared: "" }) : state);

// How many cards phase 3 draws: up to eight, after a stalemate one at most (HU p.9, v3).
export function toDraw(state, seat) {
  const room = Math.max(0, HAND - state.players[seat].hand.length);
  return state.stalemate.count ? Math.min(1, room) : room;
}

// Why there can't be a stalemate at all: a card in the pile, or nothing to shuffle.
export function cannotBe(state) {
  if (state.deck.length) return refusal("moment/pile-left", { count: state.deck.length });
  const filled = Array.from({ length: currentRow(state) }, (_, place) =>
    state.creatures.some((name) => top(cellAt(state, name, place + 1))),
  );
  return rowForAPile(filled, state.stalemate.again) ? null : refusal("moment/nothing-to-shuffle");
}

// Whether no seat holds a card that can be played, frozen ones among them (v5).
function nobodyCanPlay(state) {
  const cards = active(state).flatMap((seat) => [...state.players[seat].hand, ...state.players[seat].frozen]);
  const isPlayable = (card) => !state.dead.includes(creatureOf(card));
  if (cards.filter((card) => !isBlank(card)).some(isPlayable)) return false;
  return !cards.some(isPlayable);
}

// A declaration: in one's own turn, with an empty pile, and no other one that still waits (v7).
export function checkDeclare(state) {
  const { declared } = state.stalemate;
  return declared ? refusal("moment/stalemate-declared", { seat: declared }) : cannotBe(state);
}

// It waits for the turn of who began the round. He himself, before anything else, is just before it (v7).
export function applyDeclare(before, seat) {
  const state = change(before, { declared: seat });
  const events = [told("stalemate_declared", { seat })];
  if (seat !== beginner(state) || state.agenda[0].task !== "bet") return step(state, events);
  return step({ ...state, agenda: [...questions(state), ...state.agenda] }, events);
}

// What the others are asked before a seat's turn opens, if a declaration is to be judged there (v7).
export function questionsBefore(state, seat) {
  if (!state.stalemate.declared || seat !== beginner(state) || cannotBe(state)) return [];
  return questions(state);
}

const questions = (state) =>
  active(state)
    .filter((seat) => seat !== state.stalemate.declared)
    .map((seat) => ({ task: "stalemate", seat }));

// One objection is enough: no stalemate, and the others need not answer any more (v8).
export function applyObject(state, seat) {
  const agenda = state.agenda.filter(({ task }) => task !== "stalemate");
  return step(change({ ...state, agenda }, { declared: "" }), [told("stalemate_objected", { seat })]);
}

// No objection; when the last one has none, it is a stalemate.
export function applyAccept(state, seat) {
  const agenda = state.agenda.filter((task) => !(task.task === "stalemate" && task.seat === seat));
  if (!agenda.some(({ task }) => task === "stalemate")) throw new Unseen("hidden");
  return step({ ...state, agenda });
}

// Raises Unseen where a stalemate comes by itself between two turns (v5), or where that can't be told.
export function come(state) {
  if (isPlayed(state) && !cannotBe(state) && nobodyCanPlay(state)) throw new Unseen("hidden");
}

const change = (state, changes) => ({ ...state, stalemate: { ...state.stalemate, ...changes } });
