"""How a mail server is spoken to that takes letters: TLS, a user and a password, where the settings say so.

Law: a password is never said on a connection that is not private, except to this machine itself, and stands in no
text of ours. Certificates are checked, against the system's authorities or the one that the settings name.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path

import aiosmtplib
import msgspec

from engine import refuse
from pbem.disk import SETTINGS, read_file
from pbem.service.config import LOOPBACK, Config, Endpoint, Tls, password

TIMEOUT = 60


class Submission(msgspec.Struct, frozen=True):
    """What is said before letters are handed over. `name` is ours, in EHLO; `ca` the path of a certificate, or ""."""

    name: str
    tls: Tls = "none"
    user: str = ""
    password: str = ""
    ca: str = ""

    def __repr__(self) -> str:
        return f"Submission({self.tls})"


def submission_of(config: Config, environment: Mapping[str, str]) -> Submission:
    """What the settings say of the relay. Refused `host/password`, `host/certificate`."""
    secret = password(config, "relay", environment)
    check_certificate(config)
    return Submission(config.domain, config.relay_tls, config.relay_user, secret, config.tls_ca)


def tls_context(ca: str) -> ssl.SSLContext:
    """Checks certificates and names; by the system's authorities, or by the file that is named. OSError if it is none."""
    context = ssl.create_default_context(cafile=ca or None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def check_certificate(config: Config) -> None:
    """Refused `host/certificate` for a file of which no certificate can be read: no mail server could be trusted."""
    if not config.tls_ca:
        return
    try:
        read_file(Path(config.tls_ca), SETTINGS)
        tls_context(config.tls_ca)
    except OSError as error:
        problem = error.strerror or type(error).__name__
        raise refuse("host/certificate", file=config.tls_ca, problem=problem) from None


async def connect(server: Endpoint, how: Submission) -> aiosmtplib.SMTP:
    """A connection that is ready for letters. Raises aiosmtplib's exceptions, or OSError."""
    client = aiosmtplib.SMTP(
        hostname=None if server.path else server.host,
        port=None if server.path else server.port,
        socket_path=server.path or None,
        timeout=TIMEOUT,
        use_tls=how.tls == "tls",
        start_tls=how.tls == "starttls",
        tls_context=None if how.tls == "none" else tls_context(how.ca),
        local_hostname=how.name,
    )
    try:
        await client.connect()
        if how.user and (how.tls != "none" or server.host in LOOPBACK):
            await client.login(how.user, how.password)
    except BaseException:
        client.close()
        raise
    return client
