// What a game's page says of views, for the tests: reads one base64 JSON a line from standard input, answers likewise.
//
// The first line is {page}: the path of the entry module. Of each {view, asked} it gives a list of answers: the menu for
// null, the foresight for {seat, orders}, and with it the menu of the view that is foreseen.

import { createInterface } from "node:readline";

let page;

function answer(view, asked) {
  if (asked === null) return page.menu(view);
  const seen = page.foresee(view, asked.seat, asked.orders);
  return { ...seen, menu: seen.view && page.menu(seen.view) };
}

async function answers(row) {
  if (row.page === undefined) return row.asked.map((asked) => answer(row.view, asked));
  page = await import(row.page);
  return { id: page.id, version: page.version };
}

for await (const line of createInterface({ input: process.stdin })) {
  const row = JSON.parse(Buffer.from(line, "base64").toString("utf8"));
  process.stdout.write(`${JSON.stringify(await answers(row))}\n`);
}
