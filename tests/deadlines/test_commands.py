"""The commands about time, as a host and a player type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.log.envelope import read_envelope
from pbem.player.keys import save_key
from pbem.turn.policy import TimePolicy
from tests.deadlines.world import World
from tests.player.run import code, ok, put
from tests.service.test_by_hand import Host

SEATS = ("--seat", "red=red@example.org", "--seat", "blue=blue@example.org")


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path / "home")
    found("host", "init", "--relay", "127.0.0.1:1")
    return found


def test_a_host_begins_a_game_with_deadlines_and_minds_its_time(host: Host) -> None:
    time = ("--deadline", "7d", "--deadline", "answer=48h", "--zone", "Europe/Helsinki", "--vacation", "14")
    more = ("--grace", "12h", "--hold", "30m", "--silence", "bot", "--limit", "3")
    game = host.json("game", "new", "--ruleset", "arena", *SEATS, *time, *more)["game"]
    charter = json.loads(host("export", game).splitlines()[0])
    assert charter["deadline"] == {
        "rules": {"all": "7d", "answer": "48h"},
        "zone": "Europe/Helsinki",
        "grace": "12h",
        "hold": "30m",
        "vacation": 14,
        "silence": "bot",
        "limit": 3,
    }
    assert host.json("game", "extend", game, "--by", "2d", "--reason", "post is slow")["records"] == 1
    assert host.json("game", "pause", game, "--reason", "moving house")["records"] == 1
    assert "time/paused" in host("game", "pause", game, code=2)
    assert host.json("game", "resume", game)["records"] >= 1
    assert "time/not-paused" in host("game", "resume", game, code=2)
    told = host.json("game", "player", game, "blue", "--zone", "Asia/Tokyo", "--quiet", "22:00-08:00")
    assert (told["zone"], told["quiet"]) == ("Asia/Tokyo", "22:00-08:00")
    lines = [json.loads(line) for line in host("export", game).splitlines()]
    said = [(one["who"], one["reason"]) for one in lines if one["kind"] == "deadline"]
    assert ("host", "post is slow") in said
    assert ("host", "moving house") in said


@pytest.mark.parametrize(
    ("args", "code_"),
    [
        (("--deadline", "soon"), "time/rule"),
        (("--deadline", "7d", "--zone", "Nowhere/Land"), "time/zone"),
        (("--deadline", "7d", "--grace", "a bit"), "time/rule"),
        (("--deadline", "7d", "--vacation", "400"), "time/number"),
        (("--deadline", "7d", "--limit", "-1"), "time/number"),
        (("--hold", "30m"), "time/no-policy"),
    ],
)
def test_a_policy_that_makes_no_sense_begins_no_game(host: Host, args: tuple[str, ...], code_: str) -> None:
    assert code_ in host("game", "new", "--ruleset", "arena", *SEATS, *args, code=2)
    assert host.json("game", "list") == []


@pytest.mark.parametrize(
    ("args", "code_"),
    [
        (("--zone", "Mars/Base"), "time/zone"),
        (("--quiet", "night"), "time/quiet"),
    ],
)
def test_hours_that_are_none(host: Host, args: tuple[str, ...], code_: str) -> None:
    game = host.json("game", "new", "--ruleset", "arena", *SEATS)["game"]
    assert code_ in host("game", "player", game, "red", *args, code=2)


def test_the_clock_is_believed_at_first(host: Host) -> None:
    assert host.json("host", "clock") == {"beat": "", "ahead": 0, "believed": False}
    assert "is believed" in host("host", "clock", "--right")


def test_a_player_types_all_that_is_about_time(home: Path, world: World) -> None:
    table = world.begun(TimePolicy({"all": "7d"}, hold="30m", vacation=14))
    (player,) = table.asked
    other = next(one for one in table.players.values() if one is not player)
    save_key(home / "key.json", other.key)
    letter = put("letter.eml", other.posts[-1].as_bytes())
    orders = put("orders.json", b'[{"do": "end_turn"}]')

    def sent(*args: str | Path) -> dict[str, object]:
        ok(*args, "-o", "answer.json")
        envelope = read_envelope(Path("answer.json").read_bytes())
        other.send(envelope)
        return envelope.payload

    assert sent("advance", letter, "--orders", orders, "--when", '{"round": 5}')["advance"] is True
    assert "in advance" in other.subjects[-1]
    assert sent("withdraw", put("w.eml", other.posts[-1].as_bytes()), "0")["of"] == 0
    assert "taken back" in other.subjects[-1]
    assert (
        sent("away", put("a.eml", other.posts[-1].as_bytes()), "2026-08-01", "2026-08-05")["kind"] == "time"
    )
    assert sent("extend", put("e.eml", other.posts[-1].as_bytes()), "--by", "48h", "--reason", "rain")[
        "ask"
    ] == {
        "do": "extend",
        "turn": 1,
        "until": "2026-07-10T12:00:00Z",
        "reason": "rain",
    }
    assert (
        sent("settings", put("s.eml", other.posts[-1].as_bytes()), "--zone", "Asia/Tokyo")["zone"]
        == "Asia/Tokyo"
    )
    assert other.subjects[-1] == "your settings"
    assert code("away", letter, "2026-08-01") == "kit/days"
    assert code("extend", letter, "--until", "soon") == "kit/instant"
    assert code("extend", letter, "--by", "later") == "time/rule"
    mine = next(post for post in reversed(player.posts) if "your move" in post["Subject"])
    path = put("mine.eml", mine.as_bytes())
    assert code("advance", path, "--orders", orders) == "kit/your-turn-now"
