// The words of every reason why something is not taken: what was expected, what was found, what to do next. The page's
// own and the kit's stand here, those of files, seals, logs and games come with the page from Python's tables.

import { plural, say } from "./say.mjs";

const NEWEST = say("Take the newest letter of this game: save the whole mail and drop it here.");
const TELL = say("Don't answer this file. Keep it, and ask the host and the other players about it.");
const OWN_KEY = say("Load the key file that you kept when you joined, or your copy of it.");
const JUDGED = ["file", "seal", "log", "mail"];

const OWN = {
  "desk/unknown-file": [
    say("A letter of a game, saved whole (.eml), or a file from one: an invitation, a view, a log, your key."),
    say("{file} holds none of these."),
    say("Open the letter in your mail program, save it as a file, and drop that here. Or paste its text."),
  ],
  "desk/no-beginning": [
    say("Lines of a log whose beginning this page knows."),
    say("Lines from record {first} on, of a game that this page does not know."),
    say("Drop the invitation or the first letter of that game here as well; the beginning is in it."),
  ],
  "desk/later-lines": [
    say("All lines of the log up to record {last}."),
    say("Records {first} to {last} of the game {game} are missing."),
    say("Drop the letters that came in between here as well. You can play without them."),
  ],
  "desk/older-view": [
    say("A letter as new as the one that is open: record {known} of the game {game}."),
    say("An older one: record {found}."),
    say("Nothing has changed. An answer to an old letter would be sent back, so go on with the newest."),
  ],
  "desk/other-seat": [
    say("The key of the seat {seat} in the game {game}."),
    say("None of the keys that are loaded here is that."),
    OWN_KEY,
  ],
  "desk/no-key": [say("Your key."), say("There is none here."), say("Make a key, or load the key file that you kept.")],
  "desk/no-crypto": [
    say("A page that was opened from a file, or from a web server with https."),
    say("This address is neither, so that the browser keeps its ciphers from the page, and a passphrase can not be used."),
    say("Save this page as a file and open that, or ask the host for an address with https."),
  ],
  "desk/orders": [
    say("A list of orders in JSON: one object with “do” for each."),
    say("Something else: {found}"),
    say("Correct it. The manual of the game and the menu above say which orders there are."),
  ],
  "desk/half-order": [
    say("Orders that are filled in to their end."),
    say("One that is not: “{order}”."),
    say("Answer what is asked, or press “Give up this order”."),
  ],
  "desk/object": [
    say("An object of names and values in JSON, in braces."),
    say("Something else: {found}"),
    say("Correct it, or leave it empty."),
  ],
  "kit/not-a-key": [say("A key file, as this page or `pbem key new` writes it."), say("{file} is something else."), OWN_KEY],
  "kit/key-damaged": [
    say("A key file that is as it was written."),
    say("The checksum in {file} does not fit: a part of it was changed or lost."),
    say("Put back your safe copy of the file."),
  ],
  "kit/key-locked": [
    say("The passphrase of the key in {file}."),
    say("None was given."),
    say("Type it below, where the page asks for it."),
  ],
  "kit/passphrase": [
    say("The passphrase with which {file} was locked."),
    say("Another one, or the file was changed since."),
    say("Try again; capitals and blanks count. Nobody can open the file without it."),
  ],
  "kit/words": [
    say("The 24 words of a key, in their order."),
    say("{problem}."),
    say("Look for a word misread, left out or written twice."),
  ],
  "kit/key-spent": [
    say("A key that the game {game} does not know yet."),
    say("One that has, or had, a seat in it."),
    say("Make another key for this game."),
  ],
  "kit/not-an-invitation": [
    say("An invitation: the file with .invitation.json, or the whole mail saved as .eml."),
    say("There is none in this file."),
    NEWEST,
  ],
  "kit/not-a-view": [say("A view: the file with .view.json, or the whole mail saved as .eml."), say("There is none in this file."), NEWEST],
  "kit/address": [say("A mail address that the answer can be sent to."), say("The file gives one that is none."), TELL],
  "kit/not-the-charter": [
    say("An invitation whose charter is of the game {game} and has the seat {seat}."),
    say("A charter that does not fit."),
    TELL,
  ],
  "kit/other-charter": [
    say("The charter of the game {game} that you know: {known}…"),
    say("Another charter under the same name: {found}…"),
    TELL,
  ],
  "kit/not-your-link": [
    say("A file that asks for the link after the last one you gave: your link {given} must stand in it."),
    say(
      "Another value. The file is not for your key, or it asks for a link before its time, which would let"
      + " the host foresee dice.",
    ),
    say("If you have several keys, load the one that you joined with. Else don't answer, and ask the host."),
  ],
  "kit/links-used-up": [say("A link from 1 to {length}."), say("The file asks for link {link}."), TELL],
  "kit/not-ready-time": [
    say("The view of the letter that asks you to confirm."),
    say("A view of another moment of the game."),
    NEWEST,
  ],
  "kit/not-playing": [
    say("A view of a game that is being played."),
    say("This game has not started, or is over."),
    NEWEST,
  ],
  "kit/no-orders": [
    say("At least one order."),
    say("An empty list."),
    say("Choose something to do, or wait: the letter stays valid until the deadline."),
  ],
  "kit/gap": [
    say("All records from 0 on."),
    say("Records {first} to {last} are in none of the files."),
    say("Name the files with these records as well; they came with older letters."),
  ],
  "kit/fork": [
    say("One history: what two files both hold must be the same."),
    say("Record {record} is told in two ways: somebody was shown another game."),
    say("Keep both files: they are evidence. Compare with the other players and ask the host."),
  ],
};

const table = new Map(Object.entries(OWN));

// Python's tables: {code: [expected, found, todo]}, each a message id or {by, one, many} that counts.
export function useCodes(codes) {
  for (const [code, texts] of Object.entries(codes)) if (!table.has(code)) table.set(code, texts);
}

export const ownCodes = () => Object.keys(OWN);

// What was expected, what was found, what to do next. What the host sent is not for the reader to send again.
export function sentences({ code, args }) {
  const texts = table.get(code) ?? [];
  const said = texts.map((text) => filledIn(text, args ?? {}));
  return said.length === 3 && JUDGED.includes(code.split("/")[0]) ? [said[0], said[1], TELL] : said;
}

function filledIn(text, args) {
  if (typeof text === "string") return say(text, args);
  if (text.id !== undefined) return { ...text, args };
  const n = args[text.by];
  return Number.isInteger(n) ? plural(text.one, text.many, n, args) : say(text.many, args);
}
