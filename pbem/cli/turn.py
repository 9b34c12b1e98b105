"""`pbem turn`: a game in a folder, without any service. A host who mails by hand needs nothing else."""

from __future__ import annotations

from pathlib import Path

import click

from engine import Refusal, plain, refuse, say
from pbem.cli import asked
from pbem.cli.codes import table
from pbem.cli.folder import Folder, known, new_folder, open_folder, read_kept, save
from pbem.cli.say import FAULTS, answers, lang, stop, tell, tell_json
from pbem.disk import INPUT, only_writer, read_file
from pbem.log.seal import PrivateKey
from pbem.turn import pipeline
from pbem.turn.answers import invitation_letter, refusal_text
from pbem.turn.desk import Post
from pbem.turn.opening import Plan, open_game
from pbem.turn.pipeline import Claims, Verdict

_NOW = click.option(
    "--now", default="", help="The instant to record, YYYY-MM-DDTHH:MM:SSZ; the clock's if left out."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Answer with one line of JSON.")
_DIR = click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))


@click.group()
def turn() -> None:
    """A game in a folder: the same steps as the service, with files at both ends."""


@turn.command()
@_DIR
@click.option("--ruleset", required=True, help="Which game, as ID or ID/VERSION.")
@click.option(
    "--seat", "seats", multiple=True, required=True, metavar="SEAT=ADDRESS", help="A seat and its player."
)
@asked.LANG
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the ruleset.")
@asked.BOARD
@asked.DECK
@click.option("--address", default="games@pbem.example.org", show_default=True, help="Where players mail to.")
@_NOW
@_JSON
@answers
def new(
    folder: Path,
    ruleset: str,
    seats: tuple[str, ...],
    langs: tuple[str, ...],
    options: tuple[str, ...],
    board: Path | None,
    deck: Path | None,
    address: str,
    now: str,
    as_json: bool,
) -> None:
    """Begin a game in DIR: charter, host secrets, log, and an invitation for each seat."""
    entropy = asked.SYSTEM
    key = PrivateKey(entropy(32))
    plan = Plan(
        game_id=asked.word(entropy, 10),
        game=asked.ruleset(ruleset),
        options=asked.options(options),
        people=asked.people(seats, entropy, langs),
        data=asked.board_and_deck(board, deck),
    )
    post = Post(asked.check_address(address), address.partition("@")[2])
    desk, lines = open_game(plan, asked.game_secrets(key, entropy), post, _instant(now))
    letters = [invitation_letter(desk, seat) for seat in desk.charter.seats]
    made = new_folder(folder, desk, lines, letters)
    _report(made, Verdict(desk.snapshot, desk.people, lines, letters=tuple(letters)), as_json)


SERVICE_ONLY = ("press", "settings", "take", "time", "withdraw")
"""Kinds of envelopes that only a service can do something with."""


@turn.command()
@_DIR
@click.argument("move", type=click.Path(path_type=Path))
@_NOW
@_JSON
@answers
def apply(folder: Path, move: Path, now: str, as_json: bool) -> None:
    """Apply MOVE, a signed file or a whole saved mail, to the game in DIR."""
    data = read_file(move, INPUT)
    with only_writer(_existing(folder)):
        opened = open_folder(folder, _instant(now))
        claims = pipeline.claim_file(data)
        if not claims.envelopes:
            mailed = pipeline.claim_mail(data)
            claims = mailed if mailed.envelopes else claims
        _check_kinds(claims)
        verdict = pipeline.judge(claims, known(opened, claims), opened.desk)
        _conclude(save(opened, verdict), verdict, as_json)


@turn.command()
@_DIR
@click.argument("seat")
@_NOW
@_JSON
@answers
def timeout(folder: Path, seat: str, now: str, as_json: bool) -> None:
    """Play the safe default for SEAT, whose time has run out, in the game in DIR."""
    with only_writer(_existing(folder)):
        opened = open_folder(folder, _instant(now))
        verdict = pipeline.silence(opened.desk, seat)
        _conclude(save(opened, verdict), verdict, as_json)


@turn.command()
@_DIR
@click.option("--reason", default="", help="Why, for all to read; needed for a game that is under way.")
@_NOW
@_JSON
@answers
def cancel(folder: Path, reason: str, now: str, as_json: bool) -> None:
    """Call off the game in DIR. One that is under way has no result then, and everything of it is opened."""
    with only_writer(_existing(folder)):
        opened = open_folder(folder, _instant(now))
        if reason.strip() and opened.desk.snapshot.ledger.phase == "playing":
            verdict = pipeline.call_off(opened.desk, reason.strip())
            _conclude(save(opened, verdict), verdict, as_json)
            return
        verdict = pipeline.finish(opened.desk, read_kept(opened))
        _report(save(opened, verdict), verdict, as_json)


def _check_kinds(claims: Claims) -> None:
    """Refused `folder/service-only` for what needs a clock, or a service that is there all the time."""
    for one in claims.envelopes:
        if one.kind in SERVICE_ONLY or "advance" in one.payload:
            raise refuse("folder/service-only", kind="advance" if "advance" in one.payload else one.kind)


def _conclude(folder: Folder, verdict: Verdict, as_json: bool) -> None:
    """What came of it; a game that is over is opened at once."""
    if verdict.refusal is not None:
        _refuse(verdict.refusal, as_json)
    _report(folder, verdict, as_json)
    if verdict.finished:
        ending = pipeline.finish(folder.desk, read_kept(folder))
        _report(save(folder, ending), ending, as_json)


def _refuse(refusal: Refusal, as_json: bool) -> None:
    if as_json:
        tell_json({"refused": plain(refusal), "text": refusal_text(refusal, lang(), table())})
        raise SystemExit(FAULTS)
    stop(refusal, FAULTS)


def _report(folder: Folder, verdict: Verdict, as_json: bool) -> None:
    newest = len(folder.lines) - 1
    letters = folder.path / "letters" / f"{newest:04d}"
    if as_json:
        tell_json(
            {
                "records": [newest - len(verdict.lines) + 1, newest],
                "log": str(folder.path / f"{folder.desk.game_id}.pbem"),
                "letters": [str(letters / f"{letter.seat}.eml") for letter in verdict.letters],
                "over": verdict.finished or folder.desk.snapshot.ledger.phase == "ended",
            }
        )
        return
    if not verdict.lines:
        tell(say("Nothing new: that had been recorded already."))
    else:
        first, game = newest - len(verdict.lines) + 1, folder.desk.game_id
        if first == newest:
            tell(say("Recorded as {record} of game {game}.", record=newest, game=game))
        else:
            tell(
                say("Recorded as {first} to {record} of game {game}.", first=first, record=newest, game=game)
            )
    for letter in verdict.letters:
        tell(say("  to {address}: {file}", address=letter.to, file=str(letters / f"{letter.seat}.eml")))


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise refuse("folder/missing", file=str(folder))
    return folder


def _instant(text: str) -> str:
    return asked.instant(text) if text else asked.now()
