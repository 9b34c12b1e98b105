// A picture as SVG, in JavaScript: of the JSON of a picture the same text as pbem.render.to_svg gives, byte for byte; and
// the pieces of which the turn panel makes a picture that can be clicked on. Knows no game.

import { CAPITALS, FAMILY, LEADING, fitted } from "./fitting.mjs";
import { words } from "./say.mjs";
import { USUAL, WIDTH, rect } from "./shapes.mjs";
import { arrow, hatching, outline } from "./signs.mjs";

const FONTS = `'${FAMILY}', 'Arial Narrow', Arial, 'Liberation Sans', Helvetica, sans-serif`;
const DASHES = { dashed: [3, 2], dotted: [0.1, 2.2] };

// The picture as an SVG document; with `wide`, its width in pixels is said in it.
export function toSvg(picture, lang = "en", { dark = false, wide = null } = {}) {
  const colours = Object.entries(picture.palette).map(([role, shade]) => [role, dark ? shade.dark : shade.light]);
  const pen = { colours: Object.fromEntries(colours), lang };
  const title = words(picture.title, lang);
  const size = wide === null ? {} : { width: wide, height: (wide * picture.height) / WIDTH };
  const root = {
    xmlns: "http://www.w3.org/2000/svg",
    ...size,
    viewBox: `0 0 ${WIDTH} ${short(picture.height)}`,
    role: "img",
    "aria-label": title,
    lang,
    "font-family": FONTS,
  };
  const ground = rect(0, 0, WIDTH, picture.height, { fill: "ground" });
  const lines = [
    `${opened("svg", root)}>`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(words(picture.about, lang))}</desc>`,
    ...part(ground, pen),
    ...picture.groups.flatMap((one) => part(one, pen)),
    "</svg>",
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function part(one, pen) {
  const shape = { ...USUAL[one.draw], ...one };
  return DRAWN[one.draw](shape, pen);
}

const DRAWN = {
  group: (group, pen) => [
    `<g><title>${escaped(words(group.title, pen.lang))}</title>`,
    ...group.parts.flatMap((one) => part(one, pen)),
    "</g>",
  ],
  rect: drawRect,
  mark: (mark, pen) => [drawMark(mark, pen)],
  stroke: drawStroke,
  text: drawText,
};

function drawRect(shape, pen) {
  const box = { x: shape.x, y: shape.y, width: shape.w, height: shape.h };
  if (shape.round) box.rx = shape.round;
  const lines = [];
  if (shape.fill || !shape.hatch) lines.push(tag("rect", { ...box, ...paint(shape.fill, "", 0, "", pen) }));
  if (shape.hatch) {
    const d = hatching(shape).map(([low, high]) => `M${point(low)}L${point(high)}`).join("");
    lines.push(tag("path", { d, ...paint("", shape.hatch, 1.5, "", pen) }));
  }
  if (shape.line) lines.push(tag("rect", { ...box, ...paint("", shape.line, shape.wide, shape.dash, pen) }));
  return lines;
}

function drawMark(shape, pen) {
  const look = paint(shape.fill, shape.line, shape.wide, shape.dash, pen);
  if (shape.sign === "disc") return tag("circle", { cx: shape.x, cy: shape.y, r: shape.r, ...look });
  return tag("polygon", { points: points(outline(shape)), "stroke-linejoin": "round", ...look });
}

function drawStroke(shape, pen) {
  const [line, head] = shape.arrow ? arrow(shape) : [shape.points, []];
  const look = paint(shape.fill, shape.line, shape.wide, shape.dash, pen);
  const lines = [tag(shape.fill ? "polygon" : "polyline", { points: points(line), "stroke-linejoin": "round", ...look })];
  if (head.length) lines.push(tag("polygon", { points: points(head), fill: pen.colours[shape.line] }));
  return lines;
}

function drawText(shape, pen) {
  const [lines, size] = fitted(shape, words(shape.text, pen.lang));
  const look = { "font-size": size, fill: pen.colours[shape.fill] };
  if (shape.bold) look["font-weight"] = "bold";
  if (shape.anchor !== "start") look["text-anchor"] = shape.anchor;
  return lines.map((line, place) => {
    const y = shape.y + (size * CAPITALS) / 2 + place * size * LEADING;
    const start = opened("text", { x: shape.x, y, ...look });
    return `${start}>${escaped(line)}</text>`;
  });
}

function paint(fill, line, wide, dash, pen) {
  const look = { fill: fill ? pen.colours[fill] : "none" };
  if (!line) return look;
  Object.assign(look, { stroke: pen.colours[line], "stroke-width": wide });
  if (dash) {
    look["stroke-dasharray"] = DASHES[dash].map((length) => short(length * wide)).join(" ");
    look["stroke-linecap"] = dash === "dotted" ? "round" : "butt";
  }
  return look;
}

const tag = (name, attributes) => `${opened(name, attributes)}/>`;

const opened = (name, attributes) =>
  `<${name}${Object.entries(attributes).map(([key, value]) => ` ${key}=${quoted(value)}`).join("")}`;

const points = (all) => all.map(point).join(" ");

const point = ([x, y]) => `${short(x)},${short(y)}`;

// A number with at most two decimals, a half rounded to even, and never `-0`.
export function short(value) {
  const size = Math.abs(value);
  let told = size.toFixed(2);
  // a half is exact only in eighths; there JavaScript rounds up where Python rounds to even
  if (Number.isInteger(size * 8) && (size * 8) % 4 === 1) told = (size - 0.005).toFixed(2);
  told = told.replace(/\.?0+$/, (zeros) => (zeros.includes(".") || told.includes(".") ? "" : zeros));
  return value < 0 && told !== "0" && told !== "" ? `-${told}` : told || "0";
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll(">", "&gt;").replaceAll("<", "&lt;");

function quoted(value) {
  if (typeof value === "number") return `"${short(value)}"`;
  const text = escaped(value).replaceAll("\n", "&#10;").replaceAll("\r", "&#13;").replaceAll("\t", "&#9;");
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? `"${text.replaceAll('"', "&quot;")}"` : `'${text}'`;
}
