// What the signs of the picture mean; the twin of shapes_legend.py.

import { say } from "../../../../pbem/desk/js/say.mjs";
import { WIDTH, group, mark, stroke, text } from "../../../../pbem/desk/js/shapes.mjs";
import { wraps, zoneName } from "./board_names.mjs";
import { factory, leader, ring } from "./board_parts.mjs";
import { SEATS, TEAMS, sides } from "./board_view.mjs";

const EDGE = 16;
const LINE = 40;

// The signs with their meanings, two a line, and the bottom; whether there are arrows, and zones that changed hands.
export function legend(view, top, fought, fresh) {
  const entries = entriesOf(fought, fresh);
  const parts = [text(EDGE, top + 26, say("Signs"), 200, { size: 24, bold: true, anchor: "start" })];
  entries.forEach(([told, draw], place) => {
    const x = EDGE + (WIDTH / 2 - EDGE) * (place % 2);
    const y = top + 64 + LINE * Math.floor(place / 2);
    parts.push(...draw(x + 28, y));
    parts.push(text(x + 66, y, told, WIDTH / 2 - EDGE - 72, { anchor: "start" }));
  });
  let bottom = top + 64 + LINE * Math.ceil(entries.length / 2) - LINE / 2;
  for (const told of ways(view)) {
    parts.push(text(EDGE, bottom + 16, told, WIDTH - 2 * EDGE, { anchor: "start" }));
    bottom += 28;
  }
  return [group(say("Signs"), parts), bottom + 8];
}

function entriesOf(fought, fresh) {
  const way = (dash) => (x, y) => [stroke([[x - 22, y], [x + 22, y]], { line: "route", wide: 3, dash })];
  const entries = [
    [say("leader as a robot"), (x, y) => [leader("robot", x, y, 12)]],
    [say("leader as a vehicle"), (x, y) => [leader("vehicle", x, y, 12)]],
    [say("closed spinner: no way in"), (x, y) => [ring(x, y, false, 15)]],
    [say("open spinner"), (x, y) => [ring(x, y, true, 15)]],
    [say("closed factory"), (x, y) => factory(x, y, false, 15)],
    [say("open factory: a zone"), (x, y) => factory(x, y, true, 15)],
    [say("border"), way("")],
    [say("hyperlink"), way("dotted")],
  ];
  if (fought) {
    entries.push([say("attack: the zone was taken"), attack("")], [say("attack: the zone held"), attack("dashed")]);
  }
  if (fresh) {
    entries.push([say("has changed hands"), (x, y) => [mark(x, y, 16, { fill: "card", line: "new", wide: 5 })]]);
  }
  return entries;
}

const attack = (dash) => (x, y) => [
  stroke([[x - 24, y], [x + 6, y]], { line: "battle", wide: 6, dash }),
  stroke([[x + 4, y], [x + 24, y]], { line: "battle", wide: 6, arrow: true }),
];

// The ways around the edge, and with four players the teams.
function ways(view) {
  const around = wraps(view.atlas).map(([letter, edge]) =>
    say("{letter}: hyperlink around the edge, {one} to {other}", {
      letter,
      one: zoneName(view.atlas, edge.a),
      other: zoneName(view.atlas, edge.b),
    }),
  );
  const teams = sides(view).map(([faction, team]) =>
    say("{team}: {seats}, together {zones} zones", {
      team: TEAMS[faction],
      seats: team.map((seat) => SEATS[seat]),
      zones: team.reduce((sum, seat) => sum + view.seats[seat].zones, 0),
    }),
  );
  return [...around, ...teams];
}
