// What menus leave without a name, such as a zone or a card, is called as the board calls it.

import { extents } from "./extent.mjs";

// Sentences by what they stand for; what earlier pictures know stays known.
export const namesOf = (pictures) =>
  new Map(pictures.filter((one) => one !== null).flatMap((picture) => extents(picture.groups).map(({ of, title }) => [of, title])));

// A sentence with the names put in for plain values.
export function named(sentence, names) {
  if (Array.isArray(sentence)) return sentence.map((one) => named(one, names));
  if (typeof sentence !== "object" || sentence === null) return sentence;
  if (sentence.id === "{value}" && names.has(sentence.args.value)) return names.get(sentence.args.value);
  const args = Object.entries(sentence.args ?? {}).map(([name, one]) => [name, named(one, names)]);
  return { ...sentence, args: Object.fromEntries(args) };
}

// A question whose choices have names.
export const namedQuestion = (question, names) => ({
  ...question,
  choices: question.choices.map((choice) => ({ ...choice, say: named(choice.say, names) })),
});
