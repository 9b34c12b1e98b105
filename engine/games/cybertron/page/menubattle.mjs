// The menu of attacks and of what a battle asks. The twin of `menu_battle.py`.

import { choice, field, option, options } from "../../../kernel/page/pool.mjs";
import { say } from "../../../kernel/page/say.mjs";
import { canFly, mineIn, mostDefenders } from "./assault.mjs";
import { mapOf } from "./atlas.mjs";
import { cardsOf } from "./deck.mjs";
import { cardOptions, leaderField, leads, ownZones } from "./menuparts.mjs";
import { MOST_MOVED, MOST_ROBOTS, MOST_UNTIL } from "./orders.mjs";
import { hasLeader, isEnemy, pieces } from "./standing.mjs";
import { MOST_ATTACKERS } from "./state.mjs";

const FROM = say("From which zone");
const TO = say("Which zone to attack");
const DICE = say("How many pieces attack");
const CARDS = say("Cards to play now");
const CARD = say("The card");
const UNTIL = say("Until it is captured, or for so many rolls");
const KEEP = say("Stop when only so many pieces are left at home");
const MOVE_IN = say("After the conquest: least, all, or how many move in");
const WHEN = say("Only if");
const HELD = say("You hold these zones");
const NOT_HELD = say("You do not hold these zones");
const CAPTURED = say("You have captured these zones in this turn");
const ZONE = say("The zone");
const AT_LEAST = say("At least so many of your pieces");
const AT_MOST = say("At most so many of your pieces");
const PIECES = say("Pieces");
const DEFENDERS = say("How many pieces defend");
const PLUS = say("How much to add");

export const upTo = (most) => Array.from({ length: Math.max(0, most) }, (_, place) => place + 1);

// From where, and by that whom and with how many; then what goes with every attack.
export function attack(pool, state, seat) {
  const where = mapOf(state);
  const links = where.links(state.opened);
  const enemies = where.ids.map((_, place) => place).filter((place) => isEnemy(state, seat, state.owner[place]));
  const origins = [];
  for (const [place, zone] of where.ids.entries()) {
    const here = state.owner[place] === seat ? pieces(state, place) : 0;
    const flies = here > 1 && canFly(state, seat, zone);
    const targets = here > 1 ? enemies.filter((other) => flies || links[place].includes(other)) : [];
    if (targets.length) {
      const near = nearForm(pool, Math.min(MOST_ATTACKERS, here - 1), hasLeader(state, place));
      const far = flies ? farForm(pool) : "";
      const goals = targets.map((other) => option(where.ids[other], { form: links[place].includes(other) ? near : far }));
      const keep = field("keep", "number", KEEP, { high: Math.min(here - 1, MOST_ROBOTS), optional: true });
      const to = field("to", "zone", TO, { options: goals });
      origins.push(option(zone, { form: pool.form("attack_from", [to, keep]) }));
    }
  }
  if (!origins.length) return [];
  return [field("from", "zone", FROM, { options: origins }), ...plan(pool, state, seat)];
}

function nearForm(pool, most, leader) {
  const dice = field("dice", "number", DICE, { low: 1, high: most });
  return pool.form("near", [dice, leader ? leaderField() : leaderField(false)]);
}

const farForm = (pool) => pool.form("far", [field("dice", "number", DICE, { low: 1, high: 1 }), leads()]);

function plan(pool, state, seat) {
  const until = pool.set("until", options(["captured", ...upTo(MOST_UNTIL)]));
  const moveIn = pool.set("move_in", options(["least", "all", ...upTo(MOST_MOVED)]));
  return [
    ...cards(state, seat, "attack"),
    field("until", "choice", UNTIL, { sets: until, optional: true }),
    field("move_in", "choice", MOVE_IN, { sets: moveIn, optional: true }),
    field("when", "record", WHEN, { options: [option("when", { form: when(pool, state, seat) })], optional: true }),
  ];
}

function cards(state, seat, time) {
  const some = state.players[seat].hand.filter((card) => cardsOf(state).time(card) === time);
  if (!some.length) return [];
  const item = field("card", "card", CARD, { options: cardOptions(state, some) });
  return [field("cards", "list", CARDS, { low: 1, high: some.length, item, distinct: true, optional: true })];
}

// Guards that are true now.
function when(pool, state, seat) {
  const mine = ownZones(state, seat);
  const others = mapOf(state).ids.filter((zone) => !mine.includes(zone));
  const limit = (name, ask, atMost) =>
    field(name, "record", ask, { options: [option("zones", { form: limits(pool, state, seat, atMost) })], optional: true });
  return pool.form("when", [
    ...zones("held", HELD, mine),
    ...zones("not_held", NOT_HELD, others),
    ...zones("captured", CAPTURED, state.captured),
    limit("at_least", AT_LEAST, false),
    limit("at_most", AT_MOST, true),
  ]);
}

function zones(name, ask, some) {
  if (!some.length) return [];
  const item = choice("zone", ZONE, some, "zone");
  return [field(name, "list", ask, { low: 1, high: some.length, item, distinct: true, optional: true })];
}

// By zone, the numbers that are true now.
function limits(pool, state, seat, atMost) {
  const fields = [];
  for (const zone of mapOf(state).ids) {
    const mine = Math.min(mineIn(state, seat, zone), MOST_ROBOTS);
    const [low, high] = atMost ? [mine, MOST_ROBOTS] : [1, mine];
    if (low <= high) fields.push(field(zone, "number", PIECES, { low, high, optional: true }));
  }
  return pool.form(atMost ? "at_most" : "at_least", fields);
}

// How many, and by that whether the leader; cards.
export function defend(pool, state, seat) {
  const place = mapOf(state).place.get(state.battle.target);
  const [robots, leader] = [state.robots[place], hasLeader(state, place)];
  const must = pool.form("leads", [leads()]);
  const free = pool.form("may_lead", [leader ? leaderField() : leaderField(false)]);
  const dice = upTo(mostDefenders(state)).map((count) => option(count, { form: count > robots ? must : free }));
  return [field("dice", "choice", DEFENDERS, { options: dice }), ...cards(state, seat, "defence")];
}

// From nothing to all there is.
export const bonus = (pool, state) => [field("plus", "number", PLUS, { high: state.agenda[0].most })];
