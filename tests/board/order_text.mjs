// Lines of orders compiled and written: for each row {game} or {grammar}, with {text} or {orders}, what comes of it.
import { createInterface } from "node:readline";
import { compileText } from "../../pbem/desk/js/turn/order_text.mjs";
import { orderLine } from "../../pbem/desk/js/turn/order_lines.mjs";
import { withWords } from "../../pbem/desk/js/turn/check_words.mjs";
import { nearest } from "../../pbem/desk/js/turn/nearest.mjs";

async function answer(row) {
  if (row.known) return nearest(row.word, row.known);
  const grammar = row.grammar ?? (await import(`../../engine/games/${row.game}/page/grammar.mjs`)).grammar;
  if (row.orders) {
    const lines = row.orders.map((order) => orderLine(order, grammar));
    return { lines, words: await withWords(lines) };
  }
  try {
    const { lines, faults } = await compileText(row.text, grammar);
    return {
      orders: lines.map((line) => line.order),
      faults: faults.map(({ number, line, start, end, refused: { code, args } }) => ({ number, line, start, end, code, args })),
    };
  } catch (error) {
    if (error.code === undefined) throw error;
    return { refused: error.code, args: error.args };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(Buffer.from(line, "base64").toString("utf8")))));
}
