"""Each command of a player's, from the invitation to the verified log, as he types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import GAMES
from pbem.log.envelope import read_envelope, verify_envelope
from pbem.log.seal import public_of
from pbem.player import bot_orders, join_envelope, move_envelope, read_invitation, ready_envelope
from pbem.player.folder import known_game, load_log
from pbem.player.keys import save_key
from pbem.turn.views import blank_move
from tests.player.host import Host, key_of
from tests.player.run import code, ok, pbem, put, use_key
from tests.player.test_game import opened_bids, play

Send = Callable[[str], str]


def test_from_invitation_to_the_end_of_a_game_with_the_commands_alone(home: Path) -> None:
    """Red types commands and mails what they write; the others are bots."""
    game = GAMES[0]
    me, other = game.seats[:2]
    host = Host(game, (me, other))
    text = ok("join", put("mail.eml", host.invitation_mail(me)), "--name", "Anna", "--mail")
    assert "Your new key is in" in text
    assert "games+g1" in text
    assert host.take(Path(f"g1-{me}.join.eml").read_bytes()) == ""
    assert host.desk.people[me].name == "Anna"
    _others_are_in(host, other)
    assert "Confirm" in ok("show", put("confirm.eml", host.mail(me)))
    ok("ready", "confirm.eml", "-o", "answer.json")
    assert host.take(Path("answer.json").read_bytes()) == ""
    assert Path("answer.txt").is_file()
    while seat := host.asked():
        if seat == me:
            ok("fill", put("letter.eml", host.mail(me)), "--bot", "random", "--seed", "3", "-o", "m.json")
            assert host.take(Path("m.json").read_bytes()) == ""
        else:
            view = host.read(seat)
            assert host.take(move_envelope(key_of(seat), view, bot_orders(view, 5))) == ""
    letters = [put(f"{number}.eml", letter.raw) for number, letter in enumerate(host.letters[me])]
    assert code("verify", letters[-1]) == "kit/gap"
    told = ok("verify", *letters)
    assert "sound and finished" in told
    assert "All of them were signed on this machine." in told
    assert "The setup: 2 shuffles and rolls, all drawn again with the same results." in told
    assert b"".join(load_log(home, "g1")) == host.log


def _others_are_in(host: Host, other: str) -> None:
    assert host.take(join_envelope(key_of(other), read_invitation(host.invitation(other)))) == ""
    assert host.take(ready_envelope(key_of(other), host.read(other), {})) == ""


@pytest.fixture
def host(home: Path) -> Host:
    """A toy game in which all bids are opened; the seat that won is the player, and has joined here."""
    host = Host().begin()
    seat = opened_bids(host)
    use_key(home, seat)
    ok("join", put("invitation.json", host.invitation(seat)))
    put("view.json", host.view(seat))
    return host


def test_join_says_whose_game_it_is_and_remembers_its_charter(host: Host, home: Path) -> None:
    known = known_game(home, "g1")
    assert known is not None
    assert known.line == host.desk.charter_line
    seat = host.asked()
    envelope = read_envelope(Path(f"g1-{seat}.join.json").read_bytes())
    verify_envelope(envelope, public_of(key_of(seat)))
    text = Path(f"g1-{seat}.join.txt").read_text()
    assert f"To: {host.read(seat).head.address}\n" in text
    assert '"payload"' in text


def test_show_has_report_menu_and_trust_within_80_columns(host: Host) -> None:
    text = ok("show", "view.json")
    assert "Gems by mail" not in text
    assert "Sell gems" in text
    assert "Signed by the host of the game g1." in text
    assert all(len(line) <= 80 for line in text.splitlines())
    shown = json.loads(ok("show", "view.json", "--json"))
    assert shown["checked"] is True
    assert {act["do"] for asked in shown["menu"]["asked"] for act in asked["acts"]} >= {"done", "sell"}


def test_show_tells_more_if_asked_to(host: Host) -> None:
    short, long = ok("show", "view.json"), ok("show", "view.json", "--long")
    assert "happened." not in short
    assert "happened." in long
    told = json.loads(ok("show", "view.json", "--long", "--json"))
    assert told["report"].strip() in long


def test_show_in_a_home_that_knows_nothing_says_what_it_could_not_check(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", "elsewhere")
    assert "Not checked" in ok("show", "view.json")
    assert json.loads(ok("show", "view.json", "--json"))["checked"] is False


def test_fill_asks_signs_and_the_host_takes_it(host: Host) -> None:
    seat = host.asked()
    gem = host.read(seat).seen.hand[0]
    text = ok(
        "fill",
        "view.json",
        text="?\nsell\nv\nu\nsell\n\nend\ndone\nnot now\n\nyes\n",
    )
    assert f"Which gems?: {gem}" in text or gem in text
    signed = next(Path().glob(f"g1-*-{seat}.signed.json"))
    envelope = read_envelope(signed.read_bytes())
    assert envelope.payload["orders"] == [{"do": "sell", "gems": [gem]}, {"do": "done"}]
    assert host.take(envelope) == ""


def test_fill_undoes_and_writes_a_note(host: Host) -> None:
    ok("fill", "view.json", text="look\nu\ndone\nmy secret plan\ny\n")
    signed = read_envelope(next(Path().glob("*.signed.json")).read_bytes())
    assert signed.payload["orders"] == [{"do": "done"}]
    assert signed.payload["note"] == "my secret plan"


def test_a_note_is_said_to_be_opened_at_the_end(host: Host) -> None:
    text = ok("fill", "view.json", text="done\nmine\ny\n")
    assert "everybody can read it when" in " ".join(text.split())
    assert "When the game is over everybody can read it." in text


@pytest.mark.parametrize("stop", ["q\n", "", "stop\n\nno\n"])
def test_fill_keeps_a_draft_and_goes_on_from_it(host: Host, stop: str) -> None:
    text = ok("fill", "view.json", text="sell\n" + stop)
    assert "Your draft is in" in text
    assert not list(Path().glob("*.signed.*"))
    draft = next(Path().glob("*.draft.json"))
    assert pbem("check", draft, "--view", "view.json").exit_code == 0
    ok("fill", "view.json", text="yes\ndone\n\nyes\n")
    signed = read_envelope(next(Path().glob("*.signed.json")).read_bytes())
    assert [order["do"] for order in signed.payload["orders"]] == ["sell", "done"]
    assert not draft.exists()


def test_fill_begins_anew_where_the_draft_is_not_wanted(host: Host) -> None:
    ok("fill", "view.json", text="sell\nq\n")
    ok("fill", "view.json", text="no\ndone\n\nyes\n")
    signed = read_envelope(next(Path().glob("*.signed.json")).read_bytes())
    assert [order["do"] for order in signed.payload["orders"]] == ["done"]


def test_undo_takes_orders_out_of_a_draft_too(host: Host) -> None:
    ok("fill", "view.json", text="sell\nq\n")
    ok("fill", "view.json", text="yes\nu\nu\ndone\n\nyes\n")
    signed = read_envelope(next(Path().glob("*.signed.json")).read_bytes())
    assert [order["do"] for order in signed.payload["orders"]] == ["done"]


def test_fill_goes_on_in_the_dark_only_if_told_to(host: Host) -> None:
    text = ok("fill", "view.json", text="look\ndone\n\n\n\nyes\n")
    assert "depends on" in text
    signed = read_envelope(next(Path().glob("*.signed.json")).read_bytes())
    assert [order["do"] for order in signed.payload["orders"]] == ["look", "done"]


def test_fill_takes_orders_from_a_file(host: Host) -> None:
    put("orders.json", b'[{"do": "done"}]')
    ok("fill", "view.json", "--orders", "orders.json", "--on-lapse", "stop", "--note", "x", "--eml", "m.eml")
    assert host.take(Path("m.eml").read_bytes()) == ""


def test_fill_refuses_orders_that_can_not_be_given(host: Host) -> None:
    put("orders.json", b'[{"do": "sell", "gems": ["gem-99"]}, {"do": "done"}]')
    assert code("fill", "view.json", "--orders", "orders.json") == "order/no-such-gem"
    assert not list(Path().glob("*.signed.*"))


def test_check_tells_each_order_apart(host: Host) -> None:
    orders = [{"do": "look"}, {"do": "sell", "gems": ["gem-99"]}, {"do": "done"}]
    put("orders.json", json.dumps(orders[:1]).encode())
    ok("fill", "view.json", "--orders", "orders.json", "-o", "m.json")
    fine = json.loads(ok("check", "m.json", "--view", "view.json", "--json"))
    assert fine["signature"] == "own"
    assert [order["verdict"] for order in fine["orders"]] == ["sure"]
    blank = json.loads(blank_move(host.read(host.asked()).envelope.payload))
    blank["payload"]["orders"] = orders
    put("bad.json", json.dumps(blank).encode())
    result = pbem("check", "bad.json", "--view", "view.json", "--json")
    assert result.exit_code == 1
    told = json.loads(result.output)
    assert [order["verdict"] for order in told["orders"]] == ["sure", "refused", "depends on hidden"]
    assert told["orders"][1]["refusal"]["code"] == "order/no-such-gem"
    assert code("check", "bad.json", "--view", "view.json") == "order/no-such-gem"


def test_a_strike_depends_on_dice_or_on_what_is_hidden(host: Host) -> None:
    seat = host.asked()
    other = next(one for one in host.seats if one != seat)
    blank = json.loads(blank_move(host.read(seat).envelope.payload))
    blank["payload"]["orders"] = [{"do": "strike", "seat": other}, {"do": "done"}]
    put("m.json", json.dumps(blank).encode())
    told = json.loads(ok("check", "m.json", "--view", "view.json", "--json"))
    assert told["orders"][0]["verdict"] == "sure"
    assert told["orders"][1]["verdict"].startswith("depends on ")


def test_sign_completes_the_move_file_of_a_letter(home: Path) -> None:
    host = Host().begin()
    seat = host.asked()
    use_key(home, seat)
    stem = f"g1-0007-{seat}"
    blank = json.loads(blank_move(host.read(seat).envelope.payload))
    assert code("sign", put(f"{stem}.move.json", json.dumps(blank).encode())) == "kit/no-orders"
    blank["payload"]["orders"] = [{"do": "bid", "coins": 2}]
    put(f"{stem}.move.json", json.dumps(blank).encode())
    assert "Send it to: games+g1.ash." in ok("sign", f"{stem}.move.json")
    alone = Path(f"{stem}.signed.json").read_bytes()
    put(f"{stem}.view.json", host.view(seat))
    text = ok("sign", f"{stem}.move.json", "-o", "with-view.json")
    assert host.read(seat).head.address in text
    assert alone == Path("with-view.json").read_bytes()
    assert host.take(alone) == ""


def test_sign_signs_a_changed_file_anew_with_its_view(host: Host) -> None:
    ok("fill", "view.json", "--orders", put("o.json", b'[{"do": "look"}]'), "-o", "m.json")
    changed = json.loads(Path("m.json").read_bytes())
    changed["payload"]["orders"] = [{"do": "done"}]
    put("changed.json", json.dumps(changed).encode())
    assert host.take(Path("changed.json").read_bytes()) == "seal/wrong"
    assert code("sign", "changed.json") == "kit/no-place"
    ok("sign", "changed.json", "--view", "view.json", "-o", "again.json")
    assert host.take(Path("again.json").read_bytes()) == ""


def test_sign_refuses_what_the_schemas_do_not_know(host: Host) -> None:
    blank = json.loads(blank_move(host.read(host.asked()).envelope.payload))
    for order, expected in (
        ('{"do": "fly"}', "schema/verb"),
        ('{"do": "sell", "gems": []}', "schema/limit"),
        ('{"do": "done", "x": 1}', "schema/unknown"),
    ):
        blank["payload"]["orders"] = [json.loads(order)]
        assert code("sign", put("m.json", json.dumps(blank).encode()), "--view", "view.json") == expected


def test_standing_orders_as_words_or_as_a_file(home: Path) -> None:
    host = Host().begin()
    asked = opened_bids(host)
    seat = next(one for one in host.seats if one != asked)
    use_key(home, seat)
    ok("join", put("invitation.json", host.invitation(seat)))
    put("view.json", host.view(seat))
    ok("standing", "view.json", '{"guard": "never"}', "-o", "s.json")
    assert host.take(Path("s.json").read_bytes()) == ""
    put("view.json", host.view(seat))
    ok("standing", "view.json", put("policy.json", b'{"guard": "highest"}'), "-o", "s.json")
    assert host.take(Path("s.json").read_bytes()) == ""
    assert code("standing", "view.json", '{"guard": "ask"}') == "policy/nobody-asks"
    assert code("standing", "view.json", '{"guard": "maybe"}') == "schema/value"
    assert code("standing", "view.json", "[1]") == "kit/json"
    assert code("standing", "view.json", "{broken") == "kit/json"
    assert code("standing", "view.json", "no-such-file.json") == "cli/file"


def test_resign_asks_once(host: Host) -> None:
    assert code("resign", "view.json", text="no\n") == "kit/not-confirmed"
    ok("resign", "view.json", "-o", "r.json", text=f"{host.asked()}\n")
    ok("resign", "view.json", "--yes", "-o", "r2.json")
    assert Path("r.json").read_bytes() == Path("r2.json").read_bytes()
    assert host.take(Path("r.json").read_bytes()) == ""


def test_setup_is_a_choice_of_the_ruleset(home: Path) -> None:
    host = Host(seats=("ash", "birch"))
    use_key(home, "ash")
    for seat in host.seats:
        assert host.take(join_envelope(key_of(seat), read_invitation(host.invitation(seat)))) == ""
    put("view.json", host.view("ash"))
    assert code("ready", "view.json", "--setup", '{"charm": "sword"}') == "schema/value"
    ok("ready", "view.json", "--setup", '{"charm": "shield"}', "-o", "r.json")
    assert host.take(Path("r.json").read_bytes()) == ""
    put("view.json", host.view("ash"))
    assert code("ready", "view.json") == "kit/not-ready-time"


def test_a_letter_teaches_the_log_and_a_view_of_another_history_is_refused(host: Host, home: Path) -> None:
    seat = host.asked()
    put("whole.pbem", host.log)
    assert pbem("verify", "whole.pbem").exit_code == 3
    assert b"".join(load_log(home, "g1")) == host.log
    assert "Agrees with your copy of the log" in ok("show", "view.json")
    put("forged.json", host.forge(seat, base="ab" * 32))
    assert code("show", "forged.json") == "kit/fork"
    play(host, 2)
    put("whole.pbem", host.log)
    assert pbem("verify", "whole.pbem").exit_code == 3
    assert "newer than this view" in " ".join(ok("show", "view.json").split())


def test_key_option_and_no_key(host: Host, home: Path) -> None:
    (home / "key.json").rename("mine.json")
    assert code("fill", "view.json", "--bot", "random") == "kit/no-key"
    ok("fill", "view.json", "--bot", "random", "--key", "mine.json", "-o", "m.json")
    assert host.take(Path("m.json").read_bytes()) == ""
    assert "there is no key of yours here" in pbem("check", "m.json", "--view", "view.json").output
    save_key(Path("other.json"), key_of("nobody"))
    assert code("check", "m.json", "--view", "view.json", "--key", "other.json") == "seal/other-key"


def test_a_letter_that_was_skipped_is_made_up_for_when_it_turns_up(host: Host, home: Path) -> None:
    play(host)
    seat = read_envelope(next(Path().glob("*.join.json")).read_bytes()).seat
    letters = [put(f"{number}.eml", letter.raw) for number, letter in enumerate(host.letters[seat])]
    with_view = [path for path in letters if b".view.json" in path.read_bytes()]
    for path in with_view[1:]:
        ok("show", path)
    assert list((home / "games" / "g1").glob("*.piece"))
    for path in [*letters[: letters.index(with_view[0])], with_view[0]]:
        pbem("verify", path)
    ok("show", with_view[1])
    last = max(json.loads(line)["n"] for line in load_log(home, "g1"))
    assert last >= len(host.kept) - 1
    assert not list((home / "games" / "g1").glob("*.piece"))
