"""A whole game through the service's pipeline, with the kit on the other side."""

from __future__ import annotations

from typing import Any

import pytest

from engine import GAMES, AnyGame
from pbem.audit.audit import audit
from pbem.log.envelope import read_envelope, verify_envelope
from pbem.log.seal import public_of
from pbem.player import (
    answer_eml,
    bot_orders,
    check_move,
    mail_text,
    move_envelope,
    read_view,
    resign_envelope,
    standing_envelope,
    verify_log,
)
from pbem.player.pieces import Piece, stitch
from tests.player.host import Host, key_of
from tests.toy import GAME


def play(host: Host, most: int = 400) -> None:
    """Bots play to the end, or until so many moves are made."""
    for _ in range(most):
        seat = host.asked()
        if not seat:
            return
        view = host.read(seat)
        orders = bot_orders(view, 7)
        envelope = move_envelope(key_of(seat), view, orders)
        assert check_move(envelope.text(), view, key_of(seat)).fine
        assert host.take(envelope) == "", host.desk.snapshot.ledger


def opened_bids(host: Host) -> str:
    """All bid one coin; whoever won is asked to act."""
    while host.read(host.asked()).menu.asked[0].decision == "bid":
        seat = host.asked()
        assert host.take(move_envelope(key_of(seat), host.read(seat), [{"do": "bid", "coins": 1}])) == ""
    return host.asked()


@pytest.mark.parametrize(
    ("game", "seats"), [(GAME, ("ash", "birch", "oak")), *((game, game.seats[:2]) for game in GAMES)]
)
def test_bots_play_a_whole_game_that_verifies(game: AnyGame, seats: tuple[str, ...]) -> None:
    host = Host(game, seats).begin()
    play(host)
    summary = verify_log([line + b"\n" for line in host.lines], public_of(key_of(seats[0])).hex())
    assert summary.verdict == "finished"
    assert summary.exit_code == 0
    assert all(one.checked for one in summary.rolls if one.draws)
    assert len(summary.own) == _sent_by(host, seats[0])


def _sent_by(host: Host, seat: str) -> int:
    envelopes = [one.payload_and_sig for one in host.kept if one.payload_and_sig]
    return sum(one["payload"]["seat"] == seat for one in envelopes)


def test_the_same_key_file_and_choices_give_the_same_bytes() -> None:
    first, second = Host().begin(), Host().begin()
    for host in (first, second):
        play(host, 6)
    assert first.log == second.log


def test_an_answer_survives_being_mailed_and_being_pasted() -> None:
    host = Host().begin()
    seat = host.asked()
    view = host.read(seat)
    envelope = move_envelope(key_of(seat), view, bot_orders(view, 1), note="ärger")
    assert host.take(answer_eml(envelope, view.head.address)) == ""
    seat = host.asked()
    view = host.read(seat)
    envelope = move_envelope(key_of(seat), view, bot_orders(view, 1))
    pasted = mail_text(envelope, view.head.address)
    quoted = "".join(f"> {line}\n" for line in pasted.splitlines())
    mail = f"From: {seat}@example.org\nTo: games@example.org\nSubject: Re: my move\n\n{quoted}"
    assert host.take(mail.encode()) == ""


def test_a_resend_after_a_refusal_uses_the_same_link_and_is_taken() -> None:
    host = Host().begin()
    seat = host.asked()
    view = host.read(seat)
    wrong = move_envelope(key_of(seat), view, [{"do": "bid", "coins": 99}])
    assert host.take(wrong) == "moment/purse"
    right = move_envelope(key_of(seat), host.read(seat), [{"do": "bid", "coins": 1}])
    assert right.payload["reveal"] == wrong.payload["reveal"]
    assert host.take(right) == ""


def test_a_second_move_of_a_turn_gives_no_link_and_a_higher_rev() -> None:
    host = Host().begin()
    seat = opened_bids(host)
    first = host.read(seat)
    envelope = move_envelope(key_of(seat), first, [{"do": "look"}])
    assert "reveal" not in envelope.payload
    assert envelope.payload["rev"] == first.head.revs["move"] + 1
    assert host.take(envelope) == ""
    assert host.read(seat).head.revs["move"] == envelope.payload["rev"]


def test_standing_orders_and_resignation_are_taken() -> None:
    host = Host().begin()
    asked = opened_bids(host)
    seat = next(other for other in host.seats if other != asked)
    for guard in ("highest", "never"):
        assert host.take(standing_envelope(key_of(seat), host.read(seat), {"guard": guard})) == ""
    assert host.take(resign_envelope(key_of(seat), host.read(seat))) == ""
    play(host)
    assert verify_log([line + b"\n" for line in host.lines]).verdict == "finished"


def test_every_letter_with_a_view_can_be_read_whole_as_a_mail() -> None:
    host = Host().begin()
    play(host)
    seen = 0
    for letters in host.letters.values():
        for letter in letters:
            files = [file for file in letter.files if file.name.endswith(".view.json")]
            for file in files:
                seen += 1
                assert read_view(letter.raw).envelope.id == read_view(file.data).envelope.id
    assert seen > 10


def test_the_pieces_of_all_letters_are_the_whole_log() -> None:
    from pbem.player import open_file
    from pbem.player.pieces import cut

    host = Host().begin()
    play(host)
    pieces: list[Piece] = []
    for letter in reversed(host.letters["oak"]):
        pieces += [cut(data, "letter") for data in open_file(letter.raw).logs]
    assert b"".join(stitch(pieces)) == host.log


def test_what_the_kit_signs_is_signed_by_its_key() -> None:
    host = Host().begin()
    seat = host.asked()
    view = host.read(seat)
    made: list[Any] = [
        move_envelope(key_of(seat), view, bot_orders(view, 3), "stop"),
        standing_envelope(key_of(seat), view, {}),
        resign_envelope(key_of(seat), view),
    ]
    for envelope in made:
        verify_envelope(read_envelope(envelope.text()), public_of(key_of(seat)))


def test_a_game_of_the_catalog_played_by_the_kit_passes_the_audit() -> None:
    host = Host(GAMES[0], GAMES[0].seats[:3]).begin()
    play(host)
    assert audit(host.log).exit_code == 0
