// The upgrade cards as data: the twin of `deck.py`. A blank says nothing: whoever asks what it is gets Unseen.

import { Unseen } from "../../../kernel/page/refusal.mjs";
import { DECK } from "./data.mjs";

const BLANK = "?";

export const isBlank = (card) => card.startsWith(BLANK);
export const blank = (number) => `${BLANK}${number}`;

// When an upgrade is played: `muster` and `place` are steps B and E of phase 1, `morph` is phase 2.
export function timeOf(upgrade) {
  const times = { extra_robots: "muster", multiply_sector_bonus: "muster", free_leader_return: "place", back_up_move: "morph" };
  return times[upgrade.effect.type] ?? (upgrade.who === "defender" ? "defence" : "attack");
}

class Catalogue {
  constructor(deck) {
    this.ids = deck.cards.map((card) => card.id);
    this.place = new Map(this.ids.map((id, place) => [id, place]));
    this.cards = new Map(deck.cards.map((card) => [card.id, card]));
    this.upgrades = new Map(deck.upgrades.map((upgrade) => [upgrade.id, upgrade]));
  }

  // A card of the deck, which there must be. Unseen if it is a blank.
  card(id) {
    if (isBlank(id)) throw new Unseen("hidden");
    return this.cards.get(id);
  }

  upgrade(id) {
    return this.upgrades.get(this.card(id).upgrade);
  }

  time(id) {
    return timeOf(this.upgrade(id));
  }

  // Cards in the order of the deck, blanks last in the order of their numbers.
  inOrder(cards) {
    return [...cards].sort((one, other) => this.#rank(one) - this.#rank(other));
  }

  #rank(id) {
    return isBlank(id) ? this.ids.length + Number(id.slice(1)) : this.place.get(id);
  }
}

const STANDARD = new Catalogue(DECK);
const KNOWN = new WeakMap();

// The deck of a game: its own, or the standard one.
export function cardsOf(state) {
  if (!state.deck) return STANDARD;
  if (!KNOWN.has(state.deck)) KNOWN.set(state.deck, new Catalogue(state.deck));
  return KNOWN.get(state.deck);
}
