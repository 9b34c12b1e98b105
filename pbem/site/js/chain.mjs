// One-way chains of links (protocol.md section 5). Decides whether a revealed link follows the last one.

import { concat, hex, sha256, u32, unhex, utf8 } from "./bytes.mjs";

export const HOST = "host";
export const LENGTH = 4096;

// 4-byte big-endian length and the bytes.
export const lp = (bytes) => concat(u32(bytes.length), bytes);

const bytesOf = (part) => (typeof part === "string" ? utf8(part) : typeof part === "number" ? u32(part) : part);

// `lp("pbem/v1/"+label) ‖ lp(part) ‖ …`; integers as 4 bytes big-endian, strings as UTF-8.
export const ctx = (label, ...parts) => concat(lp(utf8(`pbem/v1/${label}`)), ...parts.map((part) => lp(bytesOf(part))));

// True if `revealed` (hex) is the link after `previous` (the tip, at first).
export const follows = async (game, who, revealed, previous) =>
  hex(await sha256(ctx("chain", game, who, unhex(revealed)))) === previous;

// All links of a chain as hex, the tip first, from its seed (hex).
export async function chainOf(seed, game, who) {
  const prefix = ctx("chain", game, who);
  const links = [seed];
  let value = unhex(seed);
  for (let k = LENGTH; k > 0; k -= 1) {
    value = await sha256(concat(prefix, lp(value)));
    links.push(hex(value));
  }
  return links.reverse();
}
