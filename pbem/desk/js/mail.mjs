// What a player gives to the page, opened: a file as it was attached, or a whole mail saved by his mail program. The
// twin of pbem/player/opening.py and pbem/turn/mail_parts.py. Decides which texts in it may be what is looked for, and
// which are pieces of a log; trusts none of them.

import { text as strictText, utf8 } from "../../site/js/bytes.mjs";
import { isObject } from "../../site/js/canonical.mjs";
import { refuse } from "../../site/js/refusal.mjs";
import { bytesOf, decoded, header, latin, objectsIn, textOf } from "./mail_text.mjs";

export const MOST_BYTES = 16 * 1024 * 1024;
const DEPTH = 8;
const PARTS = 60;
const ADDRESS = /[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}/;

// {texts, logs, letter}: JSON texts, likeliest first; pieces of logs; `letter` of a mail only: {subject, date, text}.
export function open(bytes) {
  if (bytes.length > MOST_BYTES) throw refuse("file/too-long", { size: bytes.length, limit: MOST_BYTES });
  if (firstNumber(bytes) !== null) return { texts: [], logs: [bytes], letter: null };
  const start = latin(bytes.subarray(0, 64));
  if (/^(?:\xef\xbb\xbf)?\s*[{[]/.test(start)) return { texts: [bytes], logs: [], letter: null };
  const [fields, body] = split(unix(latin(bytes)));
  const found = { texts: [], pasted: [], logs: [], shown: "" };
  for (const part of leaves(fields, body, 0).slice(0, PARTS)) sort(part, found);
  const letter = { subject: header(fields.get("subject") ?? ""), date: header(fields.get("date") ?? ""), text: found.shown };
  return { texts: [...found.texts, ...found.pasted], logs: found.logs, letter };
}

// The record number of a log's first line, null if that is no such line.
export function firstNumber(bytes) {
  const end = bytes.indexOf(10);
  try {
    const value = JSON.parse(strictText(bytes.subarray(0, end < 0 ? bytes.length : end)));
    return isObject(value) && Number.isInteger(value.n) && value.n >= 0 && typeof value.prev === "string" ? value.n : null;
  } catch {
    return null; // no JSON, or no UTF-8: not a line of a log
  }
}

export const isAddress = (text) => typeof text === "string" && ADDRESS.exec(text)?.[0] === text;

function sort({ type, charset, name, body }, found) {
  const bytes = bytesOf(body);
  if (firstNumber(bytes) !== null) {
    found.logs.push(bytes);
    return;
  }
  const text = textOf(bytes, charset);
  if (/^\s*[{[]/.test(text)) found.texts.push(/^\s*[{[]/.test(body) ? bytes : utf8(text));
  if (!type.startsWith("text/")) return;
  found.pasted.push(...objectsIn(text));
  if (type === "text/plain" && name === "" && found.shown === "") found.shown = text;
}

const unix = (raw) => raw.replace(/\r\r?\n|\r/g, "\n");

// Fields (name in lower case, value unfolded, the first of each name) up to the first line that is none, and the rest.
function split(raw) {
  const fields = new Map();
  let last = "";
  let at = 0;
  while (at < raw.length) {
    const found = raw.indexOf("\n", at);
    const end = found < 0 ? raw.length : found;
    const line = raw.slice(at, end);
    if (/^[ \t]*$/.test(line)) return [fields, raw.slice(end + 1)];
    const field = /^([!-9;-~]{1,76})[ \t]{0,8}:([^]*)$/.exec(line);
    if (/^[ \t]/.test(line) && last !== "") {
      if (fields.get(last).length < 20000) fields.set(last, `${fields.get(last)} ${line.trim()}`);
    } else if (field !== null) {
      last = field[1].toLowerCase();
      if (fields.has(last)) last = `${last}*`; // of equal names the first counts
      fields.set(last, field[2].trim());
    } else if (at > 0 || !/^>?From /.test(line)) {
      return [fields, raw.slice(at)];
    }
    at = end + 1;
  }
  return [fields, ""];
}

// Parameters of a field, names in lower case, pieces of RFC 2231 put together.
function params(value) {
  const found = new Map();
  for (const [, name, quoted, plain] of value.matchAll(/;\s*([^\s=;"]{1,40})\s*=\s*(?:"((?:[^"\\]|\\[^])*)"?|([^;\s]*))/g)) {
    const [key, piece] = name.toLowerCase().split("*");
    const text = quoted === undefined ? plain : quoted.replace(/\\([^])/g, "$1");
    if (!found.has(key)) found.set(key, text);
    else if (/^[1-9]/.test(piece ?? "")) found.set(key, found.get(key) + text);
  }
  return found;
}

function leaves(fields, body, depth) {
  const given = fields.get("content-type") ?? "";
  const type = /^\s*([a-z0-9.+_-]+\/[a-z0-9.+_-]+)/i.exec(given)?.[1].toLowerCase() ?? "text/plain";
  const attributes = params(given);
  const encoding = fields.get("content-transfer-encoding") ?? "";
  if (depth > DEPTH) throw refuse("mail/too-many-parts", { limit: PARTS, depth: DEPTH });
  if (type.startsWith("multipart/")) {
    const inner = entities(body, attributes.get("boundary") ?? "");
    if (inner.length > 0) return inner.flatMap((one) => leaves(...split(one), depth + 1));
  }
  if (type === "message/rfc822") return leaves(...split(unix(decoded(encoding, body))), depth + 1);
  const name = params(fields.get("content-disposition") ?? "").get("filename") ?? attributes.get("name") ?? "";
  const whole = type.startsWith("multipart/") ? "text/plain" : type;
  return [{ type: whole, charset: attributes.get("charset") ?? "", name, body: decoded(encoding, body) }];
}

// What stands between the delimiter lines of a boundary; the last one need not be closed.
function entities(body, boundary) {
  if (boundary === "") return [];
  const mark = `--${boundary.trimEnd()}`;
  const found = [];
  let lines = null;
  for (const line of body.split("\n")) {
    const bare = line.trimEnd();
    if (bare !== mark && bare !== `${mark}--`) {
      lines?.push(line);
      continue;
    }
    if (lines !== null) found.push(lines.join("\n"));
    if (found.length > PARTS) throw refuse("mail/too-many-parts", { limit: PARTS, depth: DEPTH });
    lines = [];
    if (bare !== mark) return found;
  }
  return lines === null ? found : [...found, lines.join("\n")];
}
