// The menu of a seat, made from its view alone: the twin of `menu.py`, equal to it as JSON.

import { Pool, act, choice, field, option, options } from "../../../kernel/page/pool.mjs";
import { say } from "../../../kernel/page/say.mjs";
import { FITS, check } from "./agenda.mjs";
import { mapOf } from "./atlas.mjs";
import { connected } from "./backup.mjs";
import { cardsOf } from "./deck.mjs";
import * as battle from "./menubattle.mjs";
import { cardOptions, leaderField, leads, oneOf, ownZones } from "./menuparts.mjs";
import { checkMorph } from "./morph.mjs";
import { leftToPlace } from "./muster.mjs";
import { MOST_ROBOTS } from "./orders.mjs";
import { hasLeader, isAllied } from "./standing.mjs";
import { LEADER_PRICE } from "./state.mjs";
import { imagine } from "./view.mjs";

const ASKED = {
  claim: say("Claim an empty zone"),
  spare: say("Place one of your spare robots"),
  muster: say("Phase 1: place your robots"),
  morph: say("Phase 2: morph, or go on to the later phases"),
  attack: say("Phase 3: attack, or go on"),
  back_up: say("Phase 4: call for back-up, or end your turn"),
  defend: say("You are attacked: say how you defend"),
  bonus: say("Say what you add to your die"),
  flee: say("Say where Bumblebee escapes to"),
};
const ACTS = {
  claim: say("Claim a zone"),
  spare: say("Place a robot"),
  play_card: say("Play a card"),
  recall_leader: say("Recall your leader for three robots"),
  place: say("Place robots"),
  flip_leader: say("Turn your leader to his other form"),
  morph: say("Open or close a special zone with a card"),
  attack: say("Attack a zone"),
  back_up: say("Move pieces to a connected zone"),
  jump: say("Move Optimus Prime to any zone of yours"),
  give: say("Give a zone to your team-mate"),
  end_turn: say("End your turn"),
  defend: say("Defend"),
  bonus: say("Add to your die"),
  flee: say("Escape"),
};
const ZONE = say("The zone");
const FORM = say("The form in which he returns");
const ROBOTS = say("How many robots, or rest for all that are left");
const CARD = say("The card");
const SPECIAL = say("The special zone");
const FROM = say("From which zone");
const TO = say("To which zone");
const MOVED = say("How many robots move");
const REFUGE = say("The zone to which he escapes");
const GIFT = say("The zone to give");

// What the viewer may do now; nothing if he is not asked.
export function menu(view) {
  if (!view.me || view.agenda?.[0]?.seat !== view.me) return {};
  const state = imagine(view);
  const [task] = state.agenda;
  const pool = new Pool();
  const acts = [];
  for (const verb of FITS[task.task]) {
    const fields = fieldsOf(pool, state, task.seat, verb);
    if (fields) acts.push(act(verb, ACTS[verb], pool.form(verb, fields)));
  }
  return pool.menu([{ decision: task.task, say: ASKED[task.task], acts }]);
}

// The fields of a verb; null if it can't be used now.
function fieldsOf(pool, state, seat, verb) {
  if (!Object.hasOwn(MAKERS, verb)) return check(state, seat, { do: verb }) ? null : [];
  const fields = MAKERS[verb](pool, state, seat);
  return fields.length ? fields : null;
}

const MAKERS = {
  claim(pool, state) {
    const where = mapOf(state);
    return oneOf("zone", ZONE, where.ids.slice(0, where.normal).filter((_, place) => !state.owner[place]));
  },
  spare: (pool, state, seat) => oneOf("zone", ZONE, ownZones(state, seat)),
  play_card: playCard,
  recall_leader(pool, state, seat) {
    if (state.players[seat].leader || leftToPlace(state) < LEADER_PRICE) return [];
    return [own(pool, state, seat), form()];
  },
  place(pool, state, seat) {
    const numbers = battle.upTo(Math.min(leftToPlace(state), MOST_ROBOTS));
    return [own(pool, state, seat), field("robots", "choice", ROBOTS, { options: options(["rest", ...numbers]), optional: true })];
  },
  morph(pool, state, seat) {
    const cards = state.players[seat].hand.filter((card) => cardsOf(state).card(card).morph);
    if (!cards.length) return [];
    const zones = mapOf(state).specials.filter((zone) => !checkMorph(state, seat, { card: cards[0], zone }));
    const card = field("card", "card", CARD, { options: cardOptions(state, cards) });
    return zones.length ? [card, choice("zone", SPECIAL, zones, "zone")] : [];
  },
  attack: battle.attack,
  back_up: (pool, state, seat) => (state.agenda.at(-1).moved ? [] : moves(pool, state, seat)),
  jump(pool, state, seat) {
    return oneOf("to", TO, ownZones(state, seat).filter((to) => !check(state, seat, { do: "jump", to })));
  },
  give(pool, state, seat) {
    if (!isAllied(state)) return [];
    const mine = ownZones(state, seat);
    return check(state, seat, { do: "give", zone: mine[0] }) ? [] : oneOf("zone", GIFT, mine);
  },
  defend: battle.defend,
  bonus: battle.bonus,
  flee: (pool, state) => oneOf("zone", REFUGE, state.agenda[0].zones ?? []),
};

const own = (pool, state, seat) => field("zone", "zone", ZONE, { sets: pool.names("own", ownZones(state, seat)) });

const form = () => field("form", "choice", FORM, { options: options(["robot", "vehicle"]), optional: true });

// Cards of this phase, each with the fields that go with it.
function playCard(pool, state, seat) {
  const [task] = state.agenda;
  const { hand, leader } = state.players[seat];
  const forms = {};
  if (task.task === "muster") {
    if (!task.placing) forms.muster = "";
    if (!leader) forms.place = pool.form("return", [own(pool, state, seat), form()]);
  } else {
    const fields = moves(pool, state, seat);
    if (fields.length) forms.morph = pool.form("move", fields);
  }
  const deck = cardsOf(state);
  const cards = cardOptions(state, hand).filter(({ value }) => Object.hasOwn(forms, deck.time(value)));
  if (!cards.length) return [];
  const filled = cards.map(({ value, say: name }) => option(value, { say: name, form: forms[deck.time(value)] }));
  return [field("card", "card", CARD, { options: filled })];
}

// From where, and by that where to and how many.
function moves(pool, state, seat) {
  const where = mapOf(state);
  const origins = [];
  const joined = new Map();
  for (const [place, zone] of where.ids.entries()) {
    const [robots, leader] = [state.robots[place], hasLeader(state, place)];
    if (state.owner[place] !== seat || robots + Number(leader) < 2) continue;
    if (!joined.has(place)) {
      const component = connected(state, seat, place);
      for (const other of component) joined.set(other, component);
    }
    const goals = where.ids.filter((_, other) => other !== place && joined.get(place).has(other));
    if (goals.length) {
      const to = field("to", "zone", TO, { sets: pool.names("goals", goals) });
      origins.push(option(zone, { form: pool.form("pieces", [to, moved(pool, robots, leader)]) }));
    }
  }
  return origins.length ? [field("from", "zone", FROM, { options: origins })] : [];
}

// How many robots; with the leader there, he may go too, as long as a piece stays.
function moved(pool, robots, leader) {
  const most = Math.min(leader ? robots : robots - 1, MOST_ROBOTS);
  if (!leader) return field("robots", "number", MOVED, { low: 1, high: most });
  const must = pool.form("leads", [leads()]);
  const free = pool.form("may_lead", [leaderField()]);
  const no = pool.form("stays", [leaderField(false)]);
  const counts = battle.upTo(Math.min(robots - 1, most)).map((count) => option(count, { form: free }));
  const all = most >= robots ? [option(robots, { form: no })] : [];
  return field("robots", "choice", MOVED, { options: [option(0, { form: must }), ...counts, ...all] });
}
