// The player's key: made, loaded, saved, written down. On a web address the browser keeps it, on a file the player does.

import { addKey, unlock } from "./desk.mjs";
import { button, element, labelled, language, save } from "./dom.mjs";
import { keyFile, lockedFile, newKey } from "./key.mjs";
import { forgetKeys } from "./keeping.mjs";
import { fromWords, toWords } from "./paper.mjs";
import { say } from "./say.mjs";
import { privateKey } from "./sign.mjs";

export function keyPart(app) {
  const trouble = element("div", { id: "key-trouble" });
  const own = app.desk.keys[0];
  return [
    element("h2", {}, say("Your key")),
    app.desk.locked === null ? null : lockedKey(app, trouble),
    ...(own === undefined ? withoutKey(app, trouble) : withKey(app, own, trouble)),
    wordsIn(app, trouble),
    trouble,
  ];
}

function withoutKey(app, trouble) {
  const make = () =>
    app.guard(trouble, async () => {
      const key = await newKey();
      addKey(app.desk, key);
      app.unsaved.add(key.public);
      await app.changed();
      await app.redraw("key", "turn", "more");
      document.getElementById("save-key")?.focus();
    });
  return [
    element(
      "p",
      {},
      say(
        "A key is a small secret file that makes you the player of your seats: whatever you send is signed with it. If"
        + " you have one, drop it above, or choose it there. If this is your first game, make one.",
      ),
    ),
    button(say("Make a key"), make, { id: "make-key", class: "main" }),
  ];
}

const secret = (id) => element("input", { type: "password", id, autocomplete: "off" });

function lockedKey(app, trouble) {
  const typed = secret("passphrase");
  const open = () =>
    app.guard(trouble, async () => {
      app.findings = [await unlock(app.desk, typed.value)];
      await app.changed();
      await app.redraw();
    });
  return element(
    "form",
    { class: "box", onsubmit: (event) => (event.preventDefault(), open()) },
    labelled(say("Passphrase of {file}", { file: app.desk.locked.file }), typed),
    element("button", { id: "unlock", class: "main" }, say("Open the key")),
  );
}

function withKey(app, own, trouble) {
  const phrase = secret("lock-with");
  const keep = () =>
    app.guard(trouble, async () => {
      const bytes = phrase.value === "" ? await keyFile(own, language()) : await lockedFile(own, phrase.value, language());
      save(bytes, `pbem-key-${own.id}.json`);
      app.unsaved.delete(own.public);
      await app.redraw("key");
    });
  const isUnsaved = app.unsaved.has(own.public);
  const place = app.isFile
    ? say("This page keeps no key: save it as a file, and load it again next time.")
    : say("Your browser keeps it for this page. Save it as a file as well: a browser may lose what it keeps.");
  return [
    element("p", { id: "key-name" }, say("Your key is {id}.", { id: own.id })),
    element("p", { class: isUnsaved ? "note box" : "" }, isUnsaved ? say("It is new and not saved yet. Without it you can not go on with your games.") : place),
    own.native === null
      ? element("p", { class: "note box" }, say("This browser has no Ed25519 of its own, so the page signs with its own arithmetic, which is slower. Signatures are the same."))
      : null,
    element(
      "p",
      { class: "buttons" },
      button(say("Save the key file"), keep, { id: "save-key", class: isUnsaved ? "main" : "" }),
      button(say("Show it as 24 words"), () => showWords(own), { id: "show-words", "aria-controls": "words", "aria-expanded": "false" }),
      app.isFile ? null : button(say("Forget it in this browser"), () => forget(app), { id: "forget-key" }),
    ),
    element(
      "details",
      {},
      element("summary", {}, say("Lock the file with a passphrase")),
      element(
        "form",
        { onsubmit: (event) => (event.preventDefault(), keep()) },
        labelled(say("Passphrase for the file that you save"), phrase, say("Only if you like. Nobody can open the file without it, not even the host.")),
      ),
    ),
    element("div", { id: "words", hidden: true }),
  ];
}

async function forget(app) {
  await forgetKeys(app);
  await app.redraw("key", "turn", "more");
}

async function showWords(key) {
  const place = document.getElementById("words");
  place.hidden = !place.hidden;
  document.getElementById("show-words").setAttribute("aria-expanded", String(!place.hidden));
  const items = (await toWords(key.raw)).map((word) => element("li", {}, word));
  place.replaceChildren(
    element("p", {}, say("These words are your key: whoever has them can play as you. Write them down on paper, in this order.")),
    element("ol", { class: "words", lang: "en" }, items),
  );
}

function wordsIn(app, trouble) {
  const text = element("textarea", { rows: 3, id: "words-in", spellcheck: "false", autocomplete: "off", autocapitalize: "none" });
  const read = () =>
    app.guard(trouble, async () => {
      const key = await privateKey(await fromWords(text.value));
      addKey(app.desk, key);
      await app.changed();
      await app.redraw("key", "turn", "more");
    });
  return element(
    "details",
    {},
    element("summary", {}, say("I have my key as 24 words")),
    labelled(say("The 24 words"), text, say("Four letters of each are enough; numbers between them do no harm.")),
    button(say("Read the words"), read, { id: "read-words" }),
  );
}
