// What a game's page draws, and what the desk makes of it: for each row {game, view, news, lang} its picture and both SVGs.
import { createInterface } from "node:readline";
import { useCatalog } from "../../pbem/desk/js/say.mjs";
import { toSvg } from "../../pbem/desk/js/picture.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const row = JSON.parse(Buffer.from(line, "base64").toString("utf8"));
  if (row.catalog) useCatalog(row.lang, row.catalog);
  let { picture } = row;
  if (!picture) {
    const board = await import(`../../engine/games/${row.game}/page/board.mjs`);
    picture = board.picture(row.view, row.news);
  }
  const svg = (row.looks ?? []).map((look) => toSvg(picture, row.lang ?? "en", look));
  console.log(JSON.stringify({ picture: row.picture ? null : picture, svg }));
}
