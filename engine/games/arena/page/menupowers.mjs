// The powers in a menu: for a card that its backer may lay now, the power's fields with every legal value. The twin of
// `menu_powers.py`.
//
// `after` is the position with the card laid. `laid` is {use, card, instead}: the power's use, the card just laid, and
// the cards that may lie on top instead of the first one, where this is an Ettin's second card.

import { choice, field, option, options } from "../../../kernel/page/pool.mjs";
import { say } from "../../../kernel/page/say.mjs";
import { checkCell } from "./bet.mjs";
import { creatureOf, inOrder, pack } from "./cards.mjs";
import { HIGHEST, MOST_PREFERENCES, MOST_SECOND_PLAYS } from "./orders.mjs";
import { TITAN_DRAW, checkVictim, trollCards } from "./powers.mjs";
import { active, cellAt, currentRow, living, top, withCell, withPlayer } from "./state.mjs";
import { visible } from "./table.mjs";
import { PREFERENCE_WORDS } from "./wording.mjs";

const SECOND_CARD_SOURCES = ["ettin", "seraphim"];
const POWER = say("Use its power");
const USE = say("The power");
const TOKEN = say("The token to take back");
const CREATURE = say("The creature");
const ROW = say("The row");
const SECRET = say("Your hidden secret bet");
const REVEALED = say("The creature above which your revealed secret bet lies");
const SEAT = say("The player");
const THEN = say("The second card: the first of these that can be played");
const SECOND = say("A second card");
const COPIED = say("The power of a dead creature");
const KEEP = say("What to keep: the first of these that fits");
const WORD = say("A card or a word");
const TAKE = say("The visible card of an earlier row to take");
const SWAP = say("The two visible cards to swap");

// The optional field `power` of the card just laid; nothing if it can't be activated. `playFields` makes the form of a
// card to play: an Ettin's second cards need it again.
export function powerField(pool, after, laid, playFields) {
  const ways = alternatives(pool, after, laid, { name: laid.use.source, playFields });
  return ways.length ? [field("power", "record", POWER, { options: ways, optional: true })] : [];
}

function alternatives(pool, after, laid, { name, playFields }) {
  const head = choice("use", USE, [name]);
  const ways = WAYS[name](pool, after, laid, playFields);
  return ways.map(([way, fields]) => option(way, { form: pool.form(way, [head, ...fields]) }));
}

// By the creature whose power it is, every way to use it: a name for each, and its fields after `use`; none if it has no
// legal target.
const WAYS = {
  amazon: (pool, after) => (after.deck.length ? [["amazon", []]] : []),
  magus: () => [["magus", []]],
  colossus,
  cyclops: (pool, after, laid) => atSeat(pool, after, laid.use, { least: 1, name: "cyclops", fields: [] }),
  daimon,
  ettin: (pool, after, laid, playFields) => (laid.use.second ? [] : ettin(pool, after, laid, playFields)),
  gorgon(pool, after, laid) {
    const creatures = field("creature", "zone", CREATURE, { sets: pool.names("living", living(after)) });
    return atSeat(pool, after, laid.use, { least: 0, name: "gorgon", fields: [creatures] });
  },
  seraphim,
  titan: (pool, after, laid) => atSeat(pool, after, laid.use, { least: TITAN_DRAW, name: "titan", fields: [keep(pool, after)] }),
  troll(pool, after, laid) {
    const cards = trollCards(after, laid.use.source);
    return [["troll", cards.length ? [choice("take", TAKE, cards, "card")] : []]];
  },
  unicorn,
  wyrm(pool, after, laid) {
    const row = currentRow(after);
    const creatures = living(after).filter((name) => name !== laid.use.source && top(cellAt(after, name, row)));
    return creatures.length ? [["wyrm", [choice("creature", CREATURE, creatures, "zone")]]] : [];
  },
};

function atSeat(pool, after, use, { least, name, fields }) {
  const seats = active(after).filter((seat) => seat !== use.seat && !checkVictim(after, seat, least));
  if (!seats.length) return [];
  return [[name, [field("seat", "seat", SEAT, { sets: pool.names("players", seats) }), ...fields]]];
}

// A creature, and a row that depends on it; `rows` are [creature, rows].
function byRow(pool, name, rows) {
  const creatures = rows.map(([creature, numbers]) => {
    const row = field("row", "choice", ROW, { options: options(numbers) });
    return option(creature, { form: pool.form(name, [row]) });
  });
  return [field("creature", "zone", CREATURE, { options: creatures })];
}

// Of some creatures, those of which some rows will do, with these rows.
function rowsOf(after, creatures, isFit) {
  const numbers = Array.from({ length: currentRow(after) }, (_, place) => place + 1);
  return creatures
    .map((name) => [name, numbers.filter((row) => isFit(name, row))])
    .filter(([, rows]) => rows.length);
}

function colossus(pool, after, { use: { seat } }) {
  const cells = rowsOf(after, after.creatures, (name, row) => cellAt(after, name, row)?.token === seat);
  const tokens = [];
  if (cells.length) tokens.push(["cell", byRow(pool, "row", cells)]);
  if (after.players[seat].secret) tokens.push(["secret", [field("secret", "choice", SECRET, { options: options([true]) })]]);
  const shown = after.creatures.filter((name) => after.columns[name].revealed.includes(seat));
  if (shown.length) tokens.push(["revealed", [choice("revealed", REVEALED, shown, "zone")]]);
  const ways = tokens.map(([kind, fields]) => option(kind, { form: pool.form(`token/${kind}`, fields) }));
  return ways.length ? [["colossus", [field("token", "record", TOKEN, { options: ways })]]] : [];
}

function daimon(pool, after, { use: { seat } }) {
  const free = rowsOf(after, living(after), (name, row) => !checkCell(after, seat, name, row));
  return free.length ? [["daimon", byRow(pool, "row", free)]] : [];
}

function ettin(pool, after, laid, playFields) {
  const { seat, source } = laid.use;
  const { hand } = after.players[seat];
  const firsts = inOrder([laid.card, ...hand.filter((card) => creatureOf(card) === source)]);
  const cell = after.columns[source].rows.at(-1);
  let second = withCell(after, source, currentRow(after), { cards: [...cell.cards.slice(0, -1), firsts[0]] });
  if (firsts.length > 1) second = withPlayer(second, seat, { hand: [...hand, laid.card] });
  second = { ...second, agenda: [{ task: "ettin", seat }, ...second.agenda] };
  const fields = playFields(pool, second, seat, firsts.slice(1));
  if (!fields.length) return [["ettin", []]];
  const item = field("play", "record", SECOND, { options: [option("card", { form: pool.form("second", fields) })] });
  return [["ettin", [field("then", "list", THEN, { high: MOST_SECOND_PLAYS, item, optional: true })]]];
}

function seraphim(pool, after, laid, playFields) {
  const ways = after.dead
    .filter((name) => name !== "seraphim")
    .flatMap((name) => alternatives(pool, after, laid, { name, playFields }));
  return ways.length ? [["seraphim", [field("as", "record", COPIED, { options: ways })]]] : [];
}

function keep(pool, after) {
  const words = pool.names("preferences", [...PREFERENCE_WORDS, ...pack(after.creatures)]);
  const item = field("word", "choice", WORD, { sets: words });
  const more = { high: MOST_PREFERENCES, item, distinct: true, optional: true, default: [HIGHEST] };
  return field("keep", "list", KEEP, more);
}

// Pairs in groups that many cards share: with the card just laid, by Ettin and Seraphim, all others.
function unicorn(pool, after, laid) {
  const { source } = laid.use;
  const now = currentRow(after);
  const instead = laid.instead.map((card) => [card, creatureOf(card), now]).filter(([, name]) => name !== source);
  const places = [...visible(after), ...instead];
  const groups = new Map();
  for (const one of places) {
    for (const two of places) {
      const [[first, name, row], [second, other, at]] = [one, two];
      if (one === two || name !== other || row === at) continue;
      const apart = SECOND_CARD_SOURCES.includes(name) ? name : "unicorn";
      const way = [first, second].includes(laid.card) ? "unicorn/laid" : `unicorn/${apart}`;
      groups.set(way, [...(groups.get(way) ?? []), option([first, second])]);
    }
  }
  return [...groups].map(([way, pairs]) => [way, [field("swap", "choice", SWAP, { options: pairs })]]);
}
