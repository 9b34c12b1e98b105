// Level 1 over a whole log (protocol.md section 7): one pass, no rules, also for a game still running.
//
// Decides whether the bytes are a sound log, finished or not, or which line is the first that isn't and why.
// The order of records is order.mjs's; added here is what needs the whole log.

import { hex, sha256 } from "./bytes.mjs";
import { checkDraw } from "./draws.mjs";
import { isFinished } from "./facts.mjs";
import { append } from "./order.mjs";
import { isChanged, isEnveloped, isOpened, readRecord, verifyRecord } from "./record.mjs";
import { Refused, refuse } from "./refusal.mjs";

// The lines of a log, each with its LF; what stands after the last LF comes last, without one.
export function linesOf(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start) + 1 || bytes.length;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

// The verdict: {verdict: "finished" | "unfinished" | "fault", lines, line?, code?, args?, ledger, steps, numbers}.
// `steps` has one {record, before, after, dice?} for each sound line, `dice` once its turn is closed.
export async function level1(bytes) {
  const run = { line: 0, ledger: null, steps: [], open: [], numbers: new Map(), hostKey: "" };
  Object.assign(run, { envelopeIds: new Set(), enveloped: [], changed: new Set(), labels: new Set(), gone: new Set() });
  try {
    for (const line of linesOf(bytes)) {
      run.line += 1;
      await step(run, line);
    }
    if (run.ledger === null) {
      run.line = 1;
      throw refuse("log/empty");
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ...found(run), verdict: "fault", lines: run.line - 1, line: run.line, code: error.code, args: error.args };
  }
  return { ...found(run), verdict: isFinished(run.ledger) ? "finished" : "unfinished", lines: run.line };
}

const found = ({ ledger, steps, numbers }) => ({ ledger, steps, numbers });

async function step(run, bytes) {
  // 1. a whole line
  if (bytes[bytes.length - 1] !== 10) throw refuse("log/no-line-end");
  const line = bytes.subarray(0, -1);
  // 2. limits, canonical bytes, shape
  const record = readRecord(line);
  // 3. the host's signature
  if (run.ledger === null) {
    if (record.kind !== "charter") throw refuse("log/charter-first", { kind: "?" });
    run.hostKey = record.host_key;
  }
  await verifyRecord(record, run.hostKey);
  // 4. chain and order, reveals, accumulator
  const digest = hex(await sha256(line));
  const before = run.ledger;
  const after = await append(before, record, digest);
  // 5. base, nothing twice
  checkWhole(run, record);
  run.ledger = after;
  run.numbers.set(digest, record.n);
  // 6. public draws of a turn that is now closed
  const passed = { record, before, after };
  run.steps.push(passed);
  run.open.push(passed);
  if (before !== null && after.turn !== before.turn) await release(run, { game: after.game, acc: after.acc, turn: before.turn });
  else if (after.phase !== "playing") run.open = [];
}

// What no ledger remembers: `base` is an earlier line, no envelope, no label twice, `of` is right.
function checkWhole(run, record) {
  if (isEnveloped(record)) {
    if (!run.numbers.has(record.base)) throw refuse("log/base");
    if (run.envelopeIds.has(record.envelope)) throw refuse("log/envelope-twice");
    run.envelopeIds.add(record.envelope);
    if (isOpened(record)) run.enveloped.push(record.n);
  }
  if (isChanged(record)) {
    run.changed.add(record.n);
    checkLabels(run, record.draws);
  } else if (record.kind === "drawn") {
    if (!run.changed.has(record.of)) throw refuse("log/drawn-order", { of: record.of });
    if (!run.gone.has(record.of)) checkLabels(run, record.draws);
  } else if (record.kind === "undone") {
    takeBack(run, record.to);
  } else if (record.kind === "opened" && record.of !== run.enveloped[run.ledger.opened]) {
    throw refuse("log/opened-order", { of: record.of });
  }
}

// What was undone may be drawn again, under the same labels: it comes the same.
function takeBack(run, to) {
  for (const { record } of run.open) {
    if (!isChanged(record) || record.n <= to) continue;
    run.gone.add(record.n);
    for (const { label } of record.draws) run.labels.delete(label);
  }
}

function checkLabels(run, draws) {
  for (const { label } of draws) {
    if (run.labels.has(label)) throw refuse("log/label-twice", { label });
    run.labels.add(label);
  }
}

// Draws a closed turn again; a fault is at the line of the record it is in.
async function release(run, dice) {
  const { open, line } = run;
  run.open = [];
  for (const passed of open) {
    run.line = passed.record.n + 1;
    for (const draw of isChanged(passed.record) ? passed.record.draws : []) await checkDraw(draw, dice);
    passed.dice = dice;
  }
  run.line = line;
}
