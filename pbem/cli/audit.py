"""`pbem audit` and `pbem replay`: for auditors, who trust nobody and need no service."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click

from engine import Refused, plain, say
from pbem.audit.audit import audit as judge
from pbem.audit.audit import sentences_of
from pbem.audit.bulk import Finding
from pbem.audit.diary import notes
from pbem.audit.hosts import read_hosts
from pbem.audit.replay import Page, Reader, Replay
from pbem.audit.replay import replay as retell
from pbem.cli.audit_bulk import Plan, run, summary
from pbem.cli.audit_layers import layers
from pbem.cli.audit_told import EXIT_CODES, WORST, Manner, tell_finding
from pbem.cli.audit_work import shown, unreadable
from pbem.cli.say import USAGE, answers, lang, tell, tell_json, warn
from pbem.disk import read_file
from pbem.log.ledger import lines_of
from pbem.log.record import read_record

FILE = click.Path(path_type=Path)
INTERRUPTED = 130
"""As a shell has it for Ctrl-C."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each file.")
@click.option("--explain", is_flag=True, help="Say what each fault would have let somebody do.")
@click.option("--jobs", type=click.IntRange(0, 256), help="Audit in so many processes; 0: one a core.")
@click.option("--jsonl", type=FILE, metavar="FILE", help="Write results as JSON Lines to FILE.")
@click.option("--resume", is_flag=True, help="Leave out what stands unchanged in the results of --jsonl.")
@click.option(
    "--scheduler", default="", metavar="URL", help="Audit on a Dask cluster, e.g. tcp://10.0.0.1:8786."
)
@click.option(
    "--hosts", type=FILE, metavar="FILE", help="A keyring: public keys and names of hosts you trust."
)
@click.option(
    "--anchors", is_flag=True, help="Look at time stamps beside each file (.ots, .tsr, .about.json)."
)
@click.option(
    "--tsa-cert", type=FILE, metavar="FILE", help="The certificate that a .tsr must be signed under."
)
@click.option(
    "--against", type=FILE, metavar="FILE", help="Say which layer of this whole archive each file is."
)
@click.option("--seat-layer", is_flag=True, help="The files are seat layers: verify each by itself.")
@click.option("--block-headers", type=FILE, metavar="FILE", help="Headers of Bitcoin blocks, for an .ots.")
@answers
def audit(
    files: tuple[Path, ...],
    as_json: bool,
    explain: bool,
    jobs: int | None,
    jsonl: Path | None,
    resume: bool,
    scheduler: str,
    hosts: Path | None,
    anchors: bool,
    tsa_cert: Path | None,
    block_headers: Path | None,
    against: Path | None,
    seat_layer: bool,
) -> None:
    """Check archives: every signature, every roll, and the whole game played again.

    One line a file; of a FOLDER, every *.pbem below it. Exit code 0: sound and finished, 1: faults, 2: a file
    that cannot be read, 3: sound so far but unfinished.
    """
    if against is not None or seat_layer:
        sys.exit(layers(files, against, as_json=as_json))
    ring = read_hosts(read_file(hosts).decode("utf-8", "replace")) if hosts is not None else None
    anchors = anchors or tsa_cert is not None or block_headers is not None
    manner = Manner(as_json, explain, ring, anchors, tsa_cert, block_headers, quiet=jsonl is not None)
    many = (
        jobs is not None or jsonl is not None or resume or scheduler or any(path.is_dir() for path in files)
    )
    if many:
        plan = Plan(files, 1 if jobs is None else jobs, jsonl, resume, scheduler)
        try:
            tally = run(plan, lambda finding: tell_finding(finding, manner))
        except KeyboardInterrupt:
            _stopped(jsonl)
        if not as_json:
            tell(summary(tally))
        found = {verdict for verdict, count in tally.counts.items() if count}
    else:
        found = {_audit_one(path, manner) for path in files}
    sys.exit(next((EXIT_CODES[verdict] for verdict in WORST if verdict in found), USAGE))


def _stopped(jsonl: Path | None) -> NoReturn:
    """Ctrl-C is no fault of any archive, and must not end like one."""
    warn(say("Stopped before all files were audited."))
    if jsonl is not None:
        warn(
            say(
                "What was found stands in {file}; the same command with --resume goes on from there.",
                file=str(jsonl),
            )
        )
    sys.exit(INTERRUPTED)


def _audit_one(path: Path, manner: Manner) -> str:
    """A file by itself, however long it is."""
    name = shown(str(path))
    try:
        finding = Finding(name, report=judge(read_file(path)))
    except (OSError, Refused) as error:
        finding = unreadable(name, error)
    tell_finding(finding, manner)
    return finding.verdict


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--turn", type=click.IntRange(min=0), help="Only this turn.")
@click.option("--seat", help="As this seat saw it; what everybody saw, if left out.")
@click.option(
    "--notes", "as_diary", is_flag=True, help="The notes that the players wrote to themselves instead."
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each record.")
@answers
def replay(file: Path, turn: int | None, seat: str | None, as_diary: bool, as_json: bool) -> None:
    """Tell the game in FILE again, turn by turn, and audit it on the way."""
    data = read_file(file)
    told = retell(data, Reader(seat, turn, lang()))
    if as_diary:
        _show_notes(data, told, (seat, turn), as_json)
        sys.exit(told.report.exit_code)
    for page in told.pages:
        _show(page, as_json)
    if turn is not None and not told.pages:
        warn(say("No turn {turn} in {file}.", turn=turn, file=str(file)))
    _verdict(told, as_json)
    sys.exit(told.report.exit_code)


def _show_notes(data: bytes, told: Replay, wanted: tuple[str | None, int | None], as_json: bool) -> None:
    """The game's diary, as far as its lines are sound; then the verdict."""
    sound = [read_record(line.rstrip(b"\n")) for line in list(lines_of(data))[: told.report.records]]
    for note in notes(sound, *wanted):
        if as_json:
            tell_json(plain(note))
            continue
        tell(say("== Turn {turn}, {seat} ({at})", turn=note.turn, seat=note.seat, at=note.at))
        click.echo(note.text)
    _verdict(told, as_json)


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
