// Turns, days and the end (FI p.6, p.13, p.17, p.18). The twin of `rounds.py`, without those who leave.

import { Unseen } from "../../../kernel/page/refusal.mjs";
import { told } from "../../../kernel/page/tell.mjs";
import { cardsOf } from "./deck.mjs";
import { step } from "./ground.mjs";
import { active, final, income, places, sidesLeft } from "./standing.mjs";
import { DAYS, NO_BOOST, withPlayer } from "./state.mjs";

// If a seat has no piece left it is out (FI p.13); if only one side is left the game is over.
export function eliminate(before, seat, by, dice) {
  if (before.owner.includes(seat)) return step(before);
  const cards = before.players[seat].hand.length;
  const state = reshuffle(withPlayer(before, seat, { out: true }), seat, dice);
  const gone = told("seat_eliminated", { seat, by }, { cards });
  if (sidesLeft(state).length > 1) return step(state, [gone]);
  const ended = finish(state, "conquest");
  return step(ended.state, [gone, ...ended.events]);
}

// A hand back into the pile, which is shuffled if that changes it; the discards stay out.
function reshuffle(state, seat, dice) {
  const { hand } = state.players[seat];
  if (!hand.length) return state;
  const pile = dice.shuffleHidden(cardsOf(state).inOrder([...state.pile, ...hand]));
  return { ...withPlayer(state, seat, { hand: [] }), pile };
}

// Phase 5 (FI p.17), then the next turn, or the day's end.
export function endTurn(before, seat, dice) {
  let state = before;
  for (const other of state.order) {
    if (state.players[other].resigned) state = reshuffle(state, other, dice);
  }
  const drawn = [];
  if (state.captured.length && state.pile.length && !state.players[seat].resigned) {
    const [card, ...pile] = state.pile;
    state = withPlayer({ ...state, pile }, seat, { hand: [...state.players[seat].hand, card] });
    drawn.push(told("card_drawn", { seat }, { card }));
  }
  const next = nextTurn(state);
  return step(next.state, [...drawn, ...next.events]);
}

// The next seat in the order of turns; after the last one the day ends (section 7.1).
function nextTurn(state) {
  const plays = active(state);
  const after = state.order.slice(state.order.indexOf(state.seat) + 1).find((seat) => plays.includes(seat));
  if (after) return openTurn(state, after, state.day);
  if (state.pile.length) throw new Unseen("hidden"); // the AllSpark turns up the top card, which nobody has seen (FI p.18)
  return state.day === DAYS ? finish(state, final(state)[0]) : openTurn(state, plays[0], state.day + 1);
}

// A turn with all its phases (FI p.6); its income is counted now.
export function openTurn(state, seat, day) {
  const counted = income(state, seat);
  const turn = state.turn + 1;
  const { total: left = 0, bonus = 0 } = counted;
  const agenda = [
    { task: "muster", seat, left, bonus, placing: false },
    { task: "morph", seat, flipped: false },
    { task: "attack", seat },
    { task: "back_up", seat, moved: false, jumped: false },
  ];
  const opened = { ...state, turn, day, seat, agenda, captured: [], battles: 0, boost: NO_BOOST, battle: null };
  return step(opened, [told("turn_began", { seat, turn, day, income: counted })]);
}

// The game is over at once.
function finish(before, how) {
  const state = { ...before, agenda: [], battle: null, ended: how };
  const scores = places(state).map(({ seat, score, place }) => told("scored", { seat, zones: score, place }));
  return step(state, [told("game_ended", { how }), ...scores]);
}
