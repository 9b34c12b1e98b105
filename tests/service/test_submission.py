"""Letters to a provider's submission server: private, with a password, which nothing of ours repeats."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from engine import Refused
from pbem.service.app import Service, Setting
from pbem.service.config import Config, Endpoint, check_config, password
from pbem.service.pace import Pace
from tests.service.certificates import make_certificate
from tests.service.house import Clock, House, home_in
from tests.service.mailbox import Mailbox

USER, SECRET = "games@provider.example.org", "grüne Katze"


@asynccontextmanager
async def open_provider(
    mailbox: Mailbox, context: ssl.SSLContext, *, implicit: bool, with_user: bool = True
) -> AsyncGenerator[Endpoint]:
    """A mail server that wants TLS first and then the password."""

    def judge(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        return AuthResult(
            success=(data.login, data.password) == (USER.encode(), SECRET.encode()), handled=False
        )

    loop = asyncio.get_running_loop()
    transports: list[asyncio.BaseTransport] = []

    class Session(SMTP):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            transports.append(transport)
            super().connection_made(transport)

    def session() -> SMTP:
        return Session(
            mailbox,
            hostname="localhost",
            loop=loop,
            tls_context=None if implicit else context,
            require_starttls=not implicit,
            authenticator=judge,
            auth_required=with_user,
            auth_require_tls=not implicit,
        )

    server = await loop.create_server(session, "127.0.0.1", 0, ssl=context if implicit else None)
    try:
        yield Endpoint("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for transport in transports:
            transport.close()
        await server.wait_closed()
        await asyncio.sleep(0)


async def games_sent(path: Path, relay: Endpoint, mailbox: Mailbox, **settings: Any) -> list[str]:
    """What became of the invitations of one game."""
    service = Service(home_in(path, relay, **settings), Setting(Clock()))
    house = House(service, mailbox, await service.start(), Clock())
    await house.game()
    states = [row.state for row in house.rows("outbox", "id, state")]
    await service.stop()
    return states


# aiosmtpd cannot know that the connection is private from its first byte
@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_letters_go_out_by_tls_with_a_password(
    tmp_path: Path, tls: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def said() -> None:
        mailbox = Mailbox()
        cert, context = make_certificate(tmp_path)
        secret = tmp_path / "password"
        secret.write_text(SECRET + "\n", encoding="utf-8")
        async with open_provider(mailbox, context, implicit=tls == "tls") as relay:
            settings = {"relay_user": USER, "relay_password": str(secret), "tls_ca": str(cert)}
            states = await games_sent(tmp_path, relay, mailbox, relay_tls=tls, **settings)
            assert states == ["sent", "sent"]
            assert len(mailbox.posts) == 2

    with caplog.at_level(logging.DEBUG):
        asyncio.run(said())
    assert SECRET not in caplog.text.replace(repr(SECRET.encode()), SECRET)


@pytest.mark.parametrize("wrong", ["password", "certificate", "no-tls"])
def test_where_that_cannot_be_letters_wait_and_nothing_is_told(
    tmp_path: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def said() -> None:
        mailbox = Mailbox()
        cert, context = make_certificate(tmp_path)
        monkeypatch.setenv("PBEM_RELAY_PASSWORD", "blue cat" if wrong == "password" else SECRET)
        settings: dict[str, Any] = {"relay_user": USER, "tls_ca": str(cert), "relay_tls": "starttls"}
        if wrong == "certificate":
            settings["tls_ca"] = ""
        if wrong == "no-tls":
            settings["relay_tls"] = "none"
        async with open_provider(mailbox, context, implicit=False) as relay:
            assert await games_sent(tmp_path, relay, mailbox, **settings) == ["new", "new"]
        assert not mailbox.posts

    asyncio.run(said())


def test_passwords_are_found_or_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("one\n")
    by_file = Config(relay_user="u", relay_password=str(file), relay_tls="tls")
    assert password(by_file, "relay", {"PBEM_RELAY_PASSWORD": "two"}) == "one"
    by_environment = Config(imap="x:993", imap_user="u")
    assert password(by_environment, "imap", {"PBEM_IMAP_PASSWORD": "two"}) == "two"
    assert password(Config(), "relay", {}) == ""
    for config, name in (
        (by_environment, "imap"),
        (Config(relay_user="u", relay_password=str(tmp_path / "none")), "relay"),
    ):
        with pytest.raises(Refused) as refused:
            password(config, name, {})
        assert refused.value.refusal.code == "host/password"


@pytest.mark.parametrize(
    ("settings", "good"),
    [
        ({"relay": "smtp.example.org:587", "relay_user": "u"}, False),
        ({"relay": "smtp.example.org:587", "relay_user": "u", "relay_tls": "starttls"}, True),
        ({"relay": "127.0.0.1:25", "relay_user": "u"}, True),
        ({"imap": "imap.example.org:143", "imap_user": "u", "imap_tls": "none"}, False),
        ({"imap": "imap.example.org:993", "imap_user": "u"}, True),
        ({"imap_done": "Für später"}, False),
        ({"lmtp": "unix:/run/pbem/lmtp"}, True),
        ({"lmtp": "unix:run"}, False),
        ({"bounces": "Back@example.org"}, False),
        ({"pace": -1}, False),
    ],
)
def test_settings_that_make_sense(settings: dict[str, Any], good: bool) -> None:
    config = Config(**settings)
    if good:
        assert check_config(config, "x") == config
        return
    with pytest.raises(Refused):
        check_config(config, "x")


def test_a_pace_is_kept() -> None:
    now = 0.0
    pace = Pace(60, lambda: now)
    assert pace.burst == 5
    assert [pace.take() for _ in range(7)] == [0, 0, 0, 0, 0, 1, 2]
    now = 3.0
    assert pace.take() == 0
    now = 1_000.0
    assert [pace.take() for _ in range(6)] == [0, 0, 0, 0, 0, 1]
    assert Pace(0, lambda: now).take() == 0
