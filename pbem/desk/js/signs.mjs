// The outlines of signs, of the heads of arrows and of hatching: points, and nothing but arithmetic; the twin of
// pbem/render/signs.py.

const SIGNS = {
  square: [[-0.93, -0.93], [0.93, -0.93], [0.93, 0.93], [-0.93, 0.93]],
  diamond: [[0, -1.28], [1.28, 0], [0, 1.28], [-1.28, 0]],
  hexagon: [[-0.58, -1], [0.58, -1], [1.15, 0], [0.58, 1], [-0.58, 1], [-1.15, 0]],
  house: [[0, -1.2], [1.05, -0.3], [1.05, 0.95], [-1.05, 0.95], [-1.05, -0.3]],
  triangle: [[0, -1.25], [1.25, 0.9], [-1.25, 0.9]],
  star: [
    [0, -1.4], [0.38, -0.52], [1.33, -0.43], [0.61, 0.2], [0.82, 1.13],
    [0, 0.64], [-0.82, 1.13], [-0.61, 0.2], [-1.33, -0.43], [-0.38, -0.52],
  ],
};
const HATCH = 12;

// The corners of a sign; none for a disc.
export const outline = (mark) => (SIGNS[mark.sign] ?? []).map(([x, y]) => [mark.x + mark.r * x, mark.y + mark.r * y]);

// Slanted lines from the lower left to the upper right, cut off at the edges of a rectangle.
export function hatching({ x, y, w, h }) {
  const lines = [];
  for (let start = Math.floor(HATCH / 2); start < Math.trunc(w + h); start += HATCH) {
    lines.push([
      [x + Math.max(0, start - h), y + Math.min(start, h)],
      [x + Math.min(start, w), y + Math.max(0, start - w)],
    ]);
  }
  return lines;
}

// The line of an arrow, cut short, and the three corners of its head.
export function arrow({ points, wide }) {
  const [[x, y], [tipX, tipY]] = points.slice(-2);
  const long = Math.sqrt((tipX - x) * (tipX - x) + (tipY - y) * (tipY - y)) || 1;
  const aheadX = (tipX - x) / long;
  const aheadY = (tipY - y) / long;
  const size = Math.min(wide * 3.4, long);
  const backX = tipX - aheadX * size;
  const backY = tipY - aheadY * size;
  const sideX = -aheadY * size * 0.55;
  const sideY = aheadX * size * 0.55;
  const head = [[tipX, tipY], [backX + sideX, backY + sideY], [backX - sideX, backY - sideY]];
  return [[...points.slice(0, -1), [backX + aheadX, backY + aheadY]], head];
}
