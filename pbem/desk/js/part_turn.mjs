// What waits for the player: an invitation to be taken up, a game to be confirmed, a move to be made; signed here.

import { opened, rulesOf } from "./app_state.mjs";
import { ringOf } from "./desk.mjs";
import { button, element, labelled, language } from "./dom.mjs";
import { confirming, joining, moving } from "./envelope.mjs";
import { objectIn } from "./inputs.mjs";
import { fileName } from "./outgoing.mjs";
import { Refused, refuse } from "../../site/js/refusal.mjs";
import { say } from "./say.mjs";

export function turnPart(app) {
  const now = opened(app);
  if (now === null) return null;
  const { view, invitation, game } = now;
  if (invitation !== null && (view === null || isOffered(app, now))) return joinForm(app, invitation, game);
  if (view === null) return null;
  const { payload } = view;
  switch (payload.phase) {
    case "join":
      return waiting(say("Wait until all seats are taken."));
    case "ready":
      return payload.owes ? readyForm(app, now) : waiting(say("Wait until everybody has confirmed."));
    case "over":
      return waiting(say("Nothing; the game is over."));
    default:
      return payload.asked ? moveForm(app, now) : waiting(say("Nothing now; a letter will tell you when it is your time."));
  }
}

// Whether the seat is offered, and none of the keys that are here has it yet: a new key, or a seat taken over.
function isOffered(app, { game, view, invitation }) {
  if (invitation.offer === null) return false;
  try {
    ringOf(app.desk, game, view.payload);
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
  return false;
}

const waiting = (sentence) => [element("h2", {}, say("What you may do")), element("p", { id: "waiting" }, sentence)];

// Signs by `work` and shows what to do with it; a refusal is shown at `trouble`.
export function signing(app, trouble, address, stem, work) {
  return app.guard(trouble, async () => {
    const envelope = await work();
    app.sent = { envelope, address, name: `${await stem()}.json` };
    await app.redraw("sent");
    document.getElementById("sent-head").focus();
  });
}

export const stemOf = ({ game, n, seat }, word) => async () => `${await fileName(game, String(n).padStart(4, "0"), seat)}.${word}`;

const signButton = (label, onclick) => button(label, onclick, { id: "sign", class: "main" });

function joinForm(app, invitation, game) {
  const { seat, address, charter, offer } = invitation;
  const trouble = element("div", { id: "turn-trouble" });
  const name = element("input", { type: "text", id: "name", maxlength: 60, autocomplete: "nickname" });
  const sign = () =>
    signing(app, trouble, address, async () => `${await fileName(game.id, seat)}.${offer ? "take" : "join"}`, () => {
      if (app.desk.keys.length === 0) throw refuse("desk/no-key");
      return joining(app.desk.keys[0], invitation, { name: name.value.trim(), lang: language() });
    });
  const { ruleset, seats } = charter.charter;
  return [
    element("h2", {}, offer ? say("A seat that you are offered") : say("Your invitation")),
    element(
      "p",
      {},
      say("Game {game}: {ruleset}, version {version}. Seats: {seats}. Yours would be {seat}.", {
        ...{ game: game.id, ruleset: ruleset.id, version: ruleset.version, seat },
        seats: seats.map((one) => say("{name}", { name: one })),
      }),
    ),
    labelled(say("What the others may call you"), name, say("In no log, and only if you like.")),
    element("p", {}, say("Your letters will come in the language that is chosen at the top of this page.")),
    signButton(say("Join: sign the answer"), sign),
    trouble,
  ];
}

function readyForm(app, { game, view: { payload } }) {
  const trouble = element("div", { id: "turn-trouble" });
  const setup = element("textarea", { rows: 3, id: "setup", spellcheck: "false" });
  const sign = () =>
    signing(app, trouble, payload.address, stemOf(payload, "ready"), async () =>
      confirming(ringOf(app.desk, game, payload), payload, objectIn(setup.value)),
    );
  return [
    element("h2", {}, say("Please confirm")),
    element("p", {}, say("All seats are taken. The game starts as soon as everybody has confirmed.")),
    element(
      "details",
      {},
      element("summary", {}, say("Choices of your own, if the game takes any")),
      labelled(say("As JSON, in braces"), setup, say("The page of the game says which there are. Empty is fine.")),
    ),
    signButton(say("Confirm: sign the answer"), sign),
    trouble,
  ];
}

function moveForm(app, { game, view: { payload } }) {
  const trouble = element("div", { id: "turn-trouble" });
  const draftOf = `${payload.game} ${payload.seat} ${payload.base}`;
  const rules = rulesOf(app, payload);
  const making = rules === null ? app.plainPanel : app.turnPanel;
  const panel = making({
    ...{ view: payload.view, menu: payload.menu, news: payload.news ?? [], seat: payload.seat, game: rules, lang: language() },
    draft: app.drafts.get(draftOf) ?? "",
  });
  panel.element.addEventListener("change", () => {
    app.drafts.set(draftOf, panel.text());
    app.changed();
  });
  const note = element("textarea", { rows: 2, id: "note", maxlength: 2000 });
  const lapse = element(
    "select",
    { id: "lapse" },
    element("option", { value: "go_on" }, say("go on with the next order")),
    element("option", { value: "stop" }, say("stop there, and ask me")),
  );
  const sign = () =>
    signing(app, trouble, payload.address, stemOf(payload, "signed"), async () =>
      moving(ringOf(app.desk, game, payload), payload, panel.orders(), { onLapse: lapse.value, note: note.value.trim() }),
    );
  return [
    element("h2", {}, say("Your turn")),
    element("div", { id: "panel" }, panel.element),
    labelled(say("If an order has become impossible when its time comes"), lapse),
    element(
      "details",
      {},
      element("summary", {}, say("A note to yourself")),
      labelled(say("Note"), note, say("Nobody can read it until the game is over; then everybody can, for good.")),
    ),
    signButton(say("Sign the move"), sign),
    trouble,
  ];
}
