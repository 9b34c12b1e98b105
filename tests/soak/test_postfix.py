"""Postfix as docs/hosting.md says, swaks and mutt as players' mail programs: both ways, a pipe, a bounce, two at once."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Generator
from pathlib import Path

import pytest

from pbem.audit.audit import audit
from tests.service.house import stream
from tests.soak.host import FarPlayer, Host, events, players, saved
from tests.soak.installed import need_mail_software, program, run
from tests.soak.postfix import Maildirs, Postfix, block, free_port, open_postfix, wait_for

pytestmark = pytest.mark.soak
SEATS = ("red", "blue")


@pytest.fixture
def host(tmp_path: Path) -> Host:
    need_mail_software()
    found = Host(tmp_path / "home")
    found("host", "init", "--address", "games@pbem.example.org")
    return found


@pytest.fixture
def postfix(host: Host) -> Generator[Postfix]:
    port, sink = free_port(), free_port()
    # all other domains have a mail server that knows nobody
    no = subprocess.Popen([program("smtp-sink"), "-u", "nobody", "-f", "RCPT", f"127.0.0.1:{sink}", "10"])
    try:
        with open_postfix(port, f"default_transport = smtp:[127.0.0.1]:{sink}\n") as one:
            # the page's settings, at this test's ports
            host.settle(listen="", lmtp=f"127.0.0.1:{port}", relay=f"127.0.0.1:{one.port}")
            yield one
    finally:
        no.terminate()
        no.wait()


def boxes(postfix: Postfix) -> Maildirs:
    return Maildirs(*(postfix.maildir(name) for name in ("red", "blue", "you")))


def swaks(postfix: Postfix, player: FarPlayer, to: str, file: Path, *more: str) -> str:
    """A mail with an attachment, by swaks."""
    return run(
        *("swaks", "--server", f"127.0.0.1:{postfix.port}", "--from", player.address, "--to", to),
        *("--body", "here it is", "--attach-type", "application/json", "--attach", f"@{file}", *more),
    )


def mutt(postfix: Postfix, player: FarPlayer, to: str, file: Path, folder: Path) -> None:
    """A mail with an attachment, by mutt."""
    rc = folder / "muttrc"
    rc.write_text(
        f'set smtp_url="smtp://127.0.0.1:{postfix.port}/"\nset from="{player.address}"\nset use_from=yes\n'
        f'set ssl_starttls=no\nset ssl_force_tls=no\nset copy=no\nset record=""\nset hostname="laptop.example.org"\n'
    )
    said = run(
        *("mutt", "-F", str(rc), "-s", "Re: my game", "-a", str(file), "--", to),
        data=b"Here is my move.\n-- \nSent from my terminal\n",
        env={"HOME": str(folder), "TERM": "dumb"},
    )
    assert "rror" not in said, said


def test_a_game_by_postfix_swaks_and_mutt(host: Host, postfix: Postfix, tmp_path: Path) -> None:
    game = host.game(red="red@players.example.org", blue="blue@players.example.org")
    with host.serving() as told:
        both = players(boxes(postfix), game, *SEATS)
        red, blue = both["red"], both["blue"]
        red.wait("your invitation")
        blue.wait("your invitation")
        assert re.match(r"b\+\d+\.[a-z2-7]{8}@pbem\.example\.org", red.posts[0].sender)
        # Reply-To with swaks; From with mutt, who lost the address of the seat
        swaks(postfix, red, red.invitation.address, saved(tmp_path, red.join()))
        mutt(postfix, blue, "games@pbem.example.org", saved(tmp_path, blue.join()), tmp_path)
        red.wait("please confirm")
        blue.wait("please confirm")
        mutt(postfix, red, red.invitation.address, saved(tmp_path, red.ready()), tmp_path)
        wait_for(lambda: host.json("game", "show", game)["records"] == 4, "red's confirmation")
        swaks(postfix, blue, "games@pbem.example.org", saved(tmp_path, blue.ready()))
        wait_for(lambda: all(one.view.head.phase == "play" for one in both.values()), "the start")
        below = stream("postfix")
        for _ in range(4):
            records = host.json("game", "show", game)["records"]
            mover = next(one for one in both.values() if one.view.menu.asked)
            swaks(postfix, mover, mover.invitation.address, saved(tmp_path, mover.move(below)))
            wait_for(lambda: host.json("game", "show", game)["records"] > records, "a move")  # noqa: B023
            wait_for(lambda: all(one.view.head.n > records - 1 for one in both.values()), "letters")  # noqa: B023
        assert not events(told, "mail-poison")
    host("export", game, "-o", str(tmp_path / "game.pbem"))
    assert audit((tmp_path / "game.pbem").read_bytes()).verdict == "unfinished"
    assert "deferred" not in postfix.log()


def test_addresses_that_there_are_not_are_refused_in_the_session(host: Host, postfix: Postfix) -> None:
    host.game(red="red@players.example.org", blue="blue@players.example.org")
    with host.serving():
        for to in ("games+a.red.aaaaaaaa@pbem.example.org", "root@pbem.example.org"):
            said = run(
                "swaks",
                "--server",
                f"127.0.0.1:{postfix.port}",
                "--from",
                "x@example.net",
                "--to",
                to,
                ok=False,
            )
            assert re.search(r"<\*\* 550 5\.1\.1", said), said
    # while the service is away nobody is sent off for good
    said = run("swaks", "--server", f"127.0.0.1:{postfix.port}", "--to", "games@pbem.example.org", ok=False)
    assert re.search(r"<\*\* 4\d\d", said), said


HEAD = b"From: v@victim.example\r\nTo: games@pbem.example.org\r\nSubject: buy\r\n\r\n"
LETTER = HEAD + b"hello\r\n"
FORGED = {
    "v@victim.example": LETTER,
    '"a b"@victim.example': LETTER,
    f"v+{'a' * 400}@victim.example": LETTER,
    "v@" + "a." * 120 + "victim.example": LETTER,
    "w@victim.example": HEAD + b"y" * 300_000 + b"\r\n",
    "x@victim.example": HEAD + b"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n" * 9_000,
    "y@victim.example": b"X: " + b"q " * 100_000 + b"\r\n" + LETTER,
    "z@victim.example": HEAD + b"\xff\0\x80\r\n",
}


def said_to(postfix: Postfix, *lines: bytes) -> list[int]:
    """The codes of the answers."""
    with socket.create_connection(("127.0.0.1", postfix.port), 60) as connection:
        answers, found = connection.makefile("rb"), list[int]()
        for line in (b"", b"EHLO x.example.net", *lines):
            if line:
                connection.sendall(line + b"\r\n")
            row = answers.readline()
            while row[3:4] == b"-":
                row = answers.readline()
            found.append(int(row[:3]))
    return found[2:]


def test_a_stranger_s_junk_makes_no_mail_to_whom_he_names(host: Host, postfix: Postfix) -> None:
    """Postfix, as the page had it, wrote to every one of them."""
    to = b"RCPT TO:<games@pbem.example.org>"
    with host.serving() as told:
        for sender, data in FORGED.items():
            mail = f"MAIL FROM:<{sender}>".encode()
            assert said_to(postfix, mail, to, b"DATA", data + b".") == [250, 250, 354, 250]
        # nor can he order receipts for others, or have mail taken that could not be handed over
        mail = b"MAIL FROM:<v@victim.example>"
        assert said_to(postfix, mail + b" SMTPUTF8", mail, to + b" NOTIFY=SUCCESS") == [555, 250, 501]
        wait_for(lambda: len(events(told, "mail-dropped")) == len(FORGED), postfix.log())
        wait_for(lambda: "Mail queue is empty" in postfix.queue(), postfix.queue())
    assert "victim.example>, relay" not in postfix.log()
    assert "status=bounced" not in postfix.log()


def test_two_recipients_hear_one_answer_each(host: Host, postfix: Postfix, tmp_path: Path) -> None:
    games = [host.game(red="red@players.example.org", blue="blue@players.example.org") for _ in range(2)]
    with host.serving():
        found = [players(boxes(postfix), game, "red")["red"] for game in games]
        for one in found:
            one.wait("your invitation")
        one, other = found
        to = f"{one.invitation.address},{other.invitation.address}"
        swaks(postfix, one, to, saved(tmp_path, one.join()))
        wait_for(lambda: sum(host.json("status")["inbox"].values()) == 2, "both")
        wait_for(lambda: "Mail queue is empty" in postfix.queue(), "the queue")
        assert "may be sent more than once" not in postfix.log()


def test_a_letter_that_comes_back_marks_the_address(host: Host, postfix: Postfix, tmp_path: Path) -> None:
    host.settle(operator="you@players.example.org")
    games = [host.game(red="red@gone.example.net", blue="blue@players.example.org") for _ in range(3)]
    host("game", "address", games[0], "red", "--second", "red@players.example.org")
    with host.serving() as told:
        wait_for(lambda: len(events(told, "bounce")) == 3, "three reports")
        assert {row["kind"] for row in events(told, "bounce")} == {"hard"}
        health = {(one["game"], one["seat"]): one for one in host.json("status")["players"]}
        assert health[games[0], "red"]["how"] == "bad"
        assert health[games[0], "blue"]["how"] == "good"
        you = postfix.maildir("you")
        wait_for(lambda: any("takes no mail" in post.subject for post in you.posts()), "a notice to the host")
        host("game", "address", games[0], "red", "red@players.example.org")
        red = players(boxes(postfix), games[0], "red")["red"]
        red.wait("your invitation")


def for_anybody(folder: Path) -> Path:
    """The command for a user who may not read this one's home; Python there must be of the same version."""
    ours = f"{sysconfig.get_path('purelib')}:{Path(__file__).resolve().parents[2]}"
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    for python in (sys.executable, "/usr/bin/python3"):
        command = f"env PYTHONPATH={ours} {python}"
        probe = "import sys, pbem.cli; print('%d.%d' % sys.version_info[:2])"
        as_nobody = ["su", "-s", "/bin/sh", "nobody", "-c", f'{command} -c "{probe}"']
        done = subprocess.run(as_nobody, capture_output=True, check=False)
        if done.stdout.decode().strip() == wanted:
            wrapper = folder / "pbem"
            wrapper.write_text(f"#!/bin/sh\nexec {command} -c 'from pbem.cli import main; main()' \"$@\"\n")
            wrapper.chmod(0o755)
            return wrapper
    pytest.skip("this machine lacks a Python that other users may run")


def test_the_pipe_of_the_page(host: Host, tmp_path: Path) -> None:
    services = block("master.cf").replace("/opt/pbem/bin/pbem", str(for_anybody(tmp_path)))
    services = services.replace("/var/lib/pbem", str(host.home)).replace("user=pbem", "user=nobody")
    # what a host mistypes, and a program that is gone
    services += services.replace("pbem unix", "typo unix").replace(" --accepted", " --acepted")
    services += services.replace("pbem unix", "word unix").replace(" deliver ", " delivr ")
    services += (
        'gone unix - n n - 10 pipe user=nobody argv=/bin/sh -c {"$$@" || exit 75} pbem /no/pbem deliver\n'
    )
    with open_postfix(1, block("pipe.cf"), services) as postfix:
        wrong = ("typo", "word", "gone")
        there = "".join(f"games+{name}@pbem.example.org {name}:\n" for name in wrong)
        (postfix.config / "pbem-transport").write_text(there + "pbem.example.org pbem:\n")
        run("postfix", "-c", str(postfix.config), "reload")
        host.settle(relay=f"127.0.0.1:{postfix.port}")
        game = host.game(red="red@players.example.org", blue="blue@players.example.org")
        run("chown", "-R", "nobody", str(host.home))
        for path in (host.home, *host.home.parents):
            if str(path).startswith("/tmp/"):
                path.chmod(path.stat().st_mode | 0o055)
        host("work", "--once")
        red = players(boxes(postfix), game, "red")["red"]
        red.wait("your invitation")
        swaks(postfix, red, red.invitation.address, saved(tmp_path, red.join()))
        wait_for(lambda: sum(host.json("status")["inbox"].values()) == 1, postfix.log())
        host("work", "--once")
        assert host.json("game", "show", game)["records"] == 2
        # an address that is none of ours is refused in the session; one that looks like one is told to a player
        said = run(
            "swaks", "--server", f"127.0.0.1:{postfix.port}", "--to", "root@pbem.example.org", ok=False
        )
        assert re.search(r"<\*\* 550 5\.1\.1", said), said
        swaks(postfix, red, f"games+{game}.red.aaaaaaaa@pbem.example.org", saved(tmp_path, red.join()))
        wait_for(lambda: sum(host.json("status")["inbox"].values()) == 2, postfix.log())
        for name in wrong:
            swaks(postfix, red, f"games+{name}@pbem.example.org", saved(tmp_path, red.join()))
        kept = "relay={}, .* dsn=4.3.0, status=deferred .temporary failure"
        for name in wrong:
            wait_for(lambda: re.search(kept.format(name), postfix.log()), name)  # noqa: B023
        assert "status=bounced" not in postfix.log()
