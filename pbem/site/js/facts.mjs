// What a log has established so far: the ledger. Decides nothing; it answers who is still waited for, what the
// accumulator of the open turn will be, whether a move is fresh. Digests, keys, tips and links are hex, as in
// the file. A ledger is never changed: what comes after is a new one.

import { nextAcc, setupAcc } from "./draws.mjs";
import { quoted, refuse } from "./refusal.mjs";

const KEYS = { newTip: "", since: 0, linkless: false, linked: 0 };
const UNDO = { came: 0, back: false, wish: 0 };
const SEAT = { public_key: "", tip: "", link: "", ready: false, resigned: false, reveal: "", excused: false, moved: 0, ...KEYS, ...UNDO };

export const newMember = (seat) => ({ ...SEAT, seat });

export const seatsOf = (ledger) => ledger.roster.map((entry) => entry.seat);

export function member(ledger, seat) {
  const found = ledger.roster.find((entry) => entry.seat === seat);
  if (found === undefined) throw refuse("log/unknown-seat", { seat: quoted(seat) });
  return found;
}

export const withMember = (ledger, changed) => ({
  ...ledger,
  roster: ledger.roster.map((entry) => (entry.seat === changed.seat ? changed : entry)),
});

// True if the seat's next move of the open turn must give its next link.
export function owesReveal(ledger, seat) {
  const entry = member(ledger, seat);
  return isAwaited(ledger, entry) && !entry.linkless && !entry.back;
}

// True while a due seat has neither given its link nor been excused; without a chain, while it has not moved.
// A seat whose coming in was undone is awaited till it comes in again.
export function isAwaited(ledger, entry) {
  const due = ledger.phase === "playing" && ledger.due.includes(entry.seat);
  if (!due) return false;
  if (entry.back) return true;
  if (entry.reveal !== "" || entry.excused) return false;
  return !(entry.linkless && entry.moved > ledger.opening);
}

// The due seats that are still awaited, in charter order.
export const waiting = (ledger) =>
  ledger.roster.filter((entry) => isAwaited(ledger, entry)).map((entry) => entry.seat);

// True if the key (hex) is or was that of a seat, or is the host's.
export const isKeyUsed = (ledger, key) =>
  [ledger.hostKey, ...ledger.endedKeys, ...ledger.roster.map((entry) => entry.public_key)].includes(key);

// The roster at the opening of a turn: new tips count for whom every other seat has given a link since.
export const withChains = (ledger) => ledger.roster.map((entry) => (entry.newTip === "" ? entry : withChain(ledger, entry)));

function withChain(ledger, entry) {
  const others = ledger.roster.filter((other) => other.seat !== entry.seat && !other.resigned && !other.linkless);
  if (others.some((other) => other.linked <= entry.since)) return entry;
  return { ...entry, tip: entry.newTip, link: entry.newTip, newTip: "", since: 0, linkless: false };
}

// The records of the open turn that it can be put back to: those that the position came through.
export const placesBack = (ledger) => ledger.course.slice(0, -1);

// True if every seat still in the game wishes to go back to record `to`.
export const isAgreed = (ledger, to) => ledger.roster.every((entry) => entry.resigned || entry.wish === to);

export const withoutWishes = (ledger) => ({ ...ledger, roster: ledger.roster.map((entry) => ({ ...entry, wish: 0 })) });

// True if no record after record `base` changed the position; a seat's own moves do.
export const isFresh = (ledger, seat, base) => base >= ledger.changed && base >= member(ledger, seat).moved;

// True after the end, when every envelope has been opened.
export const isFinished = (ledger) => ledger.phase === "ended" && ledger.opened === ledger.envelopes;

export const accOfSetup = (ledger, hostLink) =>
  setupAcc(
    ledger.charter,
    hostLink,
    ledger.roster.map((entry) => [entry.public_key, entry.tip, entry.link]),
  );

export const revealsOf = (ledger) => ledger.roster.map((entry) => entry.reveal);

export const accOfTurn = (ledger, hostLink) => nextAcc(ledger.acc, ledger.turn, hostLink, revealsOf(ledger));
