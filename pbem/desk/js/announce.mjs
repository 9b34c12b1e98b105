// A word to who can't see what has changed, and to everybody else as well.

import { byId, told } from "./dom.mjs";

export function announce(sentence) {
  byId("live").textContent = told(sentence);
}
