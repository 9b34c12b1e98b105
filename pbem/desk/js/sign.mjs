// Making seals (protocol.md section 3): a private key of 32 bytes, and its signature over a payload.
//
// By the browser where it knows Ed25519. Where it does not, by the arithmetic that checks seals, made to do the same
// steps for every key; the integers of JavaScript still take a little longer for some numbers than for others, which
// only somebody could use who measures this page while it signs, over and over. The page says which of both it is.

import { base64, concat, hex } from "../../site/js/bytes.mjs";
import { canonical } from "../../site/js/canonical.mjs";
import { BASE, IDENTITY, ORDER, add, double, encode, little } from "../../site/js/curve.mjs";
import { keyId, pae } from "../../site/js/seal.mjs";

const PKCS8 = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);
const BITS = 256n;

// A key to sign with: {raw, public (hex), id, native}. `raw` are 32 secret bytes.
export async function privateKey(raw) {
  const native = await imported(raw);
  const found = native === null ? await plainPublic(raw) : await nativePublic(native);
  return { raw, public: hex(found), id: await keyId(found), native };
}

// The seal over the payload's canonical bytes, ready to stand as `sig` in a file.
export async function seal(key, payload) {
  const message = pae(payload.kind, canonical(payload));
  const value = key.native === null ? await plainSign(key.raw, message) : await nativeSign(key, message);
  return { alg: "ed25519", key: key.id, val: base64(value) };
}

async function imported(raw) {
  try {
    return await crypto.subtle.importKey("pkcs8", concat(PKCS8, raw), "Ed25519", true, ["sign"]);
  } catch {
    return null; // a browser that has no Ed25519: each says so in its own words
  }
}

async function nativePublic(native) {
  const { x } = await crypto.subtle.exportKey("jwk", native);
  return Uint8Array.from(atob(x.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

const nativeSign = async (key, message) => new Uint8Array(await crypto.subtle.sign("Ed25519", key.native, message));

const sha512 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-512", bytes));

// The scalar and the prefix of a private key (RFC 8032 section 5.1.5).
async function halves(raw) {
  const hashed = await sha512(raw);
  hashed[0] &= 248;
  hashed[31] = (hashed[31] & 127) | 64;
  return { scalar: little(hashed.subarray(0, 32)), prefix: hashed.subarray(32) };
}

export async function plainPublic(raw) {
  const { scalar } = await halves(raw);
  return encode(multiple(scalar));
}

// RFC 8032 section 5.1.6.
export async function plainSign(raw, message) {
  const { scalar, prefix } = await halves(raw);
  const own = encode(multiple(scalar));
  const nonce = little(await sha512(concat(prefix, message))) % ORDER;
  const point = encode(multiple(nonce));
  const challenge = little(await sha512(concat(point, own, message))) % ORDER;
  return concat(point, bytesOf((nonce + challenge * scalar) % ORDER));
}

// The multiple of the base point: one doubling and one addition a bit, whatever the bit is.
function multiple(factor) {
  let total = IDENTITY;
  for (let bit = BITS - 1n; bit >= 0n; bit -= 1n) {
    const doubled = double(total);
    const both = [doubled, add(doubled, BASE)];
    total = both[Number((factor >> bit) & 1n)];
  }
  return total;
}

function bytesOf(number) {
  let rest = number;
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(rest & 255n);
    rest >>= 8n;
    return byte;
  });
}
