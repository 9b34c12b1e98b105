// What a player types into a field, read.

import { isObject } from "../../site/js/canonical.mjs";
import { quoted, refuse } from "../../site/js/refusal.mjs";

// An object of names and values; an empty field is an empty one. Refused `desk/object`.
export function objectIn(text) {
  if (text.trim() === "") return {};
  let value = null;
  try {
    value = JSON.parse(text);
  } catch {
    value = null; // told below, as anything else that is no object
  }
  if (!isObject(value)) throw refuse("desk/object", { found: quoted(text) });
  return value;
}
