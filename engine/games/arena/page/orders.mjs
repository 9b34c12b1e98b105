// What a player writes: one record per order, tagged by `do`, and per power, tagged by `use`. The twin of `orders.py`.

import { FLAG, NUMBER, TEXT, list, may, record, tuple, union } from "../../../kernel/page/shape.mjs";

export const MOST_DISCARDS = 3;
export const MOST_PREFERENCES = 20;
export const MOST_SECOND_PLAYS = 10;
export const HIGHEST = "highest";
export const LOWEST = "lowest";
export const HIGHEST_BACKED = "highest_backed";
export const REFEREE = "referee";
export const SPECTATOR_FROM = "spectator>=";
export const ALL_DEAD = "all_dead";

const order = (name, fields = {}) => record(fields, { tag: ["do", name] });
const power = (name, fields = {}) => record(fields, { tag: ["use", name] });

const TOKEN = record({ creature: may(TEXT, ""), row: may(NUMBER, 0), secret: may(FLAG, false), revealed: may(TEXT, "") });
const POWER = union("use", () => POWERS);
const CARD_PLAY = { card: TEXT, on: may(TEXT, ""), take: may(TEXT, ""), power: may(POWER, undefined) };

const POWERS = [
  power("amazon"),
  power("colossus", { token: TOKEN }),
  power("cyclops", { seat: TEXT }),
  power("daimon", { creature: TEXT, row: NUMBER }),
  power("ettin", { then: may(list(record(CARD_PLAY)), []) }),
  power("gorgon", { seat: TEXT, creature: TEXT }),
  power("magus"),
  power("seraphim", { as: POWER }),
  power("titan", { seat: TEXT, keep: may(list(TEXT), []) }),
  power("troll", { take: may(TEXT, "") }),
  power("unicorn", { swap: tuple(TEXT, TEXT) }),
  power("wyrm", { creature: TEXT }),
];

const ORDERS = [
  order("bet", { creature: TEXT }),
  order("secret_bet", { card: TEXT }),
  order("reveal_bet"),
  order("play", CARD_PLAY),
  order("show_hand"),
  order("discard", { cards: list(TEXT) }),
  order("end_turn"),
  order("keep", { card: TEXT }),
  order("give", { card: TEXT }),
  order("declare_stalemate"),
  order("object"),
  order("accept"),
];
export const ACTION = union("do", () => ORDERS);
