// What was found in files, and why something was not taken: sentences with a mark that is a word, not a colour alone.

import { sentences } from "./codes.mjs";
import { element, told } from "./dom.mjs";
import { say } from "./say.mjs";

const MARKS = { good: say("In order"), note: say("Note"), bad: say("Not taken") };
const HEADS = [say("Expected"), say("Found"), say("What to do")];

// A list of findings {tone, says, code?, args?, file?, line?}.
export const toldList = (findings) => element("ul", { class: "findings" }, findings.map(item));

function item({ tone, says, code, args, file, line }) {
  const where = file ? element("bdi", { class: "file" }, file) : null;
  const at = line === undefined ? null : element("p", {}, say("Line {line} of the log is the first with a fault.", { line }));
  return element(
    "li",
    { class: tone, "data-code": code ?? false },
    element("strong", { class: "mark" }, MARKS[tone]),
    where,
    says.map((one) => element("p", {}, one)),
    at,
    code === undefined ? null : reasons(code, args),
  );
}

// The three sentences of a refusal with its code.
export function reasons(code, args) {
  const said = sentences({ code, args });
  const pairs = said.flatMap((one, i) => [element("dt", {}, HEADS[i]), element("dd", {}, told(one))]);
  return element("div", {}, element("dl", {}, pairs), element("p", { class: "code" }, element("code", {}, code)));
}

// A refusal as an alert.
export const alert = ({ code, args }) => element("div", { class: "bad box", role: "alert", "data-code": code }, reasons(code, args));
