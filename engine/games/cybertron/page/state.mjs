// A position: the twin of `state.py`. Records are never changed; the functions here copy and change one part.
//
// `owner` and `robots` go by board order. A leader stands where his player's `leader` says; empty is the scrapheap.

import { FLAG, NUMBER, TEXT, list, may, numberOr, record, tuple, union } from "../../../kernel/page/shape.mjs";
import { cardsOf } from "./deck.mjs";

export const DAYS = 6;
export const MOST_ATTACKERS = 3;
export const MOST_DEFENDERS = 2;
export const LEADER_PRICE = 3;
export const ROBOT_DIE = 6;

const task = (name, fields = {}) => record({ seat: TEXT, ...fields }, { tag: ["task", name] });
const TASKS = [
  task("claim"),
  task("spare"),
  task("muster", { left: NUMBER, bonus: may(NUMBER, 0), placing: may(FLAG, false) }),
  task("morph", { flipped: may(FLAG, false) }),
  task("attack"),
  task("back_up", { moved: may(FLAG, false), jumped: may(FLAG, false) }),
  task("defend"),
  task("bonus", { most: NUMBER }),
  task("flee", { zones: list(TEXT) }),
];
export const TASK = union("task", () => TASKS);

export const NO_BOOST = Object.freeze({ each: 0, one: 0, sides: ROBOT_DIE, limit: MOST_DEFENDERS });
export const BOOST = record({
  each: may(NUMBER, 0),
  one: may(NUMBER, 0),
  sides: may(NUMBER, ROBOT_DIE),
  limit: may(NUMBER, MOST_DEFENDERS),
});

const COMPARED = record({ lost: TEXT, plus: may(NUMBER, 0), parry: may(NUMBER, 0) });
const DICE = list(tuple(NUMBER, NUMBER));
const ROLL = record({
  attack: DICE,
  defence: DICE,
  attackers: NUMBER,
  defenders: NUMBER,
  attacking_leader: may(FLAG, false),
  defending_leader: may(FLAG, false),
  plus: may(NUMBER, 0),
  parry: may(NUMBER, 0),
  compared: may(list(COMPARED), []),
  added: may(NUMBER, -1),
});

export const NO_PLAN = Object.freeze({ dice: 0, leader: false, until: "captured", keep: 0, move_in: "least" });
const PLAN = record({
  dice: may(NUMBER, 0),
  leader: may(FLAG, false),
  until: may(numberOr("captured"), "captured"),
  keep: may(NUMBER, 0),
  move_in: may(numberOr("least", "all"), "least"),
});
export const BATTLE = record({
  number: NUMBER,
  origin: TEXT,
  target: TEXT,
  defender: TEXT,
  dice: NUMBER,
  leader: may(FLAG, false),
  far: may(FLAG, false),
  rolls: may(NUMBER, 0),
  boost: may(BOOST, NO_BOOST),
  shield: may(BOOST, NO_BOOST),
  cards: may(list(TEXT), []),
  played: may(list(TEXT), []),
  lines: may(list(NUMBER), []),
  lost: may(NUMBER, 0),
  beaten: may(NUMBER, 0),
  roll: may(ROLL, null),
  plan: may(PLAN, NO_PLAN),
});

export const withZone = (state, place, owner, robots) => ({
  ...state,
  owner: changed(state.owner, place, owner),
  robots: changed(state.robots, place, robots),
});

function changed(values, place, value) {
  const copy = [...values];
  copy[place] = value;
  return copy;
}

// The state with one player changed; a new hand is put in order.
export function withPlayer(state, seat, changes) {
  const ordered = changes.hand ? { ...changes, hand: cardsOf(state).inOrder(changes.hand) } : changes;
  return { ...state, players: { ...state.players, [seat]: { ...state.players[seat], ...ordered } } };
}

export const countOf = (values, value) => values.filter((one) => one === value).length;
