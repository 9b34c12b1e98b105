"""Letters that come back: what a report means, three strikes, who is told, and that nobody can make one up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pbem.log.seal import PrivateKey
from pbem.service import people
from pbem.service.addresses import returns_under
from pbem.service.bounces import Report, is_at_fault, read_report
from tests.service.house import House, Player, begin, open_house, play_on, stream
from tests.service.mailbox import Post, send, talk

MTA = "MAILER-DAEMON@mx.example.net"


def dsn(
    status: str, recipient: str, message_id: str = "", *, action: str = "failed", to: str = "x@y"
) -> bytes:
    """A report as Postfix writes one."""
    return f"""From: {MTA}
To: {to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="B7A2.1/mx.example.net"

This is a MIME-encapsulated message.

--B7A2.1/mx.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--B7A2.1/mx.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
Arrival-Date: Thu,  1 Jan 2026 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; {recipient}
Original-Recipient: rfc822;{recipient}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 5.1.1 no such user

--B7A2.1/mx.example.net
Content-Type: text/rfc822-headers

From: games@pbem.example.org
Message-ID: {message_id}
Subject: x

--B7A2.1/mx.example.net--
""".replace("\n", "\r\n").encode()


async def come_back(house: House, post: Post, status: str, *, action: str = "failed") -> None:
    """The mail server of a recipient sends a letter back to its envelope sender."""
    raw = dsn(status, post.to, post.message_id, action=action, to=post.sender)
    await send(house.door, "", [post.sender], raw)
    await house.service.wait_idle()


def health(house: House, player: Player) -> people.MailHealth:
    with house.service.database.read() as tx:
        return next(
            one for one in people.mail_health(tx) if (one.game, one.seat) == (player.game, player.seat)
        )


@pytest.mark.parametrize(
    ("status", "action", "hard", "failed"),
    [
        ("5.1.1", "failed", True, True),
        ("5.2.2 (mailbox full)", "failed", True, True),
        ("4.4.7", "failed", False, True),
        ("4.4.1", "delayed", False, False),
        ("5.0.0", "delayed", False, False),
    ],
)
def test_what_a_report_says(status: str, action: str, hard: bool, failed: bool) -> None:
    report = read_report(dsn(status, "red@example.org", "<a.b@c>", action=action))
    assert report == Report(status[:5], failed, "a.b@c", ("red@example.org",) * 2)
    assert report is not None
    assert report.hard == hard


def test_reports_of_other_shapes() -> None:
    whole = dsn("5.1.1", "red@example.org", "<a.b@c>")
    assert read_report(whole.replace(b"Status: 5.1.1\r\n", b"")) == read_report(whole)
    bare = whole.replace(b"Status: 5.1.1\r\n", b"").replace(b"550 5.1.1", b"550")
    assert read_report(bare) == Report("5.0.0", True, "a.b@c", ("red@example.org",) * 2)
    whole_mail = whole.replace(b"text/rfc822-headers", b"message/rfc822")
    assert read_report(whole_mail) == read_report(whole)
    # a gateway has put its banner above the report
    head, _, body = whole.partition(b"\r\n\r\n")
    kind = head[head.index(b"Content-Type") :]
    banner = b"From: x@y\r\nContent-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n\r\n[EXTERNAL]\r\n--o\r\n"
    assert read_report(banner + kind + b"\r\n\r\n" + body + b"\r\n--o--\r\n") == read_report(whole)
    for broken in (
        b"",
        b"Subject: x\r\n\r\nhello",
        whole.replace(b"multipart/report", b"multipart/mixed"),
        whole.replace(b"boundary=", b"b="),
        whole.replace(b"message/delivery-status", b"text/plain"),
        whole + b"x" * 300_000,
    ):
        assert read_report(broken) is None


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("5.1.1 no such user", True),
        ("5.2.1 disabled", True),
        ("no such user", True),
        ("5.7.1 blocked by policy", False),
        ("5.4.4 unrouteable", False),
        ("5.3.4 too large", False),
    ],
)
def test_which_answers_count_against_an_address(answer: str, fault: bool) -> None:
    assert is_at_fault(answer) == fault


def test_three_hard_bounces_mark_an_address_and_tell_host_and_player(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, operator="host@example.org") as house:
            players = await begin(house, await house.game())
            red, blue = players["red"], players["blue"]
            with house.service.database.write() as tx:
                people.set_second(tx, red.game, "red", "red2@example.net")
            posts = red.posts
            for count, post in enumerate(posts[:3]):
                assert health(house, red).how == ("good" if not count else "bouncing")
                await come_back(house, post, "5.1.1")
                # the same report again, or another about the same letter, counts once
                await come_back(house, post, "5.1.1")
            assert (health(house, red).how, health(house, red).bounced) == ("bad", 3)
            assert health(house, blue).how == "good"
            for address in ("host@example.org", "red2@example.net"):
                (told,) = house.mailbox.to(address)
                assert "takes no mail" in told.subject
                assert red.address.encode() in told.raw
                assert told.header("auto-submitted") == "auto-generated"
            assert b"pbem game address" in house.mailbox.to("host@example.org")[0].raw
            await come_back(house, posts[3], "5.1.1")
            assert len(house.mailbox.to("host@example.org")) == 1

    asyncio.run(said())


def test_soft_bounces_and_delays_count_against_nobody(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await begin(house, await house.game()))["red"]
            for post in red.posts[:4]:
                await come_back(house, post, "4.4.1", action="delayed")
            assert health(house, red).how == "good"
            for post in red.posts[:4]:
                await come_back(house, post, "4.4.7")
            found = health(house, red)
            assert (found.bounced, found.how) == (0, "bouncing")

    asyncio.run(said())


def test_what_came_back_is_told_again_by_the_next_letter(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            below = stream("bounced")
            await play_on(players, below, 2)
            red = players["red"]
            lost = red.posts[-1]
            assert b".view.json" in lost.raw
            await come_back(house, lost, "4.4.7")
            await play_on(players, below, 1)
            found = red.posts[-1]
            assert b"earlier ones told" in found.raw
            assert health(house, red).failed == 0
            from pbem.player.opening import open_file

            before = {line for log in open_file(lost.raw).logs for line in log.splitlines()}
            after = {line for log in open_file(found.raw).logs for line in log.splitlines()}
            assert before < after <= {row.line for row in house.rows("records", "n, line")}

    asyncio.run(said())


def test_a_new_address_is_forgiven_and_gets_what_did_not_arrive(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await begin(house, await house.game()))["red"]
            for post in red.posts[-3:]:
                await come_back(house, post, "5.1.1")
            assert health(house, red).how == "bad"
            with house.service.database.write() as tx:
                assert people.set_address(tx, red.game, "red", "anna@example.net", house.clock()) == 3
            house.service._outbox_bell.ring()
            await house.service.wait_idle()
            assert [post.message_id for post in house.mailbox.to("anna@example.net")] == [
                post.message_id for post in red.posts[-3:]
            ]
            assert health(house, red).how == "good"

    asyncio.run(said())


def test_nobody_makes_up_a_bounce(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            players = await begin(house, await house.game())
            red, blue = players["red"], players["blue"]
            letter = red.posts[-1]
            local, _, domain = letter.sender.partition("@")
            wrong = f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}"
            other = letter.sender.replace("b+", "b+1")
            answers = await talk(
                house.door,
                *(b"EHLO x", b"MAIL FROM:<>", f"RCPT TO:<{wrong}>".encode(), f"RCPT TO:<{other}>".encode()),
                b"QUIT",
            )
            assert [answer[:3] for answer in answers[3:5]] == ["550", "550"]
            # to the service itself, whoever knows the letter's name must know the address that it went to, too
            for recipient in ("someone@example.org", blue.address):
                await send(
                    house.door, "", ["games@pbem.example.org"], dsn("5.1.1", recipient, letter.message_id)
                )
            assert health(house, red).how == "good"
            await send(
                house.door, "", ["games@pbem.example.org"], dsn("5.1.1", red.address, letter.message_id)
            )
            assert health(house, red).bounced == 1

    asyncio.run(said())


def test_a_bounce_is_never_answered_and_never_stays(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path) as house:
            red = (await begin(house, await house.game()))["red"]
            before = len(house.mailbox.posts)
            await come_back(house, red.posts[-1], "5.1.1")
            await send(house.door, "", [red.posts[-1].sender], b"Subject: on holiday\r\n\r\nbye\r\n")
            await house.service.wait_idle()
            assert len(house.mailbox.posts) == before
            assert all(row.state == "done" for row in house.rows("inbox", "id, state"))

    asyncio.run(said())


def test_an_unknown_recipient_in_the_session_is_a_bounce_and_policy_is_not(tmp_path: Path) -> None:
    async def said() -> None:
        async with open_house(tmp_path, operator="host@example.org") as house:
            house.mailbox.answers[:] = ["rcpt 550 5.1.1 no such user", "rcpt 550 5.7.1 blocked"]
            game = await house.game()
            players = await house.players(game)
            assert [health(house, players[seat]).bounced for seat in ("red", "blue")] == [1, 0]
            (subject,) = [post.subject for post in house.mailbox.to("host@example.org")]
            assert "could not be delivered" in subject
            # a relay that will not relay for us is mended by the host, and then every letter goes out
            before = len(house.mailbox.posts)
            house.clock.seconds += 60
            house.service.look()
            await house.service.wait_idle()
            assert [post.to for post in house.mailbox.posts[before:]] == ["blue@example.org"]

    asyncio.run(said())


def test_return_addresses() -> None:
    returns = returns_under(PrivateKey(b"k" * 32), "b@pbem.example.org", plus=True)
    address = returns.of(17)
    assert returns.letter(address) == returns.letter(address.upper()) == 17
    assert len(returns.of(10**12).partition("@")[0]) <= 64
    for wrong in (
        address.replace("17", "18"),
        address.replace("b+", "c+"),
        "b@pbem.example.org",
        "b+0.aaaaaaaa@x",
    ):
        assert returns.letter(wrong) == 0
    plain = returns_under(PrivateKey(b"k" * 32), "games@example.org", plus=False)
    assert plain.of(17) == "games@example.org"
    assert plain.letter(address) == 0
