"""The kit gives the next link and no other, whatever a file says (protocol.md section 5, Chains)."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Refused
from pbem.log.chain import LENGTH, chain_link, follows, seat_seed
from pbem.player import ChainPlace, move_envelope, next_link, read_view, ready_envelope
from pbem.player.answers import read_unsigned, sign_move
from pbem.turn.views import blank_move
from tests.player.host import Host, key_of

CHARTER = "ab" * 32
SEED = seat_seed(key_of("ash"), "g1", "ash", bytes.fromhex(CHARTER))


def link(k: int) -> str:
    return chain_link(SEED, "g1", "ash", k).hex()


@given(st.integers(1, LENGTH))
def test_the_link_after_the_one_shown_is_given(k: int) -> None:
    given_link = next_link(key_of("ash"), ChainPlace("g1", "ash", CHARTER, k, link(k - 1)))
    assert given_link == link(k)
    assert follows("g1", "ash", bytes.fromhex(given_link), bytes.fromhex(link(k - 1)))


@given(st.integers(-5, LENGTH + 5), st.integers(0, LENGTH))
def test_nobody_gets_a_link_beyond_the_one_after_what_he_shows(wanted: int, shown: int) -> None:
    place = ChainPlace("g1", "ash", CHARTER, wanted, link(shown))
    if wanted == shown + 1:
        assert next_link(key_of("ash"), place) == link(wanted)
        return
    with pytest.raises(Refused, match=r"kit/(not-your-link|links-used-up)"):
        next_link(key_of("ash"), place)


@pytest.mark.parametrize("changed", [{"game": "g2"}, {"seat": "oak"}, {"charter": "cd" * 32}, {"given": "ä"}])
def test_a_place_in_another_chain_gets_nothing(changed: dict[str, str]) -> None:
    place = msgspec.structs.replace(ChainPlace("g1", "ash", CHARTER, 3, link(2)), **changed)
    with pytest.raises(Refused, match="kit/not-your-link"):
        next_link(key_of("ash"), place)


def test_a_lying_host_gets_no_later_link_by_a_view_that_he_signed() -> None:
    host = Host().begin()
    seat = host.asked()
    for changes in ({"link": 40}, {"link": 3, "given": "00" * 32}, {"charter": "cd" * 32}):
        view = read_view(host.forge(seat, **changes))
        with pytest.raises(Refused, match="kit/not-your-link"):
            move_envelope(key_of(seat), view, [{"do": "bid", "coins": 1}])
    early = read_view(host.forge(seat, phase="ready", link=1))
    with pytest.raises(Refused, match="kit/not-your-link"):
        ready_envelope(key_of(seat), early, {})


def test_a_blank_move_with_a_changed_aside_gets_nothing() -> None:
    host = Host().begin()
    seat = host.asked()
    blank = msgspec.json.decode(blank_move(host.read(seat).envelope.payload))
    blank["payload"]["orders"] = [{"do": "bid", "coins": 1}]
    fine = sign_move(key_of(seat), read_unsigned(msgspec.json.encode(blank)))
    assert host.take(fine) == ""
    blank["aside"]["link"] = 9
    with pytest.raises(Refused, match="kit/not-your-link"):
        sign_move(key_of(seat), read_unsigned(msgspec.json.encode(blank)))


def test_another_players_key_gets_nothing() -> None:
    host = Host().begin()
    seat, other = host.seats[0], host.seats[1]
    with pytest.raises(Refused, match="kit/not-your-link"):
        move_envelope(key_of(other), host.read(seat), [{"do": "bid", "coins": 1}])
