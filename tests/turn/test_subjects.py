"""Subjects in any language: ASCII on the wire, the same words in the reader's mail program."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.turn.eml import Mail, encoded, render


def mail(subject: str) -> bytes:
    return render(
        Mail(
            "Games <games@pbem.example.org>",
            "games@pbem.example.org",
            "red@example.org",
            subject,
            "2026-11-30T12:00:00Z",
            "one@pbem.example.org",
            "Hello.",
        )
    )


def shown(raw: bytes) -> str:
    """The subject as Python's own mail reader, which is another program than ours, understands it."""
    return str(message_from_bytes(raw, policy=default)["Subject"])


@pytest.mark.parametrize(
    "subject",
    [
        "[pbem g1] turn 7: your move",
        "[pbem g1] vuoro 7: sinun siirtosi — ole hyvä",
        "[pbem g1] 7. forduló: rajtad a sor, lépj és írd alá őszintén",
        "[pbem g1] Zug 7: für Grün, " + "äöü" * 60,
        "=?utf-8?b?x?= is what it looks like",
        "☺",
    ],
)
def test_a_subject_is_read_as_it_was_written(subject: str) -> None:
    raw = mail(subject)
    head = raw.partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert max(map(len, head.split(b"\r\n"))) <= 78
    assert shown(raw) == subject


def test_the_name_of_the_game_stays_readable_for_filters() -> None:
    assert b"Subject: [pbem g1] " in mail("[pbem g1] päivä")


@given(st.text(max_size=120))
def test_no_subject_makes_a_header(subject: str) -> None:
    head = mail(subject).partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] not in b" "]
    assert names.count(b"Subject") <= 1
    assert set(names) <= {
        b"From", b"Reply-To", b"To", b"Subject", b"Date", b"Message-ID", b"Auto-Submitted",
        b"X-Auto-Response-Suppress", b"MIME-Version", b"Content-Type", b"Content-Transfer-Encoding",
    }  # fmt: skip


def test_plain_text_is_left_alone() -> None:
    assert encoded("turn 7: your move") == "turn 7: your move"
