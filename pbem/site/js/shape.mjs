// Shapes: which fields an object has and what may stand in them. A shape is a function from a value to "" if it
// fits, or to the place where it does not: "$.draws[0]" and the like. Knows no field of any file.

import { isObject } from "./canonical.mjs";

const fits = (test) => (value, at = "$") => (test(value) ? "" : at);

export const any = fits(() => true);
export const string = fits((value) => typeof value === "string");
export const object = fits(isObject);
export const integer = fits((value) => typeof value === "number" || typeof value === "bigint");
export const count = fits((value) => typeof value === "number" && value >= 0);
export const hex64 = fits((value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value) && value.length === 64);
export const exactly = (...wanted) => fits((value) => wanted.includes(value));

const isWithin = (number, least, most) => number >= least && number <= most;

// A string of so many characters (code points, not UTF-16 units), at least and at most.
export const letters = (least, most) =>
  fits((value) => typeof value === "string" && isWithin(Array.from(value).length, least, most));

export const oneOf = (...shapes) => (value, at = "$") => (shapes.some((shape) => shape(value, at) === "") ? "" : at);

export const listOf = (shape) => (value, at = "$") => {
  if (!Array.isArray(value)) return at;
  return value.map((item, i) => shape(item, `${at}[${i}]`)).find((place) => place !== "") ?? "";
};

export const mapOf = (shape) => (value, at = "$") => {
  if (!isObject(value)) return at;
  return Object.keys(value).map((key) => shape(value[key], `${at}[...]`)).find((place) => place !== "") ?? "";
};

// An object with these fields and no others; the optional ones may be left out.
export const fields = (needed, optional = {}) => (value, at = "$") => {
  if (!isObject(value)) return at;
  for (const key of Object.keys(value)) {
    const shape = Object.hasOwn(needed, key) ? needed[key] : Object.hasOwn(optional, key) ? optional[key] : null;
    if (shape === null) return at;
    const place = shape(value[key], `${at}.${key}`);
    if (place !== "") return place;
  }
  return Object.keys(needed).every((key) => Object.hasOwn(value, key)) ? "" : at;
};
