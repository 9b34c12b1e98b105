"""What the service tells the operator: one line of JSON an event, on standard error.

Law: a word for the event and few plain fields: game, seat, record, code, count. Never a secret, an address, a
subject, a text of a player, nor the text of an exception, which may quote any of these.
"""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from datetime import UTC, datetime

import msgspec

Field = str | int | bool

LOGGER = logging.getLogger("pbem.service")
COUNTS: Counter[str] = Counter()
"""How often each event was told by this process."""
# aiosmtpd logs every command line, addresses included.
logging.getLogger("mail.log").setLevel(logging.CRITICAL + 1)


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        fields: dict[str, Field] = getattr(record, "fields", {})
        whole = {"at": at, "level": record.levelname.lower(), "event": record.getMessage(), **fields}
        return msgspec.json.encode(whole).decode("utf-8")


def listen(level: int = logging.INFO) -> None:
    """Sends events to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines())
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(level)
    LOGGER.propagate = False


def note(event: str, **fields: Field) -> None:
    """Something that is as it should be."""
    COUNTS[event] += 1
    LOGGER.info("%s", event, extra={"fields": fields})


def warn(event: str, **fields: Field) -> None:
    """Something that the operator should look at."""
    COUNTS[event] += 1
    LOGGER.warning("%s", event, extra={"fields": fields})


def fault(event: str, error: BaseException, **fields: Field) -> None:
    """A fault of ours, or of the machine: what kind of exception, and where, but not what it says."""
    COUNTS[event] += 1
    LOGGER.error(
        "%s", event, extra={"fields": {**fields, "error": type(error).__name__, "where": where(error)}}
    )


def where(error: BaseException) -> str:
    """The place in the code that raised."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "?"
    last = frames[-1]
    return f"{last.filename.rpartition('/')[2]}:{last.lineno}"
