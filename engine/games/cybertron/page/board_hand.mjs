// The viewer's own cards in the picture, the twin of shapes_hand.py: each with its name, what it does and when.

import { plural, say } from "../../../../pbem/desk/js/say.mjs";
import { WIDTH, group, rect, text } from "../../../../pbem/desk/js/shapes.mjs";
import { named } from "./board_names.mjs";
import { cardsOf, isBlank } from "./deck.mjs";

const EDGE = 16;
const LINE = 70;
const CARD = 62;
const ROOM = WIDTH - 2 * EDGE - 28;

// One card below the other, and where they end; null for who holds none.
export function hand(view, top) {
  const cards = view.own?.hand ?? [];
  if (!cards.length) return [null, top];
  const what = say("Your cards");
  const first = text(EDGE, top + 24, what, 400, { size: 24, bold: true, anchor: "start" });
  const drawn = cards.map((id, place) => card(view, id, top + 46 + LINE * place));
  return [group(what, [first, ...drawn], { head: [say("card")] }), top + 46 + LINE * cards.length];
}

function card(view, id, y) {
  const [name, told] = words(view, id);
  const parts = [
    rect(EDGE, y, WIDTH - 2 * EDGE, CARD, { fill: "card", line: "line", round: 8 }),
    text(EDGE + 16, y + 20, name, ROOM, { size: 22, bold: true, anchor: "start" }),
    text(EDGE + 16, y + 44, told, ROOM, { anchor: "start", fill: "faint" }),
  ];
  return group(name, parts, { row: [say("{name}: {told}", { name, told })], of: id });
}

function words(view, id) {
  if (isBlank(id)) return [say("hidden card"), say("not seen yet")];
  const cards = cardsOf(view);
  const power = cards.upgrade(id);
  const told = say("{when}: {effect}", { when: when(power, cards.time(id)), effect: effect(power.effect) });
  return [named(power.name), cards.card(id).morph ? say("{card}; or, in phase 2, a morph", { card: told }) : told];
}

// When an upgrade is played, and how long it lasts.
function when(power, time) {
  switch (time) {
    case "muster":
      return say("phase 1, before you place");
    case "place":
      return say("phase 1");
    case "morph":
      return say("phase 2");
    case "attack":
      return power.duration === "this_turn" ? say("with an attack, for the whole turn") : say("with an attack");
    default:
      return say("when you are attacked");
  }
}

// What an upgrade does.
function effect(does) {
  const { n } = does;
  switch (does.type) {
    case "extra_robots":
      return plural("{n} robot more", "{n} robots more", n);
    case "multiply_sector_bonus":
      return say("{factor} times the sector bonus", { factor: does.factor });
    case "free_leader_return":
      return say("your leader returns from the scrapheap for nothing");
    case "back_up_move":
      return say("a back-up move");
    case "die_bonus":
      return (does.dice ?? "all") === "all"
        ? say("+{n} on each of your dice", { n })
        : say("+{n} on a die of your choice in each roll", { n });
    case "die_size":
      return say("your dice have {sides} faces", { sides: does.sides });
    default:
      return plural("the defender uses {n} piece", "the defender uses at most {n} pieces", n);
  }
}
