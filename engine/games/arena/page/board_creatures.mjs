// The part of the picture with the creatures in lines and the rounds in columns; the twin of the first half of
// shapes.py. The dead are grey and struck out, what changed since the last letter has a frame of its own.

import { plural, say } from "../../../../pbem/desk/js/say.mjs";
import { WIDTH, group, mark, number, rect, stroke, text } from "../../../../pbem/desk/js/shapes.mjs";
import {
  CREATURES, ROUNDS, ROW_VALUES, SEATS, SECRET_VALUE, called, creatureOf, isBlank, isSpectator, series, strengthOf,
} from "./board_cards.mjs";
import { face, token } from "./board_parts.mjs";
import { alive, fate } from "./board_view.mjs";

export const EDGE = 16;
export const TOP = 128;
export const LINE = 76;
const CELLS = 148;
const CELL = 84;
const SECRETS = CELLS + ROUNDS * CELL + 36;
const BACKERS = SECRETS + 72;

const place = (creature, row) => `${creature} ${row}`;

// Cells in which something happened.
export function changed(news) {
  const found = new Set();
  for (const event of news) {
    switch (event.event) {
      case "card_played":
      case "card_uncovered":
      case "card_lifted":
      case "bet_placed":
        found.add(place(event.creature, event.row));
        break;
      case "token_taken_back":
        if (event.row) found.add(place(event.creature, event.row));
        break;
      case "card_taken":
        if (creatureOf(event.card)) found.add(place(creatureOf(event.card), event.row));
        break;
      case "cards_swapped":
        for (const row of event.rows) found.add(place(event.creature, row));
        break;
    }
  }
  return found;
}

// The creatures with their cards and bets.
export function arena(view, fresh) {
  const numbers = Array.from({ length: ROUNDS }, (_, at) => at + 1);
  const rows = numbers.map((row) => say("row {row}", { row }));
  const worth = (value) => plural("{n} gold", "{n} gold", value);
  const secret = say("secret");
  const backer = say("backer");
  const parts = [];
  if (!view.ended) {
    const now = CELLS + CELL * (view.row - 1);
    parts.push(rect(now, TOP - 60, CELL, LINE * view.creatures.length + 62, { fill: "now", round: 8 }));
  }
  rows.forEach((row, at) => {
    const middle = CELLS + CELL * at + CELL / 2;
    parts.push(text(middle, TOP - 44, row, CELL - 8, { bold: true }));
    parts.push(text(middle, TOP - 18, worth(ROW_VALUES[at]), CELL - 8, { fill: "faint" }));
  });
  parts.push(text(SECRETS, TOP - 44, secret, 68, { bold: true }));
  parts.push(text(SECRETS, TOP - 18, worth(SECRET_VALUE), 66, { fill: "faint" }));
  parts.push(text(BACKERS, TOP - 44, backer, 72, { bold: true }));
  const next = falling(view);
  view.creatures.forEach((name, at) => parts.push(line(view, name, TOP + LINE * at, fresh, name === next)));
  return group(say("The arena"), parts, { head: [say("creature"), ...rows, secret, backer] });
}

// The creature that falls as the row lies; empty if none, or if nobody can tell.
function falling(view) {
  const tops = new Map();
  for (const name of view.ended ? [] : alive(view)) {
    const top = view.columns[name].rows[view.row - 1]?.top;
    if (!top || isBlank(top)) return "";
    tops.set(name, strengthOf(top));
  }
  const least = Math.min(...tops.values());
  const lowest = [...tops.keys()].filter((name) => tops.get(name) === least);
  return lowest.length === 1 ? lowest[0] : "";
}

// A creature: its name and fate, its cells, the secret bets on it, its backer.
function line(view, name, y, fresh, falls) {
  const column = view.columns[name];
  const fallen = view.dead.includes(name);
  const parts = [stroke([[EDGE, y + LINE], [WIDTH - EDGE, y + LINE]], { line: "line", wide: 1 })];
  if (fallen) parts.push(rect(EDGE - 6, y + 3, WIDTH - 2 * EDGE + 12, LINE - 5, { fill: "dead", round: 8 }));
  parts.push(...nameOf(view, name, y, falls));
  column.rows.forEach((cell, at) => {
    let frame = fresh.has(place(name, at + 1)) ? "new" : "line";
    if (falls && at + 1 === view.row) frame = "alert";
    parts.push(...cellOf(cell, CELLS + CELL * at, y, frame, fallen));
  });
  const rest = ROUNDS - column.rows.length;
  if (fallen && rest) {
    parts.push(rect(CELLS + CELL * column.rows.length + 6, y + 10, CELL * rest - 12, 56, { hatch: "line" }));
  }
  parts.push(...bets(view, name, y));
  if (column.backer && !fallen) parts.push(...token(column.backer, BACKERS, y + LINE / 2, 17));
  return group(fate(view, name, falls), parts, { row: row(view, name, falls), of: name });
}

function nameOf(view, name, y, falls) {
  const fallen = view.dead.includes(name);
  const high = y + (fallen || falls ? 26 : LINE / 2);
  const parts = [
    text(EDGE + 2, high, CREATURES[name], 130, { size: 24, bold: true, anchor: "start", fill: fallen ? "faint" : "ink" }),
  ];
  if (fallen) {
    const told = say("fell in row {row}", { row: view.dead.indexOf(name) + 1 });
    parts.push(stroke([[EDGE, high], [EDGE + 122, high]], { line: "faint" }));
    parts.push(text(EDGE + 2, y + 54, told, 130, { anchor: "start", fill: "faint" }));
  } else if (falls) {
    parts.push(text(EDGE + 2, y + 54, say("▼ falls next"), 130, { bold: true, anchor: "start", fill: "alert" }));
  }
  return parts;
}

// A cell: the cards beneath as edges and a number, the visible card, the token beside it.
function cellOf(cell, x, y, frame, faded) {
  const parts = [];
  for (let depth = Math.min(cell.covered, 2); depth > 0; depth -= 1) {
    const look = { fill: faded ? "bones" : "card", line: "line", wide: 1.5, round: 7 };
    parts.push(rect(x + 4 + 4 * depth, y + 8 - 3 * depth, 46, 60, look));
  }
  if (cell.top) parts.push(group(called(cell.top), face(cell.top, x + 4, y + 7, frame, faded), { of: cell.top }));
  else parts.push(rect(x + 4, y + 7, 46, 64, { line: frame, wide: frame === "line" ? 2 : 4, round: 7, dash: "dashed" }));
  if (cell.token) parts.push(...token(cell.token, x + 67, y + 30, 13, faded));
  if (cell.covered) parts.push(text(x + 68, y + 61, beneath(cell.covered), 28, { fill: faded ? "faint" : "ink" }));
  return parts;
}

const beneath = (cards) => (cards < 10 ? say("+{n}", { n: cards }) : number(cards));

const ownSecretOn = (view, name) => {
  const mine = view.own.secret;
  return Boolean(mine) && !isBlank(mine) && creatureOf(mine) === name;
};

// Revealed secret bets, and the viewer's own hidden one in a dashed ring.
function bets(view, name, y) {
  const { revealed } = view.columns[name];
  const seats = ownSecretOn(view, name) ? [...revealed, view.me] : revealed;
  const few = seats.length <= 2;
  return seats.flatMap((seat, at) => {
    const x = SECRETS + (seats.length === 1 ? 0 : 32 * (at % 2) - 16);
    const high = y + (few ? LINE / 2 : 14 + 24 * Math.floor(at / 2));
    const drawn = token(seat, x, high, few ? 13 : 11, view.dead.includes(name));
    if (at < revealed.length) return drawn;
    return [...drawn, mark(x, high, few ? 20 : 12, { line: "edge", wide: 1.5, dash: "dashed" })];
  });
}

// The line in words, for the table.
function row(view, name, falls) {
  const column = view.columns[name];
  const cells = column.rows.map(cellWords);
  const blank = Array.from({ length: Math.max(0, ROUNDS - cells.length) }, () => say("-"));
  const backer = column.backer && !view.dead.includes(name) ? SEATS[column.backer] : say("-");
  return [fate(view, name, falls), ...cells, ...blank, secretWords(view, name), backer];
}

function cellWords(cell) {
  let card = say("no card");
  if (cell.top) card = isBlank(cell.top) || isSpectator(cell.top) ? called(cell.top) : number(strengthOf(cell.top));
  if (cell.covered) card = plural("{card} on {n} card", "{card} on {n} cards", cell.covered, { card });
  return cell.token ? say("{card}, bet: {seat}", { card, seat: SEATS[cell.token] }) : card;
}

function secretWords(view, name) {
  const told = view.columns[name].revealed.map((seat) => SEATS[seat]);
  if (ownSecretOn(view, name)) told.push(say("{seat}, hidden", { seat: SEATS[view.me] }));
  return told.length ? series(told) : say("-");
}
