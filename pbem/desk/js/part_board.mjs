// How things stand: the board as a picture, and the letter's own words.

import { opened, rulesOf } from "./app_state.mjs";
import { element, language } from "./dom.mjs";
import { toSvg } from "./picture.mjs";
import { say } from "./say.mjs";

const DARK = "(prefers-color-scheme: dark)";

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

// The picture, where the page has the rules of the game; drawn again when the reader turns the lights off.
function board(app, { view, news = [], ...payload }) {
  const rules = rulesOf(app, payload);
  if (view === undefined || rules?.picture === undefined) return null;
  const shapes = rules.picture(view, news);
  const place = element("figure", { class: "picture" });
  const lights = matchMedia(DARK);
  const draw = () => place.replaceChildren(svgOf(toSvg(shapes, language(), { dark: lights.matches })));
  lights.addEventListener("change", () => place.isConnected && draw());
  draw();
  return place;
}

// Markup that picture.mjs has made and escaped, as an element. No script of it would run.
function svgOf(markup) {
  return document.importNode(new DOMParser().parseFromString(markup, "image/svg+xml").documentElement, true);
}
