// What else a player may send: standing orders, a message, his leaving.

import { opened } from "./app_state.mjs";
import { ringOf } from "./desk.mjs";
import { button, element, labelled } from "./dom.mjs";
import { pressing, resigning, standing } from "./envelope.mjs";
import { objectIn } from "./inputs.mjs";
import { signing, stemOf } from "./part_turn.mjs";
import { say } from "./say.mjs";

export function morePart(app) {
  const now = opened(app);
  if (now === null || now.view === null || now.view.payload.phase === "over") return null;
  const { phase } = now.view.payload;
  const forms = [phase === "join" ? null : standingForm(app, now), pressForm(app, now), phase === "play" ? resignForm(app, now) : null];
  return [element("h2", {}, say("More")), ...forms];
}

const form = (id, title, trouble, ...parts) => element("details", { id }, element("summary", {}, title), ...parts, trouble);

function standingForm(app, { game, view: { payload } }) {
  const trouble = element("div");
  const policy = element("textarea", { rows: 5, id: "policy", spellcheck: "false" });
  const sign = () =>
    signing(app, trouble, payload.address, stemOf(payload, "standing"), async () =>
      standing(ringOf(app.desk, game, payload), payload, objectIn(policy.value)),
    );
  return form(
    "standing",
    say("Standing orders"),
    trouble,
    element("p", {}, say("They answer for you, in advance, what is decided in somebody else's turn. They count from the next turn that opens, in place of your old ones.")),
    labelled(say("As JSON, in braces"), policy, say("The page of the game says which there are. Empty is fine.")),
    button(say("Sign the standing orders"), sign, { id: "sign-standing" }),
  );
}

function pressForm(app, { game, view: { payload } }) {
  const trouble = element("div");
  const others = payload.seats.filter((seat) => seat !== payload.seat);
  const to = element("select", { id: "to" }, element("option", { value: "" }, say("all")), others.map((seat) => element("option", { value: seat }, seat)));
  const text = element("textarea", { rows: 4, id: "press", maxlength: 4000 });
  const sign = () =>
    signing(app, trouble, payload.address, stemOf(payload, "press"), async () =>
      pressing(ringOf(app.desk, game, payload), payload, to.value === "" ? "all" : [to.value], text.value.trim()),
    );
  return form("message", say("A message to the other players"), trouble, labelled(say("To"), to), labelled(say("Message"), text), button(say("Sign the message"), sign, { id: "sign-press" }));
}

function resignForm(app, { game, view: { payload } }) {
  const trouble = element("div");
  const typed = element("input", { type: "text", id: "leave-name", autocomplete: "off", autocapitalize: "none" });
  const sign = () =>
    signing(app, trouble, payload.address, stemOf(payload, "resign"), async () => resigning(ringOf(app.desk, game, payload), payload));
  const leave = button(say("Sign that you leave"), sign, { id: "sign-resign", disabled: true });
  typed.addEventListener("input", () => {
    leave.disabled = typed.value.trim() !== payload.seat;
  });
  return form(
    "leave",
    say("Leave the game"),
    trouble,
    element("p", {}, say("This takes {seat} out of the game {game} for good.", { seat: payload.seat, game: payload.game })),
    labelled(say("Type the name of your seat if you mean it:"), typed),
    leave,
  );
}
