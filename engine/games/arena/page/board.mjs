// The arena as a picture, in JavaScript: of a view and the news that its seat has heard, the same as shapes.py gives,
// in every field. Below the creatures stand the players, the viewer's cards and the piles.

import { plural, say } from "../../../../pbem/desk/js/say.mjs";
import { WIDTH, group, number, rect, text } from "../../../../pbem/desk/js/shapes.mjs";
import { ROUNDS, ROW_VALUES, SEATS, called, creatureOf, isBlank } from "./board_cards.mjs";
import { EDGE, LINE, TOP, arena, changed } from "./board_creatures.mjs";
import { PALETTE, left, longCard, pip, token } from "./board_parts.mjs";
import { about, gold, stalemate, title, whole } from "./board_view.mjs";

const SEAT_LINE = 44;
const CARD_LINE = 64;
const CARDS_A_LINE = 4;

// The picture of a view (as JSON), with the events of its news marked.
export function picture(seen, news = []) {
  const view = whole(seen);
  const fresh = changed(news);
  let bottom = TOP + LINE * view.creatures.length;
  const groups = [heading(view), arena(view, fresh)];
  for (const section of [players, titan, hand, piles, variant]) {
    const [drawn, end] = section(view, bottom);
    if (drawn.parts.length) groups.push(drawn);
    bottom = end;
  }
  if (fresh.size) {
    groups.push(legend(bottom));
    bottom += 36;
  }
  return { title: say("Colossal Arena"), about: about(view, ROUNDS), height: bottom + EDGE, palette: PALETTE, groups };
}

// What time it is in the game.
function heading(view) {
  let worth = plural("a bet is worth {n} gold", "a bet is worth {n} gold", ROW_VALUES[view.row - 1]);
  let turn = say("turn {turn}: {seat}", { turn: view.turn, seat: SEATS[view.seat] });
  if (view.ended) {
    const first = view.order.find((seat) => view.seats[seat].place === 1) ?? view.seat;
    worth = say("turn {turn}", { turn: view.turn });
    turn = say("{seat} wins", { seat: SEATS[first] });
  }
  const what = view.ended ? say("Game over") : say("Round {row} of {rounds}", { row: view.row, rounds: ROUNDS });
  return group(what, [
    text(EDGE, 36, what, 230, { size: 32, bold: true, anchor: "start" }),
    text(262, 38, worth, 230, { size: 22, anchor: "start", fill: "faint" }),
    text(WIDTH - EDGE, 38, turn, 200, { size: 24, bold: true, anchor: "end" }),
  ]);
}

// The players in turn order, with what everybody knows of them.
function players(view, top) {
  const head = [say("Players"), say("hand"), say("tokens"), say("secret bet"), say("gold so far")];
  if (view.ended) head[4] = say("gold");
  const parts = [text(EDGE, top + 34, head[0], 200, { size: 24, bold: true, anchor: "start" })];
  [290, 405, 520, 645].forEach((x, at) => parts.push(text(x, top + 36, head[at + 1], 118, { fill: "faint" })));
  let y = top + 56;
  const ranked = [...view.order].sort((one, other) => view.seats[one].place - view.seats[other].place);
  for (const seat of ranked) {
    parts.push(player(view, seat, y));
    y += SEAT_LINE;
  }
  return [group(say("The players"), parts, { head }), y];
}

function player(view, seat, y) {
  const known = view.seats[seat];
  const middle = y + SEAT_LINE / 2;
  const worth = number(view.ended ? known.gold : gold(view, seat));
  const name = title(view, seat);
  const parts = [];
  if (!view.ended && seat === view.seat) {
    parts.push(rect(EDGE - 6, y + 2, WIDTH - 2 * EDGE + 12, SEAT_LINE - 4, { fill: "now", round: 8 }));
    parts.push(text(EDGE + 8, middle, say("▶"), 20));
  }
  if (view.ended) {
    parts.push(text(EDGE + 8, middle, say("{place}.", { place: known.place }), 28, { size: 22, bold: true }));
  }
  parts.push(...token(seat, EDGE + 40, middle, 14, known.resigned));
  const ink = known.resigned ? "faint" : "ink";
  parts.push(text(EDGE + 64, middle, name, 154, { size: 24, bold: seat === view.me, anchor: "start", fill: ink }));
  parts.push(text(645, middle, worth, 100, { size: 26, bold: true, fill: ink }));
  const secret = known.secret ? say("hidden") : say("none");
  if (known.resigned) {
    parts.push(text(345, middle, say("resigned"), 200, { size: 22, fill: "faint" }));
    parts.push(text(520, middle, secret, 110, { size: 22, fill: "faint" }));
    return group(name, parts, { row: [name, say("resigned"), say("-"), secret, worth], of: seat });
  }
  let cards = number(known.hand);
  if (known.frozen) cards = say("{hand} + {frozen} frozen", { hand: known.hand, frozen: known.frozen });
  parts.push(text(290, middle, cards, 130, { size: 22 }));
  if (!known.stock) parts.push(text(405, middle, say("none"), 110, { size: 22 }));
  for (let at = 0; at < known.stock; at += 1) parts.push(pip(seat, 405 + 21 * (at - (known.stock - 1) / 2), middle));
  parts.push(text(520, middle, secret, 110, { size: 22 }));
  return group(name, parts, { row: [name, cards, number(known.stock), secret, worth], of: seat });
}

// The three cards of a Titan's question, for the two who see them.
function titan(view, top) {
  const asked = view.agenda.filter((task) => task.task === "titan");
  return cards(view, say("The Titan's choice"), asked.flatMap((task) => task.cards ?? []), [], top);
}

// The viewer's own cards, those that are frozen last and dashed.
function hand(view, top) {
  const { hand: open, frozen, secret } = view.own;
  const [drawn, bottom] = cards(view, say("Your cards"), open, frozen, top);
  if (!secret) return [drawn, bottom];
  const bet = say("Your secret bet lies on {card}.", { card: called(secret) });
  const line = text(EDGE, bottom + 18, bet, WIDTH - 2 * EDGE, { size: 22, anchor: "start" });
  const parts = [...drawn.parts, group(bet, [line], { row: [bet] })];
  return [group(drawn.title, parts, { head: [say("card")] }), bottom + 36];
}

function cards(view, what, open, frozen, top) {
  const all = [...open, ...frozen];
  if (!all.length) return [group(what, []), top];
  const parts = [text(EDGE, top + 30, what, 400, { size: 24, bold: true, anchor: "start" })];
  all.forEach((card, at) => {
    const x = EDGE + 174 * (at % CARDS_A_LINE);
    const y = top + 50 + CARD_LINE * Math.floor(at / CARDS_A_LINE);
    const cold = at >= open.length;
    const told = cold ? say("{card}, frozen", { card: called(card) }) : called(card);
    const useless = !isBlank(card) && view.dead.includes(creatureOf(card));
    parts.push(group(told, longCard(card, x, y, useless, cold), { row: [told], of: card }));
  });
  const lines = Math.ceil(all.length / CARDS_A_LINE);
  return [group(what, parts, { head: [say("card")] }), top + 50 + CARD_LINE * lines];
}

// The pile from which cards are drawn, and the discards with their visible card.
function piles(view, top) {
  const deck = plural("{n} card in the pile", "{n} cards in the pile", view.deck);
  let thrown = plural("{n} discard", "{n} discards", view.discards);
  if (view.discard) {
    thrown = plural("{n} discard, {card} on top", "{n} discards, {card} on top", view.discards, { card: called(view.discard) });
  }
  const y = top + 40;
  const parts = [
    pile(EDGE, y, "back", view.deck),
    pile(300, y, "card", view.discards),
    left(EDGE + 36, y, deck, 230, 22),
    left(336, y, thrown, 366, 22),
    group(deck, [], { row: [deck] }),
    group(thrown, [], { row: [thrown] }),
  ];
  return [group(say("The piles"), parts, { head: [say("pile")] }), top + 66];
}

const pile = (x, y, fill, size) =>
  rect(x, y - 17, 26, 34, { fill: size ? fill : "", line: "line", wide: 1.5, round: 4, dash: size ? "" : "dashed" });

// In a game with the stalemate variant: who began the round, and who has declared a stalemate.
function variant(view, top) {
  const what = say("The stalemate variant");
  if (!view.stalemate.began || view.ended) return [group(what, []), top];
  const told = stalemate(view);
  const y = top + 24;
  const parts = [left(EDGE + 36, y, told, WIDTH - 2 * EDGE - 36, 22)];
  if (view.stalemate.declared) parts.push(...token(view.stalemate.declared, EDGE + 13, y, 13));
  parts.push(group(told, [], { row: [told] }));
  return [group(what, parts, { head: [say("stalemate")] }), top + 48];
}

function legend(top) {
  const told = say("This frame: changed since your last letter.");
  const frame = rect(EDGE + 2, top + 6, 22, 24, { fill: "card", line: "new", wide: 4, round: 5 });
  return group(told, [frame, left(EDGE + 36, top + 18, told, 500)]);
}
