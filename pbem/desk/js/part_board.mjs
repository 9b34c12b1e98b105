// How things stand: the board as a picture and as tables, and the letter's own words.

import { opened, rulesOf } from "./app_state.mjs";
import { element, language } from "./dom.mjs";
import { say } from "./say.mjs";
import { draw } from "./shown.mjs";

export function boardPart(app) {
  const now = opened(app);
  if (now === null || now.view === null) return null;
  const { payload, letter } = now.view;
  const picture = board(app, payload);
  return [
    element("h2", {}, say("Game {game}, turn {turn}: you are {seat}", { game: payload.game, turn: payload.turn, seat: payload.seat })),
    picture === null ? null : element("div", { id: "board" }, picture),
    letter === null || letter.text === ""
      ? null
      : element(
          "details",
          { id: "letter-text", open: picture === null },
          element("summary", {}, say("The letter: {subject}", { subject: letter.subject })),
          element("pre", { tabindex: "0" }, letter.text),
        ),
  ];
}

// The picture with its tables, where the page has the rules of the game; while it is the player's turn, the turn panel has it.
function board(app, { view, news = [], ...payload }) {
  const rules = rulesOf(app, payload);
  if (view === undefined || rules?.picture === undefined) return null;
  return payload.phase === "play" && payload.asked ? [] : draw(rules.picture(view, news), language());
}
