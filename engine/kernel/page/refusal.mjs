// Refusals as data, and what a rule raises where it would have to look at a blank or at a die.
//
// Knows no sentence: those stand in the tables of the codes.

// One reason, as JSON has it: without arguments where there are none.
export const refusal = (code, args = {}) => (Object.keys(args).length ? { code, args } : { code });

export const areaOf = (refused) => refused.code.slice(0, refused.code.indexOf("/"));

// Raised by a rule that needs what a view does not hold; `why` is `hidden` or `dice`.
export class Unseen extends Error {
  constructor(why) {
    super(why);
    this.why = why;
  }
}

// The first reason that a generator of reasons gives, or null.
export function first(faults) {
  for (const fault of faults) return fault;
  return null;
}
