// A turn as the panel makes it: for each row what is asked on the way, how orders are told, and the plan of a turn.
import { createInterface } from "node:readline";
import { describe } from "../../pbem/desk/js/turn/describe.mjs";
import { actsOf } from "../../pbem/desk/js/turn/menu.mjs";
import { Scene, planOf } from "../../pbem/desk/js/turn/plan.mjs";
import { resume } from "../../pbem/desk/js/turn/walk.mjs";

const plainQuestion = ({ kind, say, choices, low, high, distinct, optional, hasDefault, default: usual }) => ({
  kind,
  say,
  choices: choices.map((choice) => ({ say: choice.say, word: choice.word })),
  low,
  high,
  distinct,
  optional,
  has_default: hasDefault,
  default: usual,
});

async function answer({ what, game, ...row }) {
  if (what === "describe") return row.orders.map((order) => describe(row.menu, order));
  if (what === "walk") {
    const { act } = actsOf(row.menu)[row.act];
    const { asked, question, order } = resume(row.menu, act, row.answers);
    return { asked: asked.map(([one]) => plainQuestion(one)), question: question ? plainQuestion(question) : null, order: order ?? null };
  }
  const page = await import(`../../engine/games/${game}/page/index.mjs`);
  const scene = new Scene({ view: row.view, menu: page.menu(row.view), news: [], seat: row.seat, game: page });
  const plan = planOf(scene, row.orders);
  return { orders: plan.orders, certain: plan.steps.map((step) => step.certainty), rows: plan.rows, closed: plan.seen.closed, after: plan.seen.after, menu: plan.menu };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(Buffer.from(line, "base64").toString("utf8")))));
}
