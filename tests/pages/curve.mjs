// Signatures by the page's own arithmetic, for the tests: rows of key, signature and message, in base64.

import { createInterface } from "node:readline";

import { isSound, verifies } from "../../pbem/site/js/curve.mjs";

for await (const row of createInterface({ input: process.stdin })) {
  const bytes = new Uint8Array(Buffer.from(row, "base64"));
  const [key, value, message] = [bytes.subarray(0, 32), bytes.subarray(32, 96), bytes.subarray(96)];
  process.stdout.write(`${JSON.stringify({ sound: isSound(key), fits: await verifies(key, value, message) })}\n`);
}
