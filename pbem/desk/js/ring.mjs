// Links of a seat's own chain: which one may be given, and when the page refuses (protocol.md section 5). The twin of
// pbem/player/chain.py: it decides from the private key and what a file claims, and from nothing it remembers.

import { concat, hex, hmac, unhex } from "../../site/js/bytes.mjs";
import { LENGTH, chainOf, ctx } from "../../site/js/chain.mjs";
import { refuse } from "../../site/js/refusal.mjs";

const NO_SALT = new Uint8Array(32);
const known = new Map();

// HKDF-SHA256 (RFC 5869) of one block, without salt.
async function hkdf(secret, info) {
  const extracted = await hmac(NO_SALT, secret);
  return hmac(extracted, concat(info, Uint8Array.of(1)));
}

// All links of a seat's chain as hex, the tip first. `charter` is the charter's digest, hex.
async function linksOf(key, game, seat, charter) {
  const name = JSON.stringify([key.public, game, seat, charter]);
  if (!known.has(name)) {
    const seed = await hkdf(key.raw, ctx("seat-chain", game, seat, unhex(charter)));
    known.set(name, await chainOf(hex(seed), game, seat));
  }
  return known.get(name);
}

// The tip of the chain, hex, which a join publishes.
export const seatTip = async (key, game, seat, charter) => (await linksOf(key, game, seat, charter))[0];

// Link number `link` of the seat, hex, if and only if `given` is the one before it (see pbem/player/chain.py: a host
// that lies about the place in the chain gets nothing). Refused `kit/links-used-up`, `kit/not-your-link`.
export async function nextLink(key, { game, seat, charter, link, given }) {
  // 1. a link that the chain has
  if (!(link >= 1 && link <= LENGTH)) throw refuse("kit/links-used-up", { link, length: LENGTH });
  // 2. this key's chain in this game, under this charter; 3. the link before it is the one that the file shows
  const links = await linksOf(key, game, seat, charter);
  if (links[link - 1] !== given) throw refuse("kit/not-your-link", { given: link - 1 });
  // 4. only now the next
  return links[link];
}

// Of a player's keys the one whose chain the file shows gives the link; what the first says, if it is none's.
export async function linkOfRing(keys, place) {
  for (const key of keys) {
    try {
      return await nextLink(key, place);
    } catch (error) {
      if (error.code === undefined) throw error;
    }
  }
  return nextLink(keys[0], place);
}
