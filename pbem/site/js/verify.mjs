// The verdict on a log as a page can give it (protocol.md section 7): level 1 complete, and level 2 but for the
// rules. Bytes in, verdict out; no page, no file, no language.

import { level1, linesOf } from "./level1.mjs";
import { level2 } from "./level2.mjs";

export { level1, level2, linesOf };

// {verdict: "sound" | "unfinished" | "fault", level, lines, line?, code?, args?, ledger, steps}. `level` is the
// highest at which something was looked at.
export async function verify(bytes) {
  const first = await level1(bytes);
  if (first.verdict !== "finished") return { ...first, level: 1 };
  const fault = await level2(first);
  return fault === null ? { ...first, level: 2, verdict: "sound" } : { ...first, ...fault, level: 2, verdict: "fault" };
}
