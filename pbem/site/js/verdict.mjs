// The verdict in words: what was judged, with which outcome, at which line.

import { element, put, replace, say } from "./dom.mjs";

const KEYS = { sound: "verdict.sound", unfinished: "verdict.unfinished", fault: "verdict.fault" };

// Shows a verdict of verify.mjs at a place. `codes` has three sentences for each code; `own` says whether the
// tale beside the log is the one that was made with it.
export function showVerdict(place, verdict, codes, own) {
  const worst = own ? verdict.verdict : "fault";
  place.dataset.verdict = worst;
  const head = own || verdict.verdict === "fault" ? say(KEYS[verdict.verdict], { line: verdict.line }) : say("verdict.tale");
  const lines = verdict.code === undefined ? [] : sentencesOf(verdict, codes);
  const also = own || verdict.verdict !== "fault" ? null : element("p", {}, say("verdict.tale"));
  replace(place, element("p", { class: "headline" }, head), ...lines, also, element("p", {}, say(scopeOf(verdict), { lines: verdict.lines })));
}

function scopeOf({ verdict, level }) {
  if (verdict === "fault") return "scope.fault";
  return level === 2 ? "scope.whole" : "scope.first";
}

function sentencesOf({ line, code, args }, codes) {
  const names = ["verdict.expected", "verdict.found", "verdict.next"];
  const sentences = codes[code] ?? [];
  const pairs = sentences.flatMap((sentence, i) => [element("dt", {}, say(names[i])), element("dd", {}, put(sentence, args))]);
  return [element("p", {}, say("verdict.where", { line, code })), element("dl", {}, ...pairs)];
}
