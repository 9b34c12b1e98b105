// Reads the words of one line from left to right into an order, by a game's grammar; the twin of the reader in
// pbem/player/order_text.py. Decides what a line says and where it is wrong; whether the order is legal, rules decide.

import { refuse } from "../../../site/js/refusal.mjs";
import { nearest } from "./nearest.mjs";

const YES = ["yes", "true"];
const NO = ["no", "false"];
const MOST_DEPTH = 12;

// What is wrong, and the columns that it is about.
export class Wrong extends Error {
  constructor(start, end, refused) {
    super(refused.code);
    Object.assign(this, { start, end, refused });
  }
}

export class Reader {
  #at = 0;
  #depth = 0;

  // `end` is the column where the line ends.
  constructor(words, grammar, end) {
    Object.assign(this, { words, grammar, end });
  }

  order() {
    const verb = this.takeWord(Object.keys(this.grammar.verbs), "line/unknown-verb", "line/no-verb");
    const order = { do: verb.text, ...this.form(this.grammar.verbs[verb.text], "") };
    if (this.next()) throw this.tooMuch(this.next(), []);
    return order;
  }

  // Words

  next() {
    return this.words[this.#at] ?? null;
  }

  wrong(at, code, args) {
    const [start, end] = at ? [at.start, at.end] : [this.end, this.end + 1];
    return new Wrong(start, end, refuse(code, args));
  }

  takeWord(known, unknown, missing, more = {}) {
    const word = this.next();
    if (!isWord(word)) throw this.wrong(word, missing, { words: known.join(", "), ...more });
    if (!known.includes(word.text)) {
      throw this.wrong(word, unknown, { word: word.text, words: nearest(word.text, known), ...more });
    }
    this.#at += 1;
    return word;
  }

  takes(mark) {
    if (this.next()?.mark !== mark) return false;
    this.#at += 1;
    return true;
  }

  // Forms

  // Fields until the line, or the bracket, ends.
  form(name, closing) {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) throw this.wrong(this.next(), "line/too-deep", { depth: MOST_DEPTH });
    const slots = this.grammar.forms[name];
    const filled = new Map();
    for (let word = this.next(); word && word.mark !== closing; word = this.next()) {
      const slot = this.slot(slots, filled, word);
      filled.set(slot.name, this.value(slot));
    }
    const missing = slots.filter((slot) => slot.required && !filled.has(slot.name)).map((slot) => slot.name);
    if (missing.length) throw this.wrong(this.next(), "line/missing", { fields: missing.join(", ") });
    this.#depth -= 1;
    return Object.fromEntries(slots.filter((slot) => filled.has(slot.name)).map((slot) => [slot.name, filled.get(slot.name)]));
  }

  // Which field comes now: the one that is named, or the next one that the order needs.
  slot(slots, filled, word) {
    const named = slots.find((slot) => slot.name === word.text && word.mark === "word");
    if (named && !filled.has(named.name)) {
      this.#at += 1;
      return named;
    }
    const needed = slots.find((slot) => slot.required && !filled.has(slot.name));
    if (needed) return needed;
    throw this.tooMuch(word, slots.filter((slot) => !filled.has(slot.name)).map((slot) => slot.name));
  }

  tooMuch(word, names) {
    if (names.length === 0) return this.wrong(word, "line/too-much", { word: word.text });
    return this.wrong(word, "line/unknown-field", { word: word.text, words: nearest(word.text, names) });
  }

  value(slot) {
    if (slot.node.kind === "flag") {
      const word = this.next();
      if (!word || ![...YES, ...NO].includes(word.text)) return true; // a flag's name alone
    }
    return this.node(slot.node, slot.name);
  }

  // Values

  node(node, field) {
    switch (node.kind) {
      case "list":
        return this.list(node, field);
      case "record":
        return this.record(node, field);
      case "map":
        return this.map(node, field);
      case "either":
        return this.either(node, field);
      default:
        return this.plain(node, field);
    }
  }

  plain(node, field) {
    const word = this.next();
    if (!isWord(word)) throw this.wrong(word, "line/no-value", { field });
    const value = this.plainValue(node, field, word);
    this.#at += 1;
    return value;
  }

  plainValue(node, field, word) {
    const { text } = word;
    switch (node.kind) {
      case "number":
        if (word.mark === "word" && /^-?[0-9]+$/.test(text) && text.length < 10) return Number(text) + 0;
        throw this.wrong(word, "line/not-a-number", { word: text, field });
      case "flag":
        if ([...YES, ...NO].includes(text)) return YES.includes(text);
        throw this.wrong(word, "line/not-yes-or-no", { word: text, field });
      case "choice": {
        const found = node.words.findLast((one) => String(one) === text);
        if (found !== undefined) return found;
        const known = [...new Set(node.words.map(String))];
        throw this.wrong(word, "line/unknown-word", { word: text, field, words: nearest(text, known) });
      }
      default:
        return text;
    }
  }

  // The first shape that fits; if none does, what the last one says.
  either(node, field) {
    const [at, depth] = [this.#at, this.#depth];
    let last = null;
    for (const one of node.items) {
      try {
        return this.node(one, field);
      } catch (error) {
        if (!(error instanceof Wrong)) throw error;
        if (last === null || error.start >= last.start) last = error;
        [this.#at, this.#depth] = [at, depth];
      }
    }
    throw last;
  }

  list(node, field) {
    const bracket = this.takes("[");
    const values = [];
    if (bracket && this.takes("]")) return this.whole(node, values, field);
    for (;;) {
      values.push(this.node(node.items[Math.min(values.length, node.items.length - 1)], field));
      const comma = this.takes(",");
      if (bracket && this.takes("]")) return this.whole(node, values, field);
      if (bracket && !this.next()) throw this.wrong(null, "line/unclosed", { sign: "]" });
      if (!bracket && !comma) return this.whole(node, values, field);
    }
  }

  whole(node, values, field) {
    if (node.fixed && values.length !== node.items.length) {
      throw this.wrong(this.next(), "line/how-many", { field, n: node.items.length, found: values.length });
    }
    return values;
  }

  record(node, field) {
    const bracket = this.takes("(");
    if (!bracket && !node.tag) throw this.wrong(this.next(), "line/no-bracket", { field });
    const filled = {};
    let name = node.forms[""] ?? "";
    if (node.tag) {
      const word = this.takeWord(Object.keys(node.forms), "line/unknown-word", "line/no-value", { field });
      filled[node.tag] = word.text;
      name = node.forms[word.text];
    }
    if (!bracket) {
      if (this.grammar.forms[name].some((slot) => slot.required)) {
        throw this.wrong(this.words[this.#at - 1], "line/no-bracket", { field });
      }
      return filled;
    }
    Object.assign(filled, this.form(name, ")"));
    if (!this.takes(")")) throw this.wrong(null, "line/unclosed", { sign: ")" });
    return filled;
  }

  map(node, field) {
    if (!this.takes("(")) throw this.wrong(this.next(), "line/no-bracket", { field });
    const filled = new Map();
    while (!this.takes(")")) {
      const word = this.next();
      if (!word) throw this.wrong(null, "line/unclosed", { sign: ")" });
      if (!isWord(word)) throw this.wrong(word, "line/no-value", { field });
      this.#at += 1;
      filled.set(word.text, this.node(node.items[0], word.text));
    }
    return Object.fromEntries(filled);
  }
}

const isWord = (word) => word !== null && (word.mark === "word" || word.mark === "quoted");
