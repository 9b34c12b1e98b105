// SHA-256, SHA-512 and HMAC in plain arithmetic, for a page whose address is neither a file nor https: browsers keep
// their own from it. As slow as it may be: what it hashes is small.

import { concat, u32 } from "../../site/js/bytes.mjs";

const PRIMES = primes(80);
const mask64 = (1n << 64n) - 1n;

function primes(count) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}

// The first 64 bits after the point of a root of a number: floor(root · 2^64) mod 2^64, in whole numbers.
function fraction(number, degree) {
  const target = BigInt(number) << BigInt(64 * degree);
  let [low, high] = [0n, 1n << 70n];
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** BigInt(degree) <= target) low = middle;
    else high = middle - 1n;
  }
  return low & mask64;
}

const ROUND = PRIMES.map((prime) => fraction(prime, 3));
const BEGIN = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2));
const ROUND32 = ROUND.slice(0, 64).map((word) => Number(word >> 32n));
const BEGIN32 = BEGIN.map((word) => Number(word >> 32n));

// The message with its length behind it, in whole blocks.
function padded(bytes, block, lengthBytes) {
  const rest = (bytes.length + 1 + lengthBytes) % block;
  const zeros = new Uint8Array(rest === 0 ? 0 : block - rest);
  const length = concat(new Uint8Array(lengthBytes - 8), u32(Math.floor(bytes.length / 2 ** 29)), u32((bytes.length * 8) >>> 0));
  return concat(bytes, Uint8Array.of(0x80), zeros, length);
}

export function sha256(bytes) {
  const data = padded(bytes, 64, 8);
  const view = new DataView(data.buffer);
  const state = [...BEGIN32];
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  for (let at = 0; at < data.length; at += 64) {
    const words = Array.from({ length: 16 }, (_, i) => view.getUint32(at + 4 * i));
    for (let i = 16; i < 64; i += 1) {
      const [two, fifteen] = [words[i - 2], words[i - 15]];
      const one = turn(fifteen, 7) ^ turn(fifteen, 18) ^ (fifteen >>> 3);
      const other = turn(two, 17) ^ turn(two, 19) ^ (two >>> 10);
      words.push((words[i - 16] + one + words[i - 7] + other) | 0);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND32[i] + words[i]) | 0;
      const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] + word) | 0;
  }
  return concat(...state.map((word) => u32(word >>> 0)));
}

export function sha512(bytes) {
  const data = padded(bytes, 128, 16);
  const view = new DataView(data.buffer);
  const state = [...BEGIN];
  const turn = (word, by) => ((word >> by) | (word << (64n - by))) & mask64;
  for (let at = 0; at < data.length; at += 128) {
    const words = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
    for (let i = 16; i < 80; i += 1) {
      const [two, fifteen] = [words[i - 2], words[i - 15]];
      const one = turn(fifteen, 1n) ^ turn(fifteen, 8n) ^ (fifteen >> 7n);
      const other = turn(two, 19n) ^ turn(two, 61n) ^ (two >> 6n);
      words.push((words[i - 16] + one + words[i - 7] + other) & mask64);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i += 1) {
      const first = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (~e & mask64 & g)) + ROUND[i] + words[i];
      const second = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(first + second) & mask64, a, b, c, (d + first) & mask64, e, f, g];
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] + word) & mask64;
  }
  return concat(...state.flatMap((word) => [u32(Number(word >> 32n)), u32(Number(word & 0xffffffffn))]));
}

export function hmac(key, message) {
  const short = key.length > 64 ? sha256(key) : key;
  const block = concat(short, new Uint8Array(64 - short.length));
  const inner = sha256(concat(block.map((byte) => byte ^ 0x36), message));
  return sha256(concat(block.map((byte) => byte ^ 0x5c), inner));
}

// What the page needs of `crypto.subtle`: hashes and MACs. It has neither Ed25519 (curve.mjs and sign.mjs have it) nor
// ciphers: importing such a key is refused, as by a browser that does not know it.
export const plainSubtle = {
  digest: async (name, data) => ({ "SHA-256": sha256, "SHA-512": sha512 })[name](data).buffer,
  importKey: async (_format, data, { name }) => {
    if (name !== "HMAC") throw new DOMException("unknown", "NotSupportedError");
    return data;
  },
  sign: async (_name, key, message) => hmac(key, message).buffer,
};

// Puts it where the browser has nothing.
export function withHashes() {
  if (crypto.subtle === undefined) Object.defineProperty(crypto, "subtle", { value: plainSubtle });
}
