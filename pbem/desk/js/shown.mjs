// A picture on a page: its SVG in the reader's colours, light on paper, and its tables for whoever does not see it. The
// tables are the twin of pbem.render.to_tables. Knows no game.

import { element } from "./dom.mjs";
import { toSvg } from "./picture.mjs";
import { say, words } from "./say.mjs";

const darkness = () => matchMedia("screen and (prefers-color-scheme: dark)");

// The SVG as an element of this document.
export function svgOf(picture, lang) {
  const text = toSvg(picture, lang, { dark: darkness().matches });
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}

// Calls `redraw(host)` whenever the reader's colours change, as long as the host is there.
export function whenColoursChange(host, redraw) {
  const seen = new WeakRef(host);
  const query = darkness();
  const listener = () => {
    const place = seen.deref();
    if (place === undefined) query.removeEventListener("change", listener);
    else redraw(place);
  };
  query.addEventListener("change", listener);
}

// The picture and, folded, its tables.
export function draw(picture, lang) {
  const host = element("div", { class: "picture" });
  const redraw = (place) => place.replaceChildren(svgOf(picture, lang));
  redraw(host);
  whenColoursChange(host, redraw);
  return element("figure", { class: "drawn" }, host, foldedTables(picture, lang));
}

export const foldedTables = (picture, lang, open = false) =>
  element("details", { class: "tables", open }, element("summary", {}, say("The same as tables")), tables(picture, lang));

// What the picture shows in a sentence, and one table for each group with a head.
export function tables(picture, lang) {
  return [element("p", { lang }, words(picture.about, lang)), ...withHead(picture.groups).map((group) => table(group, lang))];
}

function table(group, lang) {
  const cell = (tag, attributes, told) => element(tag, attributes, words(told, lang));
  const heads = group.head.map((head) => cell("th", { scope: "col" }, head));
  const body = rows(group.parts).map(([first, ...rest]) =>
    element("tr", {}, cell("th", { scope: "row" }, first), rest.map((one) => cell("td", {}, one))),
  );
  return element(
    "table",
    { lang },
    element("caption", {}, words(group.title, lang)),
    element("thead", {}, element("tr", {}, heads)),
    element("tbody", {}, body),
  );
}

const isGroup = (part) => part.draw === "group";

const withHead = (parts) =>
  parts.filter(isGroup).flatMap((group) => [...(group.head?.length ? [group] : []), ...withHead(group.parts)]);

const rows = (parts) =>
  parts
    .filter((part) => isGroup(part) && !part.head?.length)
    .flatMap((group) => [...(group.row?.length ? [group.row] : []), ...rows(group.parts)]);
