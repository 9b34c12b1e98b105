// Cards, creatures and seats by name, and what a reader calls them: the twin of cards.py and report_names.py.
//
// A name says everything about a card; a blank (`?17`), which a view does not hold, says nothing.

import { say } from "../../../../pbem/desk/js/say.mjs";

export const ROUNDS = 5;
export const ROW_VALUES = [4, 3, 2, 1, 0];
export const SECRET_VALUE = 5;

export const SEATS = {
  red: say("Red"),
  blue: say("Blue"),
  green: say("Green"),
  yellow: say("Yellow"),
  white: say("White"),
};

export const LETTERS = {
  red: say("R"),
  blue: say("B"),
  green: say("G"),
  yellow: say("Y"),
  white: say("W"),
};

export const CREATURES = {
  amazon: say("Amazon"),
  colossus: say("Colossus"),
  cyclops: say("Cyclops"),
  daimon: say("Daimon"),
  ettin: say("Ettin"),
  gorgon: say("Gorgon"),
  magus: say("Magus"),
  seraphim: say("Seraphim"),
  titan: say("Titan"),
  troll: say("Troll"),
  unicorn: say("Unicorn"),
  wyrm: say("Wyrm"),
};

const REFEREES = {
  "prefect-1": say("Prefect\u00a01"),
  "prefect-2": say("Prefect\u00a02"),
  magister: say("Magister"),
};

export const isBlank = (card) => card.startsWith("?");

export const isReferee = (card) => Object.hasOwn(REFEREES, card);

export const isSpectator = (card) => card.startsWith("spectator");

// The creature of a combat card; empty for spectators and referees.
export const creatureOf = (card) => {
  const name = card.split("-", 1)[0];
  return Object.hasOwn(CREATURES, name) ? name : "";
};

// The strength printed on a combat card or a spectator; -1 for a referee.
export const strengthOf = (card) => (isReferee(card) ? -1 : Number(card.split("-")[1]));

// A card's whole name.
export function called(card) {
  if (isBlank(card)) return say("hidden card");
  if (isReferee(card)) return REFEREES[card];
  const strength = strengthOf(card);
  if (isSpectator(card)) return say("spectator\u00a0{strength}", { strength });
  return say("{creature}\u00a0{strength}", { creature: CREATURES[creatureOf(card)], strength });
}

// Things one after the other, without an `and`.
export const series = (items) => items.reduce((first, next) => say("{first}, {next}", { first, next }));
