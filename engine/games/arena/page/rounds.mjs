// Phases 3 and 4 (HU p.9): discard, draw, elimination, the next turn; the end of the game. The twin of `rounds.py`,
// without those who leave.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { checkHand, reveal } from "./bet.mjs";
import { creatureOf, seen, strengthOf } from "./cards.mjs";
import { ALL_DEAD, MOST_DISCARDS } from "./orders.mjs";
import * as stalemate from "./stalemate.mjs";
import { doomed, places } from "./standing.mjs";
import { ROUNDS, active, cellAt, currentRow, living, step, stirred, top, withColumn, withPlayer } from "./state.mjs";

// Combat cards of dead creatures in a hand, by order of the row and strength: `all_dead`.
export function deadCards(state, seat) {
  const rank = (card) => 100 * state.creatures.indexOf(creatureOf(card)) + strengthOf(card);
  const dead = state.players[seat].hand.filter((card) => state.dead.includes(creatureOf(card)));
  return dead.sort((one, other) => rank(one) - rank(other));
}

// Whether this turn's discards may be of living creatures too (HU p.11).
export const hasMagus = (state) => state.agenda.some(({ task, magus }) => task === "discard" && magus);

// Discards of phase 3 (HU p.9): combat cards of dead creatures, or any after a Magus (#49).
export function checkDiscard(state, seat, { cards }) {
  for (const card of cards.filter((word) => word !== ALL_DEAD)) {
    const missing = checkHand(state, seat, card);
    if (missing) return missing;
    if (!state.dead.includes(creatureOf(card)) && !hasMagus(state)) return refusal("moment/not-dead", { card });
  }
  return null;
}

// Cards to the discards, the last listed on top; an Ettin's second card is thereby declined.
export function applyDiscard(before, seat, order) {
  const cards = listed(before, seat, order.cards);
  const stack = hasMagus(before);
  const secret = before.agenda.some((task) => task.task === "discard" && task.secret);
  const state = { ...before, agenda: [{ task: "end", seat, secret }] };
  if (!cards.length) return step(state);
  const hand = state.players[seat].hand.filter((card) => !cards.includes(card));
  const left = withPlayer(stirred(state), seat, { hand });
  const events = [told("cards_discarded", { seat, count: cards.length, cards }, { stack })];
  return step({ ...left, discards: [...left.discards, ...cards] }, events);
}

function listed(state, seat, words) {
  const others = deadCards(state, seat).filter((card) => !words.includes(card));
  const room = MOST_DISCARDS - words.filter((word) => word !== ALL_DEAD).length;
  return words.flatMap((word) => (word === ALL_DEAD ? others.slice(0, room) : [word]));
}

// Cards from the pile (HU p.9-10); the last one ends the game (not with stalemates, v1). `known`: the turn goes on
// with them.
export function draw(before, seat, count, known = false) {
  const cards = before.deck.slice(0, count);
  if (!cards.length) return step(before);
  if (known) cards.forEach(seen);
  const taken = { ...stirred(before), deck: before.deck.slice(count) };
  const state = withPlayer(taken, seat, { hand: [...taken.players[seat].hand, ...cards] });
  const drawn = told("cards_drawn", { seat, count: cards.length }, { cards });
  if (state.deck.length || stalemate.isPlayed(state)) return step(state, [drawn]);
  const ended = finish(state, "pile");
  return step(ended.state, [drawn, ...ended.events]);
}

// Frozen cards return, the hand is filled, the lowest creature dies, the next turn opens (HU p.9).
export function endTurn(before, seat) {
  const happened = [];
  let state = before;
  const take = (done) => {
    state = done.state;
    happened.push(...done.events);
  };
  take(returnFrozen(state, seat));
  take(draw(state, seat, stalemate.toDraw(state, seat)));
  if (!state.ended) take(eliminate(state));
  if (!state.ended) take(between({ ...state, agenda: [], idle: state.stirred ? 0 : state.idle + 1 }));
  return step(state, happened);
}

// Between two turns: stalemates that come by themselves, the question about a declared one, the next turn.
function between(state) {
  stalemate.come(state);
  const agenda = stalemate.questionsBefore(state, stalemate.nextSeat(state));
  return agenda.length ? step({ ...state, agenda }) : nextTurn(state);
}

// An answer to a declared stalemate; with the last one the game goes on where it was (v8).
export function answerStalemate(before, seat, objects) {
  const said = objects ? stalemate.applyObject(before, seat) : stalemate.applyAccept(before, seat);
  if (said.state.agenda.length) return said;
  const more = between(said.state);
  return step(more.state, [...said.events, ...more.events]);
}

function returnFrozen(before, seat) {
  const { hand, frozen } = before.players[seat];
  if (!frozen.length) return step(before);
  const state = withPlayer(stirred(before), seat, { hand: [...hand, ...frozen], frozen: [] });
  return step(state, [told("cards_returned", { seat, count: frozen.length }, { cards: frozen })]);
}

// Phase 4 (HU p.9): the creature with the one lowest card dies and a new row begins.
function eliminate(before) {
  const creature = doomed(before);
  if (!creature) return step(before);
  const round = currentRow(before);
  const died = told("creature_died", { creature, card: top(cellAt(before, creature, round)), round });
  let state = { ...before, dead: [...before.dead, creature] };
  if (state.dead.length === ROUNDS) {
    const ended = finish(state, "last_round");
    return step(ended.state, [died, ...ended.events]);
  }
  for (const name of living(state)) {
    state = withColumn(state, name, { rows: [...state.columns[name].rows, { cards: [], token: "" }] });
  }
  return step(stalemate.newRound(state), [died]);
}

// The next turn is the left neighbour's (HU p.3); #59 ends a game that stands still.
function nextTurn(before) {
  if (before.idle >= active(before).length) return finish(before, "no_progress");
  const seat = stalemate.nextSeat(before);
  const turn = before.turn + 1;
  const agenda = [
    { task: "bet", seat },
    { task: "play", seat },
    { task: "discard", seat, magus: false, passed: false, secret: false },
  ];
  const state = { ...before, turn, seat, stirred: false, agenda };
  return step(state, [told("turn_began", { seat, turn, round: currentRow(state) })]);
}

// The game is over at once (#22): hidden bets are revealed in turn order, and everything is counted.
function finish(before, how) {
  let state = before;
  const happened = [told("game_ended", { how })];
  for (const seat of state.order) {
    if (!state.players[seat].secret) continue;
    const shown = reveal(state, seat, "end");
    state = shown.state;
    happened.push(...shown.events);
  }
  state = { ...state, agenda: [], ended: how };
  const scores = places(state).map(({ seat, score, place }) => told("scored", { seat, gold: score, place }));
  return step(state, [...happened, ...scores]);
}
