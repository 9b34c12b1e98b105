// What a seat can tell about its own orders before it sends them: the twin of `engine/kernel/foresee.py`.
//
// The law. A view is imagined as a state with blanks, and the rules run on that. Where a rule would have to look at a
// blank it raises Unseen("hidden"), where it would roll, the dice here raise Unseen("dice"); from there on nothing is
// sure. `rules` are the functions of a game: imagine, action, result, check, apply, hear, pending and view.

import { misfitArgs } from "./misfit.mjs";
import { quote } from "./quote.mjs";
import { Unseen, areaOf, refusal } from "./refusal.mjs";
import { Misfit, read } from "./shape.mjs";

// A shuffle of unseen things is imagined in the given order, for whatever comes out is as unseen as what went in.
export const NO_DICE = {
  roll() {
    throw new Unseen("dice");
  },
  shuffleHidden: (items) => items,
};

// `orders` are plain JSON. Never throws for a bad order: it becomes a refused step.
export function foresee(rules, view, seat, orders) {
  let state = rules.imagine(view);
  const turn = state.turn;
  const steps = [];
  const events = [];
  let doubt = "";
  const add = (certainty, refused = null) => steps.push({ order: steps.length + 1, certainty, refusal: refused });
  for (const order of orders) {
    const judged = judge(rules, state, seat, { order, number: steps.length + 1, turn });
    if (judged.unseen) doubt ||= judged.unseen;
    if (judged.misshapen) add("refused", judged.misshapen);
    else if (judged.refused && (!doubt || areaOf(judged.refused) === "order")) add("refused", judged.refused);
    else add(doubt || "sure");
    if (doubt || judged.misshapen || judged.refused) continue;
    const done = unlessUnseen(() => rules.apply(state, seat, judged.action, NO_DICE));
    if (done.unseen) {
      doubt = done.unseen;
    } else {
      state = done.value.state;
      events.push(...done.value.events.map((event) => rules.hear(event, seat)).filter((event) => event !== null));
      doubt = answeredByOthers(rules, state, seat, turn);
    }
  }
  const closed = !doubt && (state.turn !== turn || rules.isOver(state));
  return { steps, view: doubt ? null : rules.view(state, seat), events, after: doubt, closed };
}

// An order read and checked: `action` with perhaps `refused`, or `misshapen`, or `unseen`.
function judge(rules, state, seat, { order, number, turn }) {
  let action;
  try {
    action = read(rules.action, order);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { misshapen: { ...refusal("order/shape", misfitArgs(error)), order: number, quote: quote(order) } };
  }
  if (rules.isOver(state)) return { action, refused: refusal("moment/game-over") };
  if (state.turn !== turn) return { action, refused: refusal("moment/turn-over") };
  const checked = unlessUnseen(() => rules.check(state, seat, action));
  return { action, refused: checked.value ?? null, unseen: checked.unseen };
}

function unlessUnseen(rule) {
  try {
    return { value: rule() };
  } catch (error) {
    if (error instanceof Unseen) return { unseen: error.why === "dice" ? "dice" : "hidden" };
    throw error;
  }
}

// After an order, another seat's decision hides what comes next until it is answered.
function answeredByOthers(rules, state, seat, turn) {
  if (state.turn !== turn || rules.isOver(state)) return "";
  return rules.pending(state).some((decision) => decision.seat !== seat) ? "hidden" : "";
}
