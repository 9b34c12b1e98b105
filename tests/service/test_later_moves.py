"""Several moves in one mail, of which only an older one is sound: what is quoted beneath is not what its player wants."""

from __future__ import annotations

import email
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from bench.mails import HOST, NOW, SEATS, Script, deliver, fill, hand_in, scripts
from pbem.service.database import Database, open_database
from pbem.service.tables import NEW, outbox, records
from pbem.service.worker import handle_next

(SCRIPT,) = scripts(1, 3)
HEAD, _, FIRST = SCRIPT.moves[0].partition(b"\r\n\r\n")
"""The first move of the seat that begins."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Database]:
    with closing(open_database(f"sqlite:///{tmp_path / 'db'}")) as database:
        fill(database, (SCRIPT,))
        deliver(database)
        yield database


def altered(move: bytes, was: bytes, now: bytes) -> bytes:
    assert was in move
    return move.replace(was, now, 1)


def other_seal(move: bytes) -> bytes:
    """Under another signature of the same form."""
    at = move.index(b'"val": "') + len(b'"val": "')
    return move[:at] + (b"B" if move[at : at + 1] == b"A" else b"A") + move[at + 1 :]


LATER = other_seal(altered(FIRST, b'"rev": ', b'"rev": 1'))
"""A later word of the same player that was spoilt on its way."""


def mail(*moves: bytes) -> bytes:
    first, *others = moves
    below = b"".join(
        b"I wrote:\r\n" + b"".join(b"> " + line + b"\r\n" for line in one.splitlines()) for one in others
    )
    return HEAD + b"\r\n\r\n" + first + b"\r\n" + below


def came_of(database: Database, script: Script, raw: bytes) -> tuple[str, str, int, list[str]]:
    """What came of a mail, its code, how many records, and the letters' names."""
    count = sa.select(sa.func.count()).select_from(records)
    with database.read() as tx:
        before = tx.execute(count).scalar_one()
    hand_in(database, script, (raw,))
    handled = handle_next(database, HOST, lambda: NOW)
    assert handled is not None
    with database.read() as tx:
        more = tx.execute(count).scalar_one() - before
        letters = list(tx.execute(sa.select(outbox.c.message_id).where(outbox.c.state == NEW)).scalars())
    deliver(database)
    return handled.what, handled.code, more, letters


def test_an_older_move_that_is_quoted_is_not_played_for_a_later_one_that_is_spoilt(store: Database) -> None:
    what, code, more, letters = came_of(store, SCRIPT, mail(LATER, FIRST))
    assert (what, code, more, len(letters)) == ("refused", "seal/wrong", 0, 1)
    assert came_of(store, SCRIPT, mail(FIRST))[::2] == ("taken", 1)


def test_a_recorded_move_that_is_quoted_is_not_the_answer_to_a_later_one_that_is_spoilt(
    store: Database,
) -> None:
    assert came_of(store, SCRIPT, mail(FIRST))[::2] == ("taken", 1)
    what, code, more, letters = came_of(store, SCRIPT, mail(LATER, FIRST))
    assert (what, code, more, len(letters)) == ("refused", "seal/wrong", 0, 1)
    # the same mail once more, as mail servers do: nothing new, and no refusal
    assert came_of(store, SCRIPT, mail(FIRST))[0] == "again"


def test_a_sound_move_is_taken_above_whatever_older_one_was_spoilt(store: Database) -> None:
    for raw in SCRIPT.moves[:2]:
        assert came_of(store, SCRIPT, raw)[0] == "taken"
    third = SCRIPT.moves[2].partition(b"\r\n\r\n")[2]
    # his last one, quoted beneath, and broken by that; and a spoilt copy of the very same
    old = altered(FIRST, b'"do": "', b'"do": "x')
    assert old != FIRST
    spoilt = altered(third, b'"rev": ', b'"rev": 1')
    assert came_of(store, SCRIPT, mail(third, old, spoilt))[::2] == ("taken", 1)


@pytest.mark.parametrize("kind", ["view", "template"])
def test_a_torn_move_beside_our_own_files_is_what_is_told(store: Database, kind: str) -> None:
    """From a fault: who sent his move with the letter's files beside it heard that a view is no move."""
    letter = store_letter(store)
    file = letter[kind]
    torn = HEAD.replace(b"text/plain; charset=utf-8", b'multipart/mixed; boundary="b"')
    raw = (
        torn
        + b"\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
        + FIRST[: len(FIRST) // 2]
        + b'\r\n--b\r\nContent-Type: application/json\r\nContent-Disposition: attachment; filename="x.json"\r\n\r\n'
        + file
        + b"\r\n--b--\r\n"
    )
    what, code, more, letters = came_of(store, SCRIPT, raw)
    assert (what, code, more, len(letters)) == ("refused", "mail/damaged", 0, 1)


def store_letter(database: Database) -> dict[str, bytes]:
    """The files of the newest letter to the seat that begins."""
    with database.read() as tx:
        raws = tx.execute(
            sa.select(outbox.c.raw).where(outbox.c.seat.in_(SEATS)).order_by(outbox.c.id.desc())
        ).scalars()
        for raw in raws:
            files = {
                str(part.get_filename()): part.get_payload(decode=True)
                for part in email.message_from_bytes(raw).walk()
            }
            if any(name.endswith(".move.json") for name in files):
                view = next(data for name, data in files.items() if name.endswith(".view.json"))
                template = next(data for name, data in files.items() if name.endswith(".move.json"))
                assert isinstance(view, bytes)
                assert isinstance(template, bytes)
                return {"view": view, "template": template}
    raise AssertionError("no letter with a move to fill in")
