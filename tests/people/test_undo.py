"""Going back by consent of all: the log goes on, the dice stay, and nobody is put back against his will."""

from __future__ import annotations

import dataclasses
import json
import random
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import GAMES, find_bot, random_turn, waiting
from fixtures.play import Chance, Match, begin, expect, go_back, move, open_match, resign, undo
from pbem.audit.audit import audit
from pbem.log.envelope import read_envelope
from pbem.log.ledger import lines_of, member, verify
from pbem.log.record import Undo, Undone, read_record
from pbem.player.answers import move_envelope
from pbem.player.keys import save_key
from pbem.player.time_answers import undo_envelope
from pbem.turn import pipeline
from pbem.turn.policy import TimePolicy
from tests.archive.games import host_key
from tests.archive.minimal import check
from tests.archive.mutate import Source, mutants, rewritten
from tests.deadlines.world import Player, Table, World, open_world
from tests.pages.mutants import blind, forged
from tests.pages.test_judge import agree
from tests.player.run import code, ok

ARCHIVES = {
    game.id: Path(__file__).parents[2] / "fixtures" / "games" / game.id / "3p-undone.pbem" for game in GAMES
}
CYBERTRON = next(game for game in GAMES if game.id == "cybertron")


def records(log: bytes) -> list[Any]:
    return [read_record(line.rstrip(b"\n")) for line in lines_of(log)]


@cache
def _in_mid_turn() -> Match:
    game = CYBERTRON
    match = open_match(game, game.seats[:3], "mid", {})
    begin(match)
    below, bot = Chance("mid").below("moves"), find_bot(game)
    while True:
        course = match.desk.snapshot.ledger.course
        rolled = any(getattr(one, "draws", ()) for one in records(match.archive())[course[0] + 1 :])
        if len(course) > 2 and rolled:
            return match
        position = match.desk.position
        assert position is not None
        seat = waiting(match.desk.table, position)[0]
        view = match.view(seat)
        orders = bot(game, msgspec.convert(view["view"], game.view_type), seat, below)
        expect(match.send(move(match, view, orders[: 3 if len(course) < 3 else 1])))


def in_mid_turn() -> Match:
    """A game in whose open turn more than one record has changed the position, the dice among them."""
    match = _in_mid_turn()
    return dataclasses.replace(
        match,
        lines=[*match.lines],
        kept=[*match.kept],
        letters=[*match.letters],
        envelopes=[*match.envelopes],
    )


@pytest.mark.parametrize("game", ARCHIVES)
def test_there_is_an_archive_with_undos(game: str) -> None:
    """That every verifier finds it sound is tested with all archives."""
    assert ARCHIVES[game].read_bytes().count(b'"kind":"undone"') == 6


def test_a_game_with_undos_is_sound_for_everybody() -> None:
    archive = short().archive()
    assert audit(archive).verdict == "sound"
    assert check(archive, secrets=True) == ("finished", 0)


def test_every_beginning_is_judged_alike() -> None:
    rows = list(lines_of(short().archive()))
    beginnings = [b"".join(rows[:n]) for n in range(8, len(rows), 2)]
    assert agree(beginnings)["unfinished"]
    for data in beginnings:
        report = verify(lines_of(data))
        assert check(data, secrets=False) == (report.verdict, report.fault.line if report.fault else 0)


@cache
def short() -> Match:
    """A short game with three undos in it, that the host ends."""
    match = in_mid_turn()
    for n in range(3):
        course = match.desk.snapshot.ledger.course
        expect(go_back(match, course[-2] if n else course[0], "a slip"))
        for _ in range(2):
            position = match.desk.position
            assert position is not None
            seat = waiting(match.desk.table, position)[0]
            view = match.view(seat)
            shown = msgspec.convert(view["view"], CYBERTRON.view_type)
            orders = random_turn(CYBERTRON, shown, seat, Chance(f"short {n}").below("moves"))
            expect(match.send(move(match, view, orders[:1])))
    match.take(pipeline.call_off(match.desk, "enough"))
    return match


def judged_alike(count: int, seed: str) -> None:
    archive, key = short().archive(), host_key(short())
    logs = [mutant.data for mutant in mutants(Source(archive, key), count // 2, seed)]
    for number in range(count - count // 2):
        chance = random.Random(f"{seed}/{number}")
        logs.append(blind(archive, chance) if number % 2 else forged(archive, key, chance))
    assert len(agree(logs)) > 5
    for number, data in enumerate(logs):
        report = verify(lines_of(data))
        assert check(data, secrets=False) == (report.verdict, report.fault.line if report.fault else 0), (
            number
        )


def test_damage_is_found_alike() -> None:
    judged_alike(24, "undone")


@pytest.mark.soak
def test_thousands_of_mutants_are_judged_alike() -> None:
    for part in range(10):
        judged_alike(300, f"undone soak {part}")


def test_a_roll_that_is_made_again_falls_the_same() -> None:
    """Protocol, section 11: undone dice cannot be had anew; a label drawn again restarts its stream."""
    seen: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    found = records(ARCHIVES["cybertron"].read_bytes())
    for one in found:
        for draw in getattr(one, "draws", ()):
            seen[draw.label].append(draw.values)
    again = {label: values for label, values in seen.items() if len(values) > 1}
    assert again
    for values in again.values():
        shorter = min(len(one) for one in values)
        assert len({one[:shorter] for one in values}) == 1


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("undone", lambda row: row.update(to=row["to"] - 1), "log/undo-to"),
    ("undone", lambda row: row.update(turn=row["turn"] + 1), "log/turn"),
    ("undone", lambda row: row.update(state="ab" * 32), "audit/state"),
    ("undone", lambda row: row.update(public="ab" * 32), "audit/public"),
    ("undo", lambda row: row.update(to=1), "log/undo-to"),
    ("undo", lambda row: row.pop("to"), "log/undo-alone"),
    ("undo", lambda row: row.update(reason="another"), "audit/envelope-field"),
]


@pytest.mark.parametrize(
    ("kind", "change", "code_"), FORGERIES, ids=[f"{one[0]} {one[2]}" for one in FORGERIES]
)
def test_a_host_who_lies_about_an_undo_is_found_out(
    kind: str, change: Callable[[dict[str, Any]], None], code_: str
) -> None:
    rows = [msgspec.json.decode(line) for line in short().lines]
    index = next(n for n, row in enumerate(rows) if row["kind"] == kind)
    mutant = rewritten(Source(short().archive(), host_key(short())), index, change)
    assert audit(mutant.data).code == code_


def test_one_who_does_not_agree_is_enough() -> None:
    match = in_mid_turn()
    first, second, third = CYBERTRON.seats[:3]
    course = match.desk.snapshot.ledger.course
    expect(match.send(undo(match, first, course[0], "a slip")))
    verdict = expect(match.send(undo(match, second, course[0])))
    assert Undone not in [type(one) for one in records(match.archive())]
    # each says that he wishes; the third is told what it would mean, and how to agree
    asked = [letter for letter in verdict.letters if letter.seat == third]
    assert "without your consent the game goes on" in " ".join(asked[0].text.split())
    assert f"--to {course[0]}" in asked[0].text
    assert "falls the same" in " ".join(asked[0].text.split())


def test_a_wish_is_void_when_something_was_played() -> None:
    match = in_mid_turn()
    first, second, third = CYBERTRON.seats[:3]
    to = match.desk.snapshot.ledger.course[0]
    expect(match.send(undo(match, first, to, "a slip")))
    old = undo(match, second, to)
    position = match.desk.position
    assert position is not None
    seat = waiting(match.desk.table, position)[0]
    view = match.view(seat)
    shown = msgspec.convert(view["view"], CYBERTRON.view_type)
    orders = random_turn(CYBERTRON, shown, seat, Chance("on").below("moves"))
    expect(match.send(move(match, view, orders[:1])))
    assert not any(one.wish for one in match.desk.snapshot.ledger.roster)
    refusal = match.send(old).refusal
    assert refusal is not None
    assert refusal.code in ("fresh/stale", "fresh/turn")
    assert third


def test_where_it_cannot_go_back_to() -> None:
    match = in_mid_turn()
    seat, *_ = CYBERTRON.seats
    ledger = match.desk.snapshot.ledger

    def refused(to: int, reason: str = "a slip") -> str:
        refusal = match.send(undo(match, seat, to, reason)).refusal
        return refusal.code if refusal else ""

    assert refused(ledger.course[-1]) == "undo/to"
    assert refused(ledger.course[0] - 1) == "undo/to"
    assert refused(ledger.course[0], "") == "undo/reason"


def test_nobody_goes_back_behind_a_farewell() -> None:
    match = in_mid_turn()
    expect(match.send(resign(match, CYBERTRON.seats[2])))
    ledger = match.desk.snapshot.ledger
    assert ledger.course == (ledger.changed,)
    refusal = match.send(undo(match, CYBERTRON.seats[0], ledger.opening, "please")).refusal
    assert refusal is not None
    assert refusal.code in ("undo/nothing", "undo/to")


def test_who_came_in_is_asked_again_and_gives_no_second_link() -> None:
    match = in_mid_turn()
    ledger = match.desk.snapshot.ledger
    (mover,) = ledger.due
    links = member(ledger, mover).links
    verdict = expect(go_back(match, ledger.course[0], "a slip"))
    after = verdict.snapshot.ledger
    assert (member(after, mover).back, member(after, mover).links) == (True, links)
    view = match.view(mover)
    assert (view["asked"], view["owes"]) == (True, False)
    shown = msgspec.convert(view["view"], CYBERTRON.view_type)
    orders = random_turn(CYBERTRON, shown, mover, Chance("again").below("moves"))
    expect(match.send(move(match, view, orders)))


# --- at the service ------------------------------------------------------------------------------


def asking(table: Table) -> tuple[Player, list[Player]]:
    """A game in which the mover has given one order of several, and the others."""
    for _ in range(40):
        (player,) = table.asked[:1]
        envelope = player.move(seed="first")
        orders = list(envelope.payload["orders"])
        if len(orders) > 1 and not any(order["do"] == "end_turn" for order in orders[:1]):
            player.send(move_envelope(player.key, player.view, orders[:1]))
            if len(snapshot(table)["ledger"]["course"]) > 1:
                return player, [one for one in table.players.values() if one is not player]
        else:
            player.send(envelope)
        table.world.look()
    raise AssertionError("no turn of several moves")


def snapshot(table: Table) -> Any:
    with table.world.database.read() as tx:
        raw = tx.exec_driver_sql("SELECT snapshot FROM games WHERE id = ?", (table.game,)).scalar_one()
    return json.loads(raw)


@pytest.fixture
def table(tmp_path: Path) -> Any:
    with open_world(tmp_path, "2026-07-01T12:00:00Z") as world:
        yield world.begun(TimePolicy({"all": "7d"}, hold=""), ("optimus_prime", "megatron"), game=CYBERTRON)


def test_a_player_types_it_and_the_other_agrees(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, (other,) = asking(table)
    world: World = table.world
    kit = tmp_path / "kit"
    monkeypatch.setenv("PBEM_HOME", str(kit))
    monkeypatch.setenv("PBEM_LANG", "en")
    monkeypatch.chdir(tmp_path)
    kit.mkdir()
    world.later(days=2)
    course = snapshot(table)["ledger"]["course"]
    before = table.deadline(player.seat)
    for one, args in ((player, ("--reason", "the wrong zone")), (other, ())):
        (kit / "key.json").unlink(missing_ok=True)
        save_key(kit / "key.json", one.key)
        letter = tmp_path / "letter.eml"
        letter.write_bytes(one.posts[-1].as_bytes())
        ok("undo", letter, *args, "-o", "undo.json")
        envelope = read_envelope((tmp_path / "undo.json").read_bytes())
        assert envelope.payload["to"] == course[-2]
        (tmp_path / "undo.json").unlink()
        one.send(envelope)
    undone = [one for one in table.records if isinstance(one, Undone)]
    assert [(one.to, one.reason) for one in undone] == [(course[-2], "the wrong zone")]
    assert [one.seat for one in table.records if isinstance(one, Undo)] == [player.seat, other.seat]
    # everybody is told, whoever is asked is asked, and has his whole time again
    assert "All have agreed" in player.text
    assert "the wrong zone" in other.text
    assert "your move" in player.subjects[-1]
    assert table.deadline(player.seat) > before
    assert table.sound() == "unfinished"
    letter.write_bytes(player.posts[-1].as_bytes())
    (kit / "key.json").unlink()
    save_key(kit / "key.json", player.key)
    assert code("undo", letter, "--reason", "x") == "kit/no-undo"
    table.finish()
    assert table.sound() == "sound"


def test_a_word_that_takes_the_wish_back(table: Table) -> None:
    player, (other,) = asking(table)
    to = snapshot(table)["ledger"]["course"][0]
    player.send(undo_envelope(player.key, player.view, to, "a slip"))
    assert player.view.head.undo.wishes == {player.seat: to}
    player.send(undo_envelope(player.key, player.view, None))
    assert "does not wish to go back" in other.text
    other.send(undo_envelope(other.key, other.view, to, "yes"))
    assert not [one for one in table.records if isinstance(one, Undone)]
