// Orders put into lines of text: the one way of writing each order, of which its check word is made too; the twin of
// pbem/player/order_lines.py.

import { cut } from "./order_words.mjs";

// What Python takes for digits, where normal form leaves them alone.
const DIGITS =
  /^-?[\p{Nd}\u1369-\u1371\u19da\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}]+$/u;

// The line of an order that has the shape its game publishes.
export function orderLine(order, grammar) {
  return [order.do, ...fields(order, grammar.forms[grammar.verbs[order.do]], grammar)].join(" ");
}

function fields(filled, slots, grammar) {
  const names = new Set(slots.map((slot) => slot.name));
  const needed = slots.filter((slot) => slot.required);
  const parts = needed.map((slot) => value(filled[slot.name], slot.node, grammar, names));
  for (const slot of slots) {
    if (slot.required || !Object.hasOwn(filled, slot.name)) continue;
    parts.push(slot.name);
    const isFlag = slot.node.kind === "flag" && filled[slot.name] === true;
    if (!isFlag) parts.push(value(filled[slot.name], slot.node, grammar, new Set()));
  }
  return parts;
}

// A value in words; a word that would be read as one of `names` is quoted.
function value(one, node, grammar, names) {
  if (node.kind === "either") return value(one, node.items.find((item) => fits(one, item)), grammar, names);
  if (typeof one === "boolean") return one ? "yes" : "no";
  if (typeof one === "number") return String(one);
  if (typeof one === "string") return word(one, node, names);
  return Array.isArray(one) ? list(one, node, grammar, names) : object(one, node, grammar);
}

const KINDS = { word: "string", number: "number", flag: "boolean", list: "list", record: "object", map: "object" };

function fits(one, node) {
  if (node.kind === "choice") return node.words.includes(one);
  return (Array.isArray(one) ? "list" : typeof one) === KINDS[node.kind];
}

function wordsOf(text) {
  try {
    return cut(text);
  } catch (error) {
    if (error.code === undefined) throw error;
    return [];
  }
}

function word(text, node, names) {
  const words = wordsOf(text);
  const isPlain = words.length === 1 && words[0].mark === "word" && words[0].text === text;
  const isNumber = node.kind === "word" && DIGITS.test(text);
  return isPlain && !isNumber && !names.has(text) ? text : JSON.stringify(text);
}

function list(values, node, grammar, names) {
  const item = (place) => node.items[Math.min(place, node.items.length - 1)];
  const none = new Set();
  const items = values.map((one, place) => value(one, item(place), grammar, place === 0 ? names : none));
  const isNested = node.items.some((one) => one.kind === "list" || one.kind === "either");
  return isNested || items.length === 0 ? `[${items.join(", ")}]` : items.join(", ");
}

function object(filled, node, grammar) {
  if (node.kind === "map") {
    const none = new Set();
    const parts = Object.entries(filled).map(([name, one]) => `${word(name, node, none)} ${value(one, node.items[0], grammar, none)}`);
    return `(${parts.join(" ")})`;
  }
  const tag = node.tag ? String(filled[node.tag]) : "";
  const parts = fields(filled, grammar.forms[node.forms[tag]], grammar);
  if (tag && parts.length === 0) return tag;
  return `(${(tag ? [tag, ...parts] : parts).join(" ")})`;
}
