"""A provider: Dovecot over the mailboxes that Postfix fills, IMAP by TLS, and submission with a password."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.soak.installed import program, run
from tests.soak.postfix import Postfix, free_port, open_postfix, wait_for

PASSWORD = "correct-horse-battery"


@dataclass
class Provider:
    """Its mail server, its ports, its certificate."""

    postfix: Postfix
    folder: Path
    imaps: int
    imap: int
    submission: int

    @property
    def certificate(self) -> str:
        return str(self.folder / "cert.pem")

    def adm(self, *args: str) -> str:
        """doveadm."""
        return run("doveadm", "-c", str(self.folder / "dovecot.conf"), *args)


@contextmanager
def open_provider() -> Generator[Provider]:
    """Accounts are those of players.example.org, all with one password."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    folder.chmod(0o755)
    submission = free_port()
    try:
        _certificate(folder)
        with open_postfix(1, "", _submission(folder, submission)) as postfix:
            provider = Provider(postfix, folder, free_port(), free_port(), submission)
            (folder / "dovecot.conf").write_text(_config(provider))
            command = [program("dovecot"), "-F", "-c", str(folder / "dovecot.conf")]
            nothing = subprocess.DEVNULL
            process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
            try:
                wait_for((postfix.folder / "queue/private/auth").exists, "Dovecot does not start")
                yield provider
            finally:
                process.terminate()
                process.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _certificate(folder: Path) -> None:
    run(
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        *("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")),
    )


def _submission(folder: Path, port: int) -> str:
    options = {
        "smtpd_tls_security_level": "encrypt",
        "smtpd_tls_cert_file": f"{folder}/cert.pem",
        "smtpd_tls_key_file": f"{folder}/key.pem",
        "smtpd_sasl_auth_enable": "yes",
        "smtpd_sasl_type": "dovecot",
        "smtpd_sasl_path": "private/auth",
        "smtpd_relay_restrictions": "permit_sasl_authenticated,reject",
        "smtpd_recipient_restrictions": "permit_sasl_authenticated,reject",
    }
    told = " ".join(f"-o {name}={value}" for name, value in options.items())
    return f"127.0.0.1:{port} inet n - n - - smtpd {told}\n"


def _config(provider: Provider) -> str:
    folder, postfix = provider.folder, provider.postfix
    return f"""base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = yes
first_valid_uid = 1
mail_location = maildir:{postfix.mail}/players.example.org/%n
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={postfix.mail}/players.example.org/%n
}}
service imap-login {{
  inet_listener imap {{
    port = {provider.imap}
  }}
  inet_listener imaps {{
    port = {provider.imaps}
    ssl = yes
  }}
}}
service auth {{
  unix_listener {postfix.folder}/queue/private/auth {{
    mode = 0666
  }}
}}
"""
