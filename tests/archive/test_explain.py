"""What a fault would have allowed, and whom an auditor trusts."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import words
from pbem.audit.codes import LEVEL2
from pbem.audit.explain import CONSEQUENCES, consequence
from pbem.audit.hosts import read_hosts
from pbem.cli.codes import table
from pbem.log import codes as level1
from pbem.log.seal import public_of
from tests.archive.games import host_key, small_match, tiny
from tests.archive.run import json_lines, pbem

FAULTS = {code.code for code in (*level1.CODES, *LEVEL2)}


def test_every_fault_has_its_consequence_and_nothing_else_has() -> None:
    assert set(CONSEQUENCES) == FAULTS
    assert set(table()) >= FAULTS


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_a_consequence_is_a_sentence(code: str) -> None:
    text = words(consequence(code))
    assert text.endswith(".")
    assert len(text) > 40


def test_it_is_said_when_asked_for(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pbem"
    bad.write_bytes(tiny().replace(b'"n":1', b'"n":7', 1))
    sentence = words(consequence("seal/wrong"))
    assert sentence not in pbem("audit", bad).output
    assert f"    What it would allow: {sentence}" in pbem("audit", bad, "--explain").output
    assert json_lines(pbem("audit", bad, "--explain", "--json").output)[0]["explanation"] == sentence
    good = tmp_path / "good.pbem"
    good.write_bytes(tiny())
    assert pbem("audit", good, "--explain").output.count("\n") == 1


def test_a_keyring_tells_trusted_hosts_from_unknown_ones(tmp_path: Path) -> None:
    archive, ring = tmp_path / "g.pbem", tmp_path / "hosts"
    archive.write_bytes(tiny())
    key = json_lines(pbem("audit", archive, "--json").output)[0]["host_key"]
    ring.write_text(f"# hosts\n\n{key}  The Example Club # since 2026\n")
    assert "    Host: The Example Club, whom you trust" in pbem("audit", archive, "--hosts", ring).output
    told = json_lines(pbem("audit", archive, "--hosts", ring, "--json").output)[0]
    assert (told["trusted"], told["host"]) == (True, "The Example Club")
    ring.write_text(f"{public_of(host_key(small_match())).hex()} another\n")
    result = pbem("audit", archive, "--hosts", ring)
    assert f"the owner of the key {key}, who is not in your keyring" in result.output
    assert result.exit_code == 0, "whom to trust is the auditor's decision, not a fault of the log"
    assert json_lines(pbem("audit", archive, "--hosts", ring, "--json").output)[0]["trusted"] is False


@pytest.mark.parametrize("line", ["abc name", "ab" * 32, "AB" * 32 + " name", "ab" * 32 + "\tname"])
def test_a_keyring_line_that_is_none_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    archive, ring = tmp_path / "g.pbem", tmp_path / "hosts"
    archive.write_bytes(tiny())
    ring.write_text(f"# remark\n{line}\n")
    result = pbem("audit", archive, "--hosts", ring)
    assert result.exit_code == 2
    assert "archive/hosts" in result.output
    assert "Line 2" in result.output


def test_an_empty_keyring_trusts_nobody() -> None:
    assert read_hosts("") == read_hosts("# nobody\n") == {}
