// Letters opened and judged by the page, for the tests: a row is a list of visits, each a list of {name, data}; the
// answer is what was found in each, and what is known in the end.

import { createInterface } from "node:readline";

import { sentences, useCodes } from "../../pbem/desk/js/codes.mjs";
import { historyOf, newDesk, ringOf, take, trustOf } from "../../pbem/desk/js/desk.mjs";
import { open } from "../../pbem/desk/js/mail.mjs";
import { words } from "../../pbem/desk/js/say.mjs";
import { Refused } from "../../pbem/site/js/refusal.mjs";

const bytesOf = (data) => new Uint8Array(Buffer.from(data, "base64"));
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

// Every sentence must have all that it names: `words` throws where it has not.
const told = ({ tone, says, code, args, file, line }) => ({
  tone,
  says: says.map((one) => words(one)),
  ...(code === undefined ? {} : { code, why: sentences({ code, args }).map((one) => words(one)) }),
  file,
  ...(line === undefined ? {} : { line }),
});

async function visits({ visits: all, codes }) {
  useCodes(codes);
  const desk = newDesk();
  const findings = [];
  for (const files of all) {
    const found = await take(desk, files.map(({ name, data }) => ({ name, bytes: bytesOf(data) })));
    findings.push(found.map(told));
  }
  const games = {};
  for (const game of desk.games.values()) {
    const views = [...game.views].map(([seat, view]) => [seat, { n: view.payload.n, trust: trustOf(game, view).map(told), ring: ring(desk, game, view.payload) }]);
    games[game.id] = { lines: game.lines.length, views: Object.fromEntries(views), history: (await historyOf(game)).map(told), fault: game.fault?.line ?? 0 };
  }
  return { findings, games, keys: desk.keys.map((key) => key.id) };
}

function ring(desk, game, payload) {
  try {
    return ringOf(desk, game, payload).map((key) => key.id);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.code;
  }
}

function opened({ mail }) {
  try {
    const { texts, logs, letter } = open(bytesOf(mail));
    return { texts: texts.map(base64), logs: logs.map(base64), letter };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: error.code };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const row = JSON.parse(Buffer.from(line, "base64").toString());
  process.stdout.write(`${JSON.stringify(row.mail === undefined ? await visits(row) : opened(row))}\n`);
}
