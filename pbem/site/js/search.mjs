// The search of a library: which of the games in the page fit the form. The whole list stands in the page.

import { byId, dataOf, element, put, replace } from "./dom.mjs";

const STEP = 200;

const { games, words, pages } = dataOf("data");
const form = byId("filter");
let shown = STEP;

const asGame = ([page, at, title, ruleset, game, players, winners, turns, state, how]) => ({
  ...{ page, at, title, ruleset, game, players, winners, turns, state, how },
  text: [title, game, ...players].join("\n").toLocaleLowerCase(),
});

const all = games.map(asGame);

const within = (value, from, to) => (from === "" || value >= Number(from)) && (to === "" || value <= Number(to));

function fits(game, wanted) {
  const day = game.at.slice(0, 10);
  return (
    game.text.includes(wanted.text.trim().toLocaleLowerCase()) &&
    (wanted.ruleset === "" || game.ruleset === wanted.ruleset) &&
    ["", `state:${game.state}`, `how:${game.how}`].includes(wanted.result) &&
    within(game.players.length, wanted.seats_from, wanted.seats_to) &&
    within(game.turns, wanted.turns_from, wanted.turns_to) &&
    (wanted.date_from === "" || day >= wanted.date_from) &&
    (wanted.date_to === "" || day <= wanted.date_to)
  );
}

const names = (list) => list.flatMap((name, i) => (i === 0 ? [element("bdi", {}, name)] : [", ", element("bdi", {}, name)]));

function row(game) {
  const called = [`${game.title} `, element("bdi", {}, game.game)];
  const head = pages ? [element("a", { href: `games/${game.page}.html` }, ...called)] : called;
  const result = game.state === "finished" && game.how !== "" ? [`${words.finished} (`, element("code", {}, game.how), ")"] : [words[game.state]];
  return element(
    "tr",
    {},
    element("td", {}, element("time", { datetime: game.at }, game.at.slice(0, 10))),
    element("th", { scope: "row" }, ...head),
    element("td", {}, ...names(game.players)),
    element("td", {}, ...names(game.winners)),
    element("td", { class: "number" }, String(game.turns)),
    element("td", {}, ...result),
  );
}

function show() {
  const wanted = Object.fromEntries(new FormData(form));
  const found = all.filter((game) => fits(game, wanted));
  replace(byId("rows"), ...found.slice(0, shown).map(row));
  byId("count").textContent = put(words.found, { count: found.length });
  byId("more").hidden = found.length <= shown;
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => {
  shown = STEP;
  show();
});
byId("more").addEventListener("click", () => {
  shown += STEP;
  show();
});
show();
