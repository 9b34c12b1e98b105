// Words that look like another one, as Python's difflib finds them: the same ones in the same order.

const CUTOFF = 0.6;
const MOST = 3;
const LONG = 200;

// The known words that look like this one, best first; all of them if none does. Joined by commas.
export function nearest(word, known) {
  const letters = [...word];
  const places = placesOf(letters);
  const close = [];
  for (const one of known) {
    const score = ratio([...one], letters, places);
    if (score >= CUTOFF) close.push([score, one]);
  }
  close.sort(([score, one], [other, two]) => other - score || (one < two ? 1 : -1));
  const found = close.slice(0, MOST).map(([, one]) => one);
  return (found.length ? found : known).join(", ");
}

// Where each letter stands; in long words without the letters that are everywhere.
function placesOf(letters) {
  const places = new Map();
  letters.forEach((letter, at) => places.set(letter, [...(places.get(letter) ?? []), at]));
  if (letters.length < LONG) return places;
  const most = Math.floor(letters.length / 100) + 1;
  return new Map([...places].filter(([, all]) => all.length <= most));
}

// How alike two words are, from 0 to 1: twice the letters in common, of all letters.
function ratio(one, other, places) {
  let common = 0;
  const open = [[0, one.length, 0, other.length]];
  while (open.length) {
    const [low, high, lowest, highest] = open.pop();
    const [start, begin, size] = longest(one, other, places, [low, high, lowest, highest]);
    if (!size) continue;
    common += size;
    open.push([low, start, lowest, begin], [start + size, high, begin + size, highest]);
  }
  const all = one.length + other.length;
  return all ? (2 * common) / all : 1;
}

// The longest run that both have between these places: where it begins in each, and its length.
function longest(one, other, places, [low, high, lowest, highest]) {
  let [start, begin, size] = [low, lowest, 0];
  let before = new Map();
  for (let at = low; at < high; at += 1) {
    const now = new Map();
    for (const place of places.get(one[at]) ?? []) {
      if (place < lowest) continue;
      if (place >= highest) break;
      const run = (before.get(place - 1) ?? 0) + 1;
      now.set(place, run);
      if (run > size) [start, begin, size] = [at - run + 1, place - run + 1, run];
    }
    before = now;
  }
  while (start > low && begin > lowest && one[start - 1] === other[begin - 1]) [start, begin, size] = [start - 1, begin - 1, size + 1];
  while (start + size < high && begin + size < highest && one[start + size] === other[begin + size]) size += 1;
  return [start, begin, size];
}
