"""`pbem scenario`: a rules question asked and answered, or a rule tested, as a file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from engine import GAMES, Refused, plain, say, words
from pbem.cli.say import FAULTS, OK, USAGE, answers, lang, tell, tell_json, tell_refusal, warn
from pbem.disk import INPUT, read_file
from pbem.log.canonical import ENVELOPE, Limits, read
from pbem.scenario.run import run_file

_LIMITS = Limits(256 * 1024, ENVELOPE.depth)


@click.group()
def scenario() -> None:
    """Rules as files: a position, scripted dice, orders, and what is expected of them."""


@scenario.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each file.")
@answers
def run(files: tuple[Path, ...], as_json: bool) -> None:
    """Run scenario files and print the first difference of each. Exit code 0: all as expected, 1: a difference, 2: a
    file that is no scenario."""
    sys.exit(max(_run_one(path, as_json) for path in files))


def _run_one(path: Path, as_json: bool) -> int:
    """0 as expected, 1 a difference, 2 no scenario; the next file is run all the same."""
    try:
        verdict = run_file(read_file(path, INPUT), lambda data: read(data, _LIMITS), GAMES)
    except Refused as refused:
        if as_json:
            tell_json({"file": str(path), "ok": False, "refused": plain(refused.refusal)})
        else:
            warn(say("{file}: this is not a scenario that can be run.", file=str(path)))
            tell_refusal(refused.refusal)
        return USAGE
    sentence = say("{file}: {verdict}", file=str(path), verdict=verdict.say)
    if as_json:
        tell_json({"file": str(path), "ok": verdict.ok, "text": words(verdict.say, lang())})
    else:
        tell(sentence)
    return OK if verdict.ok else FAULTS
