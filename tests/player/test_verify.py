"""`pbem verify`: pieces in any order, two histories, gaps, and every kind of damage."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Refused
from pbem.log.record import line_digest, seal_record
from pbem.player import bot_orders, move_envelope
from pbem.player.pieces import Piece, stitch
from tests.player.host import Host, key_of
from tests.player.run import code, ok, pbem, put, use_key
from tests.player.test_game import play

GAMES: dict[str, Host] = {}


def finished() -> Host:
    if "whole" not in GAMES:
        GAMES["whole"] = Host().begin()
        play(GAMES["whole"])
    return GAMES["whole"]


def running() -> Host:
    if "part" not in GAMES:
        GAMES["part"] = Host().begin()
        play(GAMES["part"], 14)
    return GAMES["part"]


def lines() -> list[bytes]:
    return [line + b"\n" for line in finished().lines]


def test_a_finished_game_is_told_in_words(home: Path) -> None:
    use_key(home, "ash")
    text = " ".join(ok("verify", put("g.pbem", finished().log)).split())
    assert "The game g1: sound and finished." in text
    assert f"Signatures: {len(finished().lines)} records" in text
    assert "Your seat ash: " in text
    assert "were not signed on this machine" in text


def test_an_unfinished_game_ends_with_3() -> None:
    result = pbem("verify", put("g.pbem", running().log), "--json")
    assert result.exit_code == 3
    told = json.loads(result.output)
    assert told["verdict"] == "unfinished"
    assert told["head"] == running().desk.snapshot.ledger.head
    assert "own" not in told


def test_all_letters_of_a_player_are_the_whole_log() -> None:
    letters = finished().letters["oak"]
    names = [put(f"{number}.eml", letter.raw) for number, letter in enumerate(letters)]
    random.Random(5).shuffle(names)
    assert pbem("verify", *names).exit_code == 0


def test_a_gap_is_named() -> None:
    rows = lines()
    put("a.log.pbem", b"".join(rows[:4]))
    put("b.log.pbem", b"".join(rows[9:]))
    result = pbem("verify", "b.log.pbem", "a.log.pbem")
    assert result.exit_code == 2
    assert "Records 4 to 8 are in none of the files" in " ".join(result.output.split())
    assert code("verify", "b.log.pbem") == "kit/gap"


def test_overlaps_must_agree() -> None:
    rows = lines()
    other = Host(name="g2").begin()
    put("a.log.pbem", b"".join(rows[:6]))
    put("b.log.pbem", b"".join(rows[3:]))
    assert pbem("verify", "a.log.pbem", "b.log.pbem").exit_code == 0
    put("c.log.pbem", b"".join(line + b"\n" for line in other.lines[2:8]))
    assert code("verify", "a.log.pbem", "c.log.pbem") == "fork/other-host"


def test_another_history_than_the_copy_is_a_fault(home: Path) -> None:
    use_key(home, "ash")
    mine, shown = Host().begin(), Host().begin()
    play(mine, 6)
    seat = shown.asked()
    view = shown.read(seat)
    assert shown.take(move_envelope(key_of(seat), view, bot_orders(view, 7), note="other")) == ""
    ok("join", put("i.json", mine.invitation("ash")))
    assert pbem("verify", put("g.pbem", mine.log)).exit_code == 3
    result = pbem("verify", put("h.pbem", shown.log))
    assert result.exit_code == 1
    assert "kit/fork" in result.output
    assert (home / "games" / "g1" / "log.pbem").read_bytes() == mine.log


def test_the_beginning_comes_from_the_copy(home: Path) -> None:
    use_key(home, "ash")
    ok("join", put("i.json", finished().invitation("ash")))
    rows = lines()
    put("first.log.pbem", b"".join(rows[:9]))
    put("next.log.pbem", b"".join(rows[9:]))
    assert pbem("verify", "first.log.pbem").exit_code == 3
    assert pbem("verify", "next.log.pbem").exit_code == 0
    assert (home / "games" / "g1" / "log.pbem").read_bytes() == finished().log


@given(st.data())
def test_any_byte_changed_is_a_fault_with_its_line(data: st.DataObject) -> None:
    whole = finished().log
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
    damaged = put("damaged.pbem", whole[:place] + bytes([byte]) + whole[place + 1 :])
    result = pbem("verify", damaged)
    assert result.exit_code in ((1, 2) if place < finished().log.index(b"\n") else (1,)), result.output
    if result.exit_code == 1:
        line = whole.count(b"\n", 0, place) + 1
        named = int(result.output.partition("line ")[2].split()[0])
        assert named <= line + 1


@given(st.data())
def test_pieces_in_any_order_and_overlap_are_the_log(data: st.DataObject) -> None:
    rows = lines()
    cuts = sorted(data.draw(st.sets(st.integers(1, len(rows) - 1), max_size=5)))
    pieces = [Piece(max(0, start - data.draw(st.integers(0, 3))), ()) for start in [0, *cuts]]
    ends = [*cuts, len(rows)]
    whole = [
        Piece(piece.first, tuple(rows[piece.first : end])) for piece, end in zip(pieces, ends, strict=True)
    ]
    assert stitch(data.draw(st.permutations(whole))) == tuple(rows)


def test_names_are_no_part_of_the_history() -> None:
    rows = lines()

    def named(name: str) -> bytes:
        head = {
            "kind": "names",
            "n": len(rows),
            "at": "2026-03-02T12:00:00Z",
            "prev": line_digest(rows[-1][:-1]),
        }
        return seal_record(finished().desk.secrets.key, {**head, "names": {"ash": name}}) + b"\n"

    first, second = (Piece(0, (*rows, named(name))) for name in ("Anna", "Ben"))
    assert stitch([first, second, Piece(0, tuple(rows))]) in (first.lines, second.lines)


@pytest.mark.parametrize("name", ["empty", "junk", "json", "view", "array", "mail"])
def test_what_is_no_log_is_said_to_be_none(name: str) -> None:
    bad = {
        "empty": b"",
        "junk": bytes(range(256)) * 9,
        "json": b'{"a": 1}',
        "view": running().view("ash"),
        "array": b"[1, 2, 3]\n",
        "mail": b"From: a@example.org\n\nhello\n",
    }[name]
    assert code("verify", put("bad", bad)) == "kit/not-a-log"


def test_no_file_and_a_folder() -> None:
    assert code("verify", "nothing.pbem") == "cli/file"
    Path("folder").mkdir()
    assert code("verify", "folder") == "cli/file"
    assert pbem("verify").exit_code == 2


def test_a_line_without_its_end_is_a_fault() -> None:
    result = pbem("verify", put("g.pbem", finished().log[:-1]))
    assert result.exit_code == 1
    assert "log/no-line-end" in result.output


def test_stitch_refuses_two_ways_to_tell_a_record() -> None:
    rows = lines()
    with pytest.raises(Refused, match="kit/fork"):
        stitch([Piece(0, tuple(rows[:5])), Piece(4, (rows[5],))])
