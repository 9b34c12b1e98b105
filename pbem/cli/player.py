"""What the player's commands share: their options, the key, letters opened, answers handed over.

The only place of the kit where chance and the player's home folder come in.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from engine import Refused, Say, refuse, say, words
from pbem.cli import player_page as page
from pbem.cli.say import is_asked, lang, tell, warn
from pbem.disk import opened, write_file
from pbem.log.canonical import pretty
from pbem.log.envelope import Envelope
from pbem.log.seal import PrivateKey, key_id, public_of
from pbem.player import folder, pieces
from pbem.player.chain import Ring
from pbem.player.invitation import read_charter
from pbem.player.keys import CHANCE, is_open, key_file, load_key, locked_file, new_key, save_key_file
from pbem.player.mail import Heading, answer_eml, file_name, mail_text
from pbem.player.opening import OpenedFile, Reply, open_file
from pbem.player.view import ViewFile, find_view, trust_view
from pbem.turn.views import blank_move

F = TypeVar("F", bound=Callable[..., Any])
KEYS = "keys"
"""The folder, in the kit's, of keys for one game each."""
PASSPHRASE = "PBEM_PASSPHRASE"  # noqa: S105 - the name of a variable
MOST_BYTES = 64 * 1024 * 1024

key_option = click.option(
    "--key",
    "key_path",
    type=click.Path(path_type=Path),
    help="Your key file.  [default: key.json in PBEM_HOME or in ~/.pbem]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for machines.")
view_argument = click.argument("view_path", metavar="VIEW", type=click.Path(path_type=Path))


class Delivery(msgspec.Struct, frozen=True):
    """Where an answer is written: the signed file, and the ready-made mail if one is wanted."""

    output: Path | None = None
    eml: Path | None = None
    mail: bool = False


class Letter(msgspec.Struct, frozen=True):
    """A letter opened: its view, what can be said of its trustworthiness, and what it says of itself as a mail."""

    view: ViewFile
    trust: tuple[Say, ...]
    worries: tuple[Say, ...]
    reply: Reply | None


def delivery_options(command: F) -> F:
    """`-o`, `--mail` and `--eml`, which every command that signs has."""
    path = click.Path(path_type=Path)
    for option in (
        click.option("--eml", type=path, metavar="FILE", help="Write a ready-made mail to FILE as well."),
        click.option("--mail", is_flag=True, help="Write a ready-made mail (.eml) beside the signed file."),
        click.option("-o", "--output", type=path, metavar="FILE", help="Where to write the signed file."),
    ):
        command = option(command)
    return command


def home() -> Path:
    """The folder in which the kit keeps its things."""
    return Path(os.environ.get("PBEM_HOME") or Path.home() / ".pbem")


def key_at(path: Path | None) -> Path:
    """The key file that is meant."""
    return path or home() / "key.json"


def own_key(path: Path | None) -> PrivateKey:
    """The player's key. Refused `kit/…`."""
    where = key_at(path)
    key = load_key(where, passphrase_of)
    if is_open(where):
        warn(say("Others on this machine may read {file}. Type: chmod 600 {file}", file=str(where)))
    return key


def own_key_if_any(path: Path | None) -> PrivateKey | None:
    """The player's key, None if he has none here and named none."""
    return own_key(path) if path is not None or key_at(path).exists() else None


def keys_here() -> tuple[PrivateKey, ...]:
    """The player's keys on this machine: the usual one, and those that were made for one game."""
    places = (key_at(None), *sorted((home() / KEYS).glob("*.json")))
    return tuple(load_key(path, passphrase_of) for path in places if path.exists())


def own_ring(path: Path | None, view: ViewFile | None) -> Ring:
    """The key that signs for the seat of a view, and the others, whose chains may still count.

    Refused `kit/other-key` if the seat has another key than those that are here; else as `own_key`.
    """
    others = keys_here()
    wanted = (
        folder.key_of(home(), view.head.game, view.head.seat) or view.head.key if view is not None else ""
    )
    if path is not None or not wanted:
        key = own_key(path)
    else:
        fitting = [one for one in others if key_id(public_of(one)) == wanted]
        if not fitting:
            raise refuse("kit/other-key", id=wanted)
        key = fitting[0]
    return Ring(key.raw, tuple(one for one in others if one.raw != key.raw))


def own_ring_if_any(path: Path | None, view: ViewFile) -> Ring | None:
    """The same, None if the player has no key here and named none."""
    return own_ring(path, view) if path is not None or keys_here() else None


def new_key_for(game: str, seat: str) -> Path:
    """A file that is not there yet, for a key of one game."""
    folder_ = home() / KEYS
    stem = file_name(game, seat)
    taken = {one.name for one in folder_.glob("*.json")} if folder_.is_dir() else set[str]()
    return next(folder_ / name for n in range(1, 10_000) if (name := f"{stem}.{n}.json") not in taken)


@cache
def passphrase_of(file: str) -> str:
    """The passphrase of a locked key file: from the environment, or typed; "" where nobody can be asked."""
    known = os.environ.get(PASSPHRASE, "")
    if known or not is_asked():
        return known
    return _hidden(say("Passphrase of {file}", file=file))


def _hidden(question: Say) -> str:
    """What is typed without being shown; "" for nothing."""
    told = words(question, lang())
    return str(click.prompt(told, hide_input=True, err=True, default="", show_default=False))


def new_passphrase() -> str:
    """A passphrase to lock a key with: from the environment, or typed twice. Refused `kit/passphrases-differ`."""
    known = os.environ.get(PASSPHRASE, "")
    if known:
        return known
    first, again = _hidden(say("A passphrase for the key")), _hidden(say("The same once more"))
    if not first or first != again:
        raise refuse("kit/passphrases-differ")
    return first


def write_key(where: Path, key: PrivateKey, *, locked: bool) -> None:
    """A key as a new file, locked or not. Refused `kit/key-exists`, `kit/passphrases-differ`."""
    if where.exists():
        raise refuse("kit/key-exists", file=str(where))
    chance = secrets.token_bytes(CHANCE)
    save_key_file(
        where, locked_file(key, new_passphrase(), chance, lang()) if locked else key_file(key, lang())
    )


def make_key(path: Path | None, *, locked: bool = False) -> PrivateKey:
    """A new key, written down. Refused `kit/key-exists`."""
    key = new_key(secrets.token_bytes(32))
    where = key_at(path)
    write_key(where, key, locked=locked)
    tell(say("Your new key is in {file}. Its name is {id}.", file=str(where), id=key_id(public_of(key))))
    tell(say("Keep a copy in a safe place, and never send it to anybody: whoever has it can play as you."))
    return key


def read_file(path: Path) -> bytes:
    """The bytes of a file. OSError, or Refused `file/too-long`, `archive/not-a-file`."""
    with opened(path) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise refuse("file/too-long", size=len(data), limit=MOST_BYTES)
    return data


def open_letter(path: Path) -> Letter:
    """A view, from its file or from the whole letter saved; its log lines are kept. Refused `kit/…`, `file/…`, `seal/…`."""
    data = read_file(path)
    opened = open_file(data)
    claim = find_view(data)
    worries = _keep_lines(opened, claim)
    view = trust_view(claim, folder.known_game(home(), claim.game))
    trust, more = _judge(view)
    return Letter(view, trust, (*worries, *more), opened.reply)


def _keep_lines(opened: OpenedFile, claim: Envelope) -> tuple[Say, ...]:
    """The log lines of a letter go into the copy of the log; a charter never seen before opens the copy."""
    found = [pieces.cut(data, "") for data in opened.logs]
    for piece in found:
        if piece.first == 0 and folder.known_game(home(), claim.game) is None:
            known = read_charter(piece.lines[0].rstrip(b"\n"))
            if known.charter.game == claim.game and trust_view(claim, known).checked:
                folder.remember(home(), known)
    try:
        folder.learn(home(), found, claim.game)
    except Refused as refused:
        return (
            say(
                "The log lines in this letter do not go on from those you have ({code}). Keep both, and compare"
                " with the other players.",
                code=refused.refusal.code,
            ),
        )
    return ()


def _judge(view: ViewFile) -> tuple[tuple[Say, ...], tuple[Say, ...]]:
    """What speaks for a view, and what against it. Refused `kit/fork` if it names another history than the copy."""
    head = view.head
    if not view.checked:
        unknown = say(
            "Not checked: this machine does not know the charter of the game {game}, so that it can not tell"
            " whether the host signed this view. Open a letter with the beginning of the log to change that.",
            game=head.game,
        )
        return (), (unknown,)
    signed = say("Signed by the host of the game {game}.", game=head.game)
    line = folder.line_at(home(), head.game, head.n)
    if not line:
        return (signed,), ()
    if line != head.base:
        raise refuse("kit/fork", record=head.n)
    newer = len(folder.load_log(home(), head.game)) - 1 - head.n
    agrees = say("Agrees with your copy of the log, record {record}.", record=head.n)
    if newer:
        late = say("Your copy of the log is newer than this view: records up to {last}.", last=head.n + newer)
        return (signed, agrees), (late,)
    return (signed, agrees), ()


def tell_worries(letter: Letter) -> None:
    """Says what speaks against a letter."""
    page.sentences(letter.worries, err=True)


def hand_over(
    envelope: Envelope, address: str, stem: str, where: Delivery, reply: Reply | None
) -> list[Path]:
    """Writes the signed file, the text to mail it with, and the ready-made mail if wanted; says what to do."""
    folder.note_sent(home(), envelope)
    signed = where.output or Path(f"{stem}.json")
    text = signed.with_name(f"{signed.name.removesuffix('.json')}.txt")
    eml = where.eml or (signed.with_name(f"{signed.name.removesuffix('.json')}.eml") if where.mail else None)
    write_file(signed, envelope.text())
    write_file(text, mail_text(envelope, address, lang()).encode("utf-8"))
    tell(say("Signed: {file}", file=str(signed)))
    tell(say("The text of the mail, to be pasted: {file}", file=str(text)))
    if eml is not None:
        write_file(eml, answer_eml(envelope, address, Heading(reply=reply), lang()))
        tell(say("The mail itself, ready to be opened and sent: {file}", file=str(eml)))
    if address:
        tell(say("Send it to: {address}", address=address))
    else:
        tell(say("Send it to the address in the letter that you answer."))
    return [signed, text, *([eml] if eml else [])]


def stem_of(view: ViewFile, word: str) -> str:
    """How the files of an answer to a view are called."""
    head = view.head
    return f"{file_name(head.game, f'{head.n:04d}', head.seat)}.{word}"


def draft_of(view: ViewFile, orders: Sequence[dict[str, Any]]) -> bytes:
    """An unsigned move file that answers a view, which `pbem check` and `pbem sign` take."""
    move: dict[str, Any] = msgspec.json.decode(blank_move(view.envelope.payload))
    move["payload"]["orders"] = list(orders)
    return pretty(move)
