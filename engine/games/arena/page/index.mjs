// What of arena runs in a reader's browser.

import { foresee, menu } from "./ahead.mjs";
import { picture } from "./board.mjs";
import { grammar } from "./grammar.mjs";

export const id = "arena";
export const version = 1;
export { foresee, grammar, menu, picture };
