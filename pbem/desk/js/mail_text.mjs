// Bytes of mails as text: transfer encodings, character sets, header words, and objects that stand in the midst of a
// text. A smaller twin of pbem/turn/mail_text.py and mail_scan.py: what it reads too freely, a signature judges.

import { utf8 } from "../../site/js/bytes.mjs";

const CHUNK = 8192;
const MOST_OBJECTS = 24;
const STRICT = new TextDecoder("utf-8", { fatal: true });

// Bytes as a string of as many characters, and back.
export function latin(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return parts.join("");
}

export const bytesOf = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 255);

// The body (a Latin-1 string) without its transfer encoding; unknown ones are left alone, damaged ones read as far as
// they go.
export function decoded(encoding, body) {
  switch (encoding.trim().toLowerCase()) {
    case "base64":
      return fromBase64(body);
    case "quoted-printable":
      return fromPrintable(body);
    default:
      return body;
  }
}

function fromBase64(body) {
  const clean = body.replace(/[^A-Za-z0-9+/=]+/g, "");
  return (clean.match(/[A-Za-z0-9+/]+/g) ?? [])
    .map((digits) => atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits))
    .join("");
}

const fromPrintable = (body) =>
  body
    .replace(/=[ \t]*\n/g, "")
    .replace(/=([0-9A-Fa-f]{2})/g, (whole, digits) => String.fromCharCode(parseInt(digits, 16)));

function decoder(charset) {
  try {
    return new TextDecoder(charset || "utf-8");
  } catch {
    return new TextDecoder("windows-1252"); // a name that no list has
  }
}

// The text of a part: UTF-8 if it is that, UTF-16 if its first bytes say so, else as declared.
export function textOf(bytes, charset = "") {
  const [first, second] = bytes;
  const wide = (first === 0xff && second === 0xfe) || (second === 0 && first > 0) ? "utf-16le" : "";
  const other = (first === 0xfe && second === 0xff) || (first === 0 && second > 0) ? "utf-16be" : "";
  if (wide || other) return decoder(wide || other).decode(bytes);
  try {
    return STRICT.decode(bytes);
  } catch {
    const named = /^(?:utf-?8|(?:us-)?ascii)?$/i.test(charset.trim()) ? "windows-1252" : charset.trim();
    return decoder(named).decode(bytes);
  }
}

// An unstructured header field to show: encoded words decoded, no line end or control left.
export function header(value) {
  const joined = textOf(bytesOf(value)).replace(/(=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=)\s+(?==\?)/g, "$1");
  const shown = joined.replace(/=\?([^?\s]{1,40})\?([bBqQ])\?([^?\s]*)\?=/g, (whole, charset, how, coded) => {
    const body = /b/i.test(how) ? fromBase64(coded) : fromPrintable(coded.replaceAll("_", " "));
    return textOf(bytesOf(body), charset.split("*")[0]);
  });
  // eslint-disable-next-line no-control-regex
  return shown.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]+/g, " ").trim().slice(0, 200);
}

const unquoted = (text) => text.replace(/^(?:[ \t\u00a0]{0,3}[>|][ \u00a0]?)+/gm, "");
const unflowed = (text) => text.replace(/([^\n]) \n(?!\n)/g, "$1 ");

// Objects with a "payload" that stand in a text, as bytes of UTF-8: as they are, and with what mail programs do to
// lines undone. Most likely first, none twice.
export function objectsIn(text) {
  const bare = unquoted(text);
  const readings = new Set([text, bare, unflowed(bare)]);
  const found = new Set();
  for (const reading of readings) for (const one of balanced(reading)) found.add(one);
  return [...found].slice(0, MOST_OBJECTS).map(utf8);
}

// Balanced objects that begin with a key of an envelope. A line break inside a string is no part of it.
function balanced(text) {
  const starts = [...text.matchAll(/\{\s*"(?:payload|sig|aside|kind)"\s*:/g)].slice(0, MOST_OBJECTS);
  const found = [];
  let end = 0;
  for (const { index } of starts) {
    if (index < end) continue; // inside of the last one
    const stop = endOf(text, index);
    if (stop === 0) continue;
    end = stop;
    found.push(text.slice(index, stop).replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) => string.replace(/\n/g, "")));
  }
  return found;
}

function endOf(text, start) {
  let depth = 0;
  for (const token of tokens(text, start)) {
    if (token[0] === "{") depth += 1;
    else if (token[0] === "}") depth -= 1;
    if (depth === 0) return token.index + 1;
  }
  return 0;
}

function* tokens(text, start) {
  const pattern = /"(?:[^"\\]|\\[\s\S])*"|[{}]/g;
  pattern.lastIndex = start;
  for (let token = pattern.exec(text); token !== null; token = pattern.exec(text)) yield token;
}
