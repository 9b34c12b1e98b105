// The rolls of a record with their proof: everything that a doubter needs to make them again with a calculator.
// Made from the log in the page, not from anything that was told with it.

import { element, say } from "./dom.mjs";
import { redraw } from "./draws.mjs";
import { revealsOf } from "./facts.mjs";

// A section for each roll of a record; `hidden` are those opened at the end, shown if all cards are open.
export function rollsOf(log, number, open) {
  const step = log.steps[number];
  if (step === undefined) return [element("p", {}, say("rolls.unread"))];
  const hidden = open ? (log.drawn.get(number) ?? []) : [];
  const shown = [
    ...step.record.draws.map((draw) => roll(draw, step, undefined)),
    ...hidden.map((draw) => roll(draw, step, log.end.k_hidden)),
  ];
  if (shown.length === 0) return [element("p", {}, say(log.drawn.has(number) ? "rolls.hidden" : "rolls.none"))];
  return [...shown, origin(log, step)];
}

const MOST_SHOWN = 12;

function roll(draw, step, kHidden) {
  const key = kHidden === undefined ? "roll.public" : "roll.secret";
  const first = draw.values.slice(0, MOST_SHOWN).join(" ");
  const values = draw.values.length > MOST_SHOWN ? `${first} …` : first;
  const summary = element("summary", {}, element("code", {}, draw.label), ` ${say(key)}: ${values}`);
  const details = element("details", { class: "roll" }, summary);
  details.addEventListener("toggle", () => prove(details, draw, step, kHidden), { once: true });
  return details;
}

async function prove(details, draw, step, kHidden) {
  if (step.dice === undefined) {
    details.append(element("p", {}, say("roll.early")));
    return;
  }
  const proof = await redraw(draw, { ...step.dice, kHidden });
  const same = proof.values.join("\n") === draw.values.join("\n");
  const facts = [
    ["roll.accumulator", step.dice.acc],
    ["roll.label", draw.label],
    ["roll.key", proof.key],
    ["roll.asked", draw.items === undefined ? say("roll.dice", { sides: draw.sides }) : draw.items.join(" ")],
    ["roll.came", proof.values.join(" ")],
  ];
  details.append(
    element("p", { class: same ? "good" : "bad" }, say(same ? "roll.same" : "roll.other")),
    element("dl", {}, ...facts.flatMap(([key, value]) => [element("dt", {}, say(key)), element("dd", {}, element("code", {}, value))])),
    words(proof.drawn),
  );
}

function words(drawn) {
  const heads = ["roll.word", "roll.below", "roll.number"].map((key) => element("th", { scope: "col" }, say(key)));
  const rows = drawn.map(({ word, sides, value }) => {
    const number = value < 0 ? say("roll.thrown") : String(value);
    return element("tr", {}, ...[word, sides, number].map((cell) => element("td", {}, String(cell))));
  });
  return element(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": say("roll.words") },
    element("table", {}, element("caption", {}, say("roll.words")), element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
  );
}

// Where the accumulator of a turn comes from: the one before, the host's link, and each seat's.
function origin(log, { dice }) {
  if (dice === undefined) return null;
  const closing = log.steps.find((step) => step.before !== null && step.before.turn === dice.turn && step.after.turn === dice.turn + 1);
  const facts = [["roll.accumulator", dice.acc]];
  if (dice.turn > 0) facts.push(["roll.before", closing.before.acc]);
  facts.push(["roll.hostlink", closing.record.link]);
  const given = dice.turn === 0 ? closing.before.roster.map((entry) => entry.link) : revealsOf(withRecord(closing));
  const rows = closing.before.roster.map((entry, i) => [entry.seat, given[i] || say("roll.nolink")]);
  const pairs = [...facts.map(([key, value]) => [say(key), value]), ...rows];
  return element(
    "details",
    { class: "roll" },
    element("summary", {}, say("roll.origin", { turn: dice.turn })),
    element("dl", {}, ...pairs.flatMap(([key, value]) => [element("dt", {}, key), element("dd", {}, element("code", {}, value))])),
  );
}

// The facts before the closing record, with the link that this record itself gave.
function withRecord({ before, record }) {
  const roster = before.roster.map((entry) => (entry.seat === record.seat && record.reveal !== undefined ? { ...entry, reveal: record.reveal } : entry));
  return { ...before, roster };
}
