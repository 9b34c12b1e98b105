// The orders as lines of text: typed or pasted, compiled as Python compiles them, with every fault shown under its line.

import { sentences, useCodes } from "../codes.mjs";
import { button, element, fill, labelled } from "../dom.mjs";
import { plural, say } from "../say.mjs";
import { withWords } from "./check_words.mjs";
import { LINE_CODES } from "./line_codes.mjs";
import { orderLine } from "./order_lines.mjs";
import { compileText } from "./order_text.mjs";

useCodes(LINE_CODES);

// `judge(orders)` gives the steps that are refused, `onTake(orders)` takes them over. `refresh(orders)` shows the orders as
// they are now, unless something else has been typed.
export function typedPart({ grammar, judge, onTake }) {
  const area = element("textarea", { rows: 6, id: "typed", spellcheck: "false", autocapitalize: "none", autocomplete: "off" });
  const checks = element("input", { type: "checkbox", id: "with-words" });
  const outcome = element("div", { class: "outcome", role: "status" });
  const faults = element("ol", { class: "faults" });
  const state = { orders: [], typed: false };

  const write = async () => {
    state.typed = false;
    const lines = state.orders.map((order) => orderLine(order, grammar));
    area.value = (checks.checked ? await withWords(lines) : lines).join("\n");
  };
  const again = async () => {
    fill(faults);
    fill(outcome);
    await write();
  };
  const take = async () => {
    const { orders, found } = await compiled(area.value, grammar, judge);
    fill(faults, found.map((fault) => faultItem(fault, area)));
    if (found.length === 0) {
      state.typed = false;
      onTake(orders);
      fill(outcome, element("p", {}, plural("{n} order was taken over.", "{n} orders were taken over.", orders.length)));
      return;
    }
    fill(outcome, element("p", { class: "trouble" }, plural("{n} line is wrong; nothing was taken over.", "{n} lines are wrong; nothing was taken over.", found.length)));
    faults.querySelector("button")?.focus();
  };
  area.addEventListener("input", () => {
    state.typed = true;
  });
  checks.addEventListener("change", async () => {
    if (state.typed) await rewritten(area, checks.checked, grammar);
    else await write();
  });
  const made = element(
    "details",
    { class: "typed" },
    element("summary", {}, say("The orders as lines of text")),
    labelled(say("One order a line: its name, then what it needs"), area),
    element("p", { class: "tick" }, checks, element("label", { for: "with-words" }, say("With a check word at each line's end, to be dictated or sent by a friend"))),
    element("div", { class: "buttons" }, button(say("Take these lines"), take, { class: "main", id: "take-lines" }), button(say("Show my orders again"), again, { id: "show-lines" })),
    outcome,
    faults,
  );
  return {
    element: made,
    refresh(orders) {
      state.orders = orders;
      if (!state.typed) write();
    },
  };
}

// The orders of a text, or what is wrong with its lines: {number, line, start, end, told}.
async function compiled(text, grammar, judge) {
  try {
    const { lines, faults } = await compileText(text, grammar);
    const orders = lines.map((line) => line.order);
    if (faults.length) return { orders, found: faults.map((fault) => ({ ...fault, told: sentences(fault.refused) })) };
    const refused = judge(orders).map(({ order, refusal }) => {
      const { number, line } = lines[order - 1];
      return { number, line, start: 0, end: [...line].length, told: sentences({ args: {}, ...refusal }) };
    });
    return { orders, found: refused };
  } catch (error) {
    if (error.code === undefined) throw error;
    return { orders: [], found: [{ number: 1, line: "", start: 0, end: 0, told: sentences(error) }] };
  }
}

// The lines that were typed with check words, or without them; as they are where they can not be understood.
async function rewritten(area, withThem, grammar) {
  const bare = area.value.replace(/\s#\S*[ \t]*$/gm, "");
  const { found, orders } = await compiled(bare, grammar, () => []);
  if (found.length) return;
  const lines = orders.map((order) => orderLine(order, grammar));
  area.value = (withThem ? await withWords(lines) : lines).join("\n");
}

function faultItem({ number, line, start, end, told }, area) {
  const marks = `${" ".repeat(start)}${"^".repeat(Math.max(1, end - start))}`;
  const [expected, found, todo] = told;
  return element(
    "li",
    {},
    element("p", { class: "where" }, say("Line {number}", { number }), " ", button(say("Show the word"), () => select(area, number, start, end), { class: "small" })),
    element("pre", {}, `${line}\n${marks}`),
    element("p", {}, say("Expected: {expected} Found: {found}", { expected, found })),
    element("p", {}, todo),
  );
}

// Columns count characters; a text field counts halves of some.
function select(area, number, start, end) {
  const rows = area.value.split("\n");
  const before = rows.slice(0, number - 1).reduce((sum, row) => sum + row.length + 1, 0);
  const letters = [...(rows[number - 1] ?? "")];
  const at = (column) => before + letters.slice(0, column).join("").length;
  area.focus();
  area.setSelectionRange(at(start), at(end));
}
