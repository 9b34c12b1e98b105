// Where the groups of a picture lie that stand for something: {of, title, x, y, w, h}, in the order in which they are drawn.

const FAR = { house: 1.2, triangle: 1.25, star: 1.4, diamond: 1.28, hexagon: 1.15, square: 0.93, disc: 1 };

export function extents(groups) {
  return groups.filter((part) => part.draw === "group").flatMap((group) => {
    const inner = extents(group.parts);
    const box = group.of ? around(group.parts) : null;
    return box ? [{ of: group.of, title: group.title, ...box }, ...inner] : inner;
  });
}

function around(parts) {
  const corners = parts.flatMap(cornersOf);
  if (corners.length === 0) return null;
  const across = corners.map(([x]) => x);
  const down = corners.map(([, y]) => y);
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, w: Math.max(...across) - x, h: Math.max(...down) - y };
}

// Words are as wide as they are in the end; what stands on other shapes lies within these.
function cornersOf(part) {
  switch (part.draw) {
    case "rect":
      return [[part.x, part.y], [part.x + part.w, part.y + part.h]];
    case "mark": {
      const reach = part.r * FAR[part.sign ?? "disc"];
      return [[part.x - reach, part.y - reach], [part.x + reach, part.y + reach]];
    }
    case "stroke":
      return part.points;
    case "group":
      return part.parts.flatMap(cornersOf);
    default:
      return [[part.x, part.y]];
  }
}
