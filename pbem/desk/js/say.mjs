// Sentences as data: a message id and named arguments, put into words only at the very end. The twin of
// engine/kernel/prose.py, with the same ids, so that one translation serves both.
//
// The id is the English sentence itself. An argument is a string, a number, another sentence or a list of
// sentences. Nothing here glues words together: even a list is joined by messages of its own.

// A catalog is what bundling makes of a language's gettext catalog: {id: "text"} and, under the id of the
// singular, {one: ["text for one", "text for more"]}. A language without a catalog speaks English.
const catalogs = new Map();

export const useCatalog = (lang, messages) => catalogs.set(lang, new Map(Object.entries(messages)));

export const languages = () => ["en", ...[...catalogs.keys()].filter((lang) => lang !== "en").sort()];

export const say = (id, args = {}) => ({ id, args });

// A sentence whose form depends on the number `n`, which may stand in it as {n}.
export const plural = (one, many, n, args = {}) => ({ id: many, args: { n, ...args }, one });

// The sentence in a language. Throws where an argument is missing: that is a fault of ours.
export function words(sentence, lang = "en") {
  return fill(templateOf(sentence, lang), sentence.args ?? {}, lang);
}

function templateOf({ id, args, one }, lang) {
  const catalog = catalogs.get(lang);
  if (!one) {
    const found = catalog?.get(id);
    return typeof found === "string" && found !== "" ? found : id;
  }
  if (!Number.isInteger(args?.n)) throw new TypeError(`plural sentence ${id} needs an integer n`);
  // Every language that we have has two forms, one of them for 1 only; bundling refuses another one.
  const form = args.n === 1 ? 0 : 1;
  const forms = catalog?.get(one);
  return Array.isArray(forms) && forms[form] ? forms[form] : [one, id][form];
}

function fill(template, args, lang) {
  return template.replace(/\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name) => {
    if (name === undefined) return whole[0];
    if (!Object.hasOwn(args, name)) throw new TypeError(`no ${name} for ${template}`);
    return inner(args[name], lang);
  });
}

function inner(value, lang) {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return String(value);
  return Array.isArray(value) ? listing(value, lang) : words(value, lang);
}

// Sentences or names joined as a list: nothing, `a`, `a and b`, `a, b and c`.
export function listing(items, lang = "en") {
  const texts = items.map((item) => inner(item, lang));
  if (texts.length === 0) return words(say("nothing"), lang);
  if (texts.length === 1) return texts[0];
  const head = texts.slice(1, -1).reduce((first, next) => words(say("{first}, {next}", { first, next }), lang), texts[0]);
  return words(say("{head} and {last}", { head, last: texts.at(-1) }), lang);
}
