// Sentences put into words by the page's own prose, for the tests: rows of {say, lang, catalogs}.

import { createInterface } from "node:readline";

import { useCatalog, words } from "../../pbem/desk/js/say.mjs";

for await (const row of createInterface({ input: process.stdin })) {
  const { say, lang, catalogs } = JSON.parse(Buffer.from(row, "base64").toString());
  for (const [name, messages] of Object.entries(catalogs)) useCatalog(name, messages);
  let told;
  try {
    told = words(say, lang);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    told = null;
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
