// Logs as a player holds them: pieces from many letters, put together again and verified at level 1 (protocol.md
// section 7). The twin of pbem/player/pieces.py and folder.py. Decides whether pieces tell one history; keeps nothing.

import { equal, hex, sha256, unhex } from "../../site/js/bytes.mjs";
import { keyId } from "../../site/js/seal.mjs";
import { isEnveloped, readRecord, verifyRecord } from "../../site/js/record.mjs";
import { Refused, refuse } from "../../site/js/refusal.mjs";
import { level1, linesOf } from "../../site/js/verify.mjs";
import { firstNumber } from "./mail.mjs";
import { plural, say } from "./say.mjs";

const bare = (line) => (line.at(-1) === 10 ? line.subarray(0, -1) : line);
export const digestOf = async (line) => hex(await sha256(bare(line)));

// Lines of a log with their LF, from record `first` on.
export const cut = (bytes) => ({ first: firstNumber(bytes), lines: linesOf(bytes) });

const recordOf = (line) => {
  try {
    return readRecord(bare(line));
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
};

const isNames = (line) => recordOf(line)?.kind === "names";

// All lines from record 0 on. Refused: `kit/gap`, `kit/fork` where two pieces differ. The line of names is no part of
// the history: it differs from nothing, and gives way to any other.
export function stitch(pieces) {
  const found = new Map();
  for (const piece of [...pieces].sort((one, two) => one.first - two.first)) {
    for (const [i, line] of piece.lines.entries()) {
      const number = piece.first + i;
      const known = found.get(number);
      const longer = known !== undefined && line.length === known.length + 1 && equal(known, bare(line));
      if (known === undefined || longer || isNames(known)) found.set(number, line);
      else if (!equal(bare(known), bare(line)) && !isNames(line)) throw refuse("kit/fork", { record: number });
    }
  }
  const last = Math.max(-1, ...found.keys());
  for (let number = 0; number <= last; number += 1) {
    if (found.has(number)) continue;
    const after = Math.min(...[...found.keys()].filter((other) => other > number));
    throw refuse("kit/gap", { first: number, last: after - 1 });
  }
  return Array.from({ length: last + 1 }, (_, number) => found.get(number));
}

// Whether a piece is of the history of these lines: the same charter, or it follows one of them by the digest it names.
export async function belongs(lines, piece) {
  if (piece.first === 0) return lines.length > 0 && equal(bare(lines[0]), bare(piece.lines[0]));
  if (piece.first > lines.length) return false;
  return recordOf(piece.lines[0])?.prev === (await digestOf(lines[piece.first - 1]));
}

// Whether all lines of a piece are whole and sealed by this host.
export async function isOfHost(piece, hostKey) {
  try {
    for (const line of piece.lines) await verifyRecord(readRecord(bare(line)), hostKey);
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
  return piece.lines.at(-1).at(-1) === 10;
}

// A copy {lines, aside} with pieces added: what fits goes on from the lines, and what is sealed by the host but begins
// later is laid aside until the letter that is missing turns up. `hostKey` is the charter's. Refused `kit/fork`, or
// what level 1 finds, with the line; then nothing is added. Gives {lines, aside, foreign, report?}.
export async function learn(copy, pieces, hostKey) {
  let { lines } = copy;
  const waiting = [...copy.aside];
  const foreign = [];
  for (const piece of [...pieces].sort((one, two) => one.first - two.first)) {
    if (piece.first > lines.length && (await isOfHost(piece, hostKey))) waiting.push(piece);
    else if (await belongs(lines, piece)) lines = stitch([{ first: 0, lines }, piece]);
    else foreign.push(piece);
  }
  for (const piece of waiting.sort((one, two) => one.first - two.first)) {
    if (await belongs(lines, piece)) lines = stitch([{ first: 0, lines }, piece]);
  }
  const report = await level1(join(lines));
  return { lines, aside: unseen(waiting, lines.length), foreign, report };
}

function unseen(waiting, length) {
  const left = new Map();
  for (const piece of waiting) if (piece.first > length) left.set(`${piece.first} ${piece.lines.length}`, piece);
  return [...left.values()];
}

export function join(lines) {
  const whole = new Uint8Array(lines.reduce((sum, line) => sum + line.length, 0));
  let at = 0;
  for (const line of lines) {
    whole.set(line, at);
    at += line.length;
  }
  return whole;
}

// What level 1 had to look at, in sentences; `report` is one without a fault.
export async function checked({ ledger, lines, steps, verdict }) {
  const { game } = ledger;
  const records = steps.map((step) => step.record);
  const links = records.filter((record) => record.reveal !== undefined).length + records.filter((record) => record.link !== undefined).length;
  const first =
    verdict === "finished"
      ? say("The game {game}: sound and finished.", { game })
      : say("The game {game}: sound so far, and not finished.", { game });
  return [
    first,
    plural(
      "Signatures: {n} record, signed by the host's key {key}.",
      "Signatures: {n} records, all signed by the host's key {key}, each bound to the one before.",
      lines,
      { key: await keyId(unhex(ledger.hostKey)) },
    ),
    plural(
      "Links: {n}, and it leads back to what was published before.",
      "Links: {n} of host and seats; each leads back to what its owner published before the game.",
      links,
    ),
    ...rolls(steps),
  ];
}

function rolls(steps) {
  const turns = new Map();
  for (const { record, dice } of steps) {
    if (record.draws === undefined || record.kind === "drawn") continue;
    const turn = record.kind === "start" ? 0 : record.turn;
    const before = turns.get(turn) ?? { draws: 0, checked: dice !== undefined };
    turns.set(turn, { draws: before.draws + record.draws.length, checked: before.checked });
  }
  return [...turns].filter(([, { draws }]) => draws > 0).map(([turn, { draws, checked }]) => rolled(turn, draws, checked));
}

function rolled(turn, draws, done) {
  if (turn === 0) {
    return plural(
      "The setup: {n} shuffle or roll, drawn again with the same result.",
      "The setup: {n} shuffles and rolls, all drawn again with the same results.",
      draws,
    );
  }
  if (done) {
    return plural(
      "Turn {turn}: {n} roll, drawn again with the same result.",
      "Turn {turn}: {n} rolls, all drawn again with the same results.",
      draws,
      { turn },
    );
  }
  return plural(
    "Turn {turn}: {n} roll, which can be checked once the turn is closed.",
    "Turn {turn}: {n} rolls, which can be checked once the turn is closed.",
    draws,
    { turn },
  );
}

// The envelopes of a seat that the log has, by id.
export const ownEnvelopes = ({ steps }, seat) =>
  steps.map((step) => step.record).filter((record) => isEnveloped(record) && record.seat === seat).map((record) => record.envelope);
