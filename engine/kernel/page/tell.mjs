// Events as JSON: past tense, one fact each.

// `always` is written whatever it holds, of `more` only what is neither zero, empty nor false.
export function told(event, always, more = {}) {
  const rest = Object.entries(more).filter(([, value]) => !isEmpty(value));
  return { event, ...always, ...Object.fromEntries(rest) };
}

export function isEmpty(value) {
  return Array.isArray(value) ? value.length === 0 : !value;
}
