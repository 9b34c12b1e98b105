// The desk page: its state, its parts in their order, and what happens when one of them changes something.
//
// The bundle calls `start` with what the games bring. Every part is a function from the app to an element; it is drawn
// anew when the app says so, except for the turn panel, which stays as long as its letter does.

import { Refused } from "../../site/js/refusal.mjs";
import { announce } from "./announce.mjs";
import { filesOf, opened } from "./app_state.mjs";
import { useCodes } from "./codes.mjs";
import { newDesk, take } from "./desk.mjs";
import { byId, element, fill, language, speak, told } from "./dom.mjs";
import { alert } from "./part_told.mjs";
import { boardPart } from "./part_board.mjs";
import { checkPart } from "./part_check.mjs";
import { keyPart } from "./part_key.mjs";
import { letterPart } from "./part_letter.mjs";
import { morePart } from "./part_more.mjs";
import { sentPart } from "./part_sent.mjs";
import { turnPart } from "./part_turn.mjs";
import { plainPanel } from "./plain_panel.mjs";
import { withHashes } from "./hashes.mjs";
import { languages, plural, say, useCatalog } from "./say.mjs";
import { keepDesk, recall } from "./keeping.mjs";
import { openShelf } from "./shelf.mjs";

const PARTS = {
  letter: letterPart,
  key: keyPart,
  check: checkPart,
  board: boardPart,
  turn: turnPart,
  sent: sentPart,
  more: morePart,
};
const NO_HTTPS = say(
  "This address has no https: who sits between you and it may have changed this page. Ask the host for one that has, or"
  + " save the page of your invitation as a file and open that.",
);
const NAMES = { en: "English", fi: "Suomi", de: "Deutsch", hu: "Magyar" };

// `games` are modules {id, version, picture, menu, foresee}, each of these may be missing; `turnPanel` is the panel. `data` are {codes, catalogs, version}.
export async function start({ games = [], turnPanel = null, data }) {
  withHashes();
  useCodes(data.codes);
  for (const [lang, messages] of Object.entries(data.catalogs)) useCatalog(lang, messages);
  const app = {
    desk: newDesk(),
    games: new Map(games.map((game) => [`${game.id} ${game.version}`, game])),
    turnPanel: turnPanel ?? plainPanel,
    plainPanel,
    version: data.version,
    isFile: location.protocol === "file:",
    shelf: null,
    chosen: null,
    findings: [],
    sent: null,
    unsaved: new Set(),
    drafts: new Map(),
  };
  app.shelf = await openShelf();
  app.redraw = (...names) => redraw(app, names);
  app.take = (files) => takeFiles(app, files);
  app.choose = (game, seat) => choose(app, game, seat);
  app.changed = () => keepDesk(app);
  app.guard = (place, work) => guard(place, work);
  await recall(app);
  await setLanguage(app, app.lang ?? fromBrowser());
  listenToDrops(app);
  window.addEventListener("beforeunload", (event) => app.unsaved.size > 0 && event.preventDefault());
}

const fromBrowser = () => navigator.languages.map((lang) => lang.slice(0, 2)).find((lang) => languages().includes(lang)) ?? "en";

export async function setLanguage(app, lang) {
  app.lang = lang;
  speak(lang);
  document.documentElement.lang = lang;
  document.title = told(say("The desk: a game by mail"));
  const hadFocus = document.activeElement?.id === "lang";
  await keepingWords(app, () => {
    drawFrame(app);
    if (hadFocus) byId("lang").focus();
    return redraw(app, Object.keys(PARTS));
  });
}

// Draws, and leaves in the fields what was written there and is not signed yet, as long as the same letter is open.
async function keepingWords(app, draw) {
  const letter = () => JSON.stringify([app.chosen, opened(app)?.view?.payload.base]);
  const before = letter();
  const fields = [...document.querySelectorAll("main :is(textarea, select, input:not([type=file]))")];
  const written = fields.filter((one) => one.id && !one.readOnly).map(({ id, value }) => [id, value]);
  await draw();
  if (letter() !== before) return;
  for (const [id, value] of written) {
    const place = byId(id);
    if (place === null || value === "" || (place.value !== "" && place.tagName !== "SELECT")) continue;
    place.value = value;
    place.dispatchEvent(new Event("input"));
    if (place.tagName !== "SELECT") place.closest("details")?.setAttribute("open", "");
  }
}

function drawFrame(app) {
  const options = languages().map((lang) => element("option", { value: lang, selected: lang === language(), lang }, NAMES[lang] ?? lang));
  const select = element("select", { id: "lang", onchange: () => (setLanguage(app, select.value), app.changed()) }, options);
  fill(
    byId("app"),
    element(
      "header",
      {},
      element("h1", {}, say("The desk"), " ", element("small", {}, say("a game by mail"))),
      element("label", { class: "lang", for: "lang" }, say("Language")),
      select,
    ),
    window.isSecureContext === false ? element("p", { class: "note box", id: "no-https" }, NO_HTTPS) : null,
    element("main", {}, Object.keys(PARTS).map((name) => element("section", { id: `part-${name}` }))),
    element("p", { id: "live", role: "status", class: "aside" }),
    element(
      "footer",
      {},
      element("p", {}, say("This page asks nothing of any network: what you give to it stays in your browser, and nobody is told.")),
      element("p", {}, say("Made by pbem {version}.", { version: app.version })),
    ),
  );
}

async function redraw(app, names) {
  for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
    const place = byId(`part-${name}`);
    const drawn = await PARTS[name](app);
    place.hidden = drawn === null;
    fill(place, ...(drawn === null ? [] : [drawn].flat()));
  }
}

async function takeFiles(app, files) {
  await keepingWords(app, () => taken(app, files));
  announce(plural("{n} thing to read about what you gave.", "{n} things to read about what you gave.", app.findings.length));
}

async function taken(app, files) {
  app.findings = await take(app.desk, files);
  const games = [...app.desk.games.values()];
  const newest = games.filter((game) => game.views.size + game.invitations.size > 0);
  if (app.chosen === null && newest.length > 0) choose(app, ...placeIn(newest.at(-1)), false);
  const last = app.findings.findLast((one) => one.place);
  if (last) choose(app, ...last.place, false);
  await app.changed();
  await redraw(app, []);
}

const placeIn = (game) => [game.id, [...game.views.keys(), ...game.invitations.keys()][0]];

function choose(app, game, seat, drawn = true) {
  app.chosen = { game, seat };
  app.sent = null;
  if (drawn) return redraw(app, []);
  return undefined;
}

// Work whose refusal is shown at a place.
async function guard(place, work) {
  fill(place);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fill(place, alert(error));
    return undefined;
  }
}

function listenToDrops(app) {
  const over = (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  };
  const out = () => document.body.classList.remove("over");
  addEventListener("dragover", over);
  addEventListener("dragleave", out);
  addEventListener("drop", async (event) => {
    event.preventDefault();
    out();
    await app.take(await filesOf(event.dataTransfer.files));
  });
}
