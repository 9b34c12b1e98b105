"""`python -m pbem.cli.gate FOLDER...`: every archive below the folders, played again and compared (`make gate`).

Fails (exit code 1) on the first difference of each archive: a verdict that is not "sound", a record that
the rules make otherwise, a text beside the archive (`X.txt` of `X.pbem`) that is told otherwise; and if
there is no archive at all.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine import Say, plural, say
from pbem.audit.audit import headline
from pbem.audit.story import remake, story
from pbem.cli.audit_told import harmless
from pbem.cli.audit_work import SUFFIX, walk
from pbem.cli.say import FAULTS, OK, tell
from pbem.disk import read_file


def main(folders: list[Path]) -> int:
    """Goes through all archives and says what is wrong with each; the exit code."""
    paths = [Path(path) for path in walk(folders)]
    failed = 0
    for path in paths:
        problem = judge(path)
        if problem is not None:
            failed += 1
            tell(say("{file}: {problem}", file=harmless(str(path)), problem=problem))
    if not paths:
        tell(say("There is no archive to go by."))
        return FAULTS
    tell(
        say(
            "{archives} played again byte for byte; {failed} came out otherwise.",
            archives=plural("One archive", "{n} archives", len(paths)),
            failed=failed,
        )
    )
    return FAULTS if failed else OK


def judge(path: Path) -> Say | None:
    """What came out otherwise; None if nothing did."""
    archive = read_file(path)
    made = remake(archive)
    if made.report.verdict != "sound":
        return headline(made.report)
    if made.differ:
        return say("line {line} is made otherwise", line=made.differ[0])
    text = path.with_name(path.name.removesuffix(SUFFIX) + ".txt")
    if not text.is_file():
        return None
    known, now = read_file(text), story(archive)
    if known == now:
        return None
    line = next(
        (n for n, (a, b) in enumerate(zip(known.split(b"\n"), now.split(b"\n"), strict=False), 1) if a != b),
        min(known.count(b"\n"), now.count(b"\n")) + 1,
    )
    return say("{text} is told otherwise from its line {line} on", text=harmless(text.name), line=line)


if __name__ == "__main__":
    sys.exit(main([Path(folder) for folder in sys.argv[1:]]))
