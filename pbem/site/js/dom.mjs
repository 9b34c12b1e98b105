// Making elements, and words from the page's table. Text comes in as text and never as markup.

const tables = { words: {} };

export const useWords = (words) => {
  tables.words = words;
};

// The sentence of a key with its arguments put in.
export const say = (key, args = {}) => put(tables.words[key] ?? key, args);

export const put = (template, args) =>
  template.replace(/\{([a-z_]+)\}/g, (whole, name) => (Object.hasOwn(args, name) ? String(args[name]) : whole));

export const byId = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function replace(place, ...children) {
  place.replaceChildren(...children.filter((child) => child !== null));
}

export const dataOf = (id) => JSON.parse(byId(id).textContent);
