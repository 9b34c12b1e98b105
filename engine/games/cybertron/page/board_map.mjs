// The map in a picture: where zones lie, the grounds of sectors, the ways between zones; the twin of shapes_map.py.
// Made from a board and which of its special zones are open; it knows no piece.

import { say } from "../../../../pbem/desk/js/say.mjs";
import { WIDTH, rect, stroke, text } from "../../../../pbem/desk/js/shapes.mjs";
import { named, sectorOf, wraps } from "./board_names.mjs";
import { SIGN, plate, tint } from "./board_parts.mjs";
import { placed } from "./board_place.mjs";

export const AREA = { left: 6, top: 78, right: WIDTH - 6, bottom: 1236 };
const LINE = 22;
const LETTER = 11.2;
const BOLD = 12.6;
const FROM_EDGE = 25;
const HEAD = 50;
const LONG = 9;
const FACTORY = 52;
const EDGES = [14, WIDTH - 14];
const NEAR_EDGE = 0.06;
// What Python takes for blanks between words.
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const sizeOf = (words) => [...words].length;

// A board as it is drawn: the centres of the signs of zones and factories, the lines of names.
class Chart {
  constructor(atlas) {
    const { board } = atlas;
    this.atlas = atlas;
    this.names = new Map(board.zones.map((zone) => [zone.id, broken(zone.name)]));
    this.rings = new Set(board.spinners.map((spinner) => spinner.zone));
    this.factories = new Map(board.factories.map((one) => [one.slider, one.id]));
    this.sliders = new Map(board.factories.map((one) => [one.id, one.slider]));
    this.letters = new Map();
    for (const [letter, edge] of wraps(atlas)) {
      for (const end of [edge.a, edge.b]) this.letters.set(end, (this.letters.get(end) ?? "") + letter);
    }
    this.outer = outer(board);
    const boxes = [...board.zones.map((zone) => this.zoneBox(zone)), ...this.titleBoxes()];
    this.places = placed(boxes, AREA);
    this.boxes = new Map(boxes.map((box) => [box.name, box]));
  }

  zoneBox({ id, x, y }) {
    const lines = this.names.get(id);
    let w = Math.max(48, ...lines.map((line) => sizeOf(line) * LETTER + 4));
    if (this.factories.has(id)) w = Math.max(w, 104);
    if (this.letters.has(id) && !this.outer.has(id)) {
      w = Math.max(w, 2 * SIGN + 28 * (1 + this.letters.get(id).length));
    }
    return { name: id, x, y, w, h: this.head(id) + LINE * lines.length + 2 };
  }

  // From the upper edge of a zone to its name.
  head(id) {
    return this.rings.has(id) ? HEAD + 8 : HEAD;
  }

  // The names of the sectors, above the middles of their zones.
  titleBoxes() {
    const zones = new Map(this.atlas.board.zones.map((zone) => [zone.id, zone]));
    return this.atlas.board.sectors.map((sector) => {
      const own = sector.zones.map((id) => zones.get(id));
      const middle = own.reduce((sum, zone) => sum + zone.x, 0) / own.length;
      const letters = sizeOf(sector.name) + 2 + String(sector.bonus).length;
      const top = Math.min(...own.map((zone) => zone.y));
      return { name: titleOf(sector.id), x: middle, y: top - 30, w: letters * BOLD + 16, h: 26 };
    });
  }

  // The centre of a zone's sign.
  centre(id) {
    if (this.sliders.has(id)) {
      const [x, y] = this.centre(this.sliders.get(id));
      return [x + FACTORY, y];
    }
    const [x, y] = this.places.get(id);
    return [this.factories.has(id) ? x - FACTORY / 2 : x, y + (this.head(id) - HEAD) / 2 + FROM_EDGE];
  }

  // The sectors: a ground under each zone, and under the ways within a sector.
  grounds() {
    const { board } = this.atlas;
    const parts = [];
    for (const edge of board.edges) {
      const sector = sectorOf(this.atlas, edge.a);
      if (edge.type !== "hyperlink" && sector === sectorOf(this.atlas, edge.b)) {
        parts.push(stroke([this.centre(edge.a), this.centre(edge.b)], { line: tint(this.atlas, sector), wide: 60 }));
      }
    }
    for (const zone of board.zones) {
      const [x, y] = this.places.get(zone.id);
      const { w, h } = this.boxes.get(zone.id);
      const fill = tint(this.atlas, zone.sector);
      parts.push(rect(x - w / 2 - 7, y - 8, w + 14, h + 13, { fill, round: 24 }));
    }
    return parts;
  }

  // The names of the sectors with what they are worth.
  titles() {
    return this.atlas.board.sectors.flatMap((sector) => {
      const [x, y] = this.places.get(titleOf(sector.id));
      const { w } = this.boxes.get(titleOf(sector.id));
      const told = say("{sector} +{bonus}", { sector: sector.name, bonus: sector.bonus });
      return plate(told, x, y + 13, w, tint(this.atlas, sector.id));
    });
  }

  // Lines between neighbours: dotted over hyperlinks, none through a closed spinner.
  ways(opened) {
    const parts = [];
    for (const edge of this.atlas.board.edges) {
      if (edge.wraps_board_edge || (edge.gate && !opened.includes(edge.gate))) continue;
      const dash = edge.type === "hyperlink" ? "dotted" : "";
      parts.push(stroke([this.centre(edge.a), this.centre(edge.b)], { line: "route", wide: 3, dash }));
    }
    for (const one of this.atlas.board.factories) {
      if (!opened.includes(one.slider)) continue;
      parts.push(stroke([this.centre(one.slider), this.centre(one.id)], { line: "route", wide: 3 }));
    }
    for (const end of this.letters.keys()) {
      if (!this.outer.has(end)) continue;
      const [x, y] = this.centre(end);
      parts.push(stroke([[x, y], [edgeBeside(x), y]], { line: "route", wide: 3, dash: "dotted" }));
    }
    return parts;
  }

  // The letters of ways around the edge, at both ends of each.
  badges() {
    return [...this.letters].flatMap(([end, letters]) => {
      const [x, y] = this.centre(end);
      const half = 5 + 7 * letters.length;
      if (!this.outer.has(end)) return badge(letters, x - SIGN - 4 - half, y, half);
      return badge(letters, Math.min(Math.max(edgeBeside(x), half + 2), WIDTH - half - 2), y - 30, half);
    });
  }

  // The grounds of the lines of a zone's name, so that no way runs through them.
  plates(id) {
    const [x, y] = this.places.get(id);
    const fill = tint(this.atlas, sectorOf(this.atlas, id));
    const top = y + this.head(id);
    return this.names.get(id).map((line, place) => {
      const wide = sizeOf(line) * LETTER;
      return rect(x - wide / 2, top + LINE * place, wide, LINE, { fill, round: 6 });
    });
  }

  // A zone's name below its sign.
  nameOf(id) {
    const [x, y] = this.places.get(id);
    const top = y + this.head(id) + LINE / 2;
    const room = this.boxes.get(id).w + 6;
    return this.names.get(id).map((line, place) => text(x, top + LINE * place, named(line), room));
  }

  // Where a line from a zone's centre towards a goal has left its sign and its name behind.
  wayOut(id, goal, clear) {
    const [x, y] = this.centre(id);
    const long = distance(goal[0] - x, goal[1] - y) || 1;
    const across = (goal[0] - x) / long;
    const down = (goal[1] - y) / long;
    const plates = this.names.has(id) ? this.plates(id) : [];
    let gone = clear;
    while (gone < long / 2 && plates.some((one) => covers(one, x + across * gone, y + down * gone))) gone += 2;
    return [x + across * gone, y + down * gone];
  }
}

const charts = new WeakMap();

// The chart of a board, worked out once.
export function chartOf(atlas) {
  if (!charts.has(atlas)) charts.set(atlas, new Chart(atlas));
  return charts.get(atlas);
}

export const distance = (x, y) => Math.sqrt(x * x + y * y);

const edgeBeside = (x) => EDGES[x > WIDTH / 2 ? 1 : 0];

// Letters of ways around the edge.
const badge = (letters, x, y, half) => [
  rect(x - half, y - 13, 2 * half, 26, { fill: "card", line: "route", round: 13 }),
  text(x, y, named(letters), 2 * half, { bold: true }),
];

// The zones at the left and the right edge of the board.
function outer(board) {
  const across = board.zones.map((zone) => zone.x);
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const near = (right - left) * NEAR_EDGE;
  return new Set(board.zones.filter((zone) => zone.x <= left + near || zone.x >= right - near).map((zone) => zone.id));
}

// Whether a point lies on a plate, or close to it.
function covers(plate, x, y) {
  const near = 4;
  const across = plate.x - near <= x && x <= plate.x + plate.w + near;
  return across && plate.y - near <= y && y <= plate.y + plate.h + near;
}

const titleOf = (sector) => `sector ${sector}`;

// A name in short lines.
function broken(name) {
  const [first, ...rest] = name.split(BLANKS).filter((word) => word);
  const lines = [first];
  for (const word of rest) {
    const last = lines.at(-1);
    if (sizeOf(last) + 1 + sizeOf(word) <= LONG) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
