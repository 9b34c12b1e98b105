"""`pbem render`, as a player types it."""

from __future__ import annotations

from pathlib import Path

from pbem.player import join_envelope, read_invitation
from tests.player.conftest import home, toy_is_known
from tests.player.host import Host, key_of
from tests.player.run import code, ok, pbem, put

__all__ = ["home", "toy_is_known"]


def test_a_view_becomes_a_picture_or_tables() -> None:
    host = Host().begin()
    view = put("view.json", host.view("ash"))
    assert "picture.svg" in ok("render", view, "-o", "picture.svg", "--width", "500")
    assert b'width="500"' in Path("picture.svg").read_bytes()
    ok("render", view, "-o", "picture.PNG", "--dark")
    assert Path("picture.PNG").read_bytes().startswith(b"\x89PNG")
    ok("render", view, "-o", "tables.html")
    assert "<table" in Path("tables.html").read_text("utf-8")


def test_a_whole_mail_will_do() -> None:
    host = Host().begin()
    ok("render", put("letter.eml", host.mail("ash")), "-o", "picture.svg")
    assert Path("picture.svg").is_file()


def test_dark_is_another_picture() -> None:
    view = put("view.json", Host().begin().view("oak"))
    ok("render", view, "-o", "light.svg")
    ok("render", view, "-o", "dark.svg", "--dark")
    assert Path("light.svg").read_bytes() != Path("dark.svg").read_bytes()


def test_what_can_not_be_drawn_is_refused() -> None:
    host = Host()
    begun = put("begun.json", Host().begin().view("ash"))
    assert code("render", begun, "-o", "picture.gif") == "cli/picture"
    assert code("render", put("early.json", early(host)), "-o", "picture.svg") == "cli/nothing-to-draw"
    assert code("render", put("odd.txt", b"nothing"), "-o", "picture.svg").startswith(("kit/", "file/"))
    assert pbem("render", begun, "-o", "p.png", "--width", "9").exit_code == 2
    assert not list(Path().glob("picture.*"))


def early(host: Host) -> bytes:
    """A view of a game that has not begun."""
    for seat in host.seats:
        assert host.take(join_envelope(key_of(seat), read_invitation(host.invitation(seat)))) == ""
    return host.view("ash")
