// Bytes: hex, base64, UTF-8, SHA-256 and HMAC-SHA256 by WebCrypto. Knows no field of any file.

const UTF8 = new TextEncoder();
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const HMAC = { name: "HMAC", hash: "SHA-256" };

export const utf8 = (text) => UTF8.encode(text);

// The text of the bytes. Throws TypeError where they are not UTF-8; a byte order mark stays.
export const text = (bytes) => STRICT.decode(bytes);

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const unhex = (digits) =>
  Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));

export const u32 = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const equal = (one, two) => one.length === two.length && one.every((byte, i) => byte === two[i]);

export const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

// The bytes, or null unless the text is their one spelling (padding bits are otherwise free).
export function unbase64(spelt) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(spelt)) return null;
  try {
    const bytes = Uint8Array.from(atob(spelt), (letter) => letter.charCodeAt(0));
    return base64(bytes) === spelt ? bytes : null;
  } catch {
    return null;
  }
}

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

export async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}
