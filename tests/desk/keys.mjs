// Key files and words by the page, for the tests: rows of {do, …}.

import { createInterface } from "node:readline";

import { keyFile, lockedFile, readKey } from "../../pbem/desk/js/key.mjs";
import { fromWords, toWords } from "../../pbem/desk/js/paper.mjs";
import { plainPublic, plainSign, privateKey, seal } from "../../pbem/desk/js/sign.mjs";
import { pae, verifySeal } from "../../pbem/site/js/seal.mjs";
import { base64, hex, text, unhex, utf8 } from "../../pbem/site/js/bytes.mjs";
import { canonical } from "../../pbem/site/js/canonical.mjs";
import { Refused } from "../../pbem/site/js/refusal.mjs";

const DO = {
  file: async ({ raw }) => text(await keyFile(await privateKey(unhex(raw)))),
  lock: async ({ raw, passphrase, chance }) => text(await lockedFile(await privateKey(unhex(raw)), passphrase, "en", unhex(chance))),
  read: async ({ file, passphrase }) => hex((await readKey(utf8(file), "k", passphrase)).raw),
  words: async ({ raw }) => toWords(unhex(raw)),
  spell: async ({ words }) => hex(await fromWords(words)),
  sign: async ({ raw, payload }) => {
    const key = await privateKey(unhex(raw));
    const sig = await seal(key, payload);
    await verifySeal(key.public, payload.kind, canonical(payload), sig);
    const slow = { public: hex(await plainPublic(unhex(raw))), val: base64(await plainSign(unhex(raw), pae(payload.kind, canonical(payload)))) };
    return { public: key.public, sig, slow };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const row = JSON.parse(Buffer.from(line, "base64").toString());
  let answer;
  try {
    answer = await DO[row.do](row);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    answer = { code: error.code };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
