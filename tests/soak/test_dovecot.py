"""A host with nothing but an account: Dovecot's IMAP, and Postfix's submission port with STARTTLS and a password."""

from __future__ import annotations

import imaplib
import ssl
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.service.house import stream
from tests.soak.dovecot import PASSWORD, Provider, open_provider
from tests.soak.host import FarPlayer, Host, events, players, saved
from tests.soak.installed import need_mail_software, run
from tests.soak.postfix import Maildirs, wait_for

pytestmark = pytest.mark.soak
ACCOUNT = "green@players.example.org"


@pytest.fixture
def provider() -> Generator[Provider]:
    need_mail_software()
    with open_provider() as one:
        yield one


def host_at(provider: Provider, folder: Path, *, plus: bool) -> Host:
    """A home as section 5 of the page has it."""
    host = Host(folder / "home")
    host("host", "init", "--address", ACCOUNT)
    secret = folder / "mail.password"
    secret.write_text(PASSWORD + "\n")
    host.settle(
        plus=plus,
        bounces=ACCOUNT if plus else "",
        listen="",
        relay=f"127.0.0.1:{provider.submission}",
        relay_tls="starttls",
        relay_user=ACCOUNT,
        relay_password=str(secret),
        tls_ca=provider.certificate,
        imap=f"127.0.0.1:{provider.imaps}",
        imap_user=ACCOUNT,
        imap_password=str(secret),
        imap_seconds=1,
    )
    return host


def mail(provider: Provider, player: FarPlayer, to: str, file: Path) -> None:
    run(
        *("swaks", "--server", f"127.0.0.1:{provider.postfix.port}", "--from", player.address, "--to", to),
        *("--body", "my move", "--attach-type", "application/octet-stream", "--attach", f"@{file}"),
    )


def mailbox_of(provider: Provider, folder: str) -> int:
    """How many mails are in a folder of the account."""
    context = ssl.create_default_context(cafile=provider.certificate)
    with imaplib.IMAP4_SSL("127.0.0.1", provider.imaps, ssl_context=context) as client:
        client.login(ACCOUNT, PASSWORD)
        kind, data = client.select(f'"{folder}"', readonly=True)
        return int(data[0] or 0) if kind == "OK" else 0


@pytest.mark.parametrize("plus", [False, True])
def test_a_game_by_one_account(provider: Provider, tmp_path: Path, plus: bool) -> None:
    host = host_at(provider, tmp_path, plus=plus)
    postfix = provider.postfix
    game = host.game(red="red@players.example.org", blue="blue@players.example.org")
    with host.serving("--imap") as told:
        both = players(Maildirs(*map(postfix.maildir, ("red", "blue"))), game, "red", "blue")
        for one in both.values():
            one.wait("your invitation")
            assert (one.invitation.address == ACCOUNT) == (not plus)
            assert one.posts[0].sender.startswith("green+1." if plus and one.seat == "red" else "green")
            mail(provider, one, one.invitation.address, saved(tmp_path, one.join()))
        for one in both.values():
            one.wait("please confirm")
            mail(provider, one, one.invitation.address, saved(tmp_path, one.ready()))
        wait_for(lambda: all(one.view.head.phase == "play" for one in both.values()), "the start")
        below = stream("dovecot")
        for _ in range(2):
            records = host.json("game", "show", game)["records"]
            wait_for(lambda: any(one.view.menu.asked for one in both.values()), "a view")
            mover = next(one for one in both.values() if one.view.menu.asked)
            mail(provider, mover, mover.invitation.address, saved(tmp_path, mover.move(below)))
            wait_for(lambda: host.json("game", "show", game)["records"] > records, "a move")  # noqa: B023
            wait_for(lambda: all(one.view.head.n >= records for one in both.values()), "letters")  # noqa: B023
        # what names no game stays
        run(
            "swaks", "--server", f"127.0.0.1:{postfix.port}", "--from", "x@example.net", "--to", ACCOUNT,
            "--body", "Dear friend, I am a prince.",
        )  # fmt: skip
        wait_for(lambda: events(told, "imap-left"), "the prince")
        assert mailbox_of(provider, "INBOX") == 1
        assert mailbox_of(provider, "pbem-done") == 6
        assert PASSWORD not in told.read_text()
    assert host.json("status")["inbox"] == {"done": 6, "new": 0, "poison": 0}


def test_killed_at_any_moment_nothing_is_lost_or_taken_twice(provider: Provider, tmp_path: Path) -> None:
    import os
    import random
    import subprocess
    import time

    from tests.soak.host import PBEM

    host = host_at(provider, tmp_path, plus=False)
    postfix = provider.postfix
    host.settle(imap_done="", per_sender=0)
    game = host.game(red="red@players.example.org", blue="blue@players.example.org")
    count, chance = 60, random.Random(4)
    for number in range(count):
        run(
            "swaks", "--server", f"127.0.0.1:{postfix.port}", "--from", "red@players.example.org",
            "--to", ACCOUNT, "--header", f"Subject: [pbem {game}] {number}", "--body", f"word {number}",
        )  # fmt: skip
    wait_for(lambda: mailbox_of(provider, "INBOX") == count, "all mails")
    environment = {**os.environ, "PBEM_HOST": str(host.home)}
    for _ in range(12):
        process = subprocess.Popen([PBEM, "serve", "--imap"], env=environment, stderr=subprocess.DEVNULL)
        time.sleep(0.6 + chance.random() * 0.7)
        process.kill()
        process.wait()
    with host.serving("--imap"):
        wait_for(lambda: mailbox_of(provider, "INBOX") == 0, "an empty mailbox")
        wait_for(lambda: host.json("status")["inbox"]["done"] == count, "all done", 30)
    assert host.json("status")["inbox"] == {"done": count, "new": 0, "poison": 0}


def test_a_wrong_password_is_told_without_it_and_tried_again(provider: Provider, tmp_path: Path) -> None:
    host = host_at(provider, tmp_path, plus=False)
    secret = tmp_path / "mail.password"
    secret.write_text("wrong horse")
    host.game(red="red@players.example.org", blue="blue@players.example.org")
    with host.serving("--imap") as told:
        wait_for(lambda: events(told, "imap-trouble") and events(told, "relay-unreachable"), "two complaints")
        assert "horse" not in told.read_text()
    assert host.json("status")["outbox"]["new"] == 2
