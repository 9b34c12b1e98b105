"""RFC 3161 time stamps: what a token says was there at what time, and whether the authority signed it.

`read_token` takes a response (.tsr) or a bare token and decides nothing but its shape; `verify_token` holds
it against a certificate that somebody trusts. No network and no clock: validity is judged at the time that
the token names.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID

from engine import Refused, Say, refuse, say
from pbem.audit import der
from pbem.audit.der import Node

SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
TST_INFO = bytes.fromhex("2a864886f70d0109100104")
CONTENT_TYPE = bytes.fromhex("2a864886f70d010903")
MESSAGE_DIGEST = bytes.fromhex("2a864886f70d010904")
SIGNING_CERTIFICATE = bytes.fromhex("2a864886f70d010910020c")
SIGNING_CERTIFICATE_V2 = bytes.fromhex("2a864886f70d010910022f")
HASHES = {
    bytes.fromhex("608648016503040201"): "sha256",
    bytes.fromhex("608648016503040202"): "sha384",
    bytes.fromhex("608648016503040203"): "sha512",
    bytes.fromhex("2b0e03021a"): "sha1",
}
IMPRINTS = ("sha256", "sha384", "sha512")
"""What a time stamp may be made of; nobody should rely on SHA-1 there."""
_OBJECTS: dict[str, hashes.HashAlgorithm] = {
    "sha1": hashes.SHA1(),  # noqa: S303  older authorities name their certificate by it; nothing rests on it alone
    "sha256": hashes.SHA256(),
    "sha384": hashes.SHA384(),
    "sha512": hashes.SHA512(),
}


class Token(msgspec.Struct, frozen=True):
    """A time stamp's claim: which hash of what, and when (`YYYY-MM-DDTHH:MM:SSZ`). The rest is for the signature."""

    algorithm: str
    digest: bytes
    time: str
    content: bytes
    certificates: tuple[bytes, ...]
    signer: bytes


def read_token(data: bytes) -> Token:
    """The claim of a response or of a token. Refused `anchor/shape`, `anchor/not-granted`, `anchor/weak`."""
    content = der.inside(_content_info(data))
    if len(content) < 2 or content[0].body != SIGNED_DATA:
        raise refuse("anchor/shape", where="content")
    signed = der.inside(_only(der.expect(content[1], der.CONTEXT, "content")))
    if len(signed) < 4:
        raise refuse("anchor/shape", where=say("signed data"))
    what = der.inside(der.expect(signed[2], der.SEQUENCE, "content"))
    if len(what) != 2 or what[0].body != TST_INFO:
        raise refuse("anchor/shape", where="content")
    info = der.expect(_only(what[1]), der.OCTETS, "content").body
    certificates = [n for node in signed[3:-1] if node.tag == der.CONTEXT for n in der.inside(node)]
    signer = _only(der.expect(signed[-1], der.SET, "signer"))
    algorithm, imprint, time = _info(info)
    return Token(algorithm, imprint, time, info, tuple(n.raw for n in certificates), signer.raw)


def verify_token(token: Token, trusted: bytes) -> str:
    """The name of the authority that made the stamp, vouched for by a certificate.

    Refused `anchor/signature`, `anchor/certificate`.
    """
    given = _certificate(trusted)
    if given is None:
        raise refuse("anchor/certificate", file="--tsa-cert")
    try:
        return _verify(token, given)
    except Refused:
        raise
    except Exception as error:  # whatever a forged certificate makes its parser raise is the token's fault
        raise _problem(say("its certificate cannot be read")) from error


def _verify(token: Token, given: x509.Certificate) -> str:
    # 1. who signed, by issuer and serial number; among the token's certificates, or the given one
    fields = der.inside(der.one(token.signer))
    if len(fields) < 6:
        raise refuse("anchor/shape", where="signer")
    signer = _signer(fields[1], [*token.certificates, given.public_bytes(Encoding.DER)])
    # 2. whether the given certificate is his, or that of who vouches for him
    _check_vouched(signer, given)
    # 3. his certificate is for time stamps, and was valid
    _check_purpose(signer, token.time)
    # 4. what he signed is this very stamp, under this very certificate
    algorithm = _hash_of(fields[2])
    attributes = _attributes(der.expect(fields[3], der.CONTEXT, "signed attributes"))
    _check_attributes(attributes, token.content, algorithm, signer)
    # 5. and he did sign it
    signed = bytes([der.SET]) + fields[3].raw[1:]
    _check_signature(signer.public_key(), fields[5].body, signed, algorithm)
    return signer.subject.rfc4514_string()


def _content_info(data: bytes) -> Node:
    top = der.one(data)
    fields = der.inside(der.expect(top, der.SEQUENCE, "response"))
    if not fields or fields[0].tag == der.OID:
        return top
    status = int.from_bytes(der.inside(fields[0])[0].body, "big")
    if status > 1 or len(fields) < 2:
        raise refuse("anchor/not-granted", status=status)
    return fields[1]


def _info(info: bytes) -> tuple[str, bytes, str]:
    fields = der.inside(der.one(info))
    if len(fields) < 5:
        raise refuse("anchor/shape", where=say("time stamp"))
    imprint = der.inside(der.expect(fields[2], der.SEQUENCE, "imprint"))
    algorithm = _hash_of(imprint[0])
    digest = der.expect(imprint[1], der.OCTETS, "imprint").body
    if algorithm not in IMPRINTS:
        raise refuse("anchor/weak")
    if len(digest) != hashlib.new(algorithm).digest_size:
        raise refuse("anchor/shape", where="imprint")
    return algorithm, digest, _time(der.expect(fields[4], der.TIME, "time").body)


def _time(body: bytes) -> str:
    text = body.decode("ascii", "replace")
    digits = text[:14]
    if len(digits) != 14 or not digits.isdigit() or not text.endswith("Z"):
        raise refuse("anchor/shape", where="time")
    day = "-".join((digits[:4], digits[4:6], digits[6:8]))
    return "T".join((day, ":".join((digits[8:10], digits[10:12], digits[12:])))) + "Z"


def _hash_of(algorithm: Node) -> str:
    name = HASHES.get(der.inside(algorithm)[0].body)
    if name is None:
        raise refuse("anchor/shape", where="hash")
    return name


def _certificate(data: bytes) -> x509.Certificate | None:
    try:
        if b"-----BEGIN" in data:
            return x509.load_pem_x509_certificate(data)
        return x509.load_der_x509_certificate(data)
    except (ValueError, x509.InvalidVersion):
        return None


def _signer(sid: Node, candidates: list[bytes]) -> x509.Certificate:
    parts = der.inside(der.expect(sid, der.SEQUENCE, "signer"))
    if len(parts) != 2:
        raise refuse("anchor/shape", where="signer")
    serial = int.from_bytes(parts[1].body, "big", signed=True)
    for data in candidates:
        certificate = _certificate(data)
        if certificate is None:
            continue
        if certificate.issuer.public_bytes() == parts[0].raw and certificate.serial_number == serial:
            return certificate
    raise _problem(say("the signer's certificate is missing"))


def _check_vouched(signer: x509.Certificate, given: x509.Certificate) -> None:
    if signer == given:
        return
    try:
        signer.verify_directly_issued_by(given)
    except (ValueError, TypeError, InvalidSignature):
        raise _problem(say("another certificate")) from None


def _check_purpose(signer: x509.Certificate, time: str) -> None:
    try:
        usage = signer.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    except x509.ExtensionNotFound:
        raise _problem(say("not a certificate for time stamps")) from None
    if list(usage.value) != [ExtendedKeyUsageOID.TIME_STAMPING]:
        raise _problem(say("not a certificate for time stamps"))
    layout = "%Y-%m-%dT%H:%M:%SZ"
    first, last = signer.not_valid_before_utc.strftime(layout), signer.not_valid_after_utc.strftime(layout)
    if not first <= time <= last:
        raise _problem(say("the certificate was not valid at that time"))


def _attributes(node: Node) -> dict[bytes, Node]:
    found: dict[bytes, Node] = {}
    for attribute in der.inside(node):
        parts = der.inside(attribute)
        if len(parts) != 2 or parts[0].body in found:
            raise refuse("anchor/shape", where=say("signed attributes"))
        found[parts[0].body] = _only(parts[1])
    return found


def _check_attributes(
    attributes: dict[bytes, Node], content: bytes, algorithm: str, signer: x509.Certificate
) -> None:
    kind, said = attributes.get(CONTENT_TYPE), attributes.get(MESSAGE_DIGEST)
    if kind is None or kind.body != TST_INFO:
        raise _problem(say("signed as something else"))
    if said is None or said.body != hashlib.new(algorithm, content).digest():
        raise _problem(say("signed another time stamp"))
    newer, older = attributes.get(SIGNING_CERTIFICATE_V2), attributes.get(SIGNING_CERTIFICATE)
    if newer is not None:
        parts = der.inside(der.inside(der.inside(newer)[0])[0])
        named = _hash_of(parts[0]) if parts[0].tag == der.SEQUENCE else "sha256"
        value = parts[parts[0].tag == der.SEQUENCE].body
    elif older is not None:
        named, value = "sha1", der.inside(der.inside(der.inside(older)[0])[0])[0].body
    else:
        raise _problem(say("does not name its certificate"))
    if signer.fingerprint(_OBJECTS[named]) != value:
        raise _problem(say("signed under another certificate"))


def _check_signature(key: Any, signature: bytes, data: bytes, algorithm: str) -> None:
    chosen = _OBJECTS[algorithm]
    try:
        match key:
            case rsa.RSAPublicKey():
                key.verify(signature, data, padding.PKCS1v15(), chosen)
            case ec.EllipticCurvePublicKey():
                key.verify(signature, data, ec.ECDSA(chosen))
            case ed25519.Ed25519PublicKey():
                key.verify(signature, data)
            case _:
                raise _problem(say("a kind of key that is not known here"))
    except InvalidSignature:
        raise _problem(say("the signature is false")) from None


def _only(node: Node) -> Node:
    nodes = der.inside(node)
    if len(nodes) != 1:
        raise refuse("anchor/shape", where="der")
    return nodes[0]


def _problem(problem: Say) -> Refused:
    return refuse("anchor/signature", problem=problem)
