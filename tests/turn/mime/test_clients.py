"""A move from the programs that people use, over the roads that mail takes: found with its signature intact, or
refused with a reason that its sender can do something about; never lost without a word.
"""

from __future__ import annotations

import pytest

from engine import Refused, sentences, words
from pbem.turn import mail_text
from pbem.turn.mail_codes import CODES
from pbem.turn.mail_parts import unix
from pbem.turn.mime import open_mail
from tests.turn.mime import clients, clients_free, pages
from tests.turn.mime.files import FILES
from tests.turn.mime.gateways import CODINGS, GATEWAYS, MIME
from tests.turn.mime.habits import FOUND
from tests.turn.mime.labels import CHARSETS
from tests.turn.mime.sample import MOVE, OTHER, TEXT, find, mail, multipart, part, pretty

ROADS = clients.CLIENTS | clients_free.CLIENTS | GATEWAYS | CODINGS | CHARSETS | MIME | pages.ROADS
TABLE = {code.code: code for code in CODES}


def outcome(raw: bytes) -> str:
    try:
        found = find(raw)
    except Refused as refused:
        return refused.refusal.code
    return FOUND if found == MOVE else "another move"


@pytest.mark.parametrize("name", ROADS)
def test_a_move_over_a_road_of_its_own(name: str) -> None:
    raw, expected = ROADS[name]
    assert outcome(raw) == expected
    assert outcome(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) == expected, "as it comes by SMTP"


def test_what_is_refused_has_a_way_out() -> None:
    codes = {expected for _, expected in ROADS.values()} - {FOUND, "test/bad-signature"}
    assert len(codes) >= 6
    for raw, expected in ROADS.values():
        if expected in TABLE:
            with pytest.raises(Refused) as refused:
                find(raw)
            assert all(words(sentence).endswith(".") for sentence in sentences(refused.value.refusal, TABLE))


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_move_file_is_called_by_its_kind(name: str) -> None:
    """Of a PDF or an Outlook message it was said that nothing was in the mail; a key was passed over in silence."""
    raw, expected, kind = FILES[name]
    with pytest.raises(Refused) as refused:
        find(raw)
    assert (refused.value.refusal.code, refused.value.refusal.args.get("kind", "")) == (expected, kind)
    assert kind in words(sentences(refused.value.refusal, TABLE)[1])


def test_a_file_of_another_kind_hides_no_move() -> None:
    for raw, _, _ in FILES.values():
        assert outcome(multipart(_as_part(raw), part(TEXT))) == FOUND


@pytest.mark.parametrize(
    "name", [name for name, (_, expected) in ROADS.items() if expected == FOUND and "200 kB" not in name]
)
def test_an_old_file_beside_it_does_not_hide_it(name: str) -> None:
    """A way that is tried only if nothing at all was found is closed by the old letter that people quote."""
    old = pretty(OTHER).replace("summer-cup", "other-cup")
    raw, _ = ROADS[name]
    assert outcome(multipart(_as_part(raw), part(old))) == FOUND


def _as_part(raw: bytes) -> bytes:
    """A whole mail as a part: what its header says of its content, and its body."""
    head, _, body = unix(raw).partition(b"\n\n")
    fields = head.replace(b"\n ", b" ").replace(b"\n\t", b" ").split(b"\n")
    return b"\n".join(field for field in fields if field.lower().startswith(b"content-")) + b"\n\n" + body


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("start", ["", "\u79c1\u306e\u624b\n", "\u00dcbrigens\n"])
def test_wide_text_is_told_by_its_bytes(codec: str, start: str) -> None:
    assert mail_text.text((start + TEXT).encode(codec), "utf-8") == start + TEXT


def test_a_mail_of_zeros_is_text_of_some_kind() -> None:
    assert open_mail(mail(b"\0" * 1_000)).candidates == ()
