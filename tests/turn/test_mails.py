"""Every mail of fixtures/mails, judged where the manifest says: refused with its code, or accepted."""

from __future__ import annotations

import email
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import sentences, words
from fixtures.bad_mails import UNANSWERED
from fixtures.desks import claim, desk_at, judged, known_at, match_at
from pbem.turn import pipeline
from pbem.turn.answers import invitation_letter
from pbem.turn.desk import Offer
from pbem.turn.desk_file import desk_file
from pbem.turn.offer_letters import offer_letter
from pbem.turn.pipeline import Verdict
from pbem.turn.refusals import TABLE
from pbem.turn.wording import PAGE
from tests.service.lightly import whole_desk

Json = dict[str, Any]

HERE = Path(__file__).resolve().parents[2] / "fixtures" / "mails"
MANIFEST: Json = json.loads((HERE / "manifest.json").read_bytes())
BAD: dict[str, Json] = {entry["code"]: entry for entry in MANIFEST["bad"]}
GOOD: dict[str, Json] = {entry["file"]: entry for entry in MANIFEST["good"]}
AREAS = ("file", "mail", "seal", "schema", "fresh", "order", "moment")
"""The areas of what a player sends; the others are about logs, new games and positions."""


def judge(entry: Json) -> Verdict:
    data = (HERE / entry["file"]).read_bytes()
    return judged(claim(entry["file"], data), entry["desk"], entry.get("position"))


def squeezed(text: str) -> str:
    """Without blanks and line ends, so that wrapping does not matter."""
    return "".join(text.split())


def test_every_code_that_a_player_can_meet_has_a_mail_or_a_reason() -> None:
    codes = {code for code in TABLE if code.partition("/")[0] in AREAS}
    reasons = {entry["code"]: entry["why"] for entry in MANIFEST["unreachable"]}
    assert BAD.keys() | reasons.keys() == codes
    assert not BAD.keys() & reasons.keys()
    assert len(reasons) <= 7
    assert all(len(why) > 30 for why in reasons.values())


def test_every_mail_stands_in_the_manifest() -> None:
    named = {*(entry["file"] for entry in BAD.values()), *GOOD}
    there = {str(path.relative_to(HERE)) for folder in ("bad", "good") for path in (HERE / folder).iterdir()}
    assert there == named
    assert {entry["desk"] for entry in MANIFEST["desks"]} >= {entry["desk"] for entry in BAD.values()}


@pytest.mark.parametrize("code", [code for code, entry in BAD.items() if not entry.get("lapses")])
def test_a_bad_mail_is_refused_with_its_code_and_changes_nothing(code: str) -> None:
    entry = BAD[code]
    verdict = judge(entry)
    assert verdict.refusal is not None
    assert verdict.refusal.code == code
    assert (verdict.lines, verdict.kept, verdict.finished) == ((), (), False)
    desk = desk_at(entry["desk"], entry.get("position"))
    assert verdict.snapshot == desk.snapshot
    assert verdict.people == desk.people


@pytest.mark.parametrize(
    "code", [code for code, entry in BAD.items() if not entry.get("lapses") and entry["answered"]]
)
def test_its_sender_is_told_what_is_wrong_and_what_to_do(code: str) -> None:
    entry = BAD[code]
    verdict = judge(entry)
    (letter,) = verdict.letters
    assert verdict.refusal is not None
    assert letter.seat == entry["answered"]
    assert letter.to == f"{entry['answered']}@example.org"
    assert letter.subject.endswith(f"] not accepted: {code}")
    assert b"\r\nAuto-Submitted: auto-replied\r\n" in letter.raw
    name = code.replace("/", "-")
    assert f"In-Reply-To: <{name}@mail.example.org>".encode() in letter.raw
    text = squeezed(letter.text)
    for label, sentence in zip(
        ("Expected", "Found", "What to do"), sentences(verdict.refusal, TABLE), strict=True
    ):
        assert squeezed(f"{label}: {words(sentence)}") in text
    assert all(len(row) <= 72 or " " not in row for row in letter.text.splitlines())


@pytest.mark.parametrize("code", [code for code, entry in BAD.items() if entry.get("order")])
def test_the_order_in_question_is_quoted(code: str) -> None:
    entry = BAD[code]
    data = (HERE / entry["file"]).read_bytes()
    orders = claim(entry["file"], data).envelopes[0].payload["orders"]
    quoted = json.dumps(orders[entry["order"] - 1], sort_keys=True, separators=(",", ":"))
    verdict = judge(entry)
    (letter,) = [one for one in verdict.letters if one.seat == entry["answered"]]
    kept = quoted[:280]
    if entry.get("lapses"):
        assert f"order{entry['order']}" in squeezed(letter.text).casefold()
    else:
        assert squeezed(f"Order {entry['order']}: {kept}") in squeezed(letter.text)


@pytest.mark.parametrize("code", [code for code, entry in BAD.items() if entry.get("lapses")])
def test_an_order_that_has_become_impossible_is_told_to_its_author_alone(code: str) -> None:
    entry = BAD[code]
    verdict = judge(entry)
    assert verdict.refusal is None
    assert len(verdict.lines) == 1
    for letter in verdict.letters:
        assert (code in letter.raw.decode("ascii")) == (letter.seat == entry["answered"])
    assert code.encode() not in verdict.lines[0]


@pytest.mark.parametrize("code", [code for code, entry in BAD.items() if not entry["answered"]])
def test_what_is_not_answered_says_why(code: str) -> None:
    entry = BAD[code]
    assert judge(entry).letters == ()
    assert code in UNANSWERED or entry["file"].endswith(".json")
    assert len(entry["why"]) > 30


@pytest.mark.parametrize("file", GOOD)
def test_a_good_mail_is_accepted(file: str) -> None:
    entry = GOOD[file]
    verdict = judge(entry)
    assert verdict.refusal is None
    (line,) = verdict.lines
    record = json.loads(line)
    assert (record["kind"], record["seat"]) == (entry["kind"], entry["seat"])
    (receipt,) = [letter for letter in verdict.letters if letter.seat == entry["seat"]]
    assert line in receipt.files[-1].data
    assert (
        verdict.kept[0].payload_digest == claim(file, (HERE / file).read_bytes()).envelopes[0].payload_digest
    )


MOVES = [file for file, entry in GOOD.items() if entry["kind"] == "move" and "kit-" not in file]


def test_a_move_that_has_been_taken_is_answered_once_more_and_changes_nothing() -> None:
    match = match_at("first-turn")
    first, *others = [claim(file, (HERE / file).read_bytes()) for file in MOVES]
    digests = {claims.envelopes[0].payload_digest for claims in (first, *others)}
    assert len(digests) == 1, "all ways carry the same move"
    known = msgspec.structs.replace(known_at("first-turn"), seen={digests.pop(): 8})
    for claims in others:
        verdict = pipeline.judge(claims, known, match.desk)
        assert (verdict.refusal, verdict.lines, verdict.snapshot) == (None, (), match.desk.snapshot)
        (letter,) = verdict.letters
        assert letter.subject == f"[pbem {match.desk.game_id}] already recorded as 8"


def test_what_a_stranger_wrote_is_quoted_with_its_braces() -> None:
    """A refusal quotes the order as it is; nothing of that is taken for a place in a sentence."""
    (letter,) = judge(BAD["schema/verb"]).letters
    assert '{"creature":"titan","do":"attack"}' in letter.text


def test_an_invitation_and_an_offer_bring_the_whole_page() -> None:
    """Tests of the service send a light one in its place (tests/service/lightly.py)."""
    match = match_at(MANIFEST["desks"][0]["desk"])
    seat = match.desk.charter.seats[0]
    offered = msgspec.structs.replace(match.desk, offers={seat: Offer("eve@example.org", "token", "taken")})
    with whole_desk():
        letters = invitation_letter(match.desk, seat), offer_letter(offered, seat, match.lines)
    for letter in letters:
        parts = email.message_from_bytes(letter.raw).walk()
        (page,) = [bytes(part.get_payload(decode=True)) for part in parts if part.get_filename() == PAGE]
        assert page.replace(b"\r\n", b"\n").strip() == desk_file().data.strip()
        assert len(page) > 100_000
