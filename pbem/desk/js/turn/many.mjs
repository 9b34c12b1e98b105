// A question for several choices in an order: what is chosen stands in a list that can be put in order by buttons or by
// dragging; the others are buttons below it.

import { button, element } from "../dom.mjs";
import { plural, say } from "../say.mjs";

// `places` are the places of the choices chosen so far; `onChange(places, focus)` asks for it to be drawn anew, with the
// keyboard where the selector says.
export function manyPart({ question, places, onChange, onDone }) {
  const counts = (place) => places.filter((one) => one === place).length;
  const left = question.choices.map((choice, place) => ({ choice, place })).filter(({ place }) => !(question.distinct && counts(place)));
  const isFull = places.length >= question.high;
  const enough = places.length >= question.low && places.length <= question.high;
  return [
    element("p", { class: "hint" }, rangeSay(question)),
    places.length ? chosenList(question, places, onChange) : element("p", {}, say("Nothing is chosen yet.")),
    element(
      "div",
      { class: "choices" },
      left.map(({ choice, place }) => button(choice.say, () => onChange([...places, place], wordOf(choice)), { class: "choice", disabled: isFull, "data-word": choice.word })),
    ),
    element(
      "div",
      { class: "buttons" },
      button(say("Take this choice"), () => onDone(places), { class: "main", disabled: !enough }),
      question.optional ? button(say("Leave it out"), () => onDone(null)) : null,
    ),
  ];
}

const wordOf = ({ word }) => `.asking .choice[data-word="${CSS.escape(word)}"]:not(:disabled)`;

function rangeSay({ low, high }) {
  if (low === high) return plural("Choose one of them.", "Choose {n} of them.", low);
  return say("Choose {low} to {high} of them.", { low, high });
}

function chosenList(question, places, onChange) {
  const moved = (from, to) => {
    const left = places.filter((_, at) => at !== from);
    onChange([...left.slice(0, to), places[from], ...left.slice(to)], `.chosen > li:nth-child(${to + 1}) button:not(:disabled)`);
  };
  const items = places.map((place, at) => {
    const name = question.choices[place].say;
    const item = element(
      "li",
      { draggable: "true" },
      element("span", { class: "grip", "aria-hidden": "true" }, "⠿"),
      element("span", { class: "name" }, name),
      small("↑", say("Move {what} up", { what: name }), () => moved(at, at - 1), at === 0),
      small("↓", say("Move {what} down", { what: name }), () => moved(at, at + 1), at === places.length - 1),
      small("✕", say("Take {what} out", { what: name }), () => onChange(places.filter((_, one) => one !== at))),
    );
    draggable(item, at, moved);
    return item;
  });
  return element("ol", { class: "chosen" }, items);
}

// A button that shows a sign and has a name.
export const small = (sign, name, onclick, disabled = false) =>
  button(sign, onclick, { class: "small", "aria-label": name, title: name, disabled });

const KIND = "text/plain";

// Dropping an item on another one puts it there.
export function draggable(item, at, moved) {
  item.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData(KIND, String(at));
    event.dataTransfer.effectAllowed = "move";
    event.stopPropagation();
  });
  item.addEventListener("dragover", (event) => {
    event.preventDefault();
    item.classList.add("over");
  });
  item.addEventListener("dragleave", () => item.classList.remove("over"));
  item.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    item.classList.remove("over");
    const from = Number.parseInt(event.dataTransfer.getData(KIND), 10);
    if (Number.isInteger(from) && from !== at && item.parentElement?.children[from]) moved(from, at);
  });
}
