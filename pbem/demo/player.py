"""A player of the demo: a process of its own that holds a mailbox and a key file, and nothing else.

It answers letters with the player's kit, as a person would with `pbem join`, `ready` and `fill`; a bot
writes the orders. The conductor says when (`status`, `go`, `verify` on standard input) and reads what
came of it (one line of JSON each), so that a demo with one seed goes the same way every time.
"""

from __future__ import annotations

import asyncio
import sys
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import aiosmtplib
import click
from aiosmtpd.smtp import SMTP, Envelope, Session

from engine import Refused, encode
from pbem.log.canonical import digest
from pbem.log.envelope import Envelope as Signed
from pbem.player.answers import join_envelope, move_envelope, ready_envelope
from pbem.player.check import bot_orders
from pbem.player.invitation import Invitation, KnownGame, read_invitation
from pbem.player.keys import load_key
from pbem.player.mail import Heading, answer_eml
from pbem.player.opening import open_file
from pbem.player.pieces import cut, stitch, verify_log
from pbem.player.view import ViewFile, read_view


class Mailbox:
    """A real SMTP receiver that keeps every mail as .eml and as text, in the order it came."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.letters: list[bytes] = []

    async def handle_DATA(  # noqa: N802 - the name is aiosmtpd's
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Takes a mail: on disk first, then 250."""
        raw = envelope.original_content or b""
        self.letters.append(raw)
        keep(self.folder / "received", len(self.letters), raw)
        return "250 OK"


def keep(folder: Path, number: int, raw: bytes) -> None:
    """One mail as .eml, and its text beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{number:04d}.eml").write_bytes(raw)
    (folder / f"{number:04d}.txt").write_text(readable(raw), encoding="utf-8")


def readable(raw: bytes) -> str:
    """Subject and text of a mail of ours."""
    mail = message_from_bytes(raw)
    part: Message[str, str] = mail
    while part.is_multipart():
        part = part.get_payload(0)  # type: ignore[assignment]
    body = part.get_payload(decode=True)
    text = body.decode("utf-8") if isinstance(body, bytes) else ""
    return f"{mail['Subject']}\n\n{text}".replace("\r\n", "\n").rstrip("\n") + "\n"


class Player:
    """What the process knows: its key, its mailbox, and the newest letter that asks something of it."""

    def __init__(self, key: Path, mailbox: Mailbox, seed: int, bot: str) -> None:
        self.key = load_key(key)
        self.bot = bot
        self.mailbox = mailbox
        self.seed = seed
        self.read = 0
        self.sent = 0
        self.known: KnownGame | None = None
        self.invitation: Invitation | None = None
        self.view: ViewFile | None = None

    def open_letters(self) -> None:
        """Reads what has come since the last time."""
        for raw in self.mailbox.letters[self.read :]:
            self._open(raw)
        self.read = len(self.mailbox.letters)

    def _open(self, raw: bytes) -> None:
        try:
            if self.known is None:
                self.invitation = read_invitation(raw)
                self.known = self.invitation.known
            else:
                self.view = read_view(raw, self.known)
        except Refused as refused:
            # A letter without a view (a receipt, the archive) asks nothing; anything else is a fault of the demo.
            if refused.refusal.code != "kit/not-a-view":
                raise

    def asked(self) -> str:
        """What is asked of this player: `join`, `ready`, `move`, or nothing."""
        if self.invitation is not None:
            return "join"
        if self.view is None:
            return ""
        if self.view.head.phase == "ready":
            return "ready" if self.view.head.owes else ""
        return "move" if self.view.menu.asked else ""

    def answer(self) -> tuple[Signed, str]:
        """The envelope that answers, and where it goes; what was asked is done with."""
        if self.invitation is not None:
            invitation, self.invitation = self.invitation, None
            return join_envelope(self.key, invitation, invitation.seat.title()), invitation.address
        view, self.view = self.view, None
        assert view is not None
        if view.head.phase == "ready":
            return ready_envelope(self.key, view, {}), view.head.address
        orders = bot_orders(view, self.seed + view.head.n, self.bot)
        return move_envelope(self.key, view, orders), view.head.address

    def log(self) -> tuple[bytes, ...]:
        """The player's own copy of the log, put together from the letters."""
        pieces = [cut(log, "letter") for raw in self.mailbox.letters for log in open_file(raw).logs]
        return stitch(pieces)


async def send(player: Player, server: tuple[str, int], address: str) -> str:
    """Answers what is asked, by mail; gives the kind of what was sent."""
    envelope, to = player.answer()
    player.sent += 1
    raw = answer_eml(envelope, to, Heading(sender=address))
    keep(player.mailbox.folder / "sent", player.sent, raw)
    host, port = server
    await aiosmtplib.send(
        raw, sender=address, recipients=[to], hostname=host, port=port, local_hostname="localhost"
    )
    return envelope.kind


async def obey(player: Player, server: tuple[str, int], address: str, word: str) -> dict[str, Any]:
    """One word of the conductor, and what came of it."""
    player.open_letters()
    match word:
        case "status":
            return {"asked": player.asked(), "letters": len(player.mailbox.letters)}
        case "go":
            return {"sent": await send(player, server, address)}
        case "verify":
            lines = player.log()
            summary = verify_log(lines)
            return {"verdict": summary.verdict, "lines": len(lines), "digest": digest(b"".join(lines))}
        case _:
            raise ValueError(f"unknown word {word!r}")


async def live(key: Path, server: tuple[str, int], address: str, chance: tuple[int, str]) -> None:
    """Opens the mailbox, says its port, and obeys until the input ends."""
    mailbox = Mailbox(key.parent)
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(
        lambda: SMTP(mailbox, hostname="localhost", loop=loop, data_size_limit=1 << 22), "127.0.0.1", 0
    )
    player = Player(key, mailbox, *chance)
    tell({"port": listener.sockets[0].getsockname()[1]})
    while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        tell(await obey(player, server, address, word))
    listener.close()


def tell(value: dict[str, Any]) -> None:
    """One line for the conductor."""
    sys.stdout.write(encode(value).decode("utf-8") + "\n")
    sys.stdout.flush()


@click.command()
@click.option("--key", type=click.Path(path_type=Path), required=True)
@click.option("--server", required=True, metavar="HOST:PORT")
@click.option("--address", required=True)
@click.option("--seed", type=int, required=True)
@click.option("--bot", required=True, help="The name of the bot that writes the orders.")
def main(key: Path, server: str, address: str, seed: int, bot: str) -> None:
    """One player of the demo."""
    host, _, port = server.rpartition(":")
    asyncio.run(live(key, (host, int(port)), address, (seed, bot)))


if __name__ == "__main__":
    main()
