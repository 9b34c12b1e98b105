// The board as data: zones by their place in board order, sectors, links, specials. The twin of `board.py`.

import { BOARD } from "./data.mjs";

class Atlas {
  #links = new Map();

  constructor(board) {
    this.board = board;
    this.ids = [...board.zones, ...board.factories].map((zone) => zone.id);
    this.names = [...board.zones, ...board.factories].map((zone) => zone.name);
    this.normal = board.zones.length; // the factories come after
    this.place = new Map(this.ids.map((id, place) => [id, place]));
    this.within = [...board.zones, ...board.factories].map((zone) => zone.sector);
    this.sectors = new Map(board.sectors.map(({ id }) => [id, this.#places(id)]));
    this.factoryOf = new Map(board.factories.map((one) => [one.slider, this.place.get(one.id)]));
    const spinners = board.spinners.map((one) => one.zone);
    this.specials = this.ids.filter((id) => spinners.includes(id) || this.factoryOf.has(id));
    this.leaders = new Map(board.leaders.map((leader) => [leader.id, leader]));
  }

  #places(sector) {
    return this.ids.map((_, place) => place).filter((place) => this.within[place] === sector);
  }

  // The neighbours of each zone while these special zones are open, lowest place first (FI p.9-11).
  links(opened) {
    const key = opened.join(" ");
    if (!this.#links.has(key)) this.#links.set(key, this.#linked(opened));
    return this.#links.get(key);
  }

  #linked(opened) {
    const near = this.ids.map(() => new Set());
    const { edges, factories } = this.board;
    const pairs = edges.filter((edge) => !edge.gate || opened.includes(edge.gate)).map((edge) => [edge.a, edge.b]);
    pairs.push(...factories.filter((one) => opened.includes(one.slider)).map((one) => [one.slider, one.id]));
    for (const [one, other] of pairs.map((pair) => pair.map((id) => this.place.get(id)))) {
      near[one].add(other);
      near[other].add(one);
    }
    return near.map((places) => [...places].sort((a, b) => a - b));
  }

  // What the panel gives for so many zones (FI p.7).
  robotsFor(zones) {
    const rows = this.board.zones_to_robots.table;
    const row = rows.find((one) => one.zones_min <= zones && zones <= one.zones_max);
    if (row) return row.robots;
    const last = rows.at(-1);
    return zones > last.zones_max ? last.robots : 0;
  }
}

const STANDARD = new Atlas(BOARD);
const KNOWN = new WeakMap();

// The atlas of a position's own board, or of the standard board.
export function atlas(board) {
  if (!board) return STANDARD;
  if (!KNOWN.has(board)) KNOWN.set(board, new Atlas(board));
  return KNOWN.get(board);
}

export const mapOf = (state) => atlas(state.board);
