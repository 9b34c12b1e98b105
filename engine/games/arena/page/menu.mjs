// The menu of a seat, made from its view alone: the twin of `menu.py`, equal to it as JSON.

import { Pool, act, choice, field, option } from "../../../kernel/page/pool.mjs";
import { say } from "../../../kernel/page/say.mjs";
import { check, fitting, gifts, taskOf } from "./agenda.mjs";
import { checkCell, checkSecretBet } from "./bet.mjs";
import { PREFECTS, creatureOf } from "./cards.mjs";
import { powerField } from "./menupowers.mjs";
import { ALL_DEAD, MOST_DISCARDS } from "./orders.mjs";
import { checkBacker, laid as lay, playable } from "./play.mjs";
import { deadCards, hasMagus } from "./rounds.mjs";
import { currentRow, living, openTasks } from "./state.mjs";
import { visible } from "./table.mjs";
import { imagine } from "./view.mjs";

const ASKED = {
  bet: say("Bet, if you like, and play a card"),
  play: say("Play a card"),
  ettin: say("Play a second card with the Ettin, or go on without"),
  titan: say("Keep one of the three cards that your Titan drew"),
  gorgon: say("A Gorgon demands one of your cards"),
  discard: say("Discard cards, if you like, and end your turn"),
  end: say("End your turn"),
  stalemate: say("Say whether you object to the stalemate that was declared"),
};
const ACTS = {
  bet: say("Bet a token on a creature in the current row"),
  secret_bet: say("Make your secret bet with a combat card"),
  reveal_bet: say("Reveal your secret bet"),
  play: say("Play a card"),
  show_hand: say("Show your hand"),
  discard: say("Discard up to three cards"),
  end_turn: say("End your turn"),
  keep: say("Keep a card"),
  give: say("Give a card"),
  declare_stalemate: say("Declare a stalemate"),
  accept: say("Do not object"),
  object: say("Object to the stalemate"),
};
const BET_ON = say("The creature to bet on");
const SECRET = say("The card that stays face down");
const CARD = say("The card to play");
const ON = say("The creature on which it is played");
const TAKE = say("The visible card to take");
const DISCARDS = say("The cards to discard, the last on top");
const DISCARDED = say("A card, or all_dead for all cards of dead creatures");
const KEEP = say("The card to keep");
const GIVE = say("The card to give");

// What the viewer may do now; nothing if he is not asked.
export function menu(view) {
  if (!view.me || openTasks(view.agenda ?? []).every((task) => task.seat !== view.me)) return {};
  const state = imagine(view);
  const task = taskOf(state, view.me);
  const pool = new Pool();
  const acts = [];
  for (const verb of fitting(state, task)) {
    const fields = fieldsOf(pool, state, task, verb);
    if (fields) acts.push(act(verb, ACTS[verb], pool.form(verb, fields)));
  }
  return pool.menu([{ decision: task.task, say: ASKED[task.task], acts }]);
}

// The fields of a verb; null if it can't be used now.
function fieldsOf(pool, state, task, verb) {
  if (verb === "discard") return [discards(state, task.seat)];
  if (!Object.hasOwn(MAKERS, verb)) return check(state, task.seat, { do: verb }) ? null : [];
  const fields = MAKERS[verb](pool, state, task);
  return fields.length ? fields : null;
}

const MAKERS = {
  bet: (pool, state, { seat }) => one("creature", BET_ON, state.creatures.filter((name) => !checkCell(state, seat, name, currentRow(state)))),
  secret_bet: (pool, state, { seat }) => one("card", SECRET, checkSecretBet(state, seat) ? [] : fighters(state, seat)),
  play: (pool, state, { seat }) => playFields(pool, state, seat, []),
  keep: (pool, state, task) => one("card", KEEP, task.cards),
  give: (pool, state, task) => one("card", GIVE, gifts(state, task)),
};

const one = (name, ask, values) => (values.length ? [choice(name, ask, values)] : []);

const fighters = (state, seat) => state.players[seat].hand.filter((card) => creatureOf(card));

function discards(state, seat) {
  const cards = hasMagus(state) ? fighters(state, seat) : deadCards(state, seat);
  const item = choice("card", DISCARDED, [ALL_DEAD, ...cards]);
  const high = Math.min(MOST_DISCARDS, cards.length + 1);
  return field("cards", "list", DISCARDS, { low: 1, high, item, distinct: true, default: [ALL_DEAD] });
}

// The card to play and, by card, what goes with it; nothing if no card can be played. `instead`: where this is a second
// card, the cards that may lie on top instead of the first one.
function playFields(pool, state, seat, instead) {
  const cards = playable(state, seat).map((card) => {
    const name = creatureOf(card);
    const fields = name ? withPower(pool, state, seat, { card, instead }) : roaming(pool, state, card, instead);
    return option(card, { form: pool.form(name || card, fields) });
  });
  return cards.length ? [field("card", "choice", CARD, { options: cards })] : [];
}

function withPower(pool, state, seat, { card, instead }) {
  const source = creatureOf(card);
  if (checkBacker(state, seat, source)) return [];
  const use = { seat, source, second: state.agenda[0].task === "ettin" };
  return powerField(pool, lay(state, seat, card), { use, card, instead }, playFields);
}

// A referee or a spectator: the creature on which it is played, or the card that a prefect takes.
function roaming(pool, state, card, instead) {
  if (!PREFECTS.includes(card)) return [field("on", "zone", ON, { sets: pool.names("living", living(state)) })];
  const cards = [...visible(state).map(([there]) => there), ...instead];
  return cards.length ? [field("take", "card", TAKE, { sets: pool.names("visible", cards) })] : [];
}
