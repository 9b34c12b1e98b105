"""An ordinary mailbox as a way in: an IMAP account is looked into again and again, and what belongs to a game is taken.

Law: nothing is lost and nothing taken twice. A mail is committed to the inbox, together with its number in the
mailbox (UIDVALIDITY and UID), before anything is changed in the mailbox; a mail whose number is known is only
put away. No mail server has told its sender anything, so a player is answered by letter, whatever he sent: of a mail
that is too large the beginning is taken, and one that names no game is of a game of his. What is of no player is not
ours: it stays as it is, unread. Steps of `look`:

1. connect, by TLS, and log in; 2. open the folder; 3. list what is there, end what an earlier visit
had begun to put away, and forget numbers that are gone;
4. each mail in order: if its number is new, read it, take it in and note its number, all in one commit; 5. put it away.
"""

from __future__ import annotations

import hashlib
import imaplib
import re
import threading
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress

import msgspec
import sqlalchemy as sa

from pbem.service.addresses import Place
from pbem.service.clock import Clock
from pbem.service.config import Config, Endpoint, Tls, endpoint
from pbem.service.database import Database
from pbem.service.inbox import Arrival
from pbem.service.journal import note, warn
from pbem.service.reception import Answer, Reception
from pbem.service.routing import head_of
from pbem.service.submission import check_certificate, tls_context
from pbem.service.tables import fetched
from pbem.turn import mail_parts

TIMEOUT = 30
LEFT = ""
"""In the place of a mail's digest: it names no game, or is too large, and is left alone."""
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}")
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class Account(msgspec.Struct, frozen=True):
    """A mailbox. `done` is the folder for what was taken, empty to delete it; `ca` the path of a certificate, or ""."""

    server: Endpoint
    tls: Tls
    user: str
    password: str
    folder: str = "INBOX"
    done: str = ""
    ca: str = ""

    def __repr__(self) -> str:
        return f"Account({self.server})"

    @property
    def name(self) -> str:
        """What mails of this folder are remembered under."""
        return f"{self.user}@{self.server}/{self.folder}"[:320]


def account_of(config: Config, secret: str) -> Account:
    """The mailbox of the settings. Refused `host/endpoint`, `host/certificate`."""
    check_certificate(config)
    server = endpoint(config.imap)
    return Account(
        server,
        config.imap_tls,
        config.imap_user,
        secret,
        config.imap_folder,
        config.imap_done,
        config.tls_ca,
    )


class Mailbox:
    """Looks into one mailbox; for one thread. `hang_up` may be called from another."""

    def __init__(self, account: Account, database: Database, reception: Reception, clock: Clock) -> None:
        self._account = account
        self._database = database
        self._reception = reception
        self._clock = clock
        self._client: imaplib.IMAP4 | None = None
        self._ended = threading.Event()
        self._failures = 0
        self.looked = 0
        """The beginning of the last visit that went well: all that had come by then was taken."""

    def look(self, address: str, max_mail: int) -> int:
        """One visit; gives how many mails were taken. What is wrong with the mailbox is told, and tried again later."""
        began = self._clock()
        try:
            with _Visit(self._open()) as client:
                self._client = client
                taken = self._all(client, address, max_mail)
        except (imaplib.IMAP4.error, OSError) as error:
            self._failures += 1
            if not self._ended.is_set():
                warn("imap-trouble", failures=self._failures, error=type(error).__name__)
            return 0
        finally:
            self._client = None
        self._failures, self.looked = 0, began
        return taken

    def hang_up(self) -> None:
        """Ends a visit, wherever it is; what is committed stays, the rest is for the next one."""
        self._ended.set()
        client = self._client
        if client is not None:
            with suppress(OSError):
                client.shutdown()

    def _open(self) -> imaplib.IMAP4:
        account = self._account
        host, port = account.server.host, account.server.port
        if account.tls == "tls":
            client: imaplib.IMAP4 = imaplib.IMAP4_SSL(
                host, port, ssl_context=tls_context(account.ca), timeout=TIMEOUT
            )
        else:
            client = imaplib.IMAP4(host, port, timeout=TIMEOUT)
        try:
            if account.tls == "starttls":
                client.starttls(tls_context(account.ca))
            _log_in(client, account)
        except BaseException:
            client.shutdown()
            raise
        return client

    def _all(self, client: imaplib.IMAP4, address: str, max_mail: int) -> int:
        _good(client.select(_quoted(self._account.folder)))
        validity = int(_last(client.response("UIDVALIDITY")[1]) or b"0")
        uids = sorted(_found(client, "UNDELETED"))
        known = self._known(validity)
        if gone := set(known) - set(uids):
            _finish(client, {uid for uid in gone if known[uid] != LEFT})
            self._forget(validity, gone)
        taken = 0
        for uid in uids:
            if self._ended.is_set():
                break
            if uid not in known:
                known[uid] = self._take(client, (validity, uid), address, max_mail)
                taken += known[uid] not in (None, LEFT)
            if known[uid] not in (None, LEFT):
                self._put_away(client, uid)
        return taken

    def _known(self, validity: int) -> dict[int, str | None]:
        """Numbers that were noted, with the digests of their mails."""
        with self._database.read() as tx:
            rows = tx.execute(sa.select(fetched.c.uid, fetched.c.sha256).where(self._ours(validity)))
            return {row.uid: row.sha256 for row in rows}

    def _forget(self, validity: int, uids: Iterable[int]) -> None:
        with self._database.write() as tx:
            for uid in sorted(uids):
                tx.execute(fetched.delete().where(self._ours(validity), fetched.c.uid == uid))

    def _ours(self, validity: int) -> sa.ColumnElement[bool]:
        return sa.and_(fetched.c.account == self._account.name, fetched.c.validity == validity)

    def _take(
        self, client: imaplib.IMAP4, number: tuple[int, int], address: str, max_mail: int
    ) -> str | None:
        """Takes a mail in; gives what was noted of it, None if it is to be tried again."""
        uid = str(number[1])
        size = _SIZE.search(_line(_good(client.uid("FETCH", uid, "(RFC822.SIZE)"))))
        what = "BODY.PEEK[]"
        if size is not None and int(size[1]) > max_mail:
            warn("imap-too-large", uid=number[1], bytes=int(size[1]))
            # so much of it that whoever reads it sees that it is too long
            what = f"BODY.PEEK[]<0.{mail_parts.SIZE + 1}>"
            if int(size[1]) <= mail_parts.SIZE:
                self._note(number, LEFT)
                return LEFT
        raw = _literal(_good(client.uid("FETCH", uid, f"({what})")))
        if raw is None:
            return None
        sha256 = hashlib.sha256(raw).hexdigest()
        if self._seen(sha256, number[0]):
            self._note(number, sha256)
            return sha256
        mail = Arrival(_sender(raw), (Place("", "", address),), raw, self._clock())
        noted: list[str] = []

        def also(tx: sa.Connection, answers: Sequence[Answer]) -> None:
            if all(answer in ("taken", "nowhere") for answer in answers):
                noted.append(sha256 if "taken" in answers else LEFT)
                tx.execute(fetched.insert().values(self._row(number, noted[0])))

        self._reception.take_in(mail, also, of_players=True)
        if noted == [LEFT]:
            note("imap-left", uid=number[1])
        return noted[0] if noted else None

    def _seen(self, sha256: str, validity: int) -> bool:
        """Whether these bytes were taken before the mailbox began to number anew."""
        before = sa.select(fetched.c.uid).where(
            fetched.c.account == self._account.name,
            fetched.c.sha256 == sha256,
            fetched.c.validity != validity,
        )
        with self._database.read() as tx:
            return tx.execute(before).first() is not None

    def _note(self, number: tuple[int, int], sha256: str) -> None:
        with self._database.write() as tx:
            tx.execute(fetched.insert().values(self._row(number, sha256)))

    def _row(self, number: tuple[int, int], sha256: str) -> dict[str, str | int]:
        account, (validity, uid) = self._account.name, number
        return {
            "account": account,
            "validity": validity,
            "uid": uid,
            "sha256": sha256,
            "at": self._clock(),
        }

    def _put_away(self, client: imaplib.IMAP4, number: int) -> None:
        """Into the folder for what is done, or away for good. If that fails it stays, is known, and is tried again."""
        uid, done = str(number), self._account.done
        try:
            if done:
                _put_into(client, uid, _quoted(done))
            else:
                _remove(client, uid)
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error as error:
            warn("imap-not-put-away", uid=number, error=type(error).__name__)


def _log_in(client: imaplib.IMAP4, account: Account) -> None:
    """The library writes LOGIN in ASCII only."""
    if account.password.isascii():
        client.login(account.user, account.password)
    else:
        secret = f"\0{account.user}\0{account.password}".encode()
        client.authenticate("PLAIN", lambda _challenge: secret)


class _Visit:
    """A connection that is left politely, or dropped if something went wrong."""

    def __init__(self, client: imaplib.IMAP4) -> None:
        self._client = client

    def __enter__(self) -> imaplib.IMAP4:
        return self._client

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            with suppress(imaplib.IMAP4.error, OSError):
                self._client.logout()
        # harmless after a logout, and needed after one that failed
        with suppress(OSError):
            self._client.shutdown()


def _put_into(client: imaplib.IMAP4, uid: str, folder: str) -> None:
    can_move = _can(client, "MOVE")
    move: Callable[[], tuple[str, list[bytes | None]]] = lambda: client.uid(  # noqa: E731 - said twice below
        "MOVE" if can_move else "COPY", uid, folder
    )
    if move()[0] != "OK":
        client.create(folder)
        _good(move())
    if not can_move:
        _remove(client, uid)


def _remove(client: imaplib.IMAP4, uid: str) -> None:
    """Marked as deleted, and where the server can do that for one mail, taken away."""
    _good(client.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen \Deleted)"))
    if _can(client, "UIDPLUS"):
        _good(client.uid("EXPUNGE", uid))


def _finish(client: imaplib.IMAP4, uids: Set[int]) -> None:
    """Takes away what was marked as deleted by a visit that did not live to go on."""
    if uids and _can(client, "UIDPLUS"):
        for uid in sorted(uids & _found(client, "DELETED")):
            _good(client.uid("EXPUNGE", str(uid)))


def _found(client: imaplib.IMAP4, which: str) -> set[int]:
    """The numbers of mails in the folder."""
    return {int(word) for word in _line(_good(client.uid("SEARCH", which))).split()}


def _can(client: imaplib.IMAP4, what: str) -> bool:
    """Servers say what they can only to those who have logged in, and the library asks before."""
    return what.encode() in _last(_good(client.capability())).upper().split()


def _sender(raw: bytes) -> str:
    """The envelope sender as the receiving mail server noted it, else From; empty for the null sender."""
    fields = head_of(raw)
    returned = [value.strip() for name, value in fields if name == "return-path"]
    if returned:
        found = _ADDRESS.search(returned[0].decode("latin-1"))
        return found[0] if found else ""
    found = _ADDRESS.search(mail_parts.first(fields, "from").decode("latin-1"))
    return found[0] if found else ""


def _good(answer: tuple[str, Sequence[object]]) -> Sequence[object]:
    kind, data = answer
    if kind != "OK":
        raise imaplib.IMAP4.error(kind)
    return data


def _last(data: Sequence[object]) -> bytes:
    return data[-1] if data and isinstance(data[-1], bytes) else b""


def _line(data: Sequence[object]) -> bytes:
    """All of an answer that is text."""
    return b" ".join(piece for piece in data if isinstance(piece, bytes))


def _literal(data: Sequence[object]) -> bytes | None:
    """The bytes of a mail in an answer; None if it has gone meanwhile."""
    for piece in data:
        match piece:
            case (bytes(), bytes(raw)):
                return raw
            case _:
                continue
    return None


def _quoted(folder: str) -> str:
    escaped = folder.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
