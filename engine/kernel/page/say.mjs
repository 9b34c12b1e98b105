// Sentences as data: a message id and named arguments, as `engine/kernel/prose.py` writes them in JSON.
//
// Knows no language. What is empty is left out, so that a sentence here equals its twin in a view or a menu.

export const say = (id, args = {}) => (Object.keys(args).length ? { id, args } : { id });

export const plural = (one, many, n, args = {}) => ({ id: many, args: { n, ...args }, one });
