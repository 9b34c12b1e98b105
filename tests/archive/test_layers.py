"""What of an archive is shown to whom, and how it is held against the whole."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import msgspec
import pytest

from engine import Refused
from pbem.audit import audit
from pbem.audit.layers import Selection, check_seat, compare, select, sound_lines
from pbem.log.ledger import lines_of, verify
from tests.archive.games import kind, lines, long, long_match, small, small_match
from tests.archive.run import json_lines, ok, pbem

SECRETS = ("k_hidden", "host_seed")


def layer(name: str, seat: str = "", since: int = 0, data: bytes = b"") -> list[bytes]:
    return select(lines(data or small()), Selection(name, seat, since))  # type: ignore[arg-type]


def end_of(rows: list[bytes]) -> int:
    return next(number for number, line in enumerate(rows) if kind(line) == "end")


def test_a_log_in_mid_game_is_a_byte_prefix_of_the_final_one() -> None:
    """Seen with every line that the host ever wrote: what players held then is the beginning of what is there now."""
    match = long_match()
    final = b"".join(layer("full", data=long()))
    for letter in match.letters:
        for file in letter.files:
            if file.name.endswith(".pbem"):
                first = msgspec.json.decode(file.data.splitlines()[0])["n"]
                held = b"".join(lines(final)[:first]) + file.data
                assert final.startswith(held), file.name


def test_the_public_layer_is_the_beginning_without_secrets() -> None:
    rows = layer("public")
    assert small().startswith(b"".join(rows))
    assert len(rows) == end_of(lines(small()))
    assert audit(rows).exit_code == 3
    assert verify(rows).fault is None
    assert not any(word in line.decode() for word in SECRETS for line in rows)
    assert compare(rows, lines(small())).part == "public"


def test_the_full_layer_is_everything() -> None:
    assert b"".join(layer("full")) == small()
    assert compare(layer("full"), lines(small())).part == "full"
    assert compare(lines(small())[:-1], lines(small())).part == "full", "names do not count"


@pytest.mark.parametrize("seat", small_match().desk.charter.seats)
def test_a_seat_layer_has_that_seats_envelopes_and_no_other(seat: str) -> None:
    rows = layer("seat", seat)
    assert rows[: end_of(lines(small()))] == layer("public")
    opened = [msgspec.json.decode(line) for line in rows if kind(line) == "opened"]
    assert opened
    assert {one["payload_and_sig"]["payload"]["seat"] for one in opened} == {seat}
    everything = [
        one for one in lines(small()) if kind(one) == "opened" and f'"seat":"{seat}"'.encode() in one
    ]
    assert len(opened) == len(everything)
    assert not any(word in line.decode() for word in SECRETS for line in rows)
    assert check_seat(rows) == seat
    assert compare(rows, lines(small())) == compare(rows, lines(small())[:-1])
    assert (compare(rows, lines(small())).part, compare(rows, lines(small())).seat) == ("seat", seat)


def test_a_seat_layer_is_verified_by_itself() -> None:
    red, green = small_match().desk.charter.seats
    rows, others = layer("seat", red), layer("seat", green)
    count = len(layer("public"))
    bad = {
        "an envelope of another seat": ([*rows, others[-1]], len(rows) + 1),
        "a line changed": ([*rows[:-1], rows[-1].replace(b'"rev":', b'"rex":')], len(rows)),
        "a line of the end": ([*rows[:count], lines(small())[count], *rows[count:]], count + 1),
        "a record that was never there": ([*rows[:5], *rows[6:]], 6),
        "an envelope opened twice": ([*rows, rows[-1]], len(rows) + 1),
        "envelopes in another order": ([*rows[:-2], rows[-1], rows[-2]], len(rows)),
    }
    for name, (spoilt, line) in bad.items():
        with pytest.raises(Refused) as refused:
            check_seat(spoilt)
        assert refused.value.refusal.code in ("archive/not-sound", "archive/not-a-log"), name
        assert refused.value.refusal.args["line"] == line, name


def test_of_a_running_game_all_layers_are_the_same() -> None:
    running = b"".join(lines(long())[:30])
    rows = layer("public", data=running)
    assert (
        rows == layer("full", data=running) == layer("seat", long_match().desk.charter.seats[0], data=running)
    )
    assert compare(rows, lines(long())).part == "prefix"


def test_since_leaves_out_what_came_before() -> None:
    rows = layer("full", since=7)
    assert rows == lines(small())[7:]
    assert (compare(rows, lines(small())).part, compare(rows, lines(small())).since) == ("piece", 7)
    seat = small_match().desk.charter.seats[0]
    assert compare(layer("seat", seat, since=7), lines(small())).seat == seat


def test_what_is_no_part_of_it_is_told_with_its_line() -> None:
    rows = layer("public")
    assert compare([*rows[:4], rows[4].replace(b'"n":4', b'"n":5')], lines(small())).part == "none"
    other = [*rows[:4], lines(long())[4]]
    assert (compare(other, lines(small())).part, compare(other, lines(small())).line) == ("none", 5)
    assert compare([*lines(small()), rows[0]], lines(small())).part == "none"


def test_nothing_is_made_of_a_log_that_is_not_sound() -> None:
    with pytest.raises(Refused, match="archive/not-sound"):
        sound_lines(small().replace(b'"n":4', b'"n":5', 1))


def test_the_command_makes_layers_and_tells_them(tmp_path: Path) -> None:
    seat = small_match().desk.charter.seats[1]
    whole, part, own = (tmp_path / name for name in ("whole.pbem", "public.pbem", "own.jsonl"))
    whole.write_bytes(small())
    ok("export", whole, "--layer", "public", "-o", part)
    ok("export", whole, "--layer", "seat", "--seat", seat, "-o", own)
    assert part.read_bytes() == b"".join(layer("public"))
    assert ok("export", whole, "--since", "9").encode() == b"".join(lines(small())[9:])
    told = json_lines(ok("audit", part, own, whole, "--against", whole, "--json"))
    assert [(one["part"], one["seat"]) for one in told] == [("public", ""), ("seat", seat), ("full", "")]
    assert seat in ok("audit", own, "--seat-layer")
    own.write_bytes(own.read_bytes()[:-30])
    assert pbem("audit", own, "--against", whole).exit_code == 1
    assert pbem("audit", own, "--seat-layer").exit_code == 1


def test_one_bad_layer_does_not_stop_the_rest(tmp_path: Path) -> None:
    seat = small_match().desk.charter.seats[0]
    files = [tmp_path / name for name in ("noise.jsonl", "public.jsonl", "own.jsonl", "none.jsonl")]
    for path, data in zip(
        files, (b"noise", b"".join(layer("public")), b"".join(layer("seat", seat))), strict=False
    ):
        path.write_bytes(data)
    result = pbem("audit", *files, "--seat-layer")
    assert result.exit_code == 1
    assert f"{files[0]}: fault in line 1: archive/not-a-log" in result.output
    assert f"{files[1]}: the public layer" in result.output
    assert f"{files[2]}: the layer of {seat}" in result.output
    assert f"{files[3]}: cannot be read" in result.output
    told = json_lines(pbem("audit", *files[:3], "--seat-layer", "--json").output)
    assert [(one["part"], one["seat"]) for one in told] == [("none", ""), ("public", ""), ("seat", seat)]
    assert pbem("audit", *files[1:], "--seat-layer").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--layer", "seat"), "cli/together"),
        (("--seat", "red"), "cli/together"),
        (("--table", "events"), "cli/together"),
        (("--licence", "CC0-1.0"), "cli/together"),
        (("--source", "here"), "cli/together"),
        (("--html", "--format", "csv"), "cli/apart"),
        (("--html", "--licence", "CC0-1.0", "-o", "page.html"), "cli/apart"),
        (("--seat", "\udcff", "--layer", "seat"), "cli/not-text"),
        (("--layer", "seat", "--seat", "nobody\n"), "archive/layer-seat"),
        (("--since", "999"), "archive/since"),
    ],
)
def test_what_cannot_be_had_is_refused(tmp_path: Path, arguments: tuple[str, ...], code: str) -> None:
    whole = tmp_path / "whole.pbem"
    whole.write_bytes(small())
    result = pbem("export", whole, *arguments)
    assert result.exit_code == 2
    assert code in result.output


def test_a_log_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pbem"
    for data in (b"", b"nothing", b"{}\n", small()[:-1]):
        path.write_bytes(data)
        assert "archive/not-sound" in pbem("export", path, "--layer", "public").output
    assert list(lines_of(b"")) == []


def test_what_a_text_cannot_give_is_refused(tmp_path: Path) -> None:
    ok("export", write(tmp_path, small()), "--format", "text", "-o", tmp_path / "game.record")
    for arguments in (
        ("--format", "head"),
        ("--layer", "public"),
        ("--format", "csv", "--table", "draws"),
        ("--html",),
    ):
        result = pbem("export", tmp_path / "game.record", *arguments)
        assert (result.exit_code, "text/form" in result.output) == (2, True), result.output


def test_a_file_that_is_not_there_is_no_game_of_the_home(tmp_path: Path) -> None:
    for name in (tmp_path / "none.pbem", tmp_path, "none.pbem"):
        for more in ((), ("--html",), ("--format", "csv")):
            result = pbem("export", name, *more)
            assert result.exit_code == 2
            assert "cli/file" in result.output or "archive/not-a-file" in result.output, result.output


def test_names_are_left_out_of_a_file_too(tmp_path: Path) -> None:
    made = pbem("export", write(tmp_path, small()), "--no-names").stdout_bytes
    assert made == b"".join(lines(small())[:-1])
    assert pbem("export", write(tmp_path, made), "--no-names").stdout_bytes == made
    torn = small() + b"{"
    assert pbem("export", write(tmp_path, torn), "--no-names").stdout_bytes == torn


def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    """Found by a stranger who was root: -o /dev/full put an archive in the place of the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    whole = write(tmp_path, small())
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    ok("export", whole, "-o", pipe)
    reader.join(30)
    assert got == [small()]
    assert pipe.is_fifo()
    full = pbem("export", whole, "-o", "/dev/full")
    assert (full.exit_code, "/dev/full" in full.output) == (2, True), full.output
    inside = pbem("export", whole, "-o", tmp_path)
    assert (inside.exit_code, f"The file {tmp_path}," in " ".join(inside.output.split())) == (2, True), (
        inside.output
    )


def test_a_name_as_long_as_a_folder_takes_is_written(tmp_path: Path) -> None:
    ok("export", write(tmp_path, small()), "-o", tmp_path / f"{'x' * 250}.pbem")
    assert len(list(tmp_path.iterdir())) == 2


def write(folder: Path, data: bytes) -> Path:
    path = folder / "whole.pbem"
    path.write_bytes(data)
    return path
