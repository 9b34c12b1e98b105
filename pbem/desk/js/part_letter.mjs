// Where files come in: dropped, chosen, or pasted as text.

import { utf8 } from "../../site/js/bytes.mjs";
import { filesOf, opened } from "./app_state.mjs";
import { button, element, labelled } from "./dom.mjs";
import { toldList } from "./part_told.mjs";
import { say } from "./say.mjs";

export function letterPart(app) {
  const input = element("input", {
    type: "file",
    multiple: true,
    id: "files",
    class: "unseen",
    onchange: async () => app.take(await filesOf(input.files)),
  });
  const pasted = element("textarea", { rows: 4, id: "pasted", spellcheck: "false" });
  const take = () => {
    const text = pasted.value;
    pasted.value = "";
    return text.trim() !== "" && app.take([{ name: "", bytes: utf8(text) }]);
  };
  return [
    element("h2", {}, say("Your letters")),
    element(
      "p",
      {},
      say(
        "Save the letter in your mail program as a file (.eml), or save its attachments, and drop it here: the"
        + " invitation, or the letter that says that it is your move. Several at once are fine.",
      ),
    ),
    element(
      "div",
      { class: "drop" },
      input,
      element("label", { for: "files", class: "button main" }, say("Choose letters, attachments, or your key file")),
      element("p", { class: "hint" }, say("Or drop them anywhere on this page.")),
    ),
    element(
      "details",
      {},
      element("summary", {}, say("Paste a letter as text")),
      labelled(say("All of the letter's text, or of an attachment"), pasted),
      button(say("Read this"), take, { id: "read" }),
    ),
    app.findings.length === 0 ? null : element("div", { id: "findings" }, element("h3", {}, say("What was found")), toldList(app.findings)),
    chooser(app),
  ];
}

// Which game and seat is open, where there are several.
function chooser(app) {
  const places = [...app.desk.games.values()].flatMap((game) =>
    [...new Set([...game.views.keys(), ...game.invitations.keys()])].map((seat) => ({ game: game.id, seat })),
  );
  if (places.length < 2) return null;
  const now = opened(app);
  const options = places.map(({ game, seat }, i) =>
    element("option", { value: i, selected: now !== null && now.game.id === game && now.seat === seat }, say("{game}: {seat}", { game, seat })),
  );
  const select = element("select", { id: "place", onchange: () => app.choose(places[select.value].game, places[select.value].seat) }, options);
  return labelled(say("Open game"), select);
}
