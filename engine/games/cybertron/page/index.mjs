// What of cybertron runs in a reader's browser.

import { foresee, menu } from "./ahead.mjs";

export const id = "cybertron";
export const version = 1;
export { foresee, menu };
