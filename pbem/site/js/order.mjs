// Which record may follow which, and what it establishes (protocol.md sections 5 and 6).
//
// | phase    | may come                                        | it ends with                    |
// | -------- | ----------------------------------------------- | ------------------------------- |
// | joining  | data (at its head), join, key, standing, press, time, deadline | the first ready, or end |
// | readying | ready, standing, press, time, deadline          | start, or end (cancelled)       |
// | playing  | move, timeout, resign, undo, undone, and what comes beside | a record with an empty `next`, such as a ruling |
// | over     | nothing                                         | end                             |
// | ended    | opened, then drawn, then names at the very last |                                 |
//
// Decides from the ledger and one record alone; what needs the whole log is level1.mjs's business.

import { spell } from "./canonical.mjs";
import { HOST, follows } from "./chain.mjs";
import { checkDrawShape } from "./draws.mjs";
import { accOfSetup, accOfTurn, isAwaited, isKeyUsed, member, newMember } from "./facts.mjs";
import { isAgreed, owesReveal, placesBack, seatsOf, waiting, withChains, withMember, withoutWishes } from "./facts.mjs";
import { isOpened } from "./record.mjs";
import { quoted, refuse } from "./refusal.mjs";
import { checkPublicKey } from "./seal.mjs";

const MAY_COME = {
  joining: ["data", "join", "key", "ready", "standing", "press", "time", "deadline", "end"],
  readying: ["ready", "standing", "press", "time", "deadline", "start", "end"],
  playing: ["move", "timeout", "resign", "undo", "undone", "ruling", "key", "standing", "press", "time", "deadline"],
  over: ["end"],
  ended: ["opened", "drawn", "names"],
};
const NO_PREVIOUS = "0".repeat(64);
const AT = /^([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// The ledger after one more record whose line has that digest; null stands for the empty log. Throws Refused.
export async function append(ledger, record, digest) {
  // 1. its place in the chain
  checkPlace(ledger, record);
  if (record.kind === "charter") return charter(record, digest);
  if (ledger === null) throw refuse("log/charter-first", { kind: record.kind });
  // 2. its kind at this point of the game
  const early = record.kind === "data" && !ledger.dataOpen;
  if (early || !MAY_COME[ledger.phase].includes(record.kind)) {
    throw refuse("log/order", { kind: record.kind, phase: ledger.phase });
  }
  // 3. what the kind demands and establishes
  const after = await ESTABLISH[record.kind](ledger, record);
  // 4. the new head
  return {
    ...after,
    ...{ n: record.n, head: digest, at: record.at, dataOpen: record.kind === "data" },
    envelopes: after.envelopes + (isOpened(record) ? 1 : 0),
  };
}

function checkPlace(ledger, record) {
  const expected = ledger === null ? 0 : ledger.n + 1;
  if (record.n !== expected) throw refuse("log/number", { expected, found: record.n });
  if (record.prev !== (ledger === null ? NO_PREVIOUS : ledger.head)) throw refuse("log/previous");
  if (record.kind === "charter" && ledger !== null) throw refuse("log/order", { kind: "charter", phase: ledger.phase });
  if (ledger !== null && record.at === ledger.at) return;
  if (!isTime(record.at)) throw refuse("log/time", { found: quoted(record.at) });
  if (ledger !== null && record.at < ledger.at) throw refuse("log/time-falls", { earlier: ledger.at, found: record.at });
}

// True for `YYYY-MM-DDTHH:MM:SSZ` of a day that exists.
export function isTime(text) {
  const match = AT.exec(text);
  if (match === null || text.length !== 20) return false;
  const [year, month, day] = match.slice(1).map(Number);
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= DAYS[month - 1] + (leap ? 1 : 0);
}

function charter(record, digest) {
  const { seats } = record;
  if (seats.length === 0 || new Set(seats).size !== seats.length || seats.includes(HOST)) throw refuse("log/seats");
  checkPublicKey(record.host_key);
  return {
    game: record.game,
    charter: digest,
    hostKey: record.host_key,
    hostTip: record.tip,
    hidden: record.hidden,
    roster: seats.map(newMember),
    hostLink: record.tip,
    n: 0,
    head: digest,
    at: record.at,
    phase: "joining",
    dataOpen: true,
    turn: 0,
    due: [],
    acc: "",
    ...{ endedKeys: [], course: [] },
    ...{ changed: 0, opening: 0, envelopes: 0, opened: 0, lastOf: -1, drawnOf: -1, named: false },
  };
}

const ESTABLISH = {
  data: (ledger) => ledger,
  join,
  ready,
  start,
  move: change,
  timeout: change,
  resign: change,
  ...{ ruling, undo, undone },
  key,
  press: (ledger, record) => {
    playing(ledger, record.seat);
    return ledger;
  },
  standing: (ledger, record) => withMember(ledger, playing(ledger, record.seat)),
  time: (ledger, record) => withMember(ledger, playing(ledger, record.seat)),
  deadline: (ledger, record) => {
    if (record.who !== HOST) member(ledger, record.who);
    return ledger;
  },
  end: (ledger) => ({ ...ledger, phase: "ended" }),
  opened: afterEnd,
  drawn: afterEnd,
  names: afterEnd,
};

function join(ledger, record) {
  const entry = member(ledger, record.seat);
  // 1. one join a seat
  if (entry.public_key !== "") throw refuse("log/join-twice", { seat: record.seat });
  // 2. it signs the charter
  if (record.base !== ledger.charter) throw refuse("log/join-base", { seat: record.seat });
  // 3. a sound key, used for no other seat and not the host's
  checkPublicKey(record.public_key);
  if (isKeyUsed(ledger, record.public_key)) throw refuse("log/key-used", { seat: record.seat });
  return withMember(ledger, { ...entry, public_key: record.public_key, tip: record.tip, link: record.tip });
}

function key(ledger, record) {
  const entry = playing(ledger, record.seat);
  // 1. a sound key that nobody in this game has or had
  checkPublicKey(record.public_key);
  if (isKeyUsed(ledger, record.public_key)) throw refuse("log/key-used", { seat: record.seat });
  const endedKeys = [...ledger.endedKeys, entry.public_key];
  // 2. before the first ready it takes the place of the join's; later its chain waits for the others' links
  const lost = entry.linkless || record.how !== "rotated";
  const chain =
    ledger.phase === "joining"
      ? { tip: record.tip, link: record.tip }
      : { newTip: record.tip, since: ledger.turn, linkless: lost };
  return { ...withMember(ledger, { ...entry, public_key: record.public_key, ...chain }), endedKeys };
}

async function ruling(ledger, record) {
  if (record.turn !== ledger.turn) throw refuse("log/turn", { expected: ledger.turn, found: record.turn });
  if (record.next.length > 0) throw refuse("log/ruling");
  await checkHostLink(ledger, record.link);
  return openedTurn({ ...ledger, changed: record.n }, record, await accOfTurn(ledger, record.link));
}

function undo(ledger, record) {
  checkPlaceBack(ledger, record);
  return withMember(ledger, { ...playing(ledger, record.seat), wish: record.to ?? 0 });
}

// All wish it: whoever came in later is waited for again. Links stay, so every label draws what it drew before.
function undone(ledger, record) {
  checkPlaceBack(ledger, record);
  if (!isAgreed(ledger, record.to)) throw refuse("log/undo-alone", { to: record.to });
  const again = (entry) => (entry.came > record.to && !entry.resigned ? { ...entry, came: 0, back: true } : entry);
  const course = ledger.course.filter((n) => n <= record.to);
  return withoutWishes({ ...ledger, changed: record.n, roster: ledger.roster.map(again), course });
}

function checkPlaceBack(ledger, { turn, to }) {
  if (turn !== ledger.turn) throw refuse("log/turn", { expected: ledger.turn, found: turn });
  if (to !== undefined && !placesBack(ledger).includes(to)) throw refuse("log/undo-to", { to });
}

async function ready(ledger, record) {
  const entry = member(ledger, record.seat);
  if (!ledger.roster.every((other) => other.public_key !== "")) throw refuse("log/ready-early", { seat: record.seat });
  if (entry.ready) throw refuse("log/ready-twice", { seat: record.seat });
  const linkedEntry = { ...(await linked(ledger, entry, record.reveal)), ready: true };
  return { ...withMember(ledger, linkedEntry), phase: "readying" };
}

async function start(ledger, record) {
  if (!ledger.roster.every((entry) => entry.ready)) throw refuse("log/start-early");
  if (spell([...record.order].sort()) !== spell(seatsOf(ledger).sort())) throw refuse("log/turn-order");
  record.draws.forEach(checkDrawShape);
  checkNext(ledger, record.next);
  await checkHostLink(ledger, record.link);
  return openedTurn({ ...ledger, changed: record.n }, record, await accOfSetup(ledger, record.link));
}

async function change(ledger, record) {
  // 1. the open turn, a seat still in the game
  if (record.turn !== ledger.turn) throw refuse("log/turn", { expected: ledger.turn, found: record.turn });
  const entry = playing(ledger, record.seat);
  // 2. its link, or its excuse
  let after = withMember(ledger, await spoken(ledger, entry, record));
  const open = waiting(after);
  for (const answer of record.auto) checkAuto(ledger, answer);
  // 3. no draw before all due seats are in or excused; of a resignation out of turn only at the close
  record.draws.forEach(checkDrawShape);
  if (record.draws.length > 0 && open.length > 0) throw refuse("log/draws-early", { seat: open[0] });
  const answered = record.auto.some((answer) => answer.seat === record.seat);
  const outOfTurn = record.kind === "resign" && record.link === undefined && !ledger.due.includes(record.seat) && !answered;
  if (record.draws.length > 0 && outOfTurn) throw refuse("log/draws-out-of-turn", { seat: record.seat });
  // 4. what counts as a change: all but the sealed moves of seats that others are still waited for with
  if (!(record.kind === "move" && open.length > 0)) after = withoutWishes({ ...after, changed: record.n });
  // whoever resigns stays gone: no undo goes back behind that
  after = { ...after, course: [...(record.kind === "resign" ? [] : after.course), record.n] };
  // 5. the close of the turn
  if ((record.link === undefined) !== (record.next === undefined)) throw refuse("log/link-and-next");
  if (record.link === undefined) return after;
  if (open.length > 0) throw refuse("log/closed-early", { seat: open[0] });
  checkNext(ledger, record.next);
  await checkHostLink(ledger, record.link);
  return openedTurn(after, record, await accOfTurn(after, record.link));
}

async function spoken(ledger, before, record) {
  const owes = owesReveal(ledger, before.seat);
  const awaited = isAwaited(ledger, before);
  const entry = awaited ? { ...before, came: record.n, back: false } : before;
  const excused = entry.excused || awaited;
  if (record.kind === "timeout") return { ...entry, excused };
  if (record.kind === "resign") return { ...entry, excused, resigned: true };
  if (owes && record.reveal === undefined) throw refuse("log/reveal-missing", { seat: entry.seat });
  if (record.reveal === undefined) return { ...entry, moved: record.n };
  if (!owes) throw refuse("log/reveal-extra", { seat: entry.seat });
  const now = { reveal: record.reveal, moved: record.n, linked: record.turn };
  return { ...(await linked(ledger, entry, record.reveal)), ...now };
}

function checkAuto(ledger, answer) {
  const by = answer.by === "standing" || answer.by === "default";
  if (!seatsOf(ledger).includes(answer.seat) || !by || answer.decision === undefined) throw refuse("log/auto");
}

// Order as far as counting goes; that `of` names the right record is level1.mjs's business.
function afterEnd(ledger, record) {
  if (ledger.named) throw refuse("log/after-names", { kind: record.kind });
  if (record.kind === "opened") {
    const late = ledger.opened >= ledger.envelopes || ledger.drawnOf >= 0;
    if (late || record.of <= ledger.lastOf) throw refuse("log/opened-order", { of: record.of });
    return { ...ledger, opened: ledger.opened + 1, lastOf: record.of };
  }
  const unopened = ledger.opened < ledger.envelopes;
  if (record.kind === "drawn") {
    if (unopened || record.of <= ledger.drawnOf) throw refuse("log/drawn-order", { of: record.of });
    record.draws.forEach(checkDrawShape);
    return { ...ledger, drawnOf: record.of };
  }
  if (unopened) throw refuse("log/names-early");
  for (const seat of Object.keys(record.names)) member(ledger, seat);
  return { ...ledger, named: true };
}

function playing(ledger, seat) {
  const entry = member(ledger, seat);
  if (entry.public_key === "") throw refuse("log/not-joined", { seat });
  if (entry.resigned) throw refuse("log/resigned", { seat });
  return entry;
}

async function linked(ledger, entry, reveal) {
  if (!(await follows(ledger.game, entry.seat, reveal, entry.link))) throw refuse("log/wrong-link", { who: entry.seat });
  return { ...entry, link: reveal };
}

async function checkHostLink(ledger, link) {
  if (!(await follows(ledger.game, HOST, link, ledger.hostLink))) throw refuse("log/wrong-link", { who: HOST });
}

function checkNext(ledger, seats) {
  const known = seatsOf(ledger);
  if (new Set(seats).size !== seats.length || !seats.every((seat) => known.includes(seat))) throw refuse("log/next-seats");
}

// The next turn, or the end of play. A seat that resigned is excused from every later turn.
function openedTurn(ledger, record, acc) {
  return {
    ...ledger,
    ...{ phase: record.next.length > 0 ? "playing" : "over", turn: ledger.turn + 1, due: record.next },
    ...{ acc, hostLink: record.link, opening: record.n, course: [record.n] },
    roster: withChains(ledger).map((entry) => ({ ...entry, reveal: "", excused: entry.resigned, came: 0, back: false, wish: 0 })),
  };
}
