// Where the zones of a picture lie: the board's own map, stretched to the picture, its labels moved apart; the twin of
// shapes_place.py. Only sums and products in the same order, so that every machine gives the same picture.

const ROUNDS = 300;
const ACROSS = 10;
const DOWN = 12;
const SLANT = 0.9;

// The middle of the upper edge of each box {name, x, y, w, h} in an area {left, top, right, bottom}: [x, y] by name.
export function placed(boxes, area) {
  const spots = boxes.map((box) => ({ box, ...stretched(box, boxes, area) }));
  for (let round = 0; round < ROUNDS && pushed(spots); round += 1) spots.forEach((spot) => keepIn(spot, area));
  return new Map(spots.map((spot) => [spot.box.name, [spot.x, spot.y]]));
}

function stretched(box, boxes, area) {
  const least = (of) => Math.min(...boxes.map(of));
  const most = (of) => Math.max(...boxes.map(of));
  const [left, right] = [least((one) => one.x), most((one) => one.x)];
  const [top, bottom] = [least((one) => one.y), most((one) => one.y)];
  const [wide, high] = [most((one) => one.w), most((one) => one.h)];
  return {
    x: area.left + wide / 2 + ((box.x - left) / Math.max(right - left, 1)) * (area.right - area.left - wide),
    y: area.top + ((box.y - top) / Math.max(bottom - top, 1)) * (area.bottom - area.top - high),
  };
}

function keepIn(spot, area) {
  const half = spot.box.w / 2;
  spot.x = Math.min(Math.max(spot.x, area.left + half), area.right - half);
  spot.y = Math.min(Math.max(spot.y, area.top), area.bottom - spot.box.h);
}

// Moves boxes that are too close a part of the way from each other; whether there were any.
function pushed(spots) {
  let anyMoved = false;
  spots.forEach((one, place) => {
    for (const other of spots.slice(place + 1)) anyMoved = parted(one, other) || anyMoved;
  });
  return anyMoved;
}

function parted(one, other) {
  const across = (one.box.w + other.box.w) / 2 + ACROSS - Math.abs(one.x - other.x);
  if (across <= 0) return false;
  const down = other.y + other.box.h / 2 - one.y - one.box.h / 2;
  const over = (one.box.h + other.box.h) / 2 + DOWN - Math.abs(down);
  if (over <= 0) return false;
  if (across < over * SLANT) {
    const step = one.x <= other.x ? across / 4 : -across / 4;
    one.x -= step;
    other.x += step;
  } else {
    const step = down >= 0 ? over / 4 : -over / 4;
    one.y -= step;
    other.y += step;
  }
  return true;
}
