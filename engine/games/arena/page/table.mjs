// Cards on the table: what lies visible, and how the top of a cell is laid or lifted (HU p.7). The twin of `table.py`.

import { told } from "../../../kernel/page/tell.mjs";
import { creatureOf, seen } from "./cards.mjs";
import { cellAt, currentRow, step, top, withCell } from "./state.mjs";

// Every visible combat card with its creature and row, by row, then in the order of the creatures; no spectator.
export function visible(state) {
  const found = [];
  for (let row = 1; row <= currentRow(state); row += 1) {
    for (const name of state.creatures) {
      const card = top(cellAt(state, name, row));
      if (card && creatureOf(card)) found.push([card, name, row]);
    }
  }
  return found;
}

// Where a combat card lies visible, with its creature and row, or null.
export function findVisible(state, card) {
  const name = creatureOf(card);
  const place = state.columns[name].rows.findIndex((cell) => top(cell) === card);
  return place < 0 ? null : [card, name, place + 1];
}

// A card on top of a living creature's cell in the current row.
export function lay(state, creature, card) {
  const row = currentRow(state);
  return withCell(state, creature, row, { cards: [...cellAt(state, creature, row).cards, card] });
}

// The top card of a cell away; the card beneath, if any, becomes visible (#17, #18).
export function lift(state, creature, row) {
  const cards = cellAt(state, creature, row).cards.slice(0, -1);
  const bared = withCell(state, creature, row, { cards });
  if (!cards.length) return step(bared);
  return step(bared, [told("card_uncovered", { card: seen(cards.at(-1)), creature, row })]);
}
