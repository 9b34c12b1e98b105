// The way through one order: questions from the menu alone, until its form is filled in; the twin of walk_act in
// pbem/player/walk.py. To go back is to walk the same way again with fewer answers.
//
// A question is {kind, say, choices: [{say, word, value}], low, high, distinct, optional, hasDefault, default, field}. Its
// kinds are `choice` (answered by a place), `number`, and `many` (places in order); null leaves it out.

import { say } from "../say.mjs";
import { optionSay } from "./describe.mjs";
import { formOf, isOpen, optionsOf, spelt } from "./menu.mjs";

// Where these answers lead: {asked: [[question, answer]…], question} or {asked, order}. The first one that does not fit its
// question, as in an old draft, and all after it are as good as not given.
export function resume(menu, act, answers) {
  const walk = form(menu, act.form ?? "");
  const asked = [];
  let step = walk.next();
  for (const answer of answers) {
    if (step.done || !fits(step.value, answer)) break;
    asked.push([step.value, answer]);
    step = walk.next(answer);
  }
  return step.done ? { asked, order: { do: act.do, ...step.value } } : { asked, question: step.value };
}

// Whether an answer is one to this question.
export function fits({ kind, choices, low, high, distinct, optional }, answer) {
  if (answer === null) return optional;
  const isPlace = (place) => Number.isInteger(place) && place >= 0 && place < choices.length;
  if (kind === "choice") return isPlace(answer);
  if (kind === "number") return Number.isInteger(answer) && answer >= low && answer <= high;
  if (!Array.isArray(answer) || !answer.every(isPlace)) return false;
  return answer.length >= low && answer.length <= high && !(distinct && new Set(answer).size < answer.length);
}

const question = (kind, field, more) => ({
  kind,
  field,
  say: field.say,
  choices: [],
  low: 0,
  high: 0,
  distinct: false,
  optional: false,
  hasDefault: false,
  default: null,
  ...more,
});

function* form(menu, name) {
  const filled = {};
  const queue = [...formOf(menu, name)];
  while (queue.length) {
    const field = queue.shift();
    if (!isOpen(menu, field, filled)) continue;
    const [value, more] = yield* fieldValue(menu, field, filled);
    if (value !== null) filled[field.name] = value;
    queue.unshift(...formOf(menu, more));
  }
  return filled;
}

// The value of a field (null: left out), and the form that follows it.
function* fieldValue(menu, field, earlier) {
  if (field.kind === "number") return [yield* number(field), ""];
  if (field.kind === "list") return [yield* list(menu, field, earlier), ""];
  const options = optionsOf(menu, field, earlier);
  const option = yield* pick(field, options);
  if (option === null) return [null, ""];
  if (field.kind === "record") return [yield* form(menu, option.form ?? ""), ""];
  return [option.value, option.form ?? ""];
}

function* number(field) {
  const [low, high] = [field.low ?? 0, field.high ?? 0];
  const optional = field.optional ?? false;
  if (low === high && !optional) return low;
  const usable = typeof field.default === "number" || typeof field.default === "boolean";
  return yield question("number", field, {
    low,
    high,
    optional,
    hasDefault: usable || optional,
    default: usable ? field.default : null,
  });
}

const choiceOf = (option) => ({
  say: optionSay(option),
  word: Array.isArray(option.value) ? option.value.join(" ") : String(option.value),
  value: option.value,
});

function* pick(field, options) {
  const optional = field.optional ?? false;
  if (options.length === 1 && !optional) return options[0];
  const usual = field.default === undefined ? -1 : options.findIndex((option) => spelt(option.value) === spelt(field.default));
  const answer = yield question("choice", field, {
    choices: options.map(choiceOf),
    optional,
    hasDefault: usual >= 0 || optional,
    default: usual >= 0 ? usual : null,
  });
  return answer === null ? null : options[answer];
}

function* list(menu, field, earlier) {
  const { item } = field;
  if (["number", "list", "record"].includes(item.kind)) return yield* oneByOne(menu, field, earlier);
  const options = optionsOf(menu, item, earlier);
  const [low, optional, distinct] = [field.low ?? 0, field.optional ?? false, field.distinct ?? false];
  const high = distinct ? Math.min(field.high ?? 0, options.length) : field.high ?? 0;
  if (options.length === 1 && high === 1 && low === 1 && !optional) return [options[0].value];
  const usual = usualPlaces(field, options);
  const answer = yield question("many", field, {
    choices: options.map(choiceOf),
    low,
    high,
    distinct,
    optional,
    hasDefault: optional || usual !== null || low === 0,
    default: usual ?? (optional ? null : []),
  });
  return answer === null ? null : answer.map((place) => options[place].value);
}

// The places of a list's default, if all of it is there.
function usualPlaces(field, options) {
  if (!Array.isArray(field.default)) return null;
  const values = options.map((option) => spelt(option.value));
  return field.default.map((one) => values.indexOf(spelt(one))).filter((place) => place >= 0);
}

// Items that are no plain choices: for each beyond the fewest, whether there is to be one more.
function* oneByOne(menu, field, earlier) {
  const items = [];
  while (items.length < (field.high ?? 0)) {
    if (items.length >= (field.low ?? 0)) {
      const more = yield question("choice", field, {
        say: say("{field}: one more?", { field: field.say }),
        choices: [
          { say: say("no"), word: "no" },
          { say: say("yes"), word: "yes" },
        ],
        hasDefault: true,
        default: 0,
      });
      if (more !== 1) break;
    }
    const [value] = yield* fieldValue(menu, field.item, earlier);
    if (!(field.distinct && items.some((one) => spelt(one) === spelt(value)))) items.push(value);
  }
  return items.length || !field.optional ? items : null;
}
