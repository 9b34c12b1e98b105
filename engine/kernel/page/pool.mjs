// A menu under construction: options, fields and acts as JSON, and forms and option sets that are kept once.
//
// The twin of `engine/kernel/pool.py`. What has its default is left out, in the order in which Python has the fields.

const FIELD = { options: [], sets: "", low: 0, high: 0, item: null, distinct: false, optional: false, without: [], default: null };

export function option(value, { say, form = "" } = {}) {
  return { value, ...(say ? { say } : {}), ...(form ? { form } : {}) };
}

export const options = (values) => values.map((value) => option(value));

export function field(name, kind, say, more = {}) {
  const made = { name, kind, say };
  for (const [key, other] of Object.entries(FIELD)) {
    const value = more[key] ?? other;
    if (Array.isArray(value) && key !== "default" ? value.length : value !== other) made[key] = value;
  }
  return made;
}

// A field with plain values.
export const choice = (name, say, values, kind = "choice") => field(name, kind, say, { options: options(values) });

export const act = (word, say, form = "") => ({ do: word, say, ...(form ? { form } : {}) });

// Owns the named parts of one menu; a second part of the same name and other content gets a number.
export class Pool {
  #forms = new Map();
  #sets = new Map();
  #taken = new Map();

  // The name of a form with these fields; empty for none.
  form(name, fields) {
    if (!fields.length) return "";
    return this.#kept(this.#forms, fields, () => ({ name: this.#fresh(name), fields }));
  }

  set(name, some) {
    return this.#kept(this.#sets, some, () => ({ name: this.#fresh(name), options: some }));
  }

  // The name of an option set with plain values.
  names(name, values) {
    return this.set(name, options(values));
  }

  menu(asked) {
    const parts = { asked, forms: [...this.#forms.values()], sets: [...this.#sets.values()] };
    return Object.fromEntries(Object.entries(parts).filter(([, some]) => some.length));
  }

  #kept(known, content, make) {
    const key = JSON.stringify(content);
    if (!known.has(key)) known.set(key, make());
    return known.get(key).name;
  }

  #fresh(name) {
    const count = (this.#taken.get(name) ?? 0) + 1;
    this.#taken.set(name, count);
    return count === 1 ? name : `${name}/${count}`;
  }
}
