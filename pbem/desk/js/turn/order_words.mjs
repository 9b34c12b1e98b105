// Lines of orders cut into words: what a phone, a mail program or a friend's hand does to a line is undone here. The twin
// of pbem/player/order_words.py: columns count characters, not the halves of which JavaScript makes some of them.

import { refuse } from "../../../site/js/refusal.mjs";

const MARKS = "()[],";
const DASHES = "‐‑‒–—―−";
const QUOTES = "“”„‟«»";
const OTHERS = { "≥": ">=", "≤": "<=", "\ufeff": "", "\u200b": "", "\u00ad": "" };
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

// Without blanks at its ends.
export function strip(text) {
  const letters = [...text];
  const isBlank = (letter) => letter.replace(BLANKS, "") === "";
  let start = 0;
  let end = letters.length;
  while (start < end && isBlank(letters[start])) start += 1;
  while (end > start && isBlank(letters[end - 1])) end -= 1;
  return { text: letters.slice(start, end).join(""), end };
}

const hasSign = (text) => text.replace(BLANKS, "") !== "";

// The words of a line: {text, mark, start, end}, columns from 0, the end excluded. Refused: line/open-quote, line/escape.
export function cut(line) {
  const letters = [...line];
  const found = [];
  let at = 0;
  while (at < letters.length) {
    const sign = tidy(letters[at]);
    if (!hasSign(sign)) {
      at += 1;
    } else if (MARKS.includes(sign)) {
      found.push({ text: sign, mark: sign, start: at, end: at + 1 });
      at += 1;
    } else if (sign === '"') {
      found.push(quoted(letters, at));
      at = found.at(-1).end;
    } else {
      let end = at;
      while (end < letters.length && isInside(tidy(letters[end]))) end += 1;
      const text = caseless(tidy(letters.slice(at, end).join("")));
      const isCheck = text.startsWith("#");
      found.push({ text: isCheck ? text.slice(1) : text, mark: isCheck ? "check" : "word", start: at, end });
      at = end;
    }
  }
  return found;
}

const tidied = (letter) => {
  if (DASHES.includes(letter)) return "-";
  if (QUOTES.includes(letter)) return '"';
  return OTHERS[letter] ?? letter;
};

const tidy = (text) => [...text].map(tidied).join("").normalize("NFKC");

const isInside = (sign) => sign === "" || (hasSign(sign) && !MARKS.includes(sign) && sign !== '"');

const caseless = (text) => [...text].map(withoutCase).join("");

// Python's way to make capitals and small letters the same.
function withoutCase(letter) {
  const code = letter.codePointAt(0);
  if (letter === "\u0131" || (code >= 0x13a0 && code <= 0x13f5)) return letter;
  if (letter === "\u1e9e") return "ss";
  if (code >= 0x13f8 && code <= 0x13fd) return String.fromCodePoint(code - 8);
  if (code >= 0xab70 && code <= 0xabbf) return String.fromCodePoint(code - 0xab70 + 0x13a0);
  return [...letter.toUpperCase()].map((one) => one.toLowerCase()).join("");
}

// A text in quotes, with the escapes of JSON; straight marks close what they opened.
function quoted(letters, start) {
  const closing = letters[start] === '"' ? '"' : `${QUOTES}"`;
  let at = start + 1;
  while (at < letters.length && !closing.includes(letters[at])) at += letters[at] === "\\" ? 2 : 1;
  if (at >= letters.length) throw refuse("line/open-quote", { column: start + 1 });
  return { text: unescaped(letters.slice(start + 1, at).join(""), start), mark: "quoted", start, end: at + 1 };
}

function unescaped(text, start) {
  const escape = (sign) => (sign[0] === "\\" ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  try {
    return JSON.parse(`"${text.replace(/\\[^]|[\0-\x1f]/g, escape)}"`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refuse("line/escape", { column: start + 1 });
  }
}
