// What the page has checked, in sentences: the host's signature, the log, every roll of every turn that has closed.

import { keyId } from "../../site/js/seal.mjs";
import { unhex } from "../../site/js/bytes.mjs";
import { opened } from "./app_state.mjs";
import { historyOf, logText, trustOf } from "./desk.mjs";
import { button, element, save } from "./dom.mjs";
import { utf8 } from "../../site/js/bytes.mjs";
import { fileName } from "./outgoing.mjs";
import { toldList } from "./part_told.mjs";
import { say } from "./say.mjs";

export async function checkPart(app) {
  const now = opened(app);
  if (now === null) return null;
  const { game, view } = now;
  const findings = [...(view === null ? [] : trustOf(game, view)), ...(await historyOf(game))];
  if (game.fault !== null) {
    const { line, code, args } = game.fault;
    findings.unshift({ tone: "bad", says: [say("Lines that came later are not sound, and were not kept.")], line, code, args });
  }
  const { ledger } = game.report ?? {};
  const download = async () => save(utf8(logText(game)), `${await fileName(game.id)}.pbem`, "application/x-ndjson");
  return [
    element("h2", {}, say("What was checked")),
    element("div", { id: "checks" }, toldList(findings)),
    ledger === undefined
      ? null
      : element(
          "details",
          {},
          element("summary", {}, say("Compare with the other players")),
          element("p", {}, say("After record {record} everybody's log has this head:", { record: ledger.n })),
          element("p", {}, element("code", { id: "head" }, ledger.head.replace(/(.{8})(?=.)/g, "$1 "))),
          element("p", {}, say("The host's key is {key}. Whoever plays with you has the same.", { key: await keyId(unhex(ledger.hostKey)) })),
          button(say("Save your copy of the log"), download, { id: "save-log" }),
        ),
  ];
}
