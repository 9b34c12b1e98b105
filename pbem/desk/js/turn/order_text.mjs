// Orders written as short lines, compiled: `attack north south 3 until captured keep 2 #kite`. The twin of
// pbem/player/order_text.py, with the same faults at the same words.

import { Refused, refuse } from "../../../site/js/refusal.mjs";
import { checkWord } from "./check_words.mjs";
import { orderLine } from "./order_lines.mjs";
import { Reader, Wrong } from "./order_reader.mjs";
import { cut, strip } from "./order_words.mjs";

const MOST_LINES = 200;
const MOST_LENGTH = 2_000;

// The orders of a text, one a line; blank lines count for nothing. Every line is looked at, and no fault hides another:
// {lines: [{number, line, order, check}], faults: [{number, line, start, end, refused}]}, numbers from 1, columns from 0 and
// in characters. Refused: line/too-long.
export async function compileText(text, grammar) {
  const rows = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  if (rows.length > MOST_LINES || rows.some((row) => [...row].length > MOST_LENGTH)) {
    throw refuse("line/too-long", { lines: MOST_LINES, length: MOST_LENGTH });
  }
  const lines = [];
  const faults = [];
  rows.forEach((row, place) => {
    if (!strip(row).text) return;
    try {
      lines.push({ number: place + 1, line: row, ...readLine(row, grammar) });
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      faults.push({ number: place + 1, line: row, start: error.start, end: error.end, refused: error.refused });
    }
  });
  return { lines, faults: faults.length ? faults : await checked(lines, grammar) };
}

function readLine(row, grammar) {
  const words = cutLine(row);
  const check = words.at(-1)?.mark === "check" ? words.at(-1) : null;
  const body = check ? words.slice(0, -1) : words;
  return { order: new Reader(body, grammar, check ? check.start : strip(row).end).order(), check };
}

function cutLine(row) {
  try {
    return cut(row);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Wrong(error.args.column - 1, [...row].length, error);
  }
}

// The check words held against the lines: none at all, or one a line. One fault at most: later words depend on it.
async function checked(lines, grammar) {
  if (lines.every((line) => line.check === null)) return [];
  const texts = [];
  for (const { number, line, order, check } of lines) {
    texts.push(orderLine(order, grammar));
    if (check === null) {
      const { end } = strip(line);
      return [{ number, line, start: end, end: end + 1, refused: refuse("line/no-check-word") }];
    }
    if (check.text !== (await checkWord(texts))) {
      const refused = refuse("line/check-word", { word: check.text, line: texts.at(-1) });
      return [{ number, line, start: check.start, end: check.end, refused }];
    }
  }
  return [];
}
