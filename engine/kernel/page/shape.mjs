// The shapes of what players write and views hold: JSON read into whole records, and records written as JSON.
//
// The law. Reading fills in what is left out; writing leaves out what is as it would be filled in. A misfit is found
// where, and told as, msgspec finds it in Python: entries in the order in which they stand, then what is missing.
// A record that is the default of a field is left out only if it is that very object.

export const TEXT = { kind: "str" };
export const NUMBER = { kind: "int" };
export const FLAG = { kind: "bool" };
export const word = (...words) => ({ kind: "word", words });
export const numberOr = (...words) => ({ kind: "numberOr", words });
export const list = (item) => ({ kind: "list", item });
export const tuple = (...items) => ({ kind: "tuple", items });
export const map = (item) => ({ kind: "map", item });
// A field with a default; undefined where it may simply not be there.
export const may = (shape, other) => ({ ...shape, optional: true, other });
// `tag` is [field, word]; an `open` record may hold fields that nobody asks for.
export const record = (fields, { tag = null, open = false } = {}) => ({ kind: "record", fields: Object.entries(fields), tag, open });
// One of several records, told apart by their tags; `parts` is called when it is needed, so that shapes may nest.
export const union = (field, parts) => ({ kind: "union", field, parts });

export class Misfit extends Error {
  // `at` is a path as `.power.swap[0]`; `facts` are [kind, …]: missing, unknown, value, length or type.
  constructor(at, ...facts) {
    super(facts.join(" "));
    this.at = at;
    this.facts = facts;
  }
}

function typeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return { string: "str", boolean: "bool", bigint: "int", object: "object" }[typeof value];
}

function expect(type, value, at) {
  const found = typeOf(value);
  if (!type.split(" | ").includes(found)) throw new Misfit(at, "type", type, found);
}

// A whole record of what JSON says. Throws Misfit.
export function read(shape, value, at = "") {
  switch (shape.kind) {
    case "word":
      expect("str", value, at);
      return known(shape, value, at);
    case "numberOr":
      expect("int | str", value, at);
      return typeof value === "string" ? known(shape, value, at) : value;
    case "list":
      expect("array", value, at);
      return value.map((item, place) => read(shape.item, item, `${at}[${place}]`));
    case "tuple":
      expect("array", value, at);
      if (value.length !== shape.items.length) throw new Misfit(at, "length", shape.items.length, value.length);
      return value.map((item, place) => read(shape.items[place], item, `${at}[${place}]`));
    case "map":
      expect("object", value, at);
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(shape.item, item, `${at}[...]`)]));
    case "record":
      expect("object", value, at);
      return readRecord(shape, value, at);
    case "union":
      expect("object", value, at);
      return readRecord(chosen(shape, value, at), value, at);
    default:
      expect(shape.kind, value, at);
      return value;
  }
}

function known(shape, value, at) {
  if (!shape.words.includes(value)) throw new Misfit(at, "value", quoted(value));
  return value;
}

function chosen(shape, value, at) {
  if (!Object.hasOwn(value, shape.field)) throw new Misfit(at, "missing", shape.field);
  const tag = value[shape.field];
  expect("str", tag, `${at}.${shape.field}`);
  const part = shape.parts().find((one) => one.tag[1] === tag);
  if (part === undefined) throw new Misfit(`${at}.${shape.field}`, "value", quoted(tag));
  return part;
}

function readRecord(shape, value, at) {
  const filled = shape.tag ? { [shape.tag[0]]: shape.tag[1] } : {};
  const shapes = new Map(shape.fields);
  for (const [name, entry] of Object.entries(value)) {
    if (shapes.has(name)) filled[name] = read(shapes.get(name), entry, `${at}.${name}`);
    else if (!shape.open && !(shape.tag && shape.tag[0] === name)) throw new Misfit(at, "unknown", name);
  }
  for (const [name, inner] of shape.fields) {
    if (Object.hasOwn(filled, name)) continue;
    if (!inner.optional) throw new Misfit(at, "missing", name);
    filled[name] = inner.other;
  }
  return filled;
}

// A word as Python writes a string, which is how msgspec quotes it.
function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  return mark + [...text].map((char) => escaped(char, mark)).join("") + mark;
}

function escaped(char, mark) {
  if (char === "\\" || char === mark) return `\\${char}`;
  const plain = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[char];
  if (plain || char === " " || !/[\p{C}\p{Z}]/u.test(char)) return plain ?? char;
  const code = char.codePointAt(0);
  const [letter, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(width, "0")}`;
}

// The JSON of a record without maps in it.
export function write(shape, value) {
  switch (shape.kind) {
    case "list":
      return value.map((item) => write(shape.item, item));
    case "tuple":
      return value.map((item, place) => write(shape.items[place], item));
    case "record":
      return writeRecord(shape, value);
    case "union":
      return writeRecord(shape.parts().find((one) => one.tag[1] === value[shape.field]), value);
    default:
      return value;
  }
}

function writeRecord(shape, value) {
  const written = shape.tag ? { [shape.tag[0]]: shape.tag[1] } : {};
  for (const [name, inner] of shape.fields) {
    if (!(inner.optional && isDefault(value[name], inner.other))) written[name] = write(inner, value[name]);
  }
  return written;
}

function isDefault(value, other) {
  if (Array.isArray(other) && other.length === 0) return value.length === 0;
  return value === other;
}
