// How a preference list chooses among cards, at the moment when it is used. The twin of `preference.py`.

import { REFEREES, creatureOf, isSpectator, strengthOf } from "./cards.mjs";
import { HIGHEST, HIGHEST_BACKED, LOWEST, REFEREE, SPECTATOR_FROM } from "./orders.mjs";
import { backerOf } from "./standing.mjs";

// The first word's card among `cards`; empty if no word fits. `seat` is whose backing counts.
export function choose(state, seat, words, cards) {
  for (const word of words) {
    const some = cards.filter((card) => fits(state, seat, word, card));
    if (some.length) return best(state, some, word === LOWEST ? 1 : -1);
  }
  return "";
}

function fits(state, seat, word, card) {
  if (word === HIGHEST || word === LOWEST) return true;
  if (word === REFEREE) return REFEREES.includes(card);
  if (word === HIGHEST_BACKED) return creatureOf(card) !== "" && backerOf(state, creatureOf(card)) === seat;
  if (word.startsWith(SPECTATOR_FROM)) {
    return isSpectator(card) && strengthOf(card) >= Number(word.slice(SPECTATOR_FROM.length));
  }
  return card === word;
}

// The lowest (`sign` 1) or highest (-1) of some cards; referees last, of equals by the row and then by name.
function best(state, cards, sign) {
  const rank = (card) => [Number(REFEREES.includes(card)), sign * strengthOf(card), rowOf(state, card), card];
  return [...cards].sort((one, other) => compare(rank(one), rank(other)))[0];
}

function compare(one, other) {
  const place = one.findIndex((part, at) => part !== other[at]);
  if (place < 0) return 0;
  return one[place] < other[place] ? -1 : 1;
}

function rowOf(state, card) {
  const name = creatureOf(card);
  return name ? state.creatures.indexOf(name) : state.creatures.length;
}
