// Hashes in plain arithmetic, for the tests: rows of bytes; a row's MAC takes its first half as key.

import { createInterface } from "node:readline";

import { hmac, sha256, sha512 } from "../../pbem/desk/js/hashes.mjs";
import { hex } from "../../pbem/site/js/bytes.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const bytes = new Uint8Array(Buffer.from(line, "base64"));
  const half = bytes.length >> 1;
  const told = [sha256(bytes), sha512(bytes), hmac(bytes.subarray(0, half), bytes.subarray(half))];
  process.stdout.write(`${JSON.stringify(told.map(hex))}\n`);
}
