"""Every wrong file gets a coded answer, whichever command it is given to, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Refused
from pbem.log.canonical import canonical
from pbem.log.seal import sign
from pbem.player import read_invitation, read_view
from pbem.player.answers import read_unsigned
from pbem.player.opening import open_file
from tests.player.host import Host, key_of
from tests.player.run import code, ok, pbem, put, use_key
from tests.player.test_game import opened_bids

COMMANDS = {
    "join": ("join", "{file}"),
    "ready": ("ready", "{file}"),
    "show": ("show", "{file}"),
    "fill": ("fill", "{file}", "--bot", "random"),
    "check": ("check", "{file}", "--view", "view.json"),
    "check-view": ("check", "move.json", "--view", "{file}"),
    "sign": ("sign", "{file}"),
    "standing": ("standing", "{file}", "{{}}"),
    "resign": ("resign", "{file}", "--yes"),
    "verify": ("verify", "{file}"),
    "key": ("key", "show", "--key", "{file}"),
}


@pytest.fixture
def host(home: Path) -> Host:
    host = Host().begin()
    seat = opened_bids(host)
    use_key(home, seat)
    put("view.json", host.view(seat))
    put("orders.json", b'[{"do": "done"}]')
    ok("fill", "view.json", "--orders", "orders.json", "-o", "move.json")
    return host


def bad_files(host: Host) -> dict[str, bytes]:
    seat = host.asked()
    return {
        "empty": b"",
        "junk": bytes(range(256)) * 40,
        "array": b'[{"do": "done"}]',
        "number": b"17",
        "brace": b"{",
        "deep": b'{"payload": ' * 2000,
        "bom": b"\xef\xbb\xbf{}",
        "twice": b'{"payload": {}, "payload": {}, "sig": {}}',
        "huge": b'{"payload": "' + b"x" * 300_000 + b'"}',
        "nothing-in-it": b'{"payload": {}, "sig": {}}',
        "mail": b"From: a@example.org\nSubject: hello\n\nnothing here\n",
        "unsigned-view": json.dumps({"payload": host.read(seat).envelope.payload}).encode(),
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_bad_files_are_answered(host: Host, command: str) -> None:
    for name, data in bad_files(host).items():
        words = [word.format(file=put(f"{name}.bad", data)) for word in COMMANDS[command]]
        found = code(*words)
        assert found.partition("/")[0] in ("kit", "file", "seal", "mail"), (name, found)


@pytest.mark.parametrize("command", COMMANDS)
def test_missing_files_and_folders_are_answered(host: Host, command: str) -> None:
    Path("folder").mkdir()
    for name in ("missing.json", "folder"):
        found = code(*(word.format(file=name) for word in COMMANDS[command]))
        assert found in ("cli/file", "kit/no-key")


def test_the_right_file_for_another_command_is_answered(host: Host) -> None:
    seat = host.asked()
    put("invitation.json", host.invitation(seat))
    put("log.pbem", host.log)
    assert code("join", "view.json") == "kit/not-an-invitation"
    assert code("join", "move.json") == "kit/not-an-invitation"
    assert code("join", "log.pbem") == "kit/not-an-invitation"
    assert code("show", "move.json") == "kit/not-a-view"
    assert code("show", "log.pbem") == "kit/not-a-view"
    assert code("show", "invitation.json") == "kit/not-a-view"
    assert code("check", "view.json", "--view", "view.json") == "kit/not-a-move"
    assert code("sign", "view.json") == "kit/not-a-move"
    assert code("ready", "view.json") == "kit/not-ready-time"


def test_a_tampered_view_is_refused_where_the_host_is_known(host: Host) -> None:
    seat = host.asked()
    ok("join", put("invitation.json", host.invitation(seat)))
    view = json.loads(Path("view.json").read_bytes())
    view["payload"]["turn"] += 1
    put("view.json", json.dumps(view).encode())
    for command in ("show", "fill", "standing", "resign"):
        found = code(*(word.format(file="view.json") for word in COMMANDS[command]))
        assert found == "seal/wrong"


def test_a_view_of_another_game_of_that_name_is_refused(host: Host) -> None:
    seat = host.asked()
    ok("join", put("invitation.json", host.invitation(seat)))
    other = Host(options={"gems": 9}).begin()
    put("view.json", other.view(seat))
    assert code("show", "view.json") == "kit/other-charter"
    assert code("join", put("other.json", other.invitation(seat))) == "kit/other-charter"


def test_a_view_for_somebody_elses_key_gives_no_link(home: Path) -> None:
    host = Host().begin()
    seat, other = host.seats[:2]
    use_key(home, other)
    put("view.json", host.view(seat))
    put("orders.json", b'[{"do": "bid", "coins": 1}]')
    assert code("fill", "view.json", "--orders", "orders.json") == "kit/not-your-link"
    assert not list(Path().glob("*.signed.*"))


def test_a_view_that_asks_for_a_later_link_gets_none(home: Path) -> None:
    host = Host().begin()
    seat = host.asked()
    use_key(home, seat)
    ok("join", put("invitation.json", host.invitation(seat)))
    put("view.json", host.forge(seat, link=12))
    assert code("fill", "view.json", "--bot", "random") == "kit/not-your-link"


def test_an_invitation_is_signed_by_the_host_of_its_charter() -> None:
    host, other = Host(), Host(name="g2")
    fine = json.loads(host.invitation("ash"))
    for changes, expected in (
        ({"seat": "oak"}, "seal/wrong"),
        ({"token": "x"}, "seal/wrong"),
        ({"address": "thief@example.org"}, "seal/wrong"),
        ({"seat": "cedar"}, "kit/not-the-charter"),
        ({"game": "g3"}, "kit/not-the-charter"),
        ({"charter_line": other.desk.charter_line.decode()}, "kit/not-the-charter"),
        ({"charter_line": host.lines[0].decode()[:-9]}, "file/not-json"),
        ({"v": 2}, "file/version"),
        ({"token": 7}, "file/shape"),
    ):
        changed = {**fine, "payload": {**fine["payload"], **changes}}
        assert code("join", put("i.json", json.dumps(changed).encode())) == expected
    assert not list(Path().glob("*.join.*"))


def test_an_invitation_signed_by_somebody_else_is_refused() -> None:
    payload = json.loads(Host().invitation("ash"))["payload"]
    forged = {"payload": payload, "sig": sign(key_of("thief"), "invitation", canonical(payload))}
    assert code("join", put("i.json", json.dumps(forged).encode())) == "seal/other-key"


def test_an_invitation_to_a_game_that_this_kit_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    import engine.catalog

    data = Host().invitation("ash")
    monkeypatch.setattr(engine.catalog, "GAMES", engine.catalog.GAMES[:-1])
    assert code("join", put("i.json", data)) == "game/unknown"


def test_a_mail_with_two_views_is_refused(host: Host) -> None:
    first, second = host.view(host.seats[0]), host.view(host.seats[1])
    mail = b"From: a@example.org\nSubject: two\n\n" + first + b"\n" + second
    assert code("show", put("two.eml", mail)) == "kit/several-views"


def test_a_forwarded_letter_is_opened(host: Host) -> None:
    seat = host.asked()
    inner = host.mail(seat)
    head = b'From: a@example.org\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    mail = head + b"--b\r\nContent-Type: message/rfc822\r\n\r\n" + inner + b"\r\n--b--\r\n"
    assert (
        read_view(mail).envelope.id == read_view(host.view(seat)).envelope.id or read_view(mail).seat == seat
    )


def test_names_of_games_are_harmless_as_files(home: Path) -> None:
    host = Host(name="../../x")
    use_key(home, "ash")
    ok("join", put("i.json", host.invitation("ash")))
    assert {path.parent.name for path in Path().resolve().parent.rglob("*.join.json")} == {"desk"}
    assert [path.parent.name for path in home.rglob("log.pbem")] == [
        path.name for path in (home / "games").iterdir()
    ]


@given(st.binary(max_size=400))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for reader in (open_file, read_view, read_invitation, read_unsigned):
        try:
            reader(data)
        except Refused as refused:
            assert "/" in refused.refusal.code  # noqa: PT017 - what is raised is the whole point


def test_check_of_a_move_for_another_view(host: Host) -> None:
    seat = host.asked()
    put("later.json", host.forge(seat, turn=9))
    assert code("check", "move.json", "--view", "later.json") == "kit/other-view"


def test_fill_when_nothing_is_asked(host: Host, home: Path) -> None:
    other = next(seat for seat in host.seats if seat != host.asked())
    assert code("fill", put("v.json", host.view(other)), "--bot", "random") == "kit/nothing-asked"


def test_every_code_of_the_kit_has_its_words() -> None:
    from pbem.cli.codes import table
    from pbem.player.codes import CODES

    assert {one.code for one in CODES} <= set(table())
    assert pbem("--help").exit_code == 0
