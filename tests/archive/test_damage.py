"""Damage of every kind is found, in the right line and by the right check (protocol.md section 7)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from pbem.audit import audit
from pbem.log.ledger import Report, lines_of, verify
from pbem.log.seal import public_of
from tests.archive.games import host_key, kind, small, small_match, tiny, tiny_match
from tests.archive.minimal import check
from tests.archive.mutate import (
    SPELLINGS,
    STRANGER,
    WAYS,
    Json,
    Mutant,
    Source,
    by_host,
    by_stranger,
    doubled,
    dropped,
    edited,
    flip,
    mutants,
    resealed,
    respelt,
    rewritten,
    swapped,
    truncated,
)

BYTES_AND_SHAPE = ("file/", "seal/", "log/not-canonical", "log/shape", "log/unknown-kind", "log/no-line-end")
"""A byte that changed is seen before anything is made of it: by reading, by shape, or by the host's seal."""


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(small(), host_key(small_match()))


@pytest.fixture(scope="module")
def tiny_source() -> Source:
    return Source(tiny(), host_key(tiny_match()))


def level1(data: bytes) -> Report:
    return verify(lines_of(data))


def place(report: Report) -> tuple[str, int]:
    return report.verdict, report.fault.line if report.fault is not None else 0


def code(report: Report) -> str:
    return report.fault.refusal.code if report.fault is not None else ""


def test_the_archives_are_sound_before_anything_is_done_to_them(source: Source, tiny_source: Source) -> None:
    assert audit(source.archive).verdict == audit(tiny_source.archive).verdict == "sound"
    assert {kind(line) for line in source.lines} >= {
        "standing",
        "move",
        "timeout",
        "resign",
        "drawn",
        "names",
    }


def assert_seen(mutant: Mutant) -> None:
    report = level1(mutant.data)
    assert place(report) == ("fault", mutant.line), mutant.name
    assert code(report).startswith(BYTES_AND_SHAPE), (mutant.name, code(report))


def test_every_byte_of_a_tiny_archive_flipped(tiny_source: Source) -> None:
    for at in range(len(tiny_source.archive)):
        assert_seen(flip(tiny_source, at, at % 8))


@pytest.mark.soak
def test_every_bit_of_a_tiny_archive_and_every_byte_of_a_small_one_flipped(
    source: Source, tiny_source: Source
) -> None:
    for at in range(len(tiny_source.archive) * 8):
        assert_seen(flip(tiny_source, at // 8, at % 8))
    for at in range(len(source.archive)):
        assert_seen(flip(source, at, at % 7))


def test_every_truncation(tiny_source: Source, source: Source) -> None:
    for one, sizes in ((tiny_source, range(len(tiny_source.archive))), (source, ends(source))):
        for size in sizes:
            mutant = truncated(one, size)
            report = level1(mutant.data)
            if mutant.line:
                assert place(report) == ("fault", mutant.line), mutant.name
                assert code(report) == ("log/no-line-end" if size else "log/empty")
            else:
                assert report.verdict != "fault", mutant.name
                assert report.lines == mutant.data.count(b"\n")


def ends(source: Source) -> list[int]:
    """Around the end of every line."""
    found: list[int] = []
    for index in range(len(source.lines)):
        size = len(b"".join(source.lines[: index + 1]))
        found += [size - 2, size - 1, size, size + 1]
    return [size for size in found if size < len(source.archive)]


def test_a_cut_at_a_line_end_leaves_an_unfinished_game(source: Source) -> None:
    opened = [index for index, line in enumerate(source.lines) if kind(line) == "opened"]
    for index in range(1, len(source.lines)):
        report = audit(b"".join(source.lines[:index]))
        history_is_whole = index >= len(source.lines) - 1
        assert report.exit_code == (0 if history_is_whole else 3), index
    assert opened


def test_every_line_dropped(source: Source) -> None:
    for index in range(len(source.lines) - 1):
        report = level1(dropped(source, index).data)
        assert place(report) == ("fault", index + 1)
        assert code(report) == ("log/charter-first" if index == 0 else "log/number")


def test_every_line_doubled(source: Source) -> None:
    for index in range(len(source.lines)):
        report = level1(doubled(source, index).data)
        assert (*place(report), code(report)) == ("fault", index + 2, "log/number")


def test_every_two_lines_swapped(source: Source) -> None:
    for first in range(len(source.lines)):
        for second in range(first + 1, len(source.lines)):
            report = level1(swapped(source, first, second).data)
            assert place(report) == ("fault", first + 1)
            assert code(report) == ("log/charter-first" if first == 0 else "log/number")


def test_every_value_changed_without_a_signature(source: Source) -> None:
    for index, line in enumerate(source.lines):
        for field in fields(line):
            report = level1(edited(source, index, replace(field)).data)
            assert place(report) == ("fault", index + 1), field
            assert code(report).startswith(BYTES_AND_SHAPE), (field, code(report))


@pytest.mark.parametrize("posing", [True, False])
def test_every_value_signed_again_with_a_strangers_key(source: Source, posing: bool) -> None:
    for index, line in enumerate(source.lines):
        changes = [replace(field) for field in fields(line) if field != "sig"]
        for change in (as_it_is, later, *changes):
            report = level1(by_stranger(source, index, change, posing).data)
            assert place(report) == ("fault", index + 1)
            assert code(report).startswith(BYTES_AND_SHAPE)
            if change in (as_it_is, later):
                assert code(report) == ("seal/wrong" if posing else "seal/other-key")


def as_it_is(_record: Json) -> None:
    return


def later(record: Json) -> None:
    record["at"] = "2030-01-01T00:00:00Z"


def test_a_stranger_may_write_a_log_of_his_own_and_it_is_another_log(source: Source) -> None:
    """What no signature in a file can show: whose host it is. That is what a keyring of hosts is for."""
    own = rewritten(
        Source(source.archive, STRANGER), 0, lambda r: r.update(host_key=public_of(STRANGER).hex())
    )
    assert audit(own.data).exit_code == 1, "the players' envelopes name the true charter"


def test_every_value_changed_by_the_host_breaks_the_chain(source: Source) -> None:
    """Whatever the host signs in the middle, the next line names the old one."""
    for index, line in enumerate(source.lines[:-2]):
        for field in set(fields(line)) - {"sig"}:
            report = level1(by_host(source, index, replace(field)).data)
            verdict, found = place(report)
            assert verdict == "fault"
            assert found in (index + 1, index + 2) or code(report) in LATER, (index, field, code(report))


LATER = {"log/base", "log/join-base", "log/opened-order", "log/drawn-order", "log/draw-value"}
"""Found only where the record that is missed, or the link, is needed."""


def test_every_value_changed_and_the_history_sealed_anew(source: Source) -> None:
    """The host rewrites everything that follows, too; then the players' own signatures, or the rules, speak."""
    for index, line in enumerate(source.lines[:-1]):
        for field in fields(line):
            if field in ("at", "prev", "sig", "deadline"):
                continue
            report = audit(rewritten(source, index, replace(field)).data)
            assert report.exit_code == 1, (index, field, report)
            assert report.line >= index + 1, (index, field, report)


def test_a_time_changed_by_the_host_is_found_as_long_as_somebody_signed_later(source: Source) -> None:
    last = max(i for i, line in enumerate(source.lines) if b'"base"' in line and kind(line) != "opened")
    for index in range(last - 1):
        early = rewritten(source, index, lambda r: r.update(at=r["at"].replace(":00Z", ":01Z")))
        assert audit(early.data).exit_code == 1, index


def test_every_other_spelling(source: Source) -> None:
    for name, spelling in SPELLINGS:
        for index in (0, 3, len(source.lines) - 1):
            mutant = respelt(source, index, spelling, name)
            assert place(level1(mutant.data)) == ("fault", index + 1), mutant.name


def fields(line: bytes) -> list[str]:
    return sorted(msgspec.json.decode(line))


def replace(field: str) -> Callable[[Json], None]:
    """Another value of the same type."""

    def change(record: Json) -> None:
        value = record[field]
        if isinstance(value, int):
            record[field] = value + 1
        elif isinstance(value, str):
            record[field] = value[:-1] + ("0" if value[-1:] != "0" else "1")
        elif isinstance(value, list):
            record[field] = [*value, *value] or ["x"]
        else:
            record[field] = {**value, "more": 1}

    return change


def agree(source: Source, count: int, seed: str) -> dict[str, int]:
    """Two verifiers over mutants: the same verdict, the same line; how often each verdict was given."""
    seen: dict[str, int] = {}
    for mutant in mutants(source, count, seed):
        report = level1(mutant.data)
        assert place(report) == check(mutant.data, secrets=False), mutant.name
        if mutant.line:
            assert place(report) == ("fault", mutant.line), mutant.name
        if mutant.sealed:
            whole = audit(mutant.data)
            assert whole.exit_code == 1, mutant.name
            verdict, line = check(mutant.data, secrets=True)
            assert verdict != "fault" or whole.line <= line, mutant.name
        seen[report.verdict] = seen.get(report.verdict, 0) + 1
    return seen


def test_two_verifiers_agree_on_mutants(source: Source) -> None:
    seen = agree(source, 16 * len(WAYS), "suite")
    assert min(seen.get(verdict, 0) for verdict in ("fault", "finished", "unfinished")) > 1, seen


@pytest.mark.soak
def test_two_verifiers_agree_on_ten_thousand_mutants(source: Source) -> None:
    assert sum(agree(source, 10_000, "soak").values()) == 10_000


def test_mutants_are_the_same_every_time(source: Source) -> None:
    first = [mutant.data for mutant in mutants(source, len(WAYS), "again")]
    assert first == [mutant.data for mutant in mutants(source, len(WAYS) + 3, "again")][: len(WAYS)]
    assert all(data != source.archive for data in first)


def test_a_resealed_line_is_a_line_like_any_other(source: Source) -> None:
    record = msgspec.json.decode(source.lines[5])
    assert resealed(source.host, record, lambda r: None) == source.lines[5]
