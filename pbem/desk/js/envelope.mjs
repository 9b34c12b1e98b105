// The envelopes that a player sends: signed answers to an invitation or to a view. The twin of pbem/player/answers.py:
// it decides what is in them beside the player's own choices: game, seat, base, revision, link.

import { ENVELOPE, canonical, read } from "../../site/js/canonical.mjs";
import { refuse } from "../../site/js/refusal.mjs";
import { linkOfRing, seatTip } from "./ring.mjs";
import { seal } from "./sign.mjs";

const head = ({ game, seat, base }, kind) => ({ v: 1, kind, game, seat, base });
const rev = (view, kind) => (view.revs[kind] ?? -1) + 1;
const place = ({ game, seat, charter, link, given }) => ({ game, seat, charter, link, given });
const during = (view, ...phases) => {
  if (!phases.includes(view.phase)) throw refuse("kit/not-playing");
};

// Takes the seat of an invitation, or takes over the one that is offered. `name` and `lang` stand beside the payload.
export async function joining(key, { game, seat, token, charter, offer }, { name = "", lang = "en" } = {}) {
  if (offer && offer.used.includes(key.public)) throw refuse("kit/key-spent", { game });
  const payload = {
    ...head({ game, seat, base: offer ? offer.base : charter.digest }, offer ? "take" : "join"),
    token,
    public_key: key.public,
    tip: await seatTip(key, game, seat, charter.digest),
  };
  return signed(key, payload, name === "" ? { lang } : { name, lang });
}

// Confirms, and gives link 1. Refused: `kit/not-ready-time`, `kit/not-your-link`.
export async function confirming(keys, view, setup = {}) {
  if (view.phase !== "ready" || !view.owes) throw refuse("kit/not-ready-time");
  return signed(keys[0], { ...head(view, "ready"), reveal: await linkOfRing(keys, place(view)), setup, rev: rev(view, "ready") });
}

// Plays, with the next link where one is owed. A note is sealed till the end of the game, then public.
export async function moving(keys, view, orders, { onLapse = "go_on", note = "" } = {}) {
  during(view, "play");
  if (orders.length === 0) throw refuse("kit/no-orders");
  if (Array.from(note).length > 2000) throw refuse("file/shape", { where: "$.note" });
  const payload = { ...head(view, "move"), turn: view.turn, orders, rev: rev(view, "move") };
  if (view.owes) payload.reveal = await linkOfRing(keys, place(view));
  if (onLapse !== "go_on") payload.on_lapse = onLapse;
  if (note !== "") payload.note = note;
  return signed(keys[0], payload);
}

// Replaces the seat's standing orders.
export async function standing(keys, view, policy) {
  during(view, "ready", "play");
  return signed(keys[0], { ...head(view, "standing"), policy, rev: rev(view, "standing") });
}

// A message to seats, or to "all".
export async function pressing(keys, view, to, text) {
  if (view.phase === "over") throw refuse("kit/not-playing");
  if (text === "" || Array.from(text).length > 4000) throw refuse("file/shape", { where: "$.text" });
  return signed(keys[0], { ...head(view, "press"), to, text, rev: rev(view, "press") });
}

// Leaves the game.
export async function resigning(keys, view) {
  during(view, "play");
  return signed(keys[0], head(view, "resign"));
}

async function signed(key, claim, about = undefined) {
  // 1. both parts are of the subset, one level below the whole
  const inside = { size: ENVELOPE.size, depth: ENVELOPE.depth - 1 };
  const payload = read(canonical(claim), inside);
  const aside = about === undefined ? {} : { aside: read(canonical(about), inside) };
  // 2. sealed, and small enough
  const envelope = { payload, sig: await seal(key, payload), ...aside };
  const size = canonical(envelope).length;
  if (size > ENVELOPE.size) throw refuse("file/too-long", { size, limit: ENVELOPE.size });
  return envelope;
}
