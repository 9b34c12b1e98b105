// What of arena runs in a reader's browser.

import { foresee, menu } from "./ahead.mjs";

export const id = "arena";
export const version = 1;
export { foresee, menu };
