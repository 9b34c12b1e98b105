// What was signed, ready to be mailed: as a file, as a mail that the mail program opens, or as text to be pasted.

import { utf8 } from "../../site/js/bytes.mjs";
import { announce } from "./announce.mjs";
import { button, element, labelled, language, save, told } from "./dom.mjs";
import { mailText, mailto, prettyText, subject } from "./outgoing.mjs";
import { say } from "./say.mjs";

export function sentPart(app) {
  if (app.sent === null) return null;
  const { envelope, address, name } = app.sent;
  const text = prettyText(envelope);
  const letter = mailto(envelope, address, language());
  const shown = element("textarea", { id: "signed", rows: 8, readonly: true, spellcheck: "false" });
  shown.value = text;
  const file = new File([text], name, { type: "application/json" });
  const shared = { files: [file], title: told(subject(envelope)) };
  return [
    element("h2", { id: "sent-head", tabindex: "-1" }, say("Signed: now mail it")),
    element("p", {}, say("Send a mail with this answer to the address below: attach the file, or paste the text. Nothing has happened before it is there.")),
    element(
      "dl",
      {},
      element("dt", {}, say("To")),
      element("dd", {}, element("code", { id: "address" }, address)),
      element("dt", {}, say("Subject")),
      element("dd", {}, element("span", { id: "subject" }, subject(envelope))),
      element("dt", {}, say("File")),
      element("dd", {}, element("code", { id: "file-name" }, name)),
    ),
    element(
      "p",
      { class: "buttons" },
      element("a", { class: "button main", id: "mailto", href: letter.href }, say("Open it in your mail program")),
      button(say("Save the file"), () => save(utf8(text), name), { id: "save-move" }),
      button(say("Copy the text to be mailed"), () => copy(text, shown), { id: "copy" }),
      button(say("Copy all, with address and subject"), () => copy(mailText(envelope, address, language()), shown), { id: "copy-all" }),
      canShare(shared) ? button(say("Share the file"), () => share(shared), { id: "share" }) : null,
    ),
    letter.whole ? null : element("p", { class: "note box", id: "too-long" }, say("This answer is too long to be put into the mail program by itself: attach the file, or copy the text and paste it into the mail.")),
    labelled(say("The text to be mailed, from the first brace to the last"), shown),
  ];
}

const canShare = (shared) => typeof navigator.canShare === "function" && navigator.canShare(shared);

async function share(shared) {
  try {
    await navigator.share(shared);
  } catch (error) {
    if (error.name !== "AbortError") announce(say("It could not be shared. Save the file or copy the text instead."));
  }
}

async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    announce(say("Copied."));
  } catch {
    shown.focus(); // a browser that asks the reader to do it himself
    shown.select();
    announce(say("The browser does not let the page copy. The text is marked: copy it with your keyboard or finger."));
  }
}
