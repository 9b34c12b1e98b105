"""`pbem audit` and `pbem replay`: for auditors, who trust nobody and need no service."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from engine import plain, say
from pbem.audit.audit import audit as judge
from pbem.audit.audit import sentences_of
from pbem.audit.replay import Page, Reader, Replay
from pbem.audit.replay import replay as retell
from pbem.cli.say import FAULTS, OK, UNFINISHED, USAGE, answers, lang, tell, tell_json, warn

_WORST = (FAULTS, USAGE, UNFINISHED, OK)
"""Of several files, the exit code that weighs most: a fault, a file that cannot be read, an unfinished game."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each file.")
@answers
def audit(files: tuple[Path, ...], as_json: bool) -> None:
    """Check archives: every signature, every roll, and the whole game played again.

    One line a file. Exit code 0: sound and finished, 1: faults, 2: a file that cannot be read, 3: sound so
    far but unfinished.
    """
    codes = [_audit_one(path, as_json) for path in files]
    sys.exit(next(code for code in _WORST if code in codes))


def _audit_one(path: Path, as_json: bool) -> int:
    try:
        data = path.read_bytes()
    except OSError as error:
        problem = error.strerror or type(error).__name__
        if as_json:
            tell_json({"file": str(path), "verdict": "unreadable", "problem": problem})
        else:
            warn(say("{file}: cannot be read: {problem}", file=str(path), problem=problem))
        return USAGE
    report = judge(data)
    if as_json:
        tell_json({"file": str(path), **plain(report)})
        return report.exit_code
    first, *more = sentences_of(report)
    tell(say("{file}: {verdict}", file=str(path), verdict=first))
    for name, sentence in zip(("Expected", "Found", "What to do"), more, strict=False):
        tell(say("    {name}: {sentence}", name=say(name), sentence=sentence))
    return report.exit_code


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--turn", type=click.IntRange(min=0), help="Only this turn.")
@click.option("--seat", help="As this seat saw it; what everybody saw, if left out.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each record.")
@answers
def replay(file: Path, turn: int | None, seat: str | None, as_json: bool) -> None:
    """Tell the game in FILE again, turn by turn, and audit it on the way."""
    told = retell(file.read_bytes(), Reader(seat, turn, lang()))
    for page in told.pages:
        _show(page, as_json)
    if turn is not None and not told.pages:
        warn(say("No turn {turn} in {file}.", turn=turn, file=str(file)))
    _verdict(told, as_json)
    sys.exit(told.report.exit_code)


def _show(page: Page, as_json: bool) -> None:
    if as_json:
        tell_json(page)
        return
    if page.seat:
        tell(say("== Record {n}, turn {turn}: {seat}, {kind} ({at})", **_head(page), seat=page.seat))
    else:
        tell(say("== Record {n}, turn {turn}: {kind} ({at})", **_head(page)))
    if page.text:
        click.echo(page.text)
    else:
        for event in page.events:
            tell_json(event)


def _head(page: Page) -> dict[str, str | int]:
    return {"n": page.n, "turn": page.turn, "kind": page.kind, "at": page.at}


def _verdict(told: Replay, as_json: bool) -> None:
    if as_json:
        tell_json(told.report)
        return
    for sentence in sentences_of(told.report):
        tell(sentence)
