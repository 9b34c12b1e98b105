// Parts that several fields of a menu share.

import { choice, field, option, options } from "../../../kernel/page/pool.mjs";
import { say } from "../../../kernel/page/say.mjs";
import { mapOf } from "./atlas.mjs";
import { cardsOf } from "./deck.mjs";

export const LEADER = say("Whether your leader is among them");

// A seat's zones in board order.
export const ownZones = (state, seat) => mapOf(state).ids.filter((_, place) => state.owner[place] === seat);

// One field with these zones; nothing if there are none.
export const oneOf = (name, ask, zones) => (zones.length ? [choice(name, ask, zones, "zone")] : []);

// Cards, with their names.
export const cardOptions = (state, cards) => cards.map((card) => option(card, { say: cardName(state, card) }));

function cardName(state, id) {
  const deck = cardsOf(state);
  if (!deck.cards.has(id)) return say("{name}", { name: id });
  const { zone } = deck.cards.get(id);
  const where = mapOf(state);
  const name = where.place.has(zone) ? where.names[where.place.get(zone)] : zone;
  return say("{upgrade} ({zone})", { upgrade: deck.upgrade(id).name, zone: say("{name}", { name }) });
}

// Whether the leader is among the pieces: one of these answers.
export const leaderField = (...answers) =>
  field("leader", "choice", LEADER, { options: options(answers.length ? answers : [false, true]), optional: true });

// He must be.
export const leads = () => field("leader", "choice", LEADER, { options: options([true]) });
