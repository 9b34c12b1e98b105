// JSON read letter by letter (protocol.md section 2). JSON.parse keeps the last of two equal keys, rounds
// large integers and forgets how a number was spelt; a signature covers all of that, so none may be lost.
//
// Integers beyond 2^53-1 come out as BigInt, numbers with point or exponent as `Float`, objects without a
// prototype. `exact` refuses, where it stands, what the subset leaves out; without it the first reading only
// finds out whether the text is its own canonical form.

import { quoted, refuse } from "./refusal.mjs";

const KEY = /^[a-z][a-z0-9_]*$/;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\n\r]*/y;
const LONE = /[\ud800-\udfff]/u;
const MAX_DIGITS = 16;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const WORDS = [["true", true], ["false", false], ["null", null]];

export class Float {
  constructor(spelt) {
    this.spelt = spelt;
  }
}

export function checkKey(key) {
  if (!KEY.test(key)) throw refuse("file/bad-key", { key: quoted(key) });
}

export function parse(source, exact) {
  const reader = { source, exact, at: 0 };
  space(reader);
  const value = readValue(reader);
  space(reader);
  if (reader.at !== source.length) throw broken(reader);
  return value;
}

function broken(reader) {
  const before = reader.source.slice(0, reader.at);
  const row = before.split("\n").length;
  return refuse("file/not-json", { row, column: before.length - before.lastIndexOf("\n") });
}

function match(reader, pattern) {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source);
  if (found) reader.at = pattern.lastIndex;
  return found;
}

const space = (reader) => match(reader, SPACE);

function take(reader, letter) {
  if (reader.source[reader.at] !== letter) return false;
  reader.at += 1;
  return true;
}

function readValue(reader) {
  if (take(reader, "{")) return readObject(reader);
  if (take(reader, "[")) return readList(reader);
  if (take(reader, '"')) return readString(reader);
  for (const [word, value] of WORDS) {
    if (reader.source.startsWith(word, reader.at)) {
      reader.at += word.length;
      return value;
    }
  }
  return readNumber(reader);
}

function readObject(reader) {
  const pairs = [];
  space(reader);
  if (!take(reader, "}")) {
    do {
      space(reader);
      if (!take(reader, '"')) throw broken(reader);
      const key = readString(reader);
      space(reader);
      if (!take(reader, ":")) throw broken(reader);
      space(reader);
      pairs.push([key, readValue(reader)]);
      space(reader);
    } while (take(reader, ","));
    if (!take(reader, "}")) throw broken(reader);
  }
  const members = Object.create(null);
  for (const [key, value] of pairs) {
    if (reader.exact) {
      checkKey(key);
      if (key in members) throw refuse("file/key-twice", { key });
    }
    members[key] = value;
  }
  return members;
}

function readList(reader) {
  const items = [];
  space(reader);
  if (take(reader, "]")) return items;
  do {
    space(reader);
    items.push(readValue(reader));
    space(reader);
  } while (take(reader, ","));
  if (!take(reader, "]")) throw broken(reader);
  return items;
}

function readString(reader) {
  let value = "";
  for (;;) {
    value += match(reader, PLAIN)[0];
    if (take(reader, '"')) {
      if (!reader.exact && LONE.test(value)) throw refuse("file/surrogate"); // has no canonical form
      return value;
    }
    if (!take(reader, "\\")) throw broken(reader);
    const letter = reader.source[reader.at];
    if (letter === "u") {
      const digits = reader.source.slice(reader.at + 1, reader.at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw broken(reader);
      value += String.fromCharCode(parseInt(digits, 16));
      reader.at += 5;
    } else {
      if (!Object.hasOwn(ESCAPES, letter ?? "")) throw broken(reader);
      value += ESCAPES[letter];
      reader.at += 1;
    }
  }
}

function readNumber(reader) {
  const found = match(reader, NUMBER);
  if (!found) throw broken(reader);
  const [spelt, point, exponent] = found;
  if (point !== undefined || exponent !== undefined) {
    if (reader.exact) throw refuse("file/float");
    return new Float(spelt);
  }
  if (reader.exact && spelt.replace("-", "").length > MAX_DIGITS) throw refuse("file/integer");
  const number = Number(spelt);
  return Number.isSafeInteger(number) ? number : BigInt(spelt);
}
