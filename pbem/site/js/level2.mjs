// Level 2 (protocol.md section 7) without the rules: the secrets, every envelope, the hidden draws.
//
// Works on what level 1 has found sound and finished, in the order of the whole audit: the secrets first, then
// record by record. What only the rules can tell is left to `pbem audit`: schemas, events, `next`, digests of
// views and states, the result, and whether a hidden draw is missing.

import { hex, sha256 } from "./bytes.mjs";
import { canonical, spell } from "./canonical.mjs";
import { HOST, LENGTH, chainOf } from "./chain.mjs";
import { checkDraw, hiddenCommit } from "./draws.mjs";
import { isFresh, member } from "./facts.mjs";
import { openEnvelope } from "./payload.mjs";
import { isChanged, isOpened } from "./record.mjs";
import { Refused, refuse } from "./refusal.mjs";

const CANCELLED = spell({ how: "cancelled", places: [] });
const WITH_REV = ["ready", "move", "standing", "time", "undo"];

// {line, code, args} of the first fault, or null. `steps` and `numbers` are level 1's.
export async function level2({ steps, numbers }) {
  const run = { line: 1, steps, numbers, revs: new Map() };
  try {
    await judge(run);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { line: run.line, code: error.code, args: error.args };
  }
  return null;
}

async function judge(run) {
  const records = run.steps.map((step) => step.record);
  const ofKind = (kind) => records.filter((record) => record.kind === kind);
  const [charter] = records;
  const [end] = ofKind("end");
  const byOf = (kind) => new Map(ofKind(kind).map((record) => [record.of, record]));
  const [opened, drawn] = [byOf("opened"), byOf("drawn")];
  // 1. the secrets
  run.line = end.n + 1;
  const links = await checkSecrets(charter, end);
  // 2. record by record: envelope, hidden draws, host link
  for (const step of run.steps.slice(1, end.n)) {
    const { record } = step;
    run.line = record.n + 1;
    if (isOpened(record)) await checkEnvelope(run, step, opened.get(record.n));
    if (record.kind === "ruling") checkHostLink(record, step.before, links);
    if (!isChanged(record)) continue;
    if (drawn.has(record.n)) {
      run.line = drawn.get(record.n).n + 1;
      await checkHidden(drawn.get(record.n), { ...step.dice, kHidden: end.k_hidden });
    }
    run.line = record.n + 1;
    checkHostLink(record, step.before, links);
  }
  // 3. the result of a game that never started, or that the host has ended
  run.line = end.n + 1;
  if ((ofKind("start").length === 0 || ofKind("ruling").length > 0) && spell(end.result) !== CANCELLED) throw refuse("audit/result");
}

async function checkSecrets(charter, end) {
  if ((await hiddenCommit(charter.game, end.k_hidden)) !== charter.hidden) throw refuse("audit/hidden-key");
  const links = await chainOf(end.host_seed, charter.game, HOST);
  if (links[0] !== charter.tip) throw refuse("audit/host-seed");
  return links;
}

async function checkEnvelope(run, { record, before }, opened) {
  // 1. the very bytes whose digest the record published
  run.line = opened.n + 1;
  const envelope = opened.payload_and_sig;
  if (hex(await sha256(canonical(envelope))) !== record.envelope) throw refuse("audit/envelope", { of: record.n });
  // 2. who wrote it, and that the record says the same
  run.line = record.n + 1;
  const takes = record.kind === "key" && record.how !== "rotated";
  const key = record.kind === "join" || takes ? record.public_key : member(before, record.seat).public_key;
  const payload = await openEnvelope(record, envelope, key, before.game);
  // 3. nothing that changed the position came between
  const base = run.numbers.get(record.base);
  if (record.kind === "move" && "advance" in payload) {
    const { moved } = member(before, record.seat);
    if (base < moved || payload.turn >= before.turn) throw refuse("audit/stale", { seat: record.seat, base, changed: moved });
  } else if (["move", "undo"].includes(record.kind) && !isFresh(before, record.seat, base)) {
    const changed = Math.max(before.changed, member(before, record.seat).moved);
    throw refuse("audit/stale", { seat: record.seat, base, changed });
  }
  // 4. `rev` rises per seat and kind
  if (!WITH_REV.includes(record.kind)) return;
  const name = JSON.stringify([record.seat, record.kind]);
  const last = run.revs.get(name) ?? -1;
  if (payload.rev <= last) throw refuse("audit/rev", { seat: record.seat, last, found: payload.rev });
  run.revs.set(name, payload.rev);
}

async function checkHidden(drawn, dice) {
  for (const draw of drawn.draws) {
    try {
      await checkDraw(draw, dice);
    } catch (error) {
      throw error instanceof Refused ? refuse("audit/hidden-draws", { of: drawn.of }) : error;
    }
  }
}

function checkHostLink(record, before, links) {
  if (record.link === undefined) return;
  const link = before.turn + 1;
  if (link > LENGTH || links[link] !== record.link) throw refuse("audit/host-link", { link });
}
