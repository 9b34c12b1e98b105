// What a log has established so far: the ledger. Decides nothing; it answers who is still waited for, what the
// accumulator of the open turn will be, whether a move is fresh. Digests, keys, tips and links are hex, as in
// the file. A ledger is never changed: what comes after is a new one.

import { nextAcc, setupAcc } from "./draws.mjs";
import { quoted, refuse } from "./refusal.mjs";

const SEAT = { public_key: "", tip: "", link: "", ready: false, resigned: false, reveal: "", excused: false, moved: 0 };

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
  return ledger.phase === "playing" && ledger.due.includes(seat) && entry.reveal === "" && !entry.excused;
}

// The due seats that have neither given their link nor been excused, in charter order.
export const waiting = (ledger) => seatsOf(ledger).filter((seat) => owesReveal(ledger, seat));

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
