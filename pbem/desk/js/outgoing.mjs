// What leaves the page: the signed file, and the mail that takes it to the host. The twin of pbem/player/mail.py.
// Decides words, names and bytes; sends nothing.

import { hex, sha256, utf8 } from "../../site/js/bytes.mjs";
import { isObject } from "../../site/js/canonical.mjs";
import { say, words } from "./say.mjs";

const WIDTH = 72;
const MOST_NAME = 120;
// A mail program may cut an address off: 2,083 characters are what the strictest of those in use takes.
const MOST_ADDRESS = 2000;

const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
};

const escaped = (text) => text.replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

// A value for people and for mail: keys in order, indented, ASCII only, LF at the end.
export const prettyText = (value) => `${escaped(JSON.stringify(sorted(value), null, 2))}\n`;

export const pretty = (value) => utf8(prettyText(value));

// The same in as few letters as can be, with a line for each member, as an address of a mail has little room.
const tight = (value) => escaped(JSON.stringify(sorted(value))).replace(/,(?=")/g, ",\n");

// Parts joined by hyphens, without anything that means something to a file system. Where something had to be changed
// a digest is added, so that two names never become the same.
export async function fileName(...parts) {
  const plain = parts.join("-");
  const name = Array.from(plain, (letter) => (/[A-Za-z0-9_-]/.test(letter) ? letter : "_")).join("").slice(0, MOST_NAME);
  if (name === plain && name !== "") return name;
  return `${name}-${hex(await sha256(utf8(plain))).slice(0, 8)}`;
}

export function subject({ payload }) {
  const { kind, game, seat } = payload;
  switch (kind) {
    case "join":
      return say("[pbem {game}] join as {seat}", { game, seat });
    case "ready":
      return say("[pbem {game}] {seat} confirms", { game, seat });
    case "standing":
      return say("[pbem {game}] standing orders of {seat}", { game, seat });
    case "press":
      return say("[pbem {game}] a message: {seat}", { game, seat });
    case "take":
      return say("[pbem {game}] a new key for the seat: {seat}", { game, seat });
    case "resign":
      return say("[pbem {game}] {seat} leaves the game", { game, seat });
    default:
      return say("[pbem {game}] turn {turn}: move of {seat}", { game, turn: String(payload.turn ?? ""), seat });
  }
}

export function filled(text, width = WIDTH) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (lines[last] === "") lines[last] = word;
    else if (lines[last].length + 1 + word.length <= width) lines[last] += ` ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

// All that a person needs to mail an envelope by hand: where to, under which subject, and what to paste.
export function mailText(envelope, address, lang) {
  const how = say(
    "Send a mail to this address. Attach the file, or paste all that stands below the line into the mail,"
    + " from the first brace to the last. The signature in it is yours; if anything is changed, it no"
    + " longer fits and nothing happens. Your mail program may wrap or quote the text as it likes.",
  );
  const lines = [
    words(say("To: {address}", { address }), lang),
    words(say("Subject: {subject}", { subject: subject(envelope) }), lang),
    "",
    filled(words(how, lang)),
    "",
    "-".repeat(WIDTH),
    prettyText(envelope),
  ];
  return lines.join("\n");
}

// A `mailto:` with all that fits: {href, whole}; if not `whole`, the file has to be attached or pasted by hand.
export function mailto(envelope, address, lang) {
  const head = `mailto:${address.split("@").map(encodeURIComponent).join("@")}?subject=${encodeURIComponent(words(subject(envelope), lang))}`;
  for (const body of [prettyText(envelope), tight(envelope)]) {
    const href = `${head}&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`;
    if (href.length <= MOST_ADDRESS) return { href, whole: true };
  }
  return { href: head, whole: false };
}
