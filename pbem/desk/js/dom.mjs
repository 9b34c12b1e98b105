// Making elements in the reader's language. Text comes in as text and never as markup.

import { words } from "./say.mjs";

const reader = { lang: "en" };

export const speak = (lang) => {
  reader.lang = lang;
};

export const language = () => reader.lang;

// A sentence in the reader's language.
export const told = (sentence) => words(sentence, reader.lang);

export const byId = (id) => document.getElementById(id);

// An element; what is a sentence among its children or attributes is told. An attribute that is false is left out, a
// function is a listener: `onclick`.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : asText(value));
  }
  add(made, children);
  return made;
}

const asText = (value) => (typeof value === "object" && value.id !== undefined ? told(value) : String(value));

export function add(place, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    place.append(child instanceof Node ? child : asText(child));
  }
}

export function fill(place, ...children) {
  place.replaceChildren();
  add(place, children);
}

export const button = (label, onclick, more = {}) => element("button", { type: "button", onclick, ...more }, label);

let fields = 0;

// A field with its label: the control gets an id of its own.
export function labelled(label, control, hint = null) {
  fields += 1;
  control.id ||= `field-${fields}`;
  const help = hint === null ? null : element("p", { class: "hint", id: `${control.id}-hint` }, hint);
  if (help !== null) control.setAttribute("aria-describedby", help.id);
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control, help);
}

// Hands bytes over as a file to be saved.
export function save(bytes, name, type = "application/json") {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = element("a", { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
