// What is put on the shelf and taken from it again: see shelf.mjs for what may lie there.

import { addKey, gameOf } from "./desk.mjs";
import { privateKey } from "./sign.mjs";
import { level1 } from "../../site/js/verify.mjs";
import { join } from "./history.mjs";
import { readCharter } from "./trust.mjs";

// Keeps everything as it is now. On a file, the public log and the language only.
export async function keepDesk(app) {
  const { desk, shelf } = app;
  await shelf.put("lang", app.lang);
  for (const game of desk.games.values()) {
    const open = { id: game.id, lines: game.lines, aside: game.aside };
    await shelf.put(`game ${game.id}`, app.isFile ? open : { ...open, views: plain(game.views), invitations: plain(game.invitations) });
  }
  if (app.isFile) return;
  await shelf.put("keys", desk.keys.map((key) => key.raw));
  await shelf.put("chosen", app.chosen);
  await shelf.put("drafts", [...app.drafts]);
}

// The objects that the strict reader makes have no prototype, and a store gives them one: both are the same here.
const plain = (map) => [...map].map(([seat, value]) => [seat, structuredClone(value)]);

// Everything as it was left.
export async function recall(app) {
  const { desk, shelf } = app;
  app.lang = await shelf.get("lang");
  for (const name of await shelf.keys()) if (String(name).startsWith("game ")) await recallGame(desk, await shelf.get(name));
  for (const raw of [...((await shelf.get("keys")) ?? [])].reverse()) addKey(desk, await privateKey(raw));
  app.drafts = new Map((await shelf.get("drafts")) ?? []);
  const chosen = await shelf.get("chosen");
  if (chosen && desk.games.has(chosen.game)) app.chosen = chosen;
}

async function recallGame(desk, { id, lines, aside, views = [], invitations = [] }) {
  const game = gameOf(desk, id);
  Object.assign(game, { aside, views: new Map(views), invitations: new Map(invitations) });
  if (lines.length === 0) return;
  const report = await level1(join(lines));
  if (report.verdict === "fault") return; // somebody wrote into the store: what is there counts for nothing
  Object.assign(game, { lines, report, charter: await readCharter(lines[0].subarray(0, -1)) });
}

// Forgets the keys of this browser.
export async function forgetKeys(app) {
  app.desk.keys = [];
  await app.shelf.drop("keys");
}
