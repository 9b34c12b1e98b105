// Cybertron as a picture, in JavaScript: of a view and the news that its seat has heard, the same as shapes.py gives, in
// every field. The map with who holds what, the last battles as arrows, the players, what the signs mean.

import { say } from "../../../../pbem/desk/js/say.mjs";
import { WIDTH, group, mark, number, rect, stroke, text } from "../../../../pbem/desk/js/shapes.mjs";
import { hand } from "./board_hand.mjs";
import { legend } from "./board_legend.mjs";
import { AREA, chartOf, distance } from "./board_map.mjs";
import { named, sectorOf, zoneName } from "./board_names.mjs";
import { PALETTE, SIGN, SIGNS, factory, piece, ring, sign } from "./board_parts.mjs";
import { FORMS, SEATS, about, battles, changed, hasLeader, title, turn, when, whole } from "./board_view.mjs";

const EDGE = 16;
const LINE = 62;
const MIDDLES = [336, 430, 520, 634];

// The picture of a view (as JSON), with the events of its news marked.
export function picture(seen, news = []) {
  const view = whole(seen);
  const fresh = changed(news);
  const arrows = battles(view, news);
  const [table, end] = players(view, AREA.bottom + 8);
  const [cards, below] = hand(view, end);
  const [signs, bottom] = legend(view, below, arrows.length > 0, fresh.size > 0);
  return {
    title: say("Cybertron"),
    about: about(view),
    height: bottom + EDGE,
    palette: PALETTE,
    groups: [heading(view), map(view, arrows, fresh), table, ...(cards ? [cards] : []), signs],
  };
}

// What time it is in the game, and whose turn.
function heading(view) {
  const what = when(view);
  const parts = [
    text(EDGE, 38, what, 230, { size: 32, bold: true, anchor: "start" }),
    text(WIDTH - EDGE - 46, 38, turn(view), 390, { size: 26, bold: true, anchor: "end" }),
  ];
  if (!view.ended) parts.push(...sign(view.seat, WIDTH - EDGE - 16, 38, 15));
  return group(what, parts);
}

function map(view, arrows, fresh) {
  const chart = chartOf(view.atlas);
  const parts = [
    ...chart.grounds(),
    ...chart.ways(view.opened),
    ...arrows.map((arrow) => shaft(chart, arrow)),
    ...chart.titles(),
    ...view.atlas.ids.map((id) => zone(view, chart, id, fresh)),
    ...chart.badges(),
    ...arrows.map((arrow) => tip(chart, arrow)),
  ];
  const head = [say("zone"), say("sector"), say("holder"), say("robots"), say("leader")];
  return group(say("The map"), parts, { head });
}

// A zone: what is special about it, what stands there, its name.
function zone(view, chart, id, fresh) {
  const [x, y] = chart.centre(id);
  const isNamed = chart.names.has(id);
  const parts = isNamed ? chart.plates(id) : [];
  if (chart.rings.has(id)) parts.push(ring(x, y, view.opened.includes(id)));
  if (chart.sliders.has(id)) parts.push(...factory(x, y, view.zones.has(id)));
  const here = view.zones.get(id);
  if (here?.seat) {
    if (fresh.has(id)) parts.push(mark(x, y, SIGN + 4, { sign: SIGNS[here.seat], fill: "new", line: "new" }));
    parts.push(...piece(here.seat, here.robots, hasLeader(view, id) ? view.seats[here.seat].form : "", x, y));
  } else if (here) {
    parts.push(mark(x, y, SIGN - 4, { fill: "card", line: "route", dash: "dashed" }));
  }
  if (isNamed) parts.push(...chart.nameOf(id));
  return group(zoneName(view.atlas, id), parts, { row: row(view, id), of: id });
}

// The zone in words, for the table.
function row(view, id) {
  const { atlas } = view;
  const sector = sectorOf(atlas, id);
  const colour = named(atlas.board.sectors.find((one) => one.id === sector).name);
  const here = view.zones.get(id);
  let called = zoneName(atlas, id);
  if (atlas.specials.includes(id) && !atlas.factoryOf.has(id)) {
    called = view.opened.includes(id) ? say("{zone}, open", { zone: called }) : say("{zone}, closed", { zone: called });
  }
  if (!here) return [say("{zone}, closed", { zone: called }), colour, say("-"), say("-"), say("-")];
  if (!here.seat) return [called, colour, say("-"), say("-"), say("-")];
  const leader = hasLeader(view, id) ? FORMS[view.seats[here.seat].form] : say("-");
  return [called, colour, SEATS[here.seat], number(here.robots), leader];
}

// Where an arrow begins and ends: beside the signs and names of its zones.
function ends(chart, { origin, target }) {
  const near = SIGN + 8;
  return [
    chart.wayOut(origin, chart.centre(target), near),
    chart.wayOut(target, chart.centre(origin), near),
  ];
}

// The way of an attack, beneath the names; dashed where the target held out.
const shaft = (chart, arrow) =>
  stroke(ends(chart, arrow), { line: "battle", wide: 6, dash: arrow.taken ? "" : "dashed" });

// The head of an attack's arrow, above everything.
function tip(chart, arrow) {
  const [[x, y], [u, v]] = ends(chart, arrow);
  const long = distance(u - x, v - y) || 1;
  const back = Math.min(20, long);
  const start = [u - ((u - x) / long) * back, v - ((v - y) / long) * back];
  return stroke([start, [u, v]], { line: "battle", wide: 6, arrow: true });
}

// The players in turn order, with what everybody knows of them.
function players(view, top) {
  const head = [say("Players"), say("zones"), say("robots"), say("cards"), say("next income"), say("leader")];
  const parts = [text(EDGE, top + 22, head[0], 200, { size: 24, bold: true, anchor: "start" })];
  MIDDLES.forEach((x, at) => parts.push(text(x, top + 24, head[at + 1], 120, { fill: "faint" })));
  let y = top + 42;
  const ranked = [...view.order].sort((one, other) => view.seats[one].place - view.seats[other].place);
  for (const seat of ranked) {
    parts.push(player(view, seat, y));
    y += LINE;
  }
  return [group(say("The players"), parts, { head }), y];
}

function player(view, seat, y) {
  const known = view.seats[seat];
  const middle = y + 20;
  const called = title(view, seat);
  const fate = fateOf(view, known);
  const parts = [];
  if (!view.ended && seat === view.seat) {
    parts.push(rect(EDGE - 6, y, WIDTH - 2 * EDGE + 12, LINE - 4, { fill: "now", round: 8 }));
  }
  parts.push(...sign(seat, EDGE + 16, y + LINE / 2 - 2, 16));
  parts.push(text(EDGE + 44, middle, called, 250, { size: 22, bold: seat === view.me, anchor: "start" }));
  parts.push(text(EDGE + 44, y + 44, fate, WIDTH - 2 * EDGE - 50, { anchor: "start", fill: "faint" }));
  const cells = [number(known.zones), number(known.robots), number(known.hand), number(known.income.total ?? 0)];
  if (known.out || known.resigned || view.ended) cells.splice(2, 2, say("-"), say("-"));
  cells.forEach((told, at) => parts.push(text(MIDDLES[at], middle, told, 90, { size: 22, bold: at === 0 })));
  return group(called, parts, { row: [called, ...cells, fate], of: seat });
}

function fateOf(view, known) {
  if (view.ended) return say("place {place}", { place: known.place });
  if (known.out) return say("out of the game");
  if (known.resigned) return say("resigned");
  if (!known.leader) return say("leader in the scrapheap");
  return say("leader in {zone} ({form})", { zone: zoneName(view.atlas, known.leader), form: FORMS[known.form] });
}
