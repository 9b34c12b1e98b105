// An order as one line of canonical JSON, at most 300 characters, to be quoted in a refusal.

const LONGEST = 300;

export function quote(order) {
  const chars = [...spell(order)];
  return chars.length <= LONGEST ? chars.join("") : `${chars.slice(0, LONGEST - 1).join("")}…`;
}

function spell(value) {
  if (Array.isArray(value)) return `[${value.map(spell).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${spell(value[key])}`);
  return `{${pairs.join(",")}}`;
}
