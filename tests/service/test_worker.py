"""The worker: applied once, all or nothing, nobody answered who should not be, and no mail in another's way."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.audit.audit import audit
from pbem.log.seal import PrivateKey
from pbem.player.answers import join_envelope
from pbem.service import games, inbox, store, worker
from pbem.service.inbox import Arrival, take_in
from pbem.service.rows import Loaded
from pbem.service.store import Overtaken
from pbem.turn import pipeline
from tests.service.house import House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import send, written
from tests.service.statements import hearing

replace = msgspec.structs.replace


def log_of(house: House, game: str) -> bytes:
    return games.export(house.service.database, house.service.host, game, names=False, now=0)


async def one_player(house: House) -> Player:
    game = await house.game()
    return (await house.players(game))["red"]


def test_the_same_payload_again_is_recorded_once_and_answered_again(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            envelope = red.join()
            await red.mail(envelope)
            for count in (1, 2):
                await red.mail(envelope, f"X-Path: {count}")
                assert "already recorded as 1" in red.posts[-1].subject
            assert log_of(house, red.game).count(b"\n") == 2
            again = [post for post in red.posts if "already recorded" in post.subject]
            assert len(again) == 2
            assert len({post.message_id for post in again}) == 1

    asyncio.run(said())


def test_the_very_same_bytes_that_still_wait_are_one_mail(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            place = house.service._directory.find(red.invitation.address)
            assert place is not None
            with house.service.database.write() as tx:
                for _ in range(3):
                    take_in(tx, Arrival(red.address, (place, place), b"Subject: x\r\n\r\n", 0))
            assert len(house.rows("inbox")) == 1

    asyncio.run(said())


def test_a_bad_signature_is_answered_only_to_an_address_of_the_roster(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            forged = join_envelope(red.key, red.invitation)
            forged = replace(forged, payload={**forged.payload, "token": "guessed"})
            before = len(house.mailbox.posts)
            address = red.invitation.address
            # to the address of the seat, by whoever knows it and has not joined, and to that of the service
            for sender in ("stranger@example.org", "mallory@example.org"):
                await red.hand_in(written(sender, address, forged.text()), sender)
            for sender in ("stranger@example.org", "mallory@example.org"):
                raw = written(sender, "games@pbem.example.org", forged.text())
                await send(house.door, sender, ["games@pbem.example.org"], raw)
                await house.service.wait_idle()
            assert len(house.mailbox.posts) == before
            # what From says counts before the envelope, and both are held against the roster
            await red.hand_in(written(red.address, address, forged.text()), "stranger@example.org")
            assert [post.to for post in house.mailbox.posts[before:]] == [red.address]
            assert "not accepted: seal/token" in red.posts[-1].subject
            assert {row.outcome for row in house.rows("inbox", "outcome")} == {"seal/token"}

    asyncio.run(said())


def test_who_writes_from_another_address_is_told_at_his_own(tmp_path: Path) -> None:
    """A move that came from a player's work, and had suffered on the way, was refused without a word to anybody."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            before = len(house.mailbox.posts)
            raw = written("red@work.example.net", red.invitation.address, red.join().text()[:-40])
            await red.hand_in(raw, "red@work.example.net")
            assert [post.to for post in house.mailbox.posts[before:]] == [red.address]
            assert "not accepted: mail/damaged" in red.posts[-1].subject
            await red.hand_in(raw.replace(b"\r\n\r\n", b"\r\nPrecedence: bulk\r\n\r\n", 1))
            assert len(house.mailbox.posts) == before + 1

    asyncio.run(said())


def test_a_mail_with_too_long_a_header_is_answered(tmp_path: Path) -> None:
    """Many hops and their seals take more than the budget; the door cannot refuse such a mail, and nobody told."""

    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            raw = written(red.address, red.invitation.address, red.join().text())
            top, _, body = raw.partition(b"\r\n\r\n")
            seals = b"\r\nARC-Seal: i=1; " + b"x" * 500
            await red.hand_in(top + seals * 80 + b"\r\n\r\n" + body)
            assert "not accepted: mail/long-header" in red.posts[-1].subject
            count = len(red.posts)
            loop = b"Received: from a by b; now\r\n" * 40
            await red.hand_in(loop + top + seals * 90 + b"\r\n\r\nagain" + body)
            assert len(red.posts) == count

    asyncio.run(said())


@pytest.mark.parametrize("headers", [("Auto-Submitted: auto-replied",), ("Precedence: bulk",), ()])
def test_automatic_mail_gets_no_answer_but_what_is_signed_counts(
    tmp_path: Path, headers: tuple[str, ...]
) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            sender = red.address if headers else ""
            before = len(house.mailbox.posts)
            await red.hand_in(written(red.address, red.invitation.address, b"I am away\n", *headers), sender)
            assert len(house.mailbox.posts) == before
            await red.mail(red.join(), *headers, sender=sender)
            assert len(red.posts) == 2
            assert "[pbem" in red.posts[-1].subject
            await red.mail(red.join(), "X-Again: 1", *headers, sender=sender)
            assert len(red.posts) == 2

    asyncio.run(said())


def test_the_game_is_that_of_the_address(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            one, other = await one_player(house), await one_player(house)
            await one.hand_in(written(one.address, one.invitation.address, other.join().text()))
            assert "not accepted: seal/other-game" in one.posts[-1].subject
            assert len(other.posts) == 1
            assert log_of(house, one.game).count(b"\n") == log_of(house, other.game).count(b"\n") == 1

    asyncio.run(said())


def test_a_fault_of_ours_makes_poison_after_three_tries_and_the_next_mail_is_handled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = pipeline.judge
    calls = 0

    def faulty(claims: Any, known: Any, desk: Any) -> Any:
        nonlocal calls
        if any(one.seat == "red" for one in claims.envelopes):
            calls += 1
            raise LookupError(f"the secret {desk.secrets.seed.hex()}")
        return real(claims, known, desk)

    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await house.players(game)
            monkeypatch.setattr(pipeline, "judge", faulty)
            await players["red"].mail(players["red"].join())
            await players["blue"].mail(players["blue"].join())
            assert calls == 3
            rows = house.rows("inbox", "id, state, attempts, error")
            assert [(row.state, row.attempts) for row in rows] == [("poison", 3), ("done", 0)]
            assert "Traceback" in rows[0].error
            assert "LookupError" in rows[0].error
            assert log_of(house, game).count(b"\n") == 2
            assert games.status(house.service.database).inbox == {"new": 0, "done": 1, "poison": 1}

    with caplog.at_level(logging.INFO):
        asyncio.run(said())
    told = [record for record in caplog.records if record.getMessage() == "mail-fault"]
    assert len(told) == 3
    assert "the secret" not in caplog.text
    assert not [record for record in caplog.records if "the secret" in str(record.__dict__)]


def snapshot_of(house: House) -> list[list[Any]]:
    return [house.rows(table) for table in ("games", "people", "records", "outbox")]


@pytest.mark.parametrize("step", ["join", "start", "move"])
def test_a_fault_at_any_statement_of_a_commit_leaves_nothing_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Every statement of the transaction is made to fail in turn, until the mail gets through."""
    monkeypatch.setattr(inbox, "MOST_ATTEMPTS", 1_000)

    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            if step == "join":
                players = await house.players(game)
                player, envelope = players["red"], players["red"].join()
            else:
                players = await begin(house, game)
                if step == "move":
                    await play_on(players, stream("faults"), 6)
                asked = [one for one in players.values() if one.view.menu.asked]
                player = asked[0]
                envelope = player.move(stream("faulty"))
            service = house.service
            await service.stop()
            await service.start()
            # the loops stand still: the test handles the mail by hand
            service._stopping = True
            service._inbox_bell.ring()
            service._outbox_bell.ring()
            await asyncio.gather(*service._tasks)
            place = service._directory.find(player.invitation.address)
            assert place is not None
            raw = written(player.address, player.invitation.address, envelope.text())
            with service.database.write() as tx:
                take_in(tx, Arrival(player.address, (place,), raw, 0))
            before = snapshot_of(house)
            tried = _fail_each_statement(house, before)
            assert tried > 3
            assert [row.state for row in house.rows("inbox", "id, state")][-1] == "done"
            after = snapshot_of(house)
            assert len(after[2]) > len(before[2])
            assert audit(log_of(house, game)).verdict in ("unfinished", "sound")
            service._stopping = False

    asyncio.run(said())


def _fail_each_statement(house: House, before: list[list[Any]]) -> int:
    service = house.service
    for tried in range(200):
        count = 0

        def fail_at(text: str, at: int = tried) -> None:
            nonlocal count
            if text.startswith(
                ("INSERT", "UPDATE games", "UPDATE people", "UPDATE outbox", "UPDATE inbox SET state")
            ):
                count += 1
                if count == at + 1:
                    raise OSError("broken")

        with hearing(service.database, fail_at):
            handled = worker.handle_next(service.database, service.host, house.clock)
        assert handled is not None
        if handled.what == "taken":
            return tried
        assert handled.what == "failed"
        assert snapshot_of(house) == before
    raise AssertionError("never got through")


def test_who_was_overtaken_writes_nothing(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            game = await house.game()
            players = await house.players(game)
            service = house.service
            with service.database.read() as tx:
                stale = store.load_desk(tx, service.host, game, 0)
            await players["red"].mail(players["red"].join())
            before = snapshot_of(house)
            verdict = pipeline.judge(
                pipeline.claim_file(players["blue"].join().text()),
                pipeline.Known({stale.desk.charter_digest: 0}),
                stale.desk,
            )
            assert verdict.lines
            with pytest.raises(Overtaken), service.database.write() as tx:
                worker.settle(tx, Loaded(stale.desk, stale.revision), verdict, 0)
            assert snapshot_of(house) == before

    asyncio.run(said())


def test_a_database_in_trouble_counts_against_no_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy.exc import OperationalError

    from pbem.service import app

    monkeypatch.setattr(app, "PAUSE", 0.01)
    real, failures = store.commit, 0

    def locked(*args: Any) -> None:
        nonlocal failures
        if failures < 5:
            failures += 1
            raise OperationalError("UPDATE", {}, Exception("database is locked"))
        real(*args)

    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            monkeypatch.setattr(store, "commit", locked)
            await red.mail(red.join())
            assert failures == 5
            rows = house.rows("inbox", "id, state, attempts")
            assert [(row.state, row.attempts) for row in rows] == [("done", 0)]

    asyncio.run(said())


def test_a_wrong_key_takes_no_seat(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = await one_player(house)
            await red.mail(red.join())
            other = join_envelope(PrivateKey(b"x" * 32), red.invitation)
            await red.mail(other)
            assert "not accepted: seal/" in red.posts[-1].subject
            assert log_of(house, red.game).count(b"\n") == 2

    asyncio.run(said())
