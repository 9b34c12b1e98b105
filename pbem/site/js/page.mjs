// The replay page: a game turn by turn, from any seat's eyes, and the verdict on the log that the page carries.
// It asks nothing of any network; what it shows stands in the page itself.

import { hex, sha256, unbase64, utf8 } from "./bytes.mjs";
import { spell } from "./canonical.mjs";
import { byId, dataOf, element, replace, say, useWords } from "./dom.mjs";
import { rollsOf } from "./rolls.mjs";
import { nameOf, pictureOf, placeOf, textOf, writtenOn } from "./tale.mjs";
import { showVerdict } from "./verdict.mjs";
import { verify } from "./verify.mjs";

const SECONDS_A_MOMENT = 2;
const OPEN = "open";

const written = writtenOn(document); // before anything on the page is changed
const { words, codes } = fitting("words", ({ words, codes }) => words && codes) ?? {
  words: { "verdict.tale": byId("verdict").dataset.changed },
  codes: {},
};
useWords(words);
const tale = fitting("tale", ({ moments }) => Array.isArray(moments)) ?? { moments: [], seats: [], lines: [], pieces: [] };
const bytes = unbase64(byId("log").textContent.replace(/\s+/g, "")) ?? new Uint8Array();
const state = { at: 0, eyes: "0", timer: null, log: null };

const last = () => tale.moments.length - 1;

// The JSON of an element, null where it is not what pbem writes there: a page that was changed must still judge.
function fitting(id, isRight) {
  try {
    const found = dataOf(id);
    return isRight(found) ? found : null;
  } catch {
    return null;
  }
}

function go(to) {
  if (tale.moments.length === 0) return;
  state.at = Math.max(0, Math.min(last(), to));
  show();
  const { turn, n } = tale.moments[state.at];
  const address = placeOf(tale, `turn-${turn}`) === state.at ? `#turn-${turn}` : `#record-${n}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

function show() {
  const moment = tale.moments[state.at];
  if (moment === undefined) return;
  byId("place").value = String(state.at);
  byId("place").setAttribute("aria-valuetext", titleOf(moment));
  byId("turn").value = String(moment.turn);
  replace(byId("moment"), titleOf(moment));
  byId("when").textContent = moment.at;
  byId("when").dateTime = moment.at;
  byId("columns").classList.toggle("open", state.eyes === OPEN);
  replace(byId("pictures"), ...picturesOf(moment));
  replace(byId("diary"), diaryOf(moment));
  replace(byId("rolls"), ...(state.log === null ? [element("p", {}, say("rolls.wait"))] : rollsOf(state.log, moment.n, state.eyes === OPEN)));
  replace(byId("written"), ...writtenOf(moment));
  byId("written-part").hidden = byId("written").childElementCount === 0;
  for (const [id, end] of [["first", 0], ["back", 0], ["next", last()], ["last", last()]]) byId(id).disabled = state.at === end;
}

function titleOf({ turn, kind, seat }) {
  return say(`moment.${kind}`, { turn, seat: nameOf(tale, seat) });
}

function picturesOf(moment) {
  const eyes = moment.eyes ?? [];
  if (eyes.length === 0) return [element("p", {}, say("picture.none"))];
  if (state.eyes !== OPEN) return [frame(eyes[Number(state.eyes)].picture, null)];
  return eyes.slice(1).map((seen, i) => frame(seen.picture, say("picture.of", { seat: tale.seats[i].name })));
}

function frame(pieces, caption) {
  const drawn = pictureOf(tale, pieces);
  if (caption !== null) drawn.setAttribute("aria-label", caption);
  return element("figure", {}, drawn, caption === null ? null : element("figcaption", {}, caption));
}

function diaryOf(moment) {
  const eyes = moment.eyes ?? [];
  if (eyes.length > 0) return textOf(tale, state.eyes === OPEN ? moment.open : eyes[Number(state.eyes)].diary);
  const step = state.log?.steps[moment.n];
  return step === undefined ? "" : step.record.events.map(spell).join("\n");
}

// What the player of a move wrote, once it was opened, shown to who sees all.
function writtenOf(moment) {
  const payload = state.eyes === OPEN ? state.log?.opened.get(moment.n) : undefined;
  if (payload?.orders === undefined) return [];
  const orders = element("ol", {}, ...payload.orders.map((order) => element("li", {}, element("code", {}, spell(order)))));
  const note = payload.note === undefined ? null : element("p", {}, say("written.note", { note: payload.note }));
  return note === null ? [orders] : [orders, note];
}

function play(on) {
  clearInterval(state.timer);
  state.timer = on ? setInterval(() => (state.at < last() ? go(state.at + 1) : play(false)), 1000 * SECONDS_A_MOMENT) : null;
  byId("play").setAttribute("aria-pressed", String(on));
  byId("play").textContent = say(on ? "control.pause" : "control.play");
}

function turnBy(step) {
  const turn = tale.moments[state.at]?.turn ?? 0;
  const place = placeOf(tale, `turn-${turn + step}`);
  go(place < 0 ? (step < 0 ? 0 : last()) : place);
}

function look(eyes) {
  if (![...byId("eyes").options].some((option) => option.value === eyes && !option.disabled)) return;
  state.eyes = eyes;
  byId("eyes").value = eyes;
  show();
}

const KEYS = {
  ArrowLeft: () => go(state.at - 1),
  ArrowRight: () => go(state.at + 1),
  PageUp: () => turnBy(-1),
  PageDown: () => turnBy(1),
  Home: () => go(0),
  End: () => go(last()),
  p: () => play(state.timer === null),
  o: () => look(OPEN),
};

function pressed(event) {
  const typing = event.target.closest?.("select, input, textarea, pre, [tabindex]");
  if (event.ctrlKey || event.altKey || event.metaKey || (typing && event.key.length > 1)) return;
  const eyes = /^[0-9]$/.test(event.key) ? () => look(event.key) : undefined;
  const act = KEYS[event.key] ?? eyes;
  if (act === undefined) return;
  event.preventDefault();
  act();
}

// Every moment one after the other, for paper.
function printed() {
  const whole = byId("whole").checked;
  document.body.classList.toggle("whole", whole);
  const moments = whole ? tale.moments : [];
  replace(
    byId("paper"),
    ...moments.map((moment) => element("section", {}, element("h2", {}, titleOf(moment)), ...picturesOf(moment), element("pre", {}, diaryOf(moment)))),
  );
}

function save() {
  const link = element("a", { href: URL.createObjectURL(new Blob([bytes])), download: "game.pbem" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function darken() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  byId("theme").setAttribute("aria-pressed", String(!dark));
}

function listen() {
  const clicks = { first: KEYS.Home, back: KEYS.ArrowLeft, next: KEYS.ArrowRight, last: KEYS.End, play: KEYS.p };
  for (const [id, act] of Object.entries({ ...clicks, theme: darken, save, print: () => window.print() })) byId(id).addEventListener("click", act);
  byId("place").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("turn").addEventListener("change", (event) => go(placeOf(tale, `turn-${event.target.value}`)));
  byId("eyes").addEventListener("change", (event) => look(event.target.value));
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => follow());
  window.addEventListener("beforeprint", printed);
}

function follow() {
  const place = placeOf(tale, location.hash);
  if (place >= 0) go(place);
}

// The verdict, and with it the log by record number for what is shown beside the tale.
async function judge() {
  const verdict = await verify(bytes);
  const records = verdict.steps.map((step) => step.record);
  const ofKind = (kind) => records.filter((record) => record.kind === kind);
  state.log = {
    steps: verdict.steps,
    end: ofKind("end")[0],
    drawn: new Map(ofKind("drawn").map((record) => [record.of, record.draws])),
    opened: new Map(ofKind("opened").map((record) => [record.of, record.payload_and_sig.payload])),
  };
  const told = hex(await sha256(utf8(written)));
  const own = told === byId("tale").dataset.digest && tale.log === hex(await sha256(bytes));
  showVerdict(byId("verdict"), verdict, codes, own);
  showAnyhow();
}

// Shows what can be shown; of a tale that was changed that may be nothing, and the verdict says why.
function showAnyhow() {
  try {
    show();
  } catch (error) {
    console.warn(error);
  }
}

listen();
play(false);
showAnyhow();
follow();
judge().catch((error) => {
  byId("verdict").dataset.verdict = "fault";
  replace(byId("verdict"), element("p", { class: "headline" }, say("verdict.broken", { problem: String(error) })));
});
