"""A host in memory, on the other side of the kit: the pipeline of the service without its store."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from engine import AnyGame, waiting
from pbem.log.canonical import digest
from pbem.log.envelope import Envelope
from pbem.log.seal import PrivateKey
from pbem.player import (
    ViewFile,
    join_envelope,
    read_charter,
    read_invitation,
    read_view,
    ready_envelope,
)
from pbem.turn import pipeline
from pbem.turn.answers import invitation_file, invitation_letter
from pbem.turn.desk import Desk, Kept, Person, Post, Secrets
from pbem.turn.opening import Plan, open_game
from pbem.turn.pipeline import Claims, Known, Verdict
from pbem.turn.posting import Letter
from pbem.turn.views import view_envelope
from tests.toy import GAME

Json = dict[str, Any]
NOW = "2026-03-01T12:00:00Z"
SEATS = ("ash", "birch", "oak")


def secret(name: str) -> bytes:
    """32 bytes that belong to a name."""
    return hashlib.sha256(name.encode()).digest()


def key_of(seat: str) -> PrivateKey:
    """A seat's key in these tests."""
    return PrivateKey(secret(f"key of {seat}"))


class Host:
    """One game: its desk, its log, every letter to each seat, and the last verdict."""

    def __init__(
        self,
        game: AnyGame = GAME,
        seats: tuple[str, ...] = SEATS,
        options: Json | None = None,
        name: str = "g1",
    ) -> None:
        people = {seat: Person(f"{seat}@example.org", f"token-of-{seat}") for seat in seats}
        plan = Plan(name, game, options or {}, people)
        secrets = Secrets(
            PrivateKey(secret(f"host {name}")), secret("seed"), secret("hidden"), secret("mail")
        )
        post = Post("games@pbem.example.org", "pbem.example.org")
        self.desk, lines = open_game(plan, secrets, post, NOW)
        self.lines: list[bytes] = list(lines)
        self.kept: list[Kept] = []
        self.letters: dict[str, list[Letter]] = {seat: [] for seat in seats}
        self.refusals: list[str] = []

    @property
    def seats(self) -> tuple[str, ...]:
        return self.desk.charter.seats

    @property
    def log(self) -> bytes:
        """The log as a file."""
        return b"".join(line + b"\n" for line in self.lines)

    def invitation(self, seat: str) -> bytes:
        return invitation_file(self.desk, seat)

    def invitation_mail(self, seat: str) -> bytes:
        return invitation_letter(self.desk, seat).raw

    def take(self, data: bytes | Envelope) -> str:
        """Judges a file, a mail or an envelope; "" or the code of its refusal."""
        raw = data.text() if isinstance(data, Envelope) else data
        claims = pipeline.claim_file(raw)
        if not claims.envelopes:
            claims = pipeline.claim_mail(raw)
        verdict = pipeline.judge(claims, self._known(claims), self.desk)
        self._keep(verdict)
        if verdict.finished:
            self._keep(pipeline.finish(self.desk, self.kept))
        return verdict.refusal.code if verdict.refusal else ""

    def view(self, seat: str) -> bytes:
        """The view file as the newest letter would have it."""
        return view_envelope(self.desk, self.desk.position, seat, ()).text()

    def read(self, seat: str) -> ViewFile:
        """The same view, checked and typed."""
        return read_view(self.view(seat), read_charter(self.desk.charter_line))

    def mail(self, seat: str) -> bytes:
        """The newest letter to a seat."""
        return self.letters[seat][-1].raw

    def asked(self) -> str:
        """A seat that something waits for, or ""."""
        position = self.desk.position
        return next(iter(waiting(self.desk.table, position) if position else ()), "")

    def begin(self) -> Host:
        """All join and confirm."""
        for seat in self.seats:
            assert self.take(join_envelope(key_of(seat), read_invitation(self.invitation(seat)))) == ""
        for seat in self.seats:
            assert self.take(ready_envelope(key_of(seat), self.read(seat), {})) == ""
        return self

    def forge(self, seat: str, **changes: Any) -> bytes:
        """A view with other contents, properly signed: what a lying host might send."""
        from pbem.log.envelope import make_envelope

        payload = {**self.read(seat).envelope.payload, **changes}
        return make_envelope(self.desk.secrets.key, payload).text()

    def _known(self, claims: Claims) -> Known:
        return Known(
            {digest(line): n for n, line in enumerate(self.lines)}, {k.payload_digest: k.n for k in self.kept}
        )

    def _keep(self, verdict: Verdict) -> None:
        self.lines += verdict.lines
        self.kept += verdict.kept
        self.desk = msgspec.structs.replace(self.desk, snapshot=verdict.snapshot, people=verdict.people)
        for letter in verdict.letters:
            self.letters[letter.seat].append(letter)
        if verdict.refusal is not None:
            self.refusals.append(verdict.refusal.code)
        assert isinstance(self.desk, Desk)
