// Arithmetic on edwards25519 in plain integers: is this a key under which only its owner can sign, and, where
// the browser cannot say so itself, does this signature fit (protocol.md section 3, RFC 8032)?
//
// Only public data comes here, so nothing needs to take the same time for every input. Never sign with `times`.

import { concat, equal } from "./bytes.mjs";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);
const IDENTITY = [0n, 1n, 1n, 0n];
const BASE_Y = mod(4n * inverse(5n));
const BASE = point(root(xSquare(BASE_Y)), BASE_Y, 0n);

const known = new Map();

// True if the 32 bytes are the one encoding of a point of prime order, and not the identity.
export function isSound(bytes) {
  const name = bytes.join();
  if (!known.has(name)) {
    const found = decode(bytes, true);
    known.set(name, found !== null && !isIdentity(found) && isIdentity(times(ORDER, found)));
  }
  return known.get(name);
}

// True if the 64 bytes are the key's signature over the message: R = S·B − k·A, compared as bytes.
export async function verifies(key, value, message) {
  const signer = decode(key, false);
  const scalar = little(value.subarray(32));
  if (signer === null || scalar >= ORDER) return false;
  const hashed = await crypto.subtle.digest("SHA-512", concat(value.subarray(0, 32), key, message));
  const challenge = little(new Uint8Array(hashed)) % ORDER;
  const [x, y, z, t] = signer;
  const found = add(times(scalar, BASE), times(challenge, [mod(-x), y, z, mod(-t)]));
  return equal(encode(found), value.subarray(0, 32));
}

function mod(number) {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}

function power(base, exponent) {
  let result = 1n;
  let square = mod(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function inverse(number) {
  return power(number, P - 2n);
}

function root(square) {
  const found = power(square, (P + 3n) / 8n);
  if (mod(found * found) === square) return found;
  const other = mod(found * ROOT_OF_MINUS_ONE);
  return mod(other * other) === square ? other : null;
}

function xSquare(y) {
  return mod((y * y - 1n) * inverse(D * y * y + 1n));
}

// Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, T = XY/Z; `odd` chooses between x and -x.
function point(x, y, odd) {
  const chosen = (x & 1n) === odd ? x : mod(-x);
  return [chosen, y, 1n, mod(chosen * y)];
}

const little = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

// The point of an encoding (RFC 8032 section 5.1.3), or null. `strict` takes no y above p, and no -0.
function decode(bytes, strict) {
  const number = little(bytes);
  const sign = number >> 255n;
  const y = number & (2n ** 255n - 1n);
  if (bytes.length !== 32 || (strict && y >= P)) return null;
  const x = root(xSquare(mod(y)));
  if (x === null || (strict && x === 0n && sign === 1n)) return null;
  return point(x, mod(y), sign);
}

function encode([x, y, z]) {
  const flat = inverse(z);
  let number = mod(y * flat) | ((mod(x * flat) & 1n) << 255n);
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(number & 255n);
    number >>= 8n;
    return byte;
  });
}

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function double([x, y, z]) {
  const a = mod(x * x);
  const b = mod(y * y);
  const h = a + b;
  const e = h - (x + y) ** 2n;
  const g = a - b;
  const f = 2n * z * z + g;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(factor, base) {
  let total = IDENTITY;
  for (const bit of factor.toString(2)) {
    total = double(total);
    if (bit === "1") total = add(total, base);
  }
  return total;
}

const isIdentity = ([x, y, z]) => x === 0n && y === z;

// What signing needs where the browser can not sign itself.
export { BASE, IDENTITY, ORDER, add, double, encode, little };
