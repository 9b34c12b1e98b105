// The cards by name: the twin of `cards.py`. A blank says nothing: whoever asks what it is gets Unseen.

import { Unseen } from "../../../kernel/page/refusal.mjs";

export const CREATURES = [
  ...["amazon", "colossus", "cyclops", "daimon", "ettin", "gorgon"],
  ...["magus", "seraphim", "titan", "troll", "unicorn", "wyrm"],
];
export const STRENGTHS = Array.from({ length: 11 }, (_, strength) => strength);
const SPECTATOR = "spectator";
export const PREFECTS = ["prefect-1", "prefect-2"];
export const MAGISTER = "magister";
export const REFEREES = [...PREFECTS, MAGISTER];
const BLANK = "?";

export const isBlank = (card) => card.startsWith(BLANK);
export const blank = (number) => `${BLANK}${number}`;

// The eleven combat cards of a creature, weakest first.
const combat = (creature) => STRENGTHS.map((strength) => `${creature}-${strength}`);

// Every blue card of a game, in catalogue order (HU p.3).
export function pack(creatures) {
  const fighters = CREATURES.filter((name) => creatures.includes(name)).flatMap(combat);
  return [...fighters, ...combat(SPECTATOR), ...REFEREES];
}

const PLACE = new Map(pack(CREATURES).map((card, place) => [card, place]));

// Whether a name is a card of a game with these creatures.
export function isCard(creatures, card) {
  if (!PLACE.has(card)) return false;
  const [name] = card.split("-");
  return !CREATURES.includes(name) || creatures.includes(name);
}

// The card itself, as it becomes known to somebody. Unseen if it is a blank.
export function seen(card) {
  if (isBlank(card)) throw new Unseen("hidden");
  return card;
}

// The creature that a combat card belongs to; empty for spectators and referees.
export function creatureOf(card) {
  const [name] = seen(card).split("-");
  return CREATURES.includes(name) ? name : "";
}

// The strength printed on a combat card or spectator, 0 … 10; -1 for a referee.
export const strengthOf = (card) => (REFEREES.includes(seen(card)) ? -1 : Number(card.split("-")[1]));

export const isSpectator = (card) => seen(card).startsWith(SPECTATOR);

// Cards in catalogue order, blanks last in the order of their numbers.
export const inOrder = (cards) => [...cards].sort((one, other) => placeOf(one) - placeOf(other));

const placeOf = (card) => (isBlank(card) ? PLACE.size + Number(card.slice(1)) : PLACE.get(card));
