// The one way from untrusted bytes to JSON values, and the one way back (protocol.md section 2).
//
// Decides what is JSON here: the subset in which canonical bytes equal RFC 8785. Knows no field of any file.
// Two roads lead through `read`, as in the Python of the project: bytes that are their own canonical form are
// walked once; all others take the exact road, which names the first thing that is wrong.

import { equal, text, utf8 } from "./bytes.mjs";
import { Float, checkKey, parse } from "./json.mjs";
import { Refused, refuse } from "./refusal.mjs";

export const ENVELOPE = { size: 32 * 1024, depth: 24 };
export const LINE = { size: 64 * 1024, depth: 32 };

const RAW_FACTOR = 4;
const DEEPEST = 900; // what the first road follows; the exact road counts before it follows
const BOM = [0xef, 0xbb, 0xbf];
const LONE = /[\ud800-\udfff]/u;

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Float);

// The canonical text of a value: keys sorted, no spaces.
export function spell(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  if (value instanceof Float) return String(Number(value.spelt));
  if (Array.isArray(value)) return `[${value.map(spell).join(",")}]`;
  const pairs = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${spell(value[key])}`);
  return `{${pairs.join(",")}}`;
}

export const canonical = (value) => utf8(spell(value));

// The value that the bytes spell, within the subset and the limits. Throws Refused `file/…` and nothing else.
export function read(bytes, limits) {
  const plain = readCanonical(bytes, limits);
  if (plain !== undefined) {
    walk(plain, limits.depth);
    return plain;
  }
  const value = readExactly(bytes, limits);
  walk(value, limits.depth);
  const size = canonical(value).length;
  if (size > limits.size) throw refuse("file/too-long", { size, limit: limits.size });
  return value;
}

// The value if the bytes are their own canonical form and within the size, else undefined.
export function readCanonical(bytes, limits) {
  if (bytes.length > limits.size || deepest(bytes) > DEEPEST) return undefined;
  try {
    const value = parse(text(bytes), false);
    return equal(canonical(value), bytes) ? value : undefined;
  } catch (error) {
    if (error instanceof Refused || error instanceof TypeError) return undefined;
    throw error;
  }
}

function readExactly(bytes, limits) {
  // 1. size of the text
  const limit = RAW_FACTOR * limits.size;
  if (bytes.length > limit) throw refuse("file/too-long", { size: bytes.length, limit });
  // 2. UTF-8, no byte order mark
  if (BOM.every((byte, i) => bytes[i] === byte)) throw refuse("file/encoding");
  let source;
  try {
    source = text(bytes);
  } catch {
    throw refuse("file/encoding");
  }
  // 3. depth, before anything recursive sees the text
  if (deepest(bytes) > limits.depth) throw refuse("file/too-deep");
  // 4. JSON and nothing after it; no key twice; no number but integers
  return parse(source, true);
}

// How deep lists and objects are nested, counted outside of strings.
function deepest(bytes) {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22) at = endOfString(bytes, at);
    else if (byte === 0x5b || byte === 0x7b) most = Math.max(most, (depth += 1));
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return most;
}

// The place of the closing quote, or of the opening one where the string does not end.
function endOfString(bytes, start) {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === 0x5c) at += 1;
    else if (bytes[at] === 0x22) return at;
  }
  return start;
}

// Refuses what the subset leaves out; `depth` is how many more nested lists and objects may come.
export function walk(value, depth) {
  if (typeof value !== "object" || value === null || value instanceof Float) {
    checkScalar(value);
    return;
  }
  if (!Array.isArray(value)) Object.keys(value).forEach(checkKey);
  if (depth < 1) throw refuse("file/too-deep");
  for (const item of Object.values(value)) walk(item, depth - 1);
}

function checkScalar(value) {
  if (typeof value === "bigint") throw refuse("file/integer");
  if (typeof value === "string" && LONE.test(value)) throw refuse("file/surrogate");
  if (value === null) throw refuse("file/null");
  if (value instanceof Float) throw refuse("file/float");
}
