"""Anchors in time beside an archive: what they are of, and how far they are proven with what is given."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from hypothesis import given
from hypothesis import strategies as st

from engine import Refused
from pbem.audit import anchors, der, ots, tsp
from pbem.audit.anchors import Anchor, Given, log_of, look, read_about, write_about
from pbem.log.canonical import digest
from tests.archive.games import kind, lines, small, tiny
from tests.archive.run import json_lines, ok, pbem

DATA = Path(__file__).with_name("data")
STAMPED = hashlib.sha256(b"the head of a log").digest()
TOKEN = (DATA / "reference.tsr").read_bytes()
OTS = (DATA / "reference.ots").read_bytes()
GENESIS = (
    "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f"
    "617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c"
)
"""The header of the first Bitcoin block, 3 January 2009."""


def head() -> bytes:
    history = [line for line in lines(small()) if kind(line) != "names"]
    return history[-1][:-1]


# --- OpenTimestamps


def proof_of(value: bytes, *attestations: bytes, algorithm: int = ots.SHA256) -> bytes:
    """A proof by hand: the digest itself is attested, by all of these."""
    *others, last = attestations
    tree = b"".join(b"\xff\x00" + one for one in others) + b"\x00" + last
    return ots.MAGIC + b"\x01" + bytes([algorithm]) + value + tree


def block(height: int) -> bytes:
    number = bytearray()
    while height > 0x7F:
        number.append(height & 0x7F | 0x80)
        height >>= 7
    number.append(height)
    return ots.BITCOIN + bytes([len(number)]) + bytes(number)


def pending(address: str) -> bytes:
    text = address.encode()
    return ots.PENDING + bytes([len(text) + 1, len(text)]) + text


def test_a_proof_written_by_the_reference_implementation() -> None:
    """reference.ots was serialized by the library opentimestamps; so was the root it leads to."""
    proof = ots.read_proof(OTS)
    assert (proof.algorithm, proof.digest) == ("sha256", STAMPED)
    found = {(one.kind, one.height, one.calendar) for one in proof.attestations}
    assert found == {
        ("bitcoin", 358_391, ""),
        ("bitcoin", 400_000, ""),
        ("pending", 0, "https://calendar.example.org"),
        ("unknown", 0, ""),
    }
    roots = {one.height: one.root.hex() for one in proof.attestations if one.kind == "bitcoin"}
    assert roots[358_391] == "3112e1f7ea05b28baa86ed5e1f5bde64de4e9f6ad92dd0f30d8e6737d99cbdb1"
    assert roots[400_000] == "", "through RIPEMD-160, which is not everywhere"


def see(data: bytes, given_: Given | None = None, log: bytes = b"") -> Anchor:
    return look("ots", "g.pbem.ots", data, log_of(log or small()), given_ or Given())


def test_a_proof_of_the_head_is_a_claim_without_a_header() -> None:
    found = see(proof_of(digest_of(head()), block(358_391), pending("https://c.example.org")))
    assert (found.newest, found.proven, found.blocks) == (True, False, (358_391,))
    assert found.by == "https://c.example.org"
    assert found.record == len(lines(small())) - 2, "names are no part of it"


def digest_of(line: bytes) -> bytes:
    return hashlib.sha256(line).digest()


def test_a_proof_of_an_earlier_record_says_which() -> None:
    found = see(proof_of(digest_of(lines(small())[7][:-1]), block(1)))
    assert (found.record, found.newest) == (7, False)


def test_a_proof_of_the_file_is_of_the_file() -> None:
    assert see(proof_of(digest_of(small()), block(1))).record == -1
    assert see(proof_of(hashlib.sha1(small()).digest(), block(1), algorithm=ots.SHA1)).record == -1


def test_a_proof_of_something_else_is_a_problem() -> None:
    problem = see(OTS).problem
    assert problem is not None
    assert problem.code == "anchor/other"


def test_a_header_with_its_work_proves_a_root() -> None:
    """By a log whose 'head' is the root of the first block, so that no operation is needed."""
    headers = ots.read_headers(GENESIS)
    (root,) = headers
    assert headers[root] == "2009-01-03T18:15:05Z"
    proof = ots.read_proof(proof_of(root, block(0)))
    assert proof.attestations[0].root in headers
    log = anchors.Log((b"line",), b"line\n")
    data = proof_of(digest_of(b"line"), block(0))
    assert not look("ots", "x", data, log, Given(headers=headers)).proven
    found = look("ots", "x", data, log, Given(headers={digest_of(b"line"): "2026-01-01T00:00:00Z"}))
    assert (found.proven, found.time) == (True, "2026-01-01T00:00:00Z")


@pytest.mark.parametrize(
    "text",
    ["zz", GENESIS[:-2], GENESIS + "00", GENESIS[:-8] + "1dac2b7d", GENESIS[:-16] + "ffff00ff1dac2b7c"],
)
def test_a_header_without_its_work_is_none(text: str) -> None:
    with pytest.raises(Refused, match="anchor/header"):
        ots.read_headers(f"{GENESIS}\n{text}")


@given(st.integers(0, 2**32 - 1))
def test_instants_are_those_of_the_calendar(seconds: int) -> None:
    wanted = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    assert ots._instant(seconds) == wanted.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_proof_cut_or_nested_without_end_is_refused() -> None:
    for size in range(len(OTS)):
        with pytest.raises(Refused, match="anchor/shape"):
            ots.read_proof(OTS[:size])
    head_ = ots.MAGIC + b"\x01\x08" + STAMPED
    for tail in (
        b"\x08" * 10_000,
        b"\xff" * 10_000,
        b"\xf0\xff\xff\xff\xff\x0f",
        b"\xf0" + b"\xff" * 12,
        b"\x55",
    ):
        with pytest.raises(Refused, match="anchor/shape"):
            ots.read_proof(head_ + tail)
    with pytest.raises(Refused, match="anchor/shape"):
        ots.read_proof(OTS + b"\0")


@given(st.binary(max_size=80))
def test_any_proof_is_read_or_refused(tail: bytes) -> None:
    assert refused(lambda: ots.read_proof(ots.MAGIC + b"\x01\x08" + STAMPED + tail)) in ("", "anchor/shape")


# --- RFC 3161


def refused(work: Callable[[], object]) -> str:
    """The code of the refusal that comes of it, "" if none does. Nothing else may be raised."""
    try:
        work()
    except Refused as error:
        return error.refusal.code
    return ""


def certificate(name: str) -> bytes:
    return (DATA / f"{name}.pem").read_bytes()


def test_a_time_stamp_made_by_openssl() -> None:
    token = tsp.read_token(TOKEN)
    assert (token.algorithm, token.digest) == ("sha256", STAMPED)
    assert token.time == "2026-11-30T04:40:34Z"
    assert tsp.verify_token(token, certificate("tsa")) == "CN=Example TSA"
    assert tsp.verify_token(token, certificate("ca")) == "CN=Example TSA"


def test_every_byte_of_a_time_stamp_that_is_signed_counts() -> None:
    """What lies outside of the signed parts (the answer's frame, say) may change without changing what is proven."""
    token = tsp.read_token(TOKEN)
    flipped = 0
    for at in range(len(TOKEN)):
        spoilt = TOKEN[:at] + bytes([TOKEN[at] ^ 1]) + TOKEN[at + 1 :]
        other = read_or_none(spoilt)
        flipped += other is None
        if other is not None:
            assert (other.digest, other.time) == (token.digest, token.time), at
    assert flipped > len(TOKEN) / 2


def read_or_none(data: bytes) -> tsp.Token | None:
    tokens: list[tsp.Token] = []

    def verified() -> None:
        token = tsp.read_token(data)
        tsp.verify_token(token, certificate("tsa"))
        tokens.append(token)

    assert refused(verified).startswith("" if tokens else "anchor/")
    return tokens[0] if tokens else None


def test_a_time_stamp_cut_short_is_refused() -> None:
    for size in range(0, len(TOKEN), 11):
        with pytest.raises(Refused, match="anchor/"):
            tsp.read_token(TOKEN[:size])
    with pytest.raises(Refused, match="anchor/shape"):
        tsp.read_token(TOKEN + b"\0")


def test_a_refused_time_stamp_is_none() -> None:
    with pytest.raises(Refused, match="anchor/not-granted"):
        tsp.read_token(bytes.fromhex("30053003020102"))


@pytest.mark.parametrize(
    "data", [b"", b"nothing", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_a_certificate_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(Refused, match="anchor/certificate"):
        tsp.verify_token(tsp.read_token(TOKEN), data)


@given(st.binary(max_size=60))
def test_any_der_is_read_or_refused(data: bytes) -> None:
    assert refused(lambda: [der.inside(node) for node in der.inside(der.one(data))]) in ("", "anchor/shape")
    assert refused(lambda: tsp.read_token(data)) in ("anchor/shape", "anchor/not-granted")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority of our own, by openssl: a CA, a certificate for time stamps, and one that is for nothing."""
    home = tmp_path_factory.mktemp("tsa")
    (home / "serial").write_text("01")
    (home / "tsa.cnf").write_text(
        "[req]\ndistinguished_name=dn\n[dn]\n[ca]\nbasicConstraints=critical,CA:TRUE\n"
        "[for_time]\nextendedKeyUsage=critical,timeStamping\n[tsa]\ndefault_tsa=t\n[t]\n"
        "serial=./serial\nsigner_cert=./tsa.pem\nsigner_key=./tsa.key\nsigner_digest=sha512\n"
        "default_policy=1.2.3.4.1\ndigests=sha256,sha384,sha512\n"
    )
    for name, extension in (("ca", "ca"), ("tsa", "for_time"), ("other", "for_time"), ("plain", "ca")):
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        openssl(home, "req", "-x509", *curve, "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem")(
            "-subj", f"/CN=Example {name}", "-days", "3650", "-config", "tsa.cnf", "-extensions", extension
        )
    return home


def openssl(home: Path, *arguments: str) -> Callable[..., None]:
    def run(*more: str) -> None:
        subprocess.run(["openssl", *arguments, *more], cwd=home, check=True, capture_output=True)

    return run


def stamp(authority: Path, value: str, algorithm: str, *more: str) -> bytes:
    openssl(authority, "ts", "-query")("-digest", value, f"-{algorithm}", "-out", "q.tsq", *more)
    openssl(authority, "ts", "-reply")("-config", "tsa.cnf", "-queryfile", "q.tsq", "-out", "r.tsr")
    return (authority / "r.tsr").read_bytes()


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("algorithm", ["sha256", "sha384", "sha512"])
def test_the_head_stamped_by_an_authority(authority: Path, algorithm: str) -> None:
    data = stamp(authority, hashlib.new(algorithm, head()).hexdigest(), algorithm, "-cert")
    given_ = Given((authority / "tsa.pem").read_bytes())
    found = look("rfc3161", "g.tsr", data, log_of(small()), given_)
    assert (found.proven, found.newest, found.by) == (True, True, "CN=Example tsa")
    assert not look("rfc3161", "g.tsr", data, log_of(small()), Given()).proven
    other = look("rfc3161", "g.tsr", data, log_of(tiny()), given_).problem
    assert other is not None
    assert other.code == "anchor/other"


@pytest.mark.needs("openssl")
def test_another_certificate_proves_nothing(authority: Path) -> None:
    data = stamp(authority, digest(head()), "sha256")
    token = tsp.read_token(data)
    assert token.certificates == ()
    assert tsp.verify_token(token, (authority / "tsa.pem").read_bytes()) == "CN=Example tsa"
    for name in ("other", "ca", "plain"):
        with pytest.raises(Refused, match="anchor/signature"):
            tsp.verify_token(token, (authority / f"{name}.pem").read_bytes())


@pytest.mark.needs("openssl")
def test_a_certificate_that_is_not_for_time_stamps_proves_nothing(authority: Path) -> None:
    """A signer whose certificate is for something else: openssl itself refuses to stamp, so one is swapped afterwards."""
    token = tsp.read_token(stamp(authority, digest(head()), "sha256"))
    with pytest.raises(Refused, match="anchor/signature"):
        tsp._check_purpose(x509.load_pem_x509_certificate((authority / "plain.pem").read_bytes()), token.time)
    with pytest.raises(Refused, match="anchor/signature"):
        tsp._check_purpose(
            x509.load_pem_x509_certificate((authority / "tsa.pem").read_bytes()), "2020-01-01T00:00:00Z"
        )


# --- about, and the command


def test_about_there_and_back() -> None:
    log = log_of(small())
    data = write_about(log, "g", "CC-BY-4.0", "https://example.org/games")
    about = read_about(data)
    assert (about.head, about.records) == (digest(head()), len(lines(small())) - 1)
    found = look("about", "g.about.json", data, log, Given())
    assert found.by == "CC-BY-4.0 · https://example.org/games"
    other = look("about", "g.about.json", data, log_of(tiny()), Given()).problem
    assert other is not None
    assert other.code == "anchor/other"
    for spoilt in (data.replace(b'"v": 1', b'"v": 2'), data.replace(b'"licence"', b'"license"'), b"{}"):
        with pytest.raises(Refused, match="about/shape"):
            read_about(spoilt)


def test_the_command_tells_what_lies_beside_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "g.pbem"
    whole = tmp_path / "whole.pbem"
    whole.write_bytes(small())
    ok("export", whole, "-o", archive, "--licence", "CC0-1.0", "--source", "https://example.org/")
    (tmp_path / "g.pbem.ots").write_bytes(proof_of(digest_of(head()), block(900_000)))
    shutil.copy(DATA / "reference.tsr", tmp_path / "g.pbem.tsr")
    assert archive.read_bytes() == small()
    assert ok("audit", archive).count("\n") == 1, "only when asked"
    text = ok("audit", archive, "--anchors")
    assert "The whole log is said to be in Bitcoin block 900000; not proven without its header." in text
    assert "g.pbem.tsr: It is over something else" in text
    assert "g.about.json says: CC0-1.0 · https://example.org/" in text
    told = json_lines(ok("audit", archive, "--anchors", "--json"))[0]["anchors"]
    assert [one["kind"] for one in told] == ["ots", "rfc3161", "about"]
    headers = tmp_path / "headers"
    headers.write_text(GENESIS)
    assert "not proven" in ok("audit", archive, "--block-headers", headers)
    assert "anchor/header" in pbem("audit", archive, "--block-headers", whole).output


def test_the_head_is_written_for_whoever_stamps_it(tmp_path: Path) -> None:
    archive, out = tmp_path / "g.pbem", tmp_path / "g.head"
    archive.write_bytes(small())
    ok("export", archive, "--format", "head", "-o", out)
    assert out.read_bytes() == head()


def test_what_is_named_is_looked_at_and_what_lies_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "g.pbem"
    path.write_bytes(small())
    for option in ("--tsa-cert", "--block-headers"):
        result = pbem("audit", path, option, tmp_path / "none")
        assert (result.exit_code, "cli/file" in result.output) == (2, True), result.output
    os.mkfifo(tmp_path / "g.pbem.tsr")
    (tmp_path / "g.pbem.ots").mkdir()
    (tmp_path / "g.about.json").symlink_to("nowhere")
    said = ok("audit", path, "--anchors")
    assert said.count("cannot be read") == 3, said
    (told,) = json_lines(ok("audit", path, "--anchors", "--json"))
    codes = {one["kind"]: one["problem"]["code"] for one in told["anchors"]}
    assert codes == {"ots": "archive/not-a-file", "rfc3161": "archive/not-a-file", "about": "cli/file"}
