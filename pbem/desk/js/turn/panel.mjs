// The turn panel: a turn is made by clicking on the board, by choosing from what is asked, or by typing lines of text. It
// knows no game, no key and no mail: menu, foresight and picture are the game's, and whoever shows it asks for the orders.

import { refuse } from "../../../site/js/refusal.mjs";
import { sentences } from "../codes.mjs";
import { element, fill } from "../dom.mjs";
import { say } from "../say.mjs";
import { foldedTables } from "../shown.mjs";
import { actsPart, fieldsPart } from "./ask.mjs";
import { certaintySay, ordersPart } from "./listed.mjs";
import { actsOf } from "./menu.mjs";
import { named, namedQuestion, namesOf } from "./names.mjs";
import { pickBoard } from "./picks.mjs";
import { Scene, boardOf, moved, planOf } from "./plan.mjs";
import { typedPart } from "./typed.mjs";
import { resume } from "./walk.mjs";

// `game` is {foresee, menu, picture, grammar}; `draft` is what `text()` gave before. `change` is an event of the element.
// Gives {element, orders(), text()}. Refused by orders(): desk/half-order.
export function turnPanel({ view, menu, news = [], seat, game, lang, draft = "" }) {
  const panel = new Panel(new Scene({ view, menu: menu ?? {}, news, seat, game }), lang);
  panel.begin(draft);
  return {
    element: panel.element,
    orders: () => panel.orders(),
    text: () => panel.text(),
  };
}

// What a player has done so far: orders, the act that he fills in with its answers, the choices of the question that is
// open, and the acts that are offered after a click on the board (null: all).
const EMPTY = { orders: [], act: null, answers: [], many: null, only: null };

class Panel {
  #past = [];

  constructor(scene, lang) {
    Object.assign(this, { scene, lang, state: EMPTY });
    this.board = pickBoard(lang);
    this.tables = element("div", {});
    this.caption = element("p", { class: "caption" });
    this.list = element("div", { class: "list" });
    this.asking = element("div", { class: "asking" });
    this.said = element("p", { class: "said", role: "status" });
    this.heads = {
      list: element("h3", { tabindex: "-1" }, say("Your orders")),
      ask: element("h3", { tabindex: "-1", id: "ask" }),
    };
    const { grammar } = scene.game;
    this.typed = grammar ? typedPart({ grammar, judge: (orders) => planOf(scene, orders).taken, onTake: (orders) => this.change({ ...EMPTY, orders }, "list") }) : null;
    this.element = element(
      "div",
      { class: "turn" },
      element("div", { class: "left" }, this.heads.list, this.list, this.said, this.heads.ask, this.asking),
      element("div", { class: "right" }, element("h3", {}, say("The board")), this.caption, this.board.element, this.tables),
      element("div", { class: "below" }, this.typed?.element ?? null),
    );
  }

  // A draft is as `text` wrote it, or a list of orders.
  begin(draft) {
    this.state = { ...EMPTY, ...readDraft(draft) };
    this.show();
  }

  orders() {
    if (this.way) throw refuse("desk/half-order", { order: this.acts[this.state.act].act.say });
    return this.state.orders;
  }

  text() {
    const { orders, act, answers, many } = this.state;
    return JSON.stringify({ orders, act, answers, many });
  }

  // Changes of the state

  change(state, focus, told = null) {
    this.#past.push(this.state);
    this.state = state;
    this.show(told);
    this.focus(focus);
    this.element.dispatchEvent(new Event("change"));
  }

  // On the heading of a part; or on what a selector or a function finds, and where that finds nothing, the question's.
  focus(where) {
    const found = typeof where === "function" ? where() : this.heads[where] ?? this.element.querySelector(where);
    found?.focus();
    if (document.activeElement !== found) this.heads.ask.focus();
  }

  undo() {
    this.state = this.#past.pop() ?? EMPTY;
    this.show(say("Undone."));
    this.heads.list.focus();
    this.element.dispatchEvent(new Event("change"));
  }

  act(place, first = undefined, focus = "ask") {
    this.answered({ ...this.state, act: place, answers: [], only: null }, first, focus);
  }

  answered(state, answer, focus = "ask") {
    const answers = answer === undefined ? state.answers : [...state.answers, answer];
    const { act } = this.acts[state.act];
    const way = resume(this.plan.menu, act, answers);
    if (way.question) this.change({ ...state, answers, many: null }, focus);
    else this.add([...state.orders, way.order], "ask");
  }

  add(orders, focus) {
    const plan = planOf(this.scene, orders);
    const last = plan.steps.at(-1);
    const told = plan.taken.length || !last ? null : certaintySay(orders.length, last.certainty);
    this.change({ ...EMPTY, orders: plan.orders, taken: plan.taken }, focus, told);
  }

  move(from, to) {
    const orders = moved(this.state.orders, from, to);
    const { taken } = planOf(this.scene, orders);
    if (taken.length === 0) {
      const button = from > to ? 1 : 2;
      this.add(orders, `.orders > li:nth-child(${to + 1}) button:nth-child(${button})`);
      return;
    }
    const [expected, found] = sentences({ args: {}, ...taken[0].refusal });
    this.tell(say("It can not stand there. Expected: {expected} Found: {found}", { expected, found }));
  }

  // A click on the board: it answers what is asked, or offers the orders that begin with it. Who is asked for another place
  // then stays on the board.
  pick(value) {
    this.picked(value);
    if (this.question && document.activeElement?.classList.contains("pick")) this.tell(this.question.say);
  }

  picked(value) {
    const { question } = this;
    const near = () => this.board.nearest(value);
    if (question) {
      const place = question.choices.findIndex((choice) => choice.value === value);
      if (question.kind === "many") this.more(toggled(question, this.many, place), `.pick[role][data-of=${CSS.escape(value)}]`);
      else this.answered(this.state, place, near);
      return;
    }
    const found = [...this.firsts.entries()].filter(([, values]) => values.has(value));
    if (found.length === 1) this.act(found[0][0], found[0][1].get(value), near);
    else this.change({ ...this.state, only: found.map(([place]) => place) }, "ask");
  }

  // The keyboard stays where it was, on the board or at the question.
  more(many, focus = "ask") {
    this.change({ ...this.state, many }, focus);
  }

  // Drawing

  show(told = null) {
    this.plan = planOf(this.scene, this.state.orders);
    if (this.plan.orders.length !== this.state.orders.length) {
      this.state = { ...EMPTY, orders: this.plan.orders, taken: this.plan.taken };
    }
    this.acts = actsOf(this.plan.menu);
    this.way = this.state.act !== null && this.acts[this.state.act] ? resume(this.plan.menu, this.acts[this.state.act].act, this.state.answers) : null;
    if (!this.way?.question) this.way = null;
    if (!this.way) this.state = { ...this.state, act: null, answers: [], many: null };
    this.picture = boardOf(this.scene, this.plan);
    this.names = namesOf([this.first ??= this.picture, this.picture]);
    this.question = this.way ? namedQuestion(this.way.question, this.names) : null;
    this.many = this.question?.kind === "many" ? (this.state.many ?? this.question.default ?? []).filter((place) => place in this.question.choices) : [];
    this.firsts = this.question ? new Map() : firstChoices(this.plan.menu, this.acts);
    this.showOrders();
    this.showAsked();
    this.showBoard();
    this.typed?.refresh(this.state.orders);
    this.tell(told, this.state.taken);
  }

  showOrders() {
    fill(
      this.list,
      ordersPart({
        plan: { ...this.plan, rows: named(this.plan.rows, this.names) },
        canUndo: this.#past.length > 0,
        onMove: (from, to) => this.move(from, to),
        onDelete: (place) => this.add(this.state.orders.filter((_, one) => one !== place), "list"),
        onUndo: () => this.undo(),
      }),
    );
  }

  showAsked() {
    if (this.way) {
      const { act } = this.acts[this.state.act];
      fill(this.heads.ask, act.say);
      fill(
        this.asking,
        fieldsPart({
          asked: this.way.asked.map(([one, answer]) => [namedQuestion(one, this.names), answer]),
          ...{ question: this.question, many: this.many },
          onAnswer: (answer) => this.answered(this.state, answer),
          onBack: (place) => this.change({ ...this.state, answers: this.state.answers.slice(0, place), many: null }, "ask"),
          onMany: (many, focus) => this.more(many, focus),
          onCancel: () => this.change({ ...EMPTY, orders: this.state.orders }, "ask"),
        }),
      );
      return;
    }
    fill(this.heads.ask, this.acts.length ? say("What next?") : say("Nothing more is asked."));
    fill(
      this.asking,
      actsPart({
        acts: this.acts,
        only: this.state.only ? new Set(this.state.only) : null,
        doubtful: this.plan.seen.view === null,
        onAct: (place) => this.act(place),
        onAll: () => this.change({ ...this.state, only: null }, "ask"),
      }),
    );
  }

  showBoard() {
    const { picture } = this;
    this.board.element.hidden = picture === null;
    if (picture === null) return;
    fill(this.caption, this.question ? element("strong", {}, this.question.say, " ") : null, captionOf(this.plan));
    this.board.show({ picture, values: this.values(), chosen: this.chosen(), onPick: (value) => this.pick(value) });
    const isOpen = this.tables.querySelector("details")?.open ?? false;
    fill(this.tables, foldedTables(picture, this.lang, isOpen));
  }

  // What may be clicked on.
  values() {
    if (!this.question) return new Set([...this.firsts.values()].flatMap((values) => [...values.keys()]));
    if (this.question.field.kind === "record") return new Set();
    return new Set(this.question.choices.map((choice) => choice.value));
  }

  // What was chosen in the order that is being filled in.
  chosen() {
    const answers = (this.way?.asked ?? []).flatMap(([question, answer]) =>
      question.kind === "number" || answer === null ? [] : [answer].flat().map((place) => question.choices[place].value),
    );
    return new Set([...answers, ...this.many.map((place) => this.question.choices[place].value)]);
  }

  tell(told, taken = []) {
    const gone = taken.map(({ order, refusal }) => {
      const [expected, found] = sentences({ args: {}, ...refusal });
      return say("Order {number} can not be given and was taken out. Expected: {expected} Found: {found}", { number: order, expected, found });
    });
    fill(this.said, [...gone, ...(told ? [told] : [])].map((one) => element("span", {}, one, " ")));
  }
}

function toggled(question, many, place) {
  if (question.distinct && many.includes(place)) return many.filter((one) => one !== place);
  return many.length < question.high ? [...many, place] : many;
}

// For each act the values of its first question, with the answer that each is.
function firstChoices(menu, acts) {
  const found = new Map();
  acts.forEach(({ act }, place) => {
    const { question } = resume(menu, act, []);
    if (question?.kind !== "choice" || question.field.kind === "record") return;
    found.set(place, new Map(question.choices.map((choice, answer) => [choice.value, answer])));
  });
  return found;
}

function captionOf({ orders, last, seen }) {
  if (orders.length === 0) return say("As it is now. What has a dashed frame can be chosen there, too.");
  if (seen.view !== null) return say("As it will be after your orders.");
  return last.count ? say("As it will be after order {number}; what comes later is not sure.", { number: last.count }) : say("As it is now; what comes later is not sure.");
}

function readDraft(draft) {
  try {
    const found = JSON.parse(draft || "{}");
    if (Array.isArray(found)) return { orders: found };
    const { orders = [], act = null, answers = [], many = null } = found;
    const isWell = Array.isArray(orders) && Array.isArray(answers) && (many === null || Array.isArray(many));
    return isWell ? { orders, act, answers, many } : {};
  } catch {
    return {};
  }
}
