"""A small IMAP server on loopback: one account, enough commands for a mailbox that is emptied, and faults on request."""

from __future__ import annotations

import re
import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.service.config import Endpoint

USER, PASSWORD = "games@example.org", "swordfish"


@dataclass
class Account:
    """A mailbox. `break_at`: the connection is cut instead of answering the so-manieth command of that name."""

    validity: int = 7
    folders: dict[str, dict[int, bytes]] = field(default_factory=lambda: {"INBOX": {}})
    deleted: set[int] = field(default_factory=set[int])
    capabilities: str = "MOVE UIDPLUS"
    break_at: tuple[str, int] = ("", 0)
    next_uid: int = 1
    said: list[str] = field(default_factory=list[str])

    @property
    def inbox(self) -> dict[int, bytes]:
        return self.folders["INBOX"]

    def arrive(self, raw: bytes) -> int:
        """A mail comes in; gives its number."""
        uid, self.next_uid = self.next_uid, self.next_uid + 1
        self.inbox[uid] = raw
        return uid

    def renumber(self) -> None:
        """As after a repair: all numbers are others, and say so."""
        self.validity += 1
        mails = list(self.inbox.values())
        self.inbox.clear()
        self.deleted.clear()
        for raw in mails:
            self.arrive(raw)


class _Session(socketserver.StreamRequestHandler):
    server: Any

    def handle(self) -> None:
        account: Account = self.server.account
        self._say("* OK ready")
        while line := self.rfile.readline().decode("latin-1").rstrip("\r\n"):
            tag, _, rest = line.partition(" ")
            name = " ".join(rest.upper().split()[: 2 if rest.upper().startswith("UID ") else 1])
            account.said.append(name)
            wanted, count = account.break_at
            if name == wanted:
                account.break_at = (wanted, count - 1)
                if count <= 1:
                    account.break_at = ("", 0)
                    return
            with self.server.lock:
                answer = self._answer(account, name, rest)
            self._say(f"{tag} {answer}")
            if name == "LOGOUT":
                return

    def _say(self, text: str) -> None:
        self.wfile.write(text.encode("latin-1") + b"\r\n")

    def _answer(self, account: Account, name: str, rest: str) -> str:
        words = rest.split()
        match name:
            case "CAPABILITY":
                self._say(f"* CAPABILITY IMAP4rev1 {account.capabilities}")
            case "LOGIN":
                if [word.strip('"') for word in words[1:]] != [USER, PASSWORD]:
                    return "NO wrong"
            case "SELECT":
                self._say(f"* {len(account.inbox)} EXISTS")
                self._say(f"* OK [UIDVALIDITY {account.validity}] fine")
            case "UID SEARCH":
                marked = words[2].upper() == "DELETED"
                uids = sorted(uid for uid in account.inbox if (uid in account.deleted) == marked)
                found = " ".join(map(str, uids))
                self._say(f"* SEARCH {found}".rstrip())
            case "UID FETCH":
                self._fetch(account, int(words[2]), rest)
            case "LOGOUT":
                self._say("* BYE")
            case _:
                return self._change(account, name, words)
        return "OK done"

    def _change(self, account: Account, name: str, words: list[str]) -> str:
        match name:
            case "UID MOVE" | "UID COPY":
                folder = words[3].strip('"')
                if folder not in account.folders:
                    return "NO [TRYCREATE] no such folder"
                account.folders[folder][int(words[2])] = account.inbox[int(words[2])]
                if name == "UID MOVE":
                    del account.inbox[int(words[2])]
            case "CREATE":
                account.folders[words[1].strip('"')] = {}
            case "UID STORE":
                account.deleted.add(int(words[2]))
            case "UID EXPUNGE":
                account.inbox.pop(int(words[2]), None)
            case _:
                return "BAD what?"
        return "OK done"

    def _fetch(self, account: Account, uid: int, rest: str) -> None:
        raw = account.inbox.get(uid)
        if raw is None:
            return
        if "RFC822.SIZE" in rest:
            self._say(f"* 1 FETCH (UID {uid} RFC822.SIZE {len(raw)})")
        if part := re.search(r"BODY\.PEEK\[\](?:<0\.([0-9]+)>)?", rest):
            raw = raw[: int(part[1])] if part[1] else raw
            self.wfile.write(f"* 1 FETCH (UID {uid} BODY[] {{{len(raw)}}}\r\n".encode() + raw + b")\r\n")


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextmanager
def open_imap(account: Account) -> Generator[Endpoint]:
    """The server, while it runs."""
    with _Server(("127.0.0.1", 0), _Session) as server:
        server.account = account  # type: ignore[attr-defined]
        server.lock = threading.Lock()  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield Endpoint("127.0.0.1", int(server.server_address[1]))
        finally:
            server.shutdown()
            thread.join()


def secret_in(folder: Path) -> str:
    """A file with the password."""
    path = folder / "imap.password"
    path.write_text(PASSWORD)
    return str(path)
