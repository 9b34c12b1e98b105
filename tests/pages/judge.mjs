// Judges logs for the tests: reads one base64 log a line from standard input, writes one verdict a line.

import { createInterface } from "node:readline";

import { level1, verify } from "../../pbem/site/js/verify.mjs";

const told = ({ verdict, line, code, lines }) => ({ verdict, line, code, lines });

for await (const row of createInterface({ input: process.stdin })) {
  const bytes = new Uint8Array(Buffer.from(row, "base64"));
  process.stdout.write(`${JSON.stringify({ first: told(await level1(bytes)), whole: told(await verify(bytes)) })}\n`);
}
