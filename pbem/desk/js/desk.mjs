// The desk: what a player has given to the page, and what follows from it. Takes files, tells what was found in them
// and what was checked; draws nothing and keeps nothing beyond the page (shelf.mjs does).

import { text } from "../../site/js/bytes.mjs";
import { isObject } from "../../site/js/canonical.mjs";
import { Refused, refuse } from "../../site/js/refusal.mjs";
import { checked, cut, digestOf, learn } from "./history.mjs";
import { KIND, readKey } from "./key.mjs";
import { open } from "./mail.mjs";
import { say } from "./say.mjs";
import { claimView, kindOf, readCharter, readFile, readInvitation, trustView } from "./trust.mjs";

const good = (...says) => ({ tone: "good", says });
const note = (...says) => ({ tone: "note", says });
const bad = ({ code, args, line }) => ({ tone: "bad", says: [], code, args, ...(line === undefined ? {} : { line }) });

export const newDesk = () => ({ keys: [], games: new Map(), loose: [], locked: null });

// What is known of a game: its charter (null until a file has brought it), the lines of the log with what level 1 said
// of them, the seats' invitations and newest views.
export const newGame = (id) => ({ id, charter: null, lines: [], aside: [], report: null, fault: null, invitations: new Map(), views: new Map() });

export function gameOf(desk, id) {
  if (!desk.games.has(id)) desk.games.set(id, newGame(id));
  return desk.games.get(id);
}

// Files [{name, bytes}] taken to the desk, all together: what one brings may be needed to judge another. Gives what is
// to be said of each: {tone: "good" | "note" | "bad", says, code?, args?, file}.
export async function take(desk, files) {
  const heap = { keys: [], invitations: [], logs: [], views: [], findings: [] };
  for (const file of files) await guarded(heap, file.name, () => sortFile(heap, file));
  for (const { file, bytes } of heap.keys) await guarded(heap, file, () => takeKey(desk, bytes, file));
  for (const { file, value } of heap.invitations) await guarded(heap, file, () => takeInvitation(desk, value));
  for (const { file, piece } of heap.logs.filter((one) => one.piece.first === 0)) await guarded(heap, file, () => takeBeginning(desk, piece));
  await takeLogs(desk, heap);
  for (const { file, claim, letter } of heap.views.sort((one, two) => one.claim.payload.n - two.claim.payload.n)) {
    await guarded(heap, file, () => takeView(desk, claim, letter));
  }
  for (const game of desk.games.values()) await lookAgain(game, heap);
  return heap.findings;
}

// Whatever is refused becomes a finding; what is given is one.
async function guarded(heap, file, work) {
  try {
    const found = await work();
    for (const one of [found ?? []].flat()) heap.findings.push({ ...one, file });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    heap.findings.push({ ...bad(error), file });
  }
}

function sortFile(heap, { name: file, bytes }) {
  const opened = open(bytes);
  const before = heap.keys.length + heap.invitations.length + heap.logs.length + heap.views.length;
  let trouble = null;
  const seen = new Set();
  for (const one of opened.texts) {
    try {
      sortText(heap, { file, bytes: one, letter: opened.letter }, seen);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      trouble ??= error;
    }
  }
  for (const log of opened.logs) heap.logs.push({ file, piece: cut(log) });
  const after = heap.keys.length + heap.invitations.length + heap.logs.length + heap.views.length;
  if (after > before) return;
  const told = trouble !== null && (opened.letter === null || trouble.code !== "file/not-json");
  throw told ? trouble : refuse("desk/unknown-file", { file });
}

function sortText(heap, { file, bytes, letter }, seen) {
  const value = readFile(bytes);
  if (isObject(value) && value.kind === KIND) {
    heap.keys.push({ file, bytes });
    return;
  }
  const spelt = JSON.stringify(value);
  if (seen.has(spelt)) return; // the same once more, as it stands in the text
  seen.add(spelt);
  if (kindOf(value) === "view") heap.views.push({ file, claim: claimView(bytes), letter });
  else if (kindOf(value) === "invitation") heap.invitations.push({ file, value });
}

// A key; one that is locked is laid by until its passphrase is known.
async function takeKey(desk, bytes, file) {
  try {
    return addKey(desk, await readKey(bytes, file));
  } catch (error) {
    if (error.code !== "kit/key-locked") throw error;
    desk.locked = { bytes, file };
    return { ...note(), code: error.code, args: error.args };
  }
}

// Opens the key that was laid by. Refused `kit/passphrase`.
export async function unlock(desk, passphrase) {
  const { bytes, file } = desk.locked;
  const key = await readKey(bytes, file, passphrase);
  desk.locked = null;
  return addKey(desk, key);
}

// The key to sign with from now on; others stay, for their chains may still count.
export function addKey(desk, key) {
  desk.keys = [key, ...desk.keys.filter((one) => one.public !== key.public)];
  return good(say("Your key {id} is loaded.", { id: key.id }));
}

async function takeInvitation(desk, value) {
  const invitation = await readInvitation(value);
  const game = gameOf(desk, invitation.game);
  await keepCharter(game, invitation.charter);
  game.invitations.set(invitation.seat, invitation);
  const { ruleset } = invitation.charter.charter;
  const found = good(
    say("Invitation to the game {game} ({ruleset}, version {version}) as {seat}: it is signed by the host.", {
      ...{ game: invitation.game, ruleset: ruleset.id, version: ruleset.version, seat: invitation.seat },
    }),
  );
  return { place: [invitation.game, invitation.seat], ...found };
}

async function keepCharter(game, charter) {
  if (game.charter !== null && game.charter.digest !== charter.digest) {
    const [known, found] = [game.charter.digest.slice(0, 16), charter.digest.slice(0, 16)];
    throw refuse("kit/other-charter", { game: game.id, known, found });
  }
  game.charter = charter;
  if (game.lines.length > 0) return;
  game.lines = [withEnd(charter.line)];
  await study(game, []);
}

const withEnd = (line) => Uint8Array.from([...line, 10]);

async function takeBeginning(desk, piece) {
  const first = piece.lines[0];
  const charter = await readCharter(first.at(-1) === 10 ? first.subarray(0, -1) : first);
  await keepCharter(gameOf(desk, charter.charter.game), charter);
}

// Lines of logs go to the games that they go on from. A fault is told with its line, and nothing is kept.
async function takeLogs(desk, heap) {
  const pieces = [...heap.logs, ...desk.loose];
  desk.loose = [];
  for (const game of desk.games.values()) {
    if (game.charter === null) continue;
    const left = [];
    for (const one of pieces.splice(0).sort((a, b) => a.piece.first - b.piece.first)) {
      const before = game.lines.length;
      await guarded(heap, one.file, async () => {
        const foreign = await study(game, [one.piece]);
        if (foreign.length > 0) left.push(one);
        return foreign.length > 0 ? [] : learned(game, before);
      });
    }
    pieces.push(...left);
  }
  for (const one of pieces) {
    if (!heap.logs.includes(one)) desk.loose.push(one);
    else heap.findings.push({ ...keepLoose(desk, one), file: one.file });
  }
}

function keepLoose(desk, one) {
  desk.loose.push(one);
  return { ...note(), code: "desk/no-beginning", args: { first: one.piece.first } };
}

// What is to be said of lines that came to a game whose log had `before` of them.
function learned(game, before) {
  const [id, length] = [game.id, game.lines.length];
  if (length > before) return good(say("New lines of the log of {game}: records {first} to {last}.", { game: id, first: before, last: length - 1 }));
  const gap = Math.min(...game.aside.map((piece) => piece.first));
  if (Number.isFinite(gap)) return { ...note(), code: "desk/later-lines", args: { game: id, first: length, last: gap - 1 } };
  return note(say("The lines of the log of {game} in this file are known already.", { game: id }));
}

// Pieces added to a game's copy of its log; gives those that are not of this game.
async function study(game, pieces) {
  const found = await learn(game, pieces, game.charter.hostKey);
  if (found.report.verdict === "fault") {
    game.fault = { line: found.report.line, code: found.report.code, args: found.report.args };
    throw Object.assign(refuse(found.report.code, found.report.args), { line: found.report.line });
  }
  const fault = found.lines.length > game.lines.length ? null : game.fault; // what was spoilt has come whole
  Object.assign(game, { lines: found.lines, aside: found.aside, report: found.report, fault });
  return found.foreign;
}

async function takeView(desk, claim, letter) {
  const { payload } = claim;
  const game = gameOf(desk, payload.game);
  // 1. the host's signature, if the charter is known
  if (game.charter !== null) await trustView(claim, game.charter);
  const isChecked = game.charter !== null;
  // 2. the same history as the log that is known
  if (payload.n < game.lines.length && (await digestOf(game.lines[payload.n])) !== payload.base) throw refuse("kit/fork", { record: payload.n });
  // 3. the newest of this seat
  const before = game.views.get(payload.seat);
  if (before !== undefined && before.payload.n > payload.n) throw refuse("desk/older-view", { game: game.id, known: before.payload.n, found: payload.n });
  game.views.set(payload.seat, { ...claim, letter: letter ?? null, isChecked });
  return [{ place: [game.id, payload.seat], ...good(say("The letter to {seat} in the game {game}, turn {turn}, is open.", { seat: payload.seat, game: game.id, turn: payload.turn })) }];
}

// Views that came before the charter, or before lines of the log, are held against these when they come. One that does
// not pass is taken away.
async function lookAgain(game, heap) {
  for (const [seat, view] of game.views) {
    const { n, base } = view.payload;
    await guarded(heap, "", async () => {
      try {
        if (game.charter !== null && !view.isChecked) await trustView(view, game.charter);
        if (n < game.lines.length && (await digestOf(game.lines[n])) !== base) throw refuse("kit/fork", { record: n });
        view.isChecked = game.charter !== null;
      } catch (error) {
        game.views.delete(seat);
        throw error;
      }
    });
  }
}

// What can be said for and against a view: [{tone, says, code?, args?}].
export function trustOf(game, { payload: view, isChecked }) {
  if (!isChecked) {
    return [
      note(
        say(
          "Not checked: this page does not know the charter of the game {game}, so that it can not tell whether the host"
          + " signed this view. Open the invitation, or a letter with the beginning of the log, to change that.",
          { game: game.id },
        ),
      ),
    ];
  }
  const found = [good(say("Signed by the host of the game {game}.", { game: game.id }))];
  const newer = game.lines.length - 1 - view.n;
  if (newer >= 0) found.push(good(say("Agrees with your copy of the log, record {record}.", { record: view.n })));
  else found.push(note(say("Your copy of the log ends before this letter: records {first} to {last} are not here, and were not checked.", { first: game.lines.length, last: view.n })));
  if (newer > 0) found.push(note(say("Your copy of the log is newer than this view: records up to {last}.", { last: game.lines.length - 1 })));
  return found;
}

// What level 1 said of the log, in sentences.
export const historyOf = async (game) => (game.report === null ? [] : (await checked(game.report)).map((one) => good(one)));

// The keys of a seat, the one that it has by the log (or by the view) first; all, if neither tells.
// Refused `desk/no-key`, `desk/other-seat`.
export function ringOf(desk, game, view) {
  if (desk.keys.length === 0) throw refuse("desk/no-key");
  const entry = game.report?.ledger.roster.find((one) => one.seat === view.seat);
  const wanted = (key) => (view.key ? key.id === view.key : entry?.public_key ? key.public === entry.public_key : true);
  const own = desk.keys.filter(wanted);
  if (own.length === 0) throw refuse("desk/other-seat", { game: game.id, seat: view.seat });
  return [own[0], ...desk.keys.filter((key) => key !== own[0])];
}

// The log of a game as a file.
export const logText = (game) => game.lines.map((line) => text(line)).join("");
