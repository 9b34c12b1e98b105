// What the page signs, for the tests: rows of {do, keys, view | invitation, …}; answers the file's text, or the code.

import { createInterface } from "node:readline";

import { confirming, joining, moving, pressing, resigning, standing } from "../../pbem/desk/js/envelope.mjs";
import { fileName, mailText, mailto, prettyText } from "../../pbem/desk/js/outgoing.mjs";
import { privateKey } from "../../pbem/desk/js/sign.mjs";
import { claimView, readFile, readInvitation } from "../../pbem/desk/js/trust.mjs";
import { unhex, utf8 } from "../../pbem/site/js/bytes.mjs";
import { Refused } from "../../pbem/site/js/refusal.mjs";

if (process.env.NO_ED25519) {
  const { importKey } = crypto.subtle;
  crypto.subtle.importKey = function (format, key, algorithm, ...rest) {
    if (algorithm === "Ed25519") return Promise.reject(new DOMException("unknown", "NotSupportedError"));
    return importKey.call(this, format, key, algorithm, ...rest);
  };
}

async function made(row) {
  const keys = await Promise.all(row.keys.map((key) => privateKey(unhex(key))));
  if (row.do === "join") return joining(keys[0], await readInvitation(readFile(utf8(row.invitation))), row.aside);
  const { payload } = claimView(utf8(row.view));
  switch (row.do) {
    case "ready":
      return confirming(keys, payload, row.setup);
    case "move":
      return moving(keys, payload, row.orders, row.more);
    case "standing":
      return standing(keys, payload, row.policy);
    case "press":
      return pressing(keys, payload, row.to, row.text);
    default:
      return resigning(keys, payload);
  }
}

async function answer(row) {
  try {
    const envelope = await made(row);
    return {
      text: prettyText(envelope),
      mail: mailText(envelope, "games@pbem.example.org", "en"),
      name: await fileName(envelope.payload.game, envelope.payload.seat),
      mailto: mailto(envelope, "games+g1@pbem.example.org", "en"),
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: error.code };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const row = JSON.parse(Buffer.from(line, "base64").toString());
  process.stdout.write(`${JSON.stringify(await answer(row))}\n`);
}
