// What zones are called, and the ways around the edge of the board: the twin of parts of report_names.py and
// shapes_map.py.

import { say } from "../../../../pbem/desk/js/say.mjs";

// A name that comes from data.
export const named = (name) => say("{name}", { name });

// A zone, or a factory by its slider.
export function zoneName(atlas, id) {
  const factory = atlas.board.factories.find((one) => one.id === id);
  if (factory) return say("{slider} factory", { slider: zoneName(atlas, factory.slider) });
  return named(atlas.names[atlas.place.get(id)]);
}

export const sectorOf = (atlas, id) => atlas.within[atlas.place.get(id)];

// The ways around the edge of the board, each with a letter of its own.
export const wraps = (atlas) =>
  atlas.board.edges
    .filter((edge) => edge.wraps_board_edge)
    .map((edge, place) => [String.fromCharCode(65 + (place % 26)), edge]);
