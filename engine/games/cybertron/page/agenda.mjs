// Which order fits which task, and the rules of each: the twin of `agenda.py`.

import { refusal } from "../../../kernel/page/refusal.mjs";
import { applyAttack, checkAttack } from "./assault.mjs";
import * as backup from "./backup.mjs";
import { applyBonus, applyDefend, applyFlee, checkBonus, checkDefend, checkFlee } from "./battle.mjs";
import { checkOwn } from "./ground.mjs";
import { applyFlip, applyMorph, checkFlip, checkMorph } from "./morph.mjs";
import * as muster from "./muster.mjs";
import { endTurn } from "./rounds.mjs";
import { applyClaim, applySpare, checkClaim } from "./setup.mjs";
import { checkWording } from "./wording.mjs";

const LATER = ["back_up", "jump", "give", "end_turn"];
export const FITS = {
  claim: ["claim"],
  spare: ["spare"],
  muster: ["play_card", "recall_leader", "place"],
  morph: ["flip_leader", "morph", "play_card", "attack", ...LATER],
  attack: ["attack", ...LATER],
  back_up: LATER,
  defend: ["defend"],
  bonus: ["bonus"],
  flee: ["flee"],
};

// Who must decide what: the head of the agenda; nobody once the game is over.
export const pending = (state) => state.agenda.slice(0, 1);

// Whether an order may be carried out now: words first, then the table, then the rules of its own.
export function check(state, seat, order) {
  const fault = checkWording(state, seat, order);
  if (fault) return fault;
  const [task] = state.agenda;
  if (!task) return refusal("moment/game-over");
  if (task.seat !== seat) return refusal("moment/not-your-turn", { seat, seats: task.seat });
  if (FITS[task.task].includes(order.do)) return CHECKS[order.do](state, seat, order, task);
  if (task.task === "muster") return refusal("moment/unplaced", { order: order.do, left: task.left });
  return refusal("moment/wrong-phase", { order: order.do, expected: FITS[task.task].join(", ") });
}

const CHECKS = {
  attack: checkAttack,
  place: muster.checkPlace,
  back_up: backup.checkBackUp,
  play_card: (state, seat, order, { task }) =>
    task === "muster" ? muster.checkCard(state, seat, order) : backup.checkCard(state, seat, order),
  recall_leader: muster.checkRecall,
  flip_leader: checkFlip,
  morph: checkMorph,
  jump: backup.checkJump,
  give: backup.checkGive,
  claim: (state, seat, order) => checkClaim(state, order),
  spare: (state, seat, order) => checkOwn(state, seat, order.zone),
  defend: checkDefend,
  bonus: (state, seat, order, task) => checkBonus(task, order),
  flee: (state, seat, order, task) => checkFlee(task, order),
  end_turn: () => null,
};

// Carry out an order that `check` accepts: the state and what happened.
export const apply = (state, seat, order, dice) => APPLIES[order.do](state, seat, order, dice);

const APPLIES = {
  attack: applyAttack,
  place: muster.applyPlace,
  back_up: backup.applyBackUp,
  play_card: (state, seat, order) =>
    state.agenda[0].task === "muster" ? muster.applyCard(state, seat, order) : backup.applyCard(state, seat, order),
  recall_leader: muster.applyRecall,
  flip_leader: applyFlip,
  morph: applyMorph,
  jump: backup.applyJump,
  give: backup.applyGive,
  claim: applyClaim,
  spare: applySpare,
  defend: applyDefend,
  bonus: (state, seat, order, dice) => applyBonus(state, order, dice),
  flee: applyFlee,
  end_turn: (state, seat, order, dice) => endTurn(state, seat, dice),
};
