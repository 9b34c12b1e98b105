"""`pbem compile` as it is typed: lines in, a move file out, and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.player.grammar import grammar_of
from pbem.player.order_lines import order_line
from tests.player.host import Host
from tests.player.run import code, ok, pbem, put, use_key
from tests.player.test_game import opened_bids
from tests.toy import GAME


@pytest.fixture
def host(home: Path) -> Host:
    """A toy game in which the player's seat is asked."""
    host = Host().begin()
    seat = opened_bids(host)
    use_key(home, seat)
    ok("join", put("invitation.json", host.invitation(seat)))
    put("view.json", host.view(seat))
    return host


def lines_of_a_bot(host: Host) -> list[str]:
    """Lines of a turn that the rules accept."""
    ok("fill", "view.json", "--bot", "random", "-o", "bot.json")
    orders = json.loads(Path("bot.json").read_text())["payload"]["orders"]
    return [order_line(order, grammar_of(GAME)) for order in orders]


def test_lines_become_a_move_that_the_host_accepts(host: Host) -> None:
    lines = lines_of_a_bot(host)
    put("turn.txt", "\n".join(lines).encode())
    told = ok("compile", "turn.txt", "--view", "view.json", "-o", "move.json")
    assert "move.json" in told
    ok("check", "move.json", "--view", "view.json")
    ok("sign", "move.json", "--view", "view.json", "-o", "signed.json")
    assert host.take(Path("signed.json").read_bytes()) == ""


def test_the_file_is_named_after_the_view_and_fill_goes_on_from_it(host: Host) -> None:
    put("turn.txt", "\n".join(lines_of_a_bot(host)).encode())
    ok("compile", "turn.txt", "--view", "view.json")
    (draft,) = Path().glob("*.draft.json")
    assert "draft" in pbem("fill", "view.json", text="q\n").output or draft.is_file()


def test_fill_takes_lines_too(host: Host) -> None:
    put("turn.txt", "\n".join(lines_of_a_bot(host)).encode())
    ok("fill", "view.json", "--orders", "turn.txt", "-o", "signed.json")
    assert host.take(Path("signed.json").read_bytes()) == ""


def test_words_are_printed_and_hold(host: Host) -> None:
    lines = lines_of_a_bot(host)
    put("turn.txt", "\n".join(lines).encode())
    told = ok("compile", "turn.txt", "--view", "view.json", "--words")
    assert [line.rpartition(" #")[0] for line in told.splitlines()] == lines
    put("checked.txt", told.encode())
    assert json.loads(ok("compile", "checked.txt", "--view", "view.json", "--json")) == json.loads(
        ok("compile", "turn.txt", "--view", "view.json", "--json")
    )
    assert ok("compile", "bot.json", "--view", "view.json", "--words") == told  # of a move file as well
    damaged = told.splitlines()[1:] if len(lines) > 1 else [told.strip() + "x"]
    put("damaged.txt", "\n".join(damaged).encode())
    assert code("compile", "damaged.txt", "--view", "view.json") == "line/check-word"


def test_marks_stand_under_the_word(host: Host) -> None:
    put("turn.txt", b"\n  bett troll\n")
    result = pbem("compile", "turn.txt", "--ruleset", "arena")
    assert result.exit_code == 1
    rows = result.output.splitlines()
    place = rows.index("2:   bett troll")
    assert rows[place + 1] == "     ^^^^"
    assert all(len(row) <= 80 for row in rows)


def test_a_long_line_is_shown_around_its_fault(host: Host) -> None:
    put("turn.txt", ("end_turn" + " x" * 100).encode())
    rows = pbem("compile", "turn.txt", "--ruleset", "arena").output.splitlines()
    assert all(len(row) <= 80 for row in rows)
    assert any(set(row.strip()) == {"^"} for row in rows)


def test_an_order_that_the_rules_refuse_is_shown_at_its_word(host: Host) -> None:
    put("turn.txt", b"done\n")
    ok("compile", "turn.txt", "--view", "view.json", "-o", "fine.json")
    put("turn.txt", b"sell 99\nbid 1\n")
    result = pbem("compile", "turn.txt", "--view", "view.json")
    assert result.exit_code == 1
    assert "^" in result.output
    assert not list(Path().glob("*.draft.json"))


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("compile", "turn.txt"), "cli/view-or-ruleset"),
        (("compile", "turn.txt", "--view", "view.json", "--ruleset", "arena"), "cli/view-or-ruleset"),
        (("compile", "missing.txt", "--ruleset", "arena"), "cli/file"),
        (("compile", "empty.txt", "--ruleset", "arena"), "line/no-orders"),
        (("compile", "binary.txt", "--ruleset", "arena"), "line/not-utf-8"),
        (("compile", "odd.json", "--ruleset", "arena"), "order/shape"),
        (("compile", "turn.txt", "--ruleset", "chess"), "cli/ruleset"),
    ],
)
def test_bad_input_is_answered(host: Host, args: tuple[str, ...], expected: str) -> None:
    put("turn.txt", b"end_turn")
    put("empty.txt", b"\n \n")
    put("binary.txt", b"\xff\xfe\x00")
    put("odd.json", b'[{"do": "fly"}]')
    assert code(*args) == expected
