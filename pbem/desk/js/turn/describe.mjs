// Orders in words, found by holding them against the menu that they were filled in from; the twin of
// pbem/player/describe.py. Decides nothing: an order that no menu offers, behind a battle say, is a line of order text.

import { quote } from "../../../../engine/kernel/page/quote.mjs";
import { say } from "../say.mjs";
import { actsOf, formOf, optionsOf, spelt } from "./menu.mjs";
import { orderLine } from "./order_lines.mjs";

// What an order is called that its game knows: its rows in the menu of its moment, or else its line; quoted where the
// page has no grammar of the game.
export function told(game, menu, order) {
  const rows = describe(menu, order);
  if (rows.length) return rows;
  const isKnown = game.grammar && Object.hasOwn(game.grammar.verbs, order.do);
  return [say("{order}", { order: isKnown ? orderLine(order, game.grammar) : quote(order) })];
}

// The rows of one order: the act, then what was chosen; none where the menu does not offer it.
export function describe(menu, order) {
  const { do: verb, ...fields } = order;
  for (const { act } of actsOf(menu)) {
    if (act.do !== verb) continue;
    const rows = first(form(menu, formOf(menu, act.form ?? ""), fields, {}));
    if (rows) return [act.say, ...rows];
  }
  return [];
}

// What an option is called; its value where it has no name.
export const optionSay = (option) => option.say ?? valueSay(option.value);

// A plain value as a sentence.
export function valueSay(value) {
  if (typeof value === "boolean") return value ? say("yes") : say("no");
  if (Array.isArray(value)) return say("{values}", { values: value.map(valueSay) });
  return say("{value}", { value: typeof value === "number" ? value : String(value) });
}

function first(ways) {
  for (const way of ways) return way;
  return null;
}

const without = (order, name) => Object.fromEntries(Object.entries(order).filter(([key]) => key !== name));

// The ways in which a form's fields say what is left of an order; none if it has something else.
function* form(menu, fields, rest, earlier) {
  if (fields.length === 0) {
    if (Object.keys(rest).length === 0) yield [];
    return;
  }
  const [field, ...later] = fields;
  if (!Object.hasOwn(rest, field.name)) {
    if (field.optional) yield* form(menu, later, rest, earlier);
    return;
  }
  const value = rest[field.name];
  const left = without(rest, field.name);
  const known = { ...earlier, [field.name]: value };
  for (const [rows, more] of ways(menu, field, value, earlier)) {
    for (const others of form(menu, [...formOf(menu, more), ...later], left, known)) yield [...rows, ...others];
  }
}

// What a field says with a value, and the form that then follows.
function* ways(menu, field, value, earlier) {
  if (field.kind === "number") {
    yield [[row(field, valueSay(value))], ""];
  } else if (field.kind === "list") {
    yield* list(menu, field, value, earlier);
  } else if (field.kind === "record") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const option of optionsOf(menu, field, earlier)) {
      for (const rows of form(menu, formOf(menu, option.form ?? ""), value, {})) yield [[row(field, optionSay(option)), ...rows], ""];
    }
  } else {
    const options = optionsOf(menu, field, earlier);
    for (const option of options) {
      if (spelt(option.value) !== spelt(value)) continue;
      yield [options.length === 1 ? [] : [row(field, optionSay(option))], option.form ?? ""];
    }
  }
}

function* list(menu, field, value, earlier) {
  if (!Array.isArray(value) || !field.item) return;
  const names = [];
  const more = [];
  for (const one of value) {
    const way = first(ways(menu, field.item, one, earlier));
    if (!way) return;
    const [rows] = way;
    names.push(rows.length ? rows[0].args.value : valueSay(one));
    more.push(...rows.slice(1));
  }
  yield [[row(field, say("{values}", { values: names })), ...more], ""];
}

const row = (field, value) => say("{field}: {value}", { field: field.say, value });
