// A menu as the JSON of a view has it, in which what is usual is left out: its forms, options and acts. The twin of parts of
// engine/kernel/menu.py.

// Values as JSON, by which they are compared.
export const spelt = (value) => {
  if (Array.isArray(value)) return `[${value.map(spelt).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${spelt(value[key])}`).join(",")}}`;
};

// The fields of a form; none for the empty name.
export const formOf = (menu, name) => (menu.forms ?? []).find((form) => form.name === name)?.fields ?? [];

// The options of a field, once the earlier fields of the same object are filled in.
export function optionsOf(menu, field, earlier) {
  const options = field.options ?? (menu.sets ?? []).find((set) => set.name === field.sets)?.options ?? [];
  const taken = (field.without ?? []).filter((name) => Object.hasOwn(earlier, name)).map((name) => spelt(earlier[name]));
  return taken.length ? options.filter((option) => !taken.includes(spelt(option.value))) : options;
}

// Every act with the decision that it answers.
export const actsOf = (menu) => (menu.asked ?? []).flatMap((asked) => (asked.acts ?? []).map((act) => ({ act, asked })));

// Whether a field has any value just now; only optional ones may have none.
export function isOpen(menu, field, earlier) {
  if (field.kind === "number") return (field.low ?? 0) <= (field.high ?? 0);
  if (field.kind === "list") return Boolean(field.item) && (isOpen(menu, field.item, earlier) || !field.optional);
  return optionsOf(menu, field, earlier).length > 0;
}
