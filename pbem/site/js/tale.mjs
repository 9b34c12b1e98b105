// The tale of a game as the page carries it: lines kept once, texts as runs of them (see pbem/site/pool.py).

const linesOf = (tale, runs) => {
  const lines = [];
  for (let i = 0; i < runs.length; i += 2) lines.push(...tale.lines.slice(runs[i], runs[i] + runs[i + 1]));
  return lines;
};

export const textOf = (tale, runs) => linesOf(tale, runs).join("\n");

// A picture as an SVG element. Its lines were made by pbem and escaped there; the page runs no script of theirs.
export function pictureOf(tale, pieces) {
  const markup = [...pieces.flatMap((piece) => linesOf(tale, tale.pieces[piece])), "</svg>"].join("\n");
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

export const nameOf = (tale, seat) => {
  const found = tale.seats.find((one) => one.id === seat);
  return found === undefined ? seat : found.name;
};

// Every word that stands on the page before its script has done anything, without white space; pbem/site/written.py
// has the same of the page that it makes. What a browser or its extensions put beside these parts is not looked at.
export function writtenOn(page) {
  const parts = page.querySelectorAll("title, header, .audited, nav, main, footer, #words, #tale");
  return Array.from(parts, (part) => part.textContent).join("").replace(/[ \t\n\r\f]+/g, "");
}

// The number of the first moment of a turn, or of a record, as an address names it; -1 if there is none.
export function placeOf(tale, address) {
  const match = /^#?(turn|record)-([0-9]+)$/.exec(address);
  if (match === null) return -1;
  const wanted = Number(match[2]);
  return tale.moments.findIndex((moment) => (match[1] === "turn" ? moment.turn : moment.n) === wanted);
}
