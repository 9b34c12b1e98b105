"""`pbem verify`: level 1 over a log or over pieces of it, with one's own copy to help and to compare."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from engine import Refused, Say, plain, plural, refuse, say
from pbem.cli import audit_fork
from pbem.cli import player_page as page
from pbem.cli.player import home, json_option, key_option, own_key_if_any, read_file
from pbem.cli.say import FAULTS, answers, tell, tell_json, tell_refusal
from pbem.log.seal import key_id, public_of
from pbem.player import folder
from pbem.player.opening import open_file
from pbem.player.pieces import Piece, Summary, continues, cut, known_seat, stitch, verify_log
from pbem.turn.wording import hex_groups


class Own(msgspec.Struct, frozen=True):
    """A seat's own envelopes: how many the log has, how many of those were signed here, which signed here it lacks."""

    seat: str
    recorded: int
    signed_here: int
    missing: tuple[str, ...]


@click.command()
@click.argument("logs", nargs=-1, metavar="LOG...", type=click.Path(path_type=Path))
@click.option(
    "--proof",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the proof goes if two logs contradict each other; without LOG, the proof to be judged.",
)
@key_option
@json_option
@answers
def verify(logs: tuple[Path, ...], proof: Path | None, key_path: Path | None, as_json: bool) -> None:
    """Verify a log: every signature, every link, every roll of every closed turn. No rules are needed.

    LOG is a whole log, or the pieces of it that letters bring, as files or as saved mails, in any order.

    Exit code 0: sound and finished, 1: faults, 2: the files can not be judged, 3: sound so far but unfinished.
    """
    if not logs:
        if proof is None:
            raise refuse("fork/nothing")
        sys.exit(audit_fork.judge(proof, as_json=as_json))
    key = own_key_if_any(key_path)
    public = public_of(key).hex() if key is not None else ""
    given = [piece for path in logs for piece in _pieces(path)]
    try:
        lines = stitch(_completed(given))
    except Refused as refused:
        parts = [(piece.first, piece.lines) for piece in given]
        if refused.refusal.code == "kit/fork" and audit_fork.prove(parts, proof, as_json=as_json):
            sys.exit(FAULTS)
        raise
    summary = verify_log(lines, public)
    own = _own(summary, public)
    if summary.fault is None:
        _compare(lines, proof)
        folder.learn(home(), [Piece(0, lines)])
    if as_json:
        tell_json(_as_json(summary, own))
    else:
        _tell(summary, own)
    sys.exit(summary.exit_code)


def _pieces(path: Path) -> list[Piece]:
    name = page.harmless(str(path))
    found = open_file(read_file(path)).logs
    if not found:
        raise refuse("kit/not-a-log", file=name)
    return [cut(data, name) for data in found]


def _completed(given: Sequence[Piece]) -> list[Piece]:
    """The pieces, with the beginning from one's own copy if they lack it and the copy fits."""
    first = min(given, key=lambda piece: piece.first)
    if first.first == 0:
        return list(given)
    for game in folder.games(home()):
        lines = folder.load_log(home(), game)
        if continues(lines, first):
            return [Piece(0, lines[: first.first]), *given]
    return list(given)


def _compare(lines: Sequence[bytes], proof: Path | None) -> None:
    """Ends the command with a fault if a sound log and one's own copy of the game tell two histories."""
    summary = verify_log(lines[:1])
    game = summary.ledger.game if summary.ledger is not None else ""
    known = folder.known_game(home(), game)
    if known is None:
        return
    copy = folder.load_log(home(), game)
    for number, (mine, theirs) in enumerate(zip(copy, lines, strict=False)):
        if mine != theirs:
            tell_refusal(refuse("kit/fork", record=number).refusal)
            if proof is not None:
                audit_fork.prove([(0, copy), (0, lines)], proof, as_json=False)
            sys.exit(FAULTS)


def _own(summary: Summary, public: str) -> Own | None:
    seat = known_seat(summary.ledger, public) if public else ""
    if not seat or summary.ledger is None:
        return None
    signed = {one.id: one for one in folder.load_sent(home(), summary.ledger.game)}
    here = sum(name in signed for name in summary.own)
    newest = {one.kind: one.id for one in signed.values()}
    missing = tuple(kind for kind, name in newest.items() if name not in summary.own)
    return Own(seat, len(summary.own), here, missing)


def _as_json(summary: Summary, own: Own | None) -> dict[str, Any]:
    ledger = summary.ledger
    return {
        "verdict": summary.verdict,
        "records": summary.lines,
        "links": summary.links,
        "rolls": [plain(one) for one in summary.rolls],
        **({"game": ledger.game, "head": ledger.head} if ledger is not None else {}),
        **({"fault": plain(summary.fault)} if summary.fault is not None else {}),
        **({"own": plain(own)} if own is not None else {}),
    }


def _tell(summary: Summary, own: Own | None) -> None:
    if summary.fault is not None:
        tell(say("Not sound: line {line} is the first with a fault.", line=summary.fault.line))
        tell_refusal(summary.fault.refusal)
        return
    ledger = summary.ledger
    assert ledger is not None
    page.sentences(_checks(summary))
    if own is not None:
        page.sentences(_own_says(own))
    tell(say("After record {record} everybody's log has this head:", record=ledger.n))
    click.echo(hex_groups(ledger.head))


def _checks(summary: Summary) -> list[Say]:
    ledger = summary.ledger
    assert ledger is not None
    first = (
        say("The game {game}: sound and finished.", game=ledger.game)
        if summary.verdict == "finished"
        else say("The game {game}: sound so far, and not finished.", game=ledger.game)
    )
    rows = [
        first,
        plural(
            "Signatures: {n} record, signed by the host's key {key}.",
            "Signatures: {n} records, all signed by the host's key {key}, each bound to the one before.",
            summary.lines,
            key=key_id(bytes.fromhex(ledger.host_key)),
        ),
        plural(
            "Links: {n}, and it leads back to what was published before.",
            "Links: {n} of host and seats; each leads back to what its owner published before the game.",
            summary.links,
        ),
    ]
    for one in summary.rolls:
        if one.draws and one.turn == 0:
            rows.append(
                plural(
                    "The setup: {n} shuffle or roll, drawn again with the same result.",
                    "The setup: {n} shuffles and rolls, all drawn again with the same results.",
                    one.draws,
                )
            )
        elif one.draws and one.checked:
            rows.append(
                plural(
                    "Turn {turn}: {n} roll, drawn again with the same result.",
                    "Turn {turn}: {n} rolls, all drawn again with the same results.",
                    one.draws,
                    turn=one.turn,
                )
            )
        elif one.draws:
            rows.append(
                plural(
                    "Turn {turn}: {n} roll, which can be checked once the turn is closed.",
                    "Turn {turn}: {n} rolls, which can be checked once the turn is closed.",
                    one.draws,
                    turn=one.turn,
                )
            )
    return rows


def _own_says(own: Own) -> list[Say]:
    rows = [
        plural(
            "Your seat {seat}: {n} record of an envelope of yours.",
            "Your seat {seat}: {n} records of envelopes of yours.",
            own.recorded,
            seat=own.seat,
        )
    ]
    if own.signed_here < own.recorded:
        rows.append(
            plural(
                "{n} of them was not signed on this machine. If you play on no other, ask the host about it.",
                "{n} of them were not signed on this machine. If you play on no other, ask the host about it.",
                own.recorded - own.signed_here,
            )
        )
    else:
        rows.append(say("All of them were signed on this machine."))
    for kind in own.missing:
        rows.append(
            say(
                "The newest {kind} that you signed here is not in this log: it was not sent, not accepted, or it came"
                " after the last record.",
                kind=kind,
            )
        )
    return rows
