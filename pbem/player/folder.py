"""What a player's machine remembers of his games: one folder a game, with his copy of the log.

`HOME/games/GAME/log.pbem` is every line seen so far, the charter first; `HOME/games/GAME/sent.jsonl` is what
was signed here. The first charter seen under a game's name is the one that counts. Nothing in it is needed
to play: a key file and a letter are enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine import Refused, decode, encode, refuse
from pbem.disk import write_file
from pbem.log.canonical import digest
from pbem.log.envelope import Envelope
from pbem.log.ledger import lines_of
from pbem.log.record import Data, Key, read_record, verify_record
from pbem.log.seal import key_id
from pbem.player.disk import private_folder
from pbem.player.invitation import KnownGame, read_charter
from pbem.player.mail import file_name
from pbem.player.pieces import Piece, continues, stitch, verify_log

LOG, SENT = "log.pbem", "sent.jsonl"


class Sent(msgspec.Struct, frozen=True):
    """An envelope that was signed on this machine."""

    id: str
    kind: str
    turn: int = 0


def game_folder(home: Path, game: str) -> Path:
    """Where a game is remembered; its id comes from others and is made harmless."""
    return home / "games" / file_name(game)


def load_log(home: Path, game: str) -> tuple[bytes, ...]:
    """The lines known of a game, each with its LF; none for a game that is not known."""
    path = game_folder(home, game) / LOG
    try:
        return tuple(line for line in lines_of(path.read_bytes()) if line.endswith(b"\n"))
    except FileNotFoundError:
        return ()


def known_game(home: Path, game: str) -> KnownGame | None:
    """The charter first seen under this name, with the data right after it, or None."""
    lines = load_log(home, game)
    if not lines:
        return None
    known = read_charter(lines[0].rstrip(b"\n"))
    found: dict[str, Any] = {}
    for line in lines[1:]:
        record = read_record(line.rstrip(b"\n"))
        if not isinstance(record, Data):
            return msgspec.structs.replace(known, data=found)
        found[record.name] = record.value
    return known


def remember(home: Path, known: KnownGame) -> None:
    """Keeps a game's charter. Refused `kit/other-charter` if another one is known under its name."""
    game = known.charter.game
    before = known_game(home, game)
    if before is None:
        _write_log(home, game, (known.line + b"\n",))
    elif before.digest != known.digest:
        raise refuse("kit/other-charter", game=game, known=before.digest[:16], found=known.digest[:16])


def learn(home: Path, pieces: Sequence[Piece], game: str = "") -> None:
    """Adds pieces of a log to the copies of the games they go on from. `game`: the id of the game they came with, or "".

    A piece that begins later than that game's copy ends, and is sealed by its host, is laid aside until the
    letter that is missing turns up. Refused: `kit/fork` where the copy has other lines, and whatever level 1
    finds; then nothing is added.
    """
    named = file_name(game) if game else ""
    for name in games(home):
        fitting = [piece for piece in pieces if _belongs(home, name, piece)]
        later = [piece for piece in pieces if name == named and _is_later(home, name, piece)]
        if fitting or later:
            _add(home, name, fitting, later)


def _add(home: Path, game: str, fitting: Sequence[Piece], later: Sequence[Piece]) -> None:
    """The copy with what fits now; what may fit later is laid aside, or dropped where it turns out not to."""
    before = load_log(home, game)
    waiting = _aside(home, game)
    lines = stitch([Piece(0, before), *fitting])
    for piece in sorted([*later, *waiting], key=lambda one: one.first):
        if continues(lines, piece):
            lines = stitch([Piece(0, lines), piece])
    if len(lines) > len(before):
        report = verify_log(lines)
        if report.fault is not None:
            raise Refused(report.fault.refusal)
        _write_log(home, game, lines)
    for piece in waiting:
        if piece.first <= len(lines):
            _aside_path(home, game, piece).unlink()
    for piece in later:
        if piece.first > len(lines) and piece not in waiting:
            write_file(_aside_path(home, game, piece), b"".join(piece.lines), secret=True)


def games(home: Path) -> tuple[str, ...]:
    """The folders of the games known here, by name."""
    root = home / "games"
    return tuple(sorted(path.name for path in root.iterdir() if path.is_dir())) if root.is_dir() else ()


def note_sent(home: Path, envelope: Envelope) -> None:
    """Notes that an envelope was signed here, once."""
    known = load_sent(home, envelope.game)
    if any(one.id == envelope.id for one in known):
        return
    turn = envelope.payload.get("turn", 0)
    more = Sent(envelope.id, envelope.kind, turn if isinstance(turn, int) else 0)
    path = game_folder(home, envelope.game) / SENT
    private_folder(path.parent)
    write_file(path, b"".join(encode(one) + b"\n" for one in (*known, more)), secret=True)


def load_sent(home: Path, game: str) -> tuple[Sent, ...]:
    """What was signed here in a game; lines that can't be read are of no account."""
    try:
        rows = (game_folder(home, game) / SENT).read_bytes().splitlines()
    except FileNotFoundError:
        return ()
    found: list[Sent] = []
    for row in rows:
        try:
            found.append(decode(Sent, row))
        except msgspec.MsgspecError:
            continue
    return tuple(found)


def key_of(home: Path, game: str, seat: str) -> str:
    """The id of the key that a seat has by the newest line known, if it has changed since the join; else ""."""
    found = ""
    later = [line for piece in _aside(home, file_name(game)) for line in piece.lines]
    for line in (*load_log(home, game), *later):
        if b'"kind":"key"' in line:
            record = read_record(line.rstrip(b"\n"))
            if isinstance(record, Key) and record.seat == seat:
                found = key_id(bytes.fromhex(record.public_key))
    return found


def line_at(home: Path, game: str, number: int) -> str:
    """The digest of a known line, or ""."""
    lines = load_log(home, game)
    return digest(lines[number].rstrip(b"\n")) if 0 <= number < len(lines) else ""


def _belongs(home: Path, game: str, piece: Piece) -> bool:
    """Whether a piece is of this game: it begins with the same charter, or goes on from a line of the copy."""
    lines = load_log(home, game)
    if piece.first == 0:
        return bool(lines) and lines[0].rstrip(b"\n") == piece.lines[0].rstrip(b"\n")
    return continues(lines, piece)


def _is_later(home: Path, game: str, piece: Piece) -> bool:
    """Whether a piece begins beyond the copy, and all its lines are whole and sealed by the game's host."""
    known = known_game(home, game)
    if known is None or piece.first <= len(load_log(home, game)):
        return False
    try:
        for line in piece.lines:
            verify_record(read_record(line.removesuffix(b"\n")), known.host_key)
    except Refused:
        return False
    return piece.lines[-1].endswith(b"\n")


def _aside(home: Path, game: str) -> list[Piece]:
    """The pieces that were laid aside."""
    found = sorted((home / "games" / game).glob("*.piece"))
    return [Piece(int(path.name.partition(".")[0]), tuple(lines_of(path.read_bytes()))) for path in found]


def _aside_path(home: Path, game: str, piece: Piece) -> Path:
    return home / "games" / game / f"{piece.first:06d}.{len(piece.lines):06d}.piece"


def _write_log(home: Path, game: str, lines: Sequence[bytes]) -> None:
    path = game_folder(home, game) / LOG
    private_folder(path.parent)
    write_file(path, b"".join(lines), secret=True)
