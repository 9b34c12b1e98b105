"""Mails of the shapes that have stopped other programs are read, or refused with a way out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import Refused, sentences, words
from pbem.turn.mail_codes import CODES
from pbem.turn.mime import open_mail
from tests.turn.mime.sample import MOVE, OTHER, TEXT, find, hexes, mail
from tests.turn.mime.shapes import FOLDER, FOUND, SHAPES, expected, tiny_parts, write

LONG_HEADER = "header-too-long"
TABLE = {code.code: code for code in CODES}


def test_the_files_are_what_the_table_makes(tmp_path: Path) -> None:
    write(tmp_path)
    kept = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in (".eml", ".json")}
    assert kept == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize("name", SHAPES)
def test_outcome(name: str) -> None:
    shape = SHAPES[name]
    raw = (FOLDER / f"{name}.eml").read_bytes()
    if shape.outcome.startswith(FOUND):
        assert find(raw) == (MOVE if shape.outcome == FOUND else OTHER)
    else:
        with pytest.raises(Refused) as refused:
            find(raw)
        assert refused.value.refusal.code == shape.outcome


@pytest.mark.parametrize("name", sorted(SHAPES.keys() - {LONG_HEADER}))
def test_header_fields(name: str) -> None:
    opened = open_mail(SHAPES[name].raw)
    fields = {name: getattr(opened, name) for name in ("auto", "message_id", "sender", "subject", "received")}
    assert {"outcome": SHAPES[name].outcome, **fields} == expected(SHAPES[name])


def test_two_moves_are_named_by_their_ids() -> None:
    with pytest.raises(Refused) as refused:
        find(SHAPES["two-moves"].raw)
    ids = [hexes(json.dumps(json.loads(json.dumps(move, sort_keys=True)))) for move in (MOVE, OTHER)]
    assert refused.value.refusal.args == {"first": ids[0], "second": ids[1]}


def _cost(work: Callable[[], object]) -> float:
    """CPU time, the best of five."""
    times: list[float] = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return max(min(times), 1e-6)


def test_20000_tiny_parts_cost_nothing() -> None:
    raw = tiny_parts(20_000)
    trouble = open_mail(raw).trouble
    # No part is looked at: it costs no more than a few searches of the same bytes.
    looked = min(_cost(lambda: open_mail(raw)) / _cost(lambda: raw.count(b"Content-Type:")) for _ in range(3))
    assert looked < 40
    assert trouble is not None
    assert trouble.code == "mail/too-many-parts"


@pytest.mark.parametrize("raw", [mail("x" * 2_000_000), b"\n" * (256 * 1024 + 1)])
def test_a_mail_over_256_kib_is_not_looked_at(raw: bytes) -> None:
    with pytest.raises(Refused) as refused:
        find(raw)
    assert refused.value.refusal.code == "mail/too-long"
    assert refused.value.refusal.args == {"size": len(raw), "limit": 262_144}


def test_400_header_lines_are_the_limit() -> None:
    usual = mail(TEXT)
    lines = usual.partition(b"\n\n")[0].count(b"\n") + 2  # the empty line counts
    assert find(b"X: y\n" * (400 - lines) + usual) == MOVE
    with pytest.raises(Refused) as refused:
        find(b"X: y\n" * (401 - lines) + usual)
    assert refused.value.refusal.code == "mail/long-header"


def test_every_code_has_words_and_a_mail() -> None:
    codes = {shape.outcome for shape in SHAPES.values() if shape.outcome.startswith("mail/")}
    assert codes | {"mail/too-long"} == set(TABLE)
    for name, shape in SHAPES.items():
        if shape.outcome in TABLE:
            with pytest.raises(Refused) as refused:
                find(shape.raw)
            for sentence in sentences(refused.value.refusal, TABLE):
                assert words(sentence).endswith("."), name


@pytest.mark.parametrize("place", ["pbem.turn.mail_parts.pieces", "pbem.turn.mail_text.from_html"])
def test_what_nobody_foresaw_is_a_malformed_mail(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("embedded null byte")

    monkeypatch.setattr(place, fail)
    opened = open_mail(mail("hello", "text/html"))
    assert opened.candidates == ()
    assert opened.trouble is not None
    assert opened.trouble.code == "mail/malformed"
