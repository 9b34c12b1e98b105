// What is asked now: which order to give, or the fields of one. Every choice is a button; numbers have a field.

import { button, element, labelled } from "../dom.mjs";
import { say } from "../say.mjs";
import { valueSay } from "./describe.mjs";
import { manyPart } from "./many.mjs";

// The orders that may be given now; `only`, if there is one, are the places of those that are offered.
export function actsPart({ acts, only, doubtful, onAct, onAll }) {
  const offered = acts.map(({ act, asked }, place) => ({ act, asked, place })).filter(({ place }) => !only || only.has(place));
  const decisions = [...new Set(offered.map(({ asked }) => asked))];
  return [
    doubtful ? element("p", {}, say("Go on without knowing, or stop and wait for the news?")) : null,
    decisions.map((asked) => [
      element("p", { class: "decision" }, asked.say),
      element(
        "div",
        { class: "choices" },
        offered.filter((one) => one.asked === asked).map(({ act, place }) => button(act.say, () => onAct(place), { class: "choice", "data-word": act.do })),
      ),
    ]),
    only ? element("div", { class: "buttons" }, button(say("Show all orders"), onAll)) : null,
  ].flat(2);
}

// The fields of an order that are filled in, each with a way back to it, and the one that is asked.
export function fieldsPart({ asked, question, many, onAnswer, onBack, onMany, onCancel }) {
  return [
    asked.length ? element("ul", { class: "answered" }, asked.map(([one, answer], place) => answered(one, answer, () => onBack(place)))) : null,
    element("p", { class: "decision", id: "question" }, question.say),
    ...controls(question, { many, onAnswer, onMany }),
    element("div", { class: "buttons" }, button(say("Give up this order"), onCancel, { class: "quiet" })),
  ];
}

function answered(question, answer, back) {
  const told = say("{field}: {value}", { field: question.say, value: answerSay(question, answer) });
  return element("li", {}, element("span", {}, told), " ", button(say("Change"), back, { class: "small", "aria-label": say("Change: {what}", { what: told }) }));
}

function answerSay(question, answer) {
  if (answer === null) return say("left out");
  if (question.kind === "number") return valueSay(answer);
  if (question.kind === "many") return say("{values}", { values: answer.map((place) => question.choices[place].say) });
  return question.choices[answer].say;
}

function controls(question, { many, onAnswer, onMany }) {
  switch (question.kind) {
    case "number":
      return [...numberPart(question, question.default ?? question.low, onAnswer), leavingOut(question, onAnswer)];
    case "many":
      return manyPart({ question, places: many, onChange: onMany, onDone: onAnswer });
    default:
      return choicePart(question, onAnswer);
  }
}

const leavingOut = (question, onAnswer) =>
  question.optional ? element("div", { class: "buttons" }, button(say("Leave it out"), () => onAnswer(null))) : null;

// Numbers in a row have one field instead of a button each; words beside them keep theirs.
function choicePart(question, onAnswer) {
  const range = rangeOf(question);
  const offered = question.choices.map((choice, place) => ({ choice, place })).filter(({ choice }) => !range || !Number.isInteger(choice.value));
  const choices = offered.map(({ choice, place }) => {
    const isUsual = question.default === place;
    const told = isUsual ? say("{choice} (as usual)", { choice: choice.say }) : choice.say;
    return button(told, () => onAnswer(place), { class: isUsual ? "choice usual" : "choice", "data-word": choice.word });
  });
  const placeOf = (number) => question.choices.findIndex((choice) => choice.value === number);
  const start = question.choices[question.default]?.value;
  const field = range ? numberPart(range, Number.isInteger(start) ? start : range.low, (number) => onAnswer(placeOf(number))) : [];
  return [element("div", { class: "choices" }, choices), ...field, leavingOut(question, onAnswer)];
}

// The lowest and the highest of a choice's numbers, if they are at least three and none is missing between them.
function rangeOf({ choices }) {
  const numbers = choices.map((choice) => choice.value).filter(Number.isInteger).sort((one, other) => one - other);
  const [low, high] = [numbers[0], numbers.at(-1)];
  return numbers.length > 2 && high - low === numbers.length - 1 ? { low, high } : null;
}

function numberPart({ low, high }, usual, onNumber) {
  const start = Number(usual);
  const input = element("input", { type: "number", id: "number", min: low, max: high, step: 1, value: start, inputmode: "numeric" });
  const trouble = element("p", { class: "trouble", role: "alert" });
  const step = (by) => {
    const now = Number.isInteger(input.valueAsNumber) ? input.valueAsNumber : start;
    input.value = String(Math.min(high, Math.max(low, now + by)));
  };
  const done = (event) => {
    event.preventDefault();
    const found = input.valueAsNumber;
    if (Number.isInteger(found) && found >= low && found <= high) onNumber(found);
    else {
      trouble.textContent = "";
      trouble.append(element("span", {}, say("Type a number from {low} to {high}.", { low, high })));
      input.focus();
    }
  };
  const form = element(
    "form",
    { class: "number", novalidate: true, onsubmit: done },
    labelled(say("A number from {low} to {high}", { low, high }), input),
    button("−", () => step(-1), { class: "small", "aria-label": say("One less") }),
    button("+", () => step(1), { class: "small", "aria-label": say("One more") }),
    element("button", { type: "submit", class: "main" }, say("Take this number")),
  );
  return [form, trouble];
}
