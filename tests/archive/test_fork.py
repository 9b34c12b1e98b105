"""Two histories of one game: found, proven to a third person, and nothing else taken for it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import Refused
from pbem.audit.fork import Proof, check_proof, find_fork, numbered, read_proof, write_proof
from pbem.log.canonical import canonical
from pbem.log.seal import PrivateKey
from tests.archive.games import host_key, lines, long, small, small_match, tiny
from tests.archive.mutate import STRANGER, Source, by_stranger, resealed, rewritten
from tests.archive.run import json_lines, pbem


def other_history(index: int, host: PrivateKey | None = None) -> bytes:
    """The small game told otherwise from a line on."""
    source = Source(small(), host or host_key(small_match()))
    return rewritten(
        source, index, lambda record: record.update(at=record["at"].replace(":00Z", ":01Z"))
    ).data


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, data: bytes) -> Path:
    path = Path(name)
    path.write_bytes(data)
    return path


def letter(piece: bytes) -> bytes:
    """A saved mail that brings a piece of a log, as a player's receipt does."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "games@pbem.example.org", "red@example.org", "Your move"
    mail.set_content("Here is what happened.")
    mail.add_attachment(piece, maintype="application", subtype="octet-stream", filename="g.log.pbem")
    return mail.as_bytes()


@pytest.mark.parametrize("index", [0, 3, 9, 12])
def test_two_logs_contradict_each_other_and_the_proof_is_small(index: int) -> None:
    one, other = put("a.pbem", small()), put("b.pbem", other_history(index))
    result = pbem("verify", one, other, "--proof", "proof.json")
    assert result.exit_code == 1, result.output
    assert f"two different lines as record {index}." in result.output
    one.unlink()
    other.unlink()
    judged = pbem("verify", "--proof", "proof.json")
    assert judged.exit_code == 1
    assert f"two different lines as record {index}." in judged.output
    told = json_lines(pbem("verify", "--proof", "proof.json", "--json").output)[0]
    assert (told["verdict"], told["record"]) == ("fork", index)
    assert Path("proof.json").stat().st_size < len(small()) / 2


def test_a_receipt_in_a_letter_contradicts_a_log() -> None:
    put("a.pbem", b"".join(lines(small())[:14]))
    put("receipt.eml", letter(b"".join(lines(other_history(11))[10:13])))
    result = pbem("verify", "a.pbem", "receipt.eml", "--proof", "proof.json")
    assert result.exit_code == 1, result.output
    assert "as record 11." in result.output
    check_proof(read_proof(Path("proof.json").read_bytes()))


def test_a_receipt_that_begins_after_the_fork_does_not_show_where_they_part() -> None:
    put("a.pbem", small())
    put("receipt.eml", letter(b"".join(lines(other_history(8))[10:12])))
    result = pbem("verify", "a.pbem", "receipt.eml", "--proof", "proof.json")
    assert result.exit_code == 2
    assert "fork/earlier" in result.output
    assert not Path("proof.json").exists()
    with pytest.raises(Refused, match="fork/earlier"):
        find_fork(rows(small()), dict(list(rows(other_history(8)).items())[10:12]))


def rows(data: bytes) -> dict[int, bytes]:
    return numbered([line[:-1] for line in lines(data)])


def test_logs_that_agree_are_no_fork() -> None:
    for part in (small(), b"".join(lines(small())[:7]), b"".join(lines(small())[5:9])):
        with pytest.raises(Refused, match="fork/none"):
            find_fork(rows(small()), rows(part))
    put("a.pbem", small())
    put("b.pbem", b"".join(lines(small())[:7]))
    assert pbem("verify", "a.pbem", "b.pbem", "--proof", "proof.json").exit_code == 0
    assert not Path("proof.json").exists()


def test_names_are_no_fork() -> None:
    source = Source(small(), host_key(small_match()))
    last = len(source.lines) - 1
    renamed = rewritten(source, last, lambda record: record.update(names={"red": "Somebody else"})).data
    with pytest.raises(Refused, match="fork/none"):
        find_fork(rows(small()), rows(renamed))
    proof = two(source.lines[last], lines(renamed)[last], last)
    with pytest.raises(Refused, match="fork/proof"):
        check_proof(proof)


def test_a_line_that_the_host_did_not_seal_is_no_evidence() -> None:
    record = msgspec.json.decode(lines(small())[9])
    forged = resealed(STRANGER, record, lambda r: r.update(at="2030-01-01T00:00:00Z"))
    with pytest.raises(Refused, match="fork/other-host"):
        check_proof(two(lines(small())[9], forged, 9))
    put("a.pbem", small())
    put("b.pbem", b"".join([*lines(small())[:9], forged, *lines(small())[10:]]))
    result = pbem("verify", "a.pbem", "b.pbem", "--proof", "proof.json")
    assert result.exit_code == 2
    assert not Path("proof.json").exists()


def test_two_games_of_one_host_cannot_be_made_into_a_fork() -> None:
    """The same number in two games proves nothing: the lines must follow the same line."""
    another = rows(other_history(0))
    with pytest.raises(Refused, match="fork/earlier"):
        check_proof(two(lines(small())[5], another[5] + b"\n", 5))
    with pytest.raises(Refused, match="fork/"):
        find_fork(rows(small()), rows(tiny()))


def two(one: bytes, other: bytes, number: int) -> Proof:
    charter = lines(small())[0][:-1].decode()
    game = small_match().desk.game_id
    return Proof(1, "fork", game, number, charter, (one[:-1].decode(), other[:-1].decode()))


def good() -> dict[str, Any]:
    proof = find_fork(rows(small()), rows(other_history(9)))
    value: dict[str, Any] = json.loads(write_proof(proof))
    return value


SPOILT: dict[str, Callable[[dict[str, Any]], object]] = {
    "game": lambda v: v.update(game="another"),
    "record": lambda v: v.update(record=10),
    "no charter": lambda v: v.update(charter=v["lines"][0]),
    "charter changed": lambda v: v.update(
        charter=v["charter"].replace('"deadline":"none"', '"deadline":"some"')
    ),
    "one line twice": lambda v: v.update(lines=[v["lines"][0]] * 2),
    "a line changed": lambda v: v["lines"].__setitem__(1, v["lines"][1].replace('"n":9', '"n":9 ')),
    "three lines": lambda v: v["lines"].append(v["lines"][0]),
    "a field more": lambda v: v.update(more=1),
    "another version": lambda v: v.update(v=2),
    "no text": lambda v: v.update(lines=[1, 2]),
    "half a character": lambda v: v.update(charter="\ud800"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_proof_proves_nothing(name: str) -> None:
    value = good()
    SPOILT[name](value)
    put("proof.json", json.dumps(value).encode())
    result = pbem("verify", "--proof", "proof.json")
    assert result.exit_code == 2, result.output
    assert "two histories" not in result.output


def test_every_byte_of_a_proof_counts() -> None:
    data = canonical(find_fork(rows(small()), rows(other_history(9))))
    check_proof(read_proof(data))
    for at in range(0, len(data), 7):
        with pytest.raises(Refused):
            check_proof(read_proof(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]))


def test_a_proof_survives_being_written() -> None:
    proof = find_fork(rows(small()), rows(other_history(9)))
    assert read_proof(write_proof(proof)) == proof


def test_nothing_to_verify_is_said() -> None:
    result = pbem("verify")
    assert result.exit_code == 2
    assert "fork/nothing" in result.output


@pytest.mark.parametrize(
    ("other", "code"),
    [
        (long, "fork/other-game"),
        (
            lambda: (
                by_stranger(source_of_small(), 9, lambda r: r.update(at="2030-01-01T00:00:00Z"), True).data
            ),
            "fork/other-host",
        ),
        (lambda: small()[:3000], "fork/other-host"),
        (lambda: small().replace(b'"n":0', b'"n":0 ', 1), "fork/other-host"),
    ],
)
def test_nobody_is_accused_of_what_he_did_not_seal(other: Callable[[], bytes], code: str) -> None:
    """Two files that differ are no two histories if one is damaged, forged or of another game."""
    put("a.pbem", small())
    put("b.pbem", other())
    for names in (("a.pbem", "b.pbem"), ("b.pbem", "a.pbem")):
        result = pbem("verify", *names, "--proof", "proof.json")
        assert (result.exit_code, code in result.output) == (2, True), result.output
        assert not Path("proof.json").exists()


def source_of_small() -> Source:
    return Source(small(), host_key(small_match()))


@pytest.mark.parametrize("data", [b"", b"\xff" * 3_000_000, b"[" * 9999, b"{}", b'"x"'])
def test_what_is_no_proof_is_said_to_be_none(data: bytes) -> None:
    put("proof.json", data)
    result = pbem("verify", "--proof", "proof.json")
    assert (result.exit_code, "fork/proof" in result.output) == (2, True), result.output


def test_a_proof_with_another_letter_in_it_is_none() -> None:
    put("a.pbem", small())
    put("b.pbem", other_history(11))
    assert pbem("verify", "a.pbem", "b.pbem", "--proof", "proof.json").exit_code == 1
    good = Path("proof.json").read_text()
    for old, new in (('"record": 11', '"record": 12'), ("arena", "arenA"), ('"v": 1', '"v": 2')):
        put("spoilt.json", good.replace(old, new).encode())
        result = pbem("verify", "--proof", "spoilt.json")
        assert (result.exit_code, "fork/proof" in result.output) == (2, True), result.output


def test_what_never_ends_is_no_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", Path("/dev/zero")):
        for command in (("verify",), ("verify", "--proof"), ("replay",), ("audit", "--seat-layer")):
            result = pbem(*command, name)
            assert result.exit_code == 2, result.output
            assert "something else" in result.output
