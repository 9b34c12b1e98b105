// Why an order does not have its shape, in a player's words: what belongs there, and what was found.

import { plural, say } from "./say.mjs";

const TYPES = {
  str: say("A text in quotes"),
  int: say("A whole number"),
  float: say("A number with a fraction"),
  bool: say("True or false"),
  array: say("A list in square brackets"),
  object: say("An object in braces"),
  null: say("The word null"),
};

// The arguments of a refusal `order/shape`; entries of lists are counted from 1.
export function misfitArgs(misfit) {
  const path = misfit.at.replace(/\[(\d+)\]/g, (_, place) => `[${Number(place) + 1}]`).replace(/^\./, "");
  const place = path ? say("under {place}", { place: path }) : say("at the top");
  const [expected, found] = told(misfit.facts, place);
  return { expected, found };
}

function told([kind, one, other], place) {
  switch (kind) {
    case "missing":
      return [say("The field {field} {place}", { field: one, place }), say("It is not there")];
    case "unknown":
      return [say("Only the fields that belong {place}", { place }), say("The field {field} as well", { field: one })];
    case "value":
      return [say("One of the words that are known {place}", { place }), say("{word}", { word: one })];
    case "length":
      return [
        plural("A list of {n} entry {place}", "A list of {n} entries {place}", one, { place }),
        plural("{n} entry", "{n} entries", other),
      ];
    default:
      return [say("{type} {place}", { type: types(one), place }), types(other)];
  }
}

function types(names) {
  return names
    .split(" | ")
    .map((name) => TYPES[name])
    .reduce((first, second) => say("{first} or {second}", { first, second }));
}
