// How things stand: the board as a picture and as tables, and the letter's own words.

import { opened, rulesOf } from "./app_state.mjs";
import { element, language } from "./dom.mjs";
import { say } from "./say.mjs";

export function boardPart(app) {
  const now = opened(app);
  if (now === null || now.view === null) return null;
  const { payload, letter } = now.view;
  return [
    element("h2", {}, say("Game {game}, turn {turn}: you are {seat}", { game: payload.game, turn: payload.turn, seat: payload.seat })),
    element("div", { id: "board" }, board(app, payload)),
    letter === null || letter.text === ""
      ? null
      : element(
          "details",
          { id: "letter-text", open: app.draw === null },
          element("summary", {}, say("The letter: {subject}", { subject: letter.subject })),
          element("pre", { tabindex: "0" }, letter.text),
        ),
  ];
}

// The picture and its tables, where the page has the rules of the game.
function board(app, payload) {
  const rules = rulesOf(app, payload);
  if (payload.view === undefined || rules?.picture === undefined || app.draw === null) return null;
  return app.draw(rules.picture(payload.view, payload.news ?? []), language());
}
