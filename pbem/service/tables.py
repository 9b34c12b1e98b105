"""The tables. Migrations make them; a test holds the two against each other.

| table    | a row is                                                                         |
| -------- | -------------------------------------------------------------------------------- |
| games    | a game: what never changes, its secrets, its newest snapshot, its revision        |
| people   | who sits or is invited; addresses stand here and nowhere else                     |
| records  | one line of a game's log, and what is kept sealed of it until the end             |
| inbox    | one mail to one game, as it came                                                  |
| outbox   | one letter, as it goes out, or its text and what `look` it is to get first; of a report, what it carries |
| bounces  | a letter that came back for good                                                  |
| fetched  | a mail that was taken from a mailbox, until the mailbox has forgotten it          |
| holds    | a seat of a game on hold, and whether it has been heard                           |
| offers   | a seat that is offered to somebody, until he takes it                            |
| observers | somebody who watches a game, and how much later he is told                      |
| substitutes | somebody who may be asked to take over a seat of a game, or (no game) of any      |
| asked    | a substitute who was asked, or has been in vain, for a seat that is silent          |
| halls    | a standing table: what is played there, and the game that waits for players        |
| guests   | somebody who was sent an invitation to a table, and has not taken a seat yet       |
| probes   | a mail that the host sent to himself, come back                                   |
| answers  | an answer to a mail that proved nothing: machines must not be answered for ever   |
| pulse    | when the service was last alive, and what it thinks of its clock: one row          |
| troubles | a time that must not count for a game: an outage, a hold, a clock that leapt       |

Instants are seconds since 1970. Bytes are canonical JSON, or mail, or a log line. `revision` rises with every
change of a game: who writes says which revision he read, and writes nothing if it has moved on.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
_ID = BigInteger().with_variant(Integer, "sqlite")

NEW, DONE, POISON = "new", "done", "poison"
"""States of a mail in the inbox."""
DROPPED = "dropped"
"""The state of a mail that the host has taken out of the poison queue for good."""
SENT, FAILED, REPLACED = "sent", "failed", "replaced"
"""With NEW, the states of a letter in the outbox; REPLACED: a newer one carries its news."""

games = Table(
    "games",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("ruleset", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("charter_line", LargeBinary, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("secrets", LargeBinary, nullable=False),
    Column("snapshot", LargeBinary, nullable=False),
    Column("phase", String(16), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("wake", BigInteger, nullable=True),
    Index("ix_games_wake", "wake"),
)

people = Table(
    "people",
    METADATA,
    Column("game", String(64), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(64), primary_key=True),
    Column("address", String(320), nullable=False),
    Column("token", String(128), nullable=False),
    Column("name", Text, nullable=False),
    Column("lang", String(16), nullable=False),
    Column("second", String(320), nullable=False, server_default=""),
    Column("zone", String(64), nullable=False, server_default=""),
    Column("quiet", String(11), nullable=False, server_default=""),
    Column("pictures", String(4), nullable=False, server_default=""),
    Column("wanted", String(400), nullable=False, server_default=""),
)

records = Table(
    "records",
    METADATA,
    Column("game", String(64), ForeignKey("games.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("line", LargeBinary, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("payload_digest", String(64), nullable=True),
    Column("kept", LargeBinary, nullable=True),
    UniqueConstraint("game", "digest", name="uq_records_digest"),
    UniqueConstraint("game", "payload_digest", name="uq_records_payload_digest"),
)

inbox = Table(
    "inbox",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("seat", String(64), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("sender", String(320), nullable=False),
    Column("recipient", String(320), nullable=False),
    Column("received", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("outcome", String(64), nullable=False),
    Column("error", Text, nullable=False),
    Column("raw", LargeBinary, nullable=False),
    Index("ix_inbox_state", "state", "id"),
    Index("ix_inbox_sha256", "sha256"),
    Index("ix_inbox_sender", "sender", "received"),
    Index("ix_inbox_game", "game", "received"),
    Index("ix_inbox_queue", "game", "state", "id"),
    sqlite_autoincrement=True,
)

outbox = Table(
    "outbox",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("message_id", String(255), nullable=False, unique=True),
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("seat", String(64), nullable=False),
    Column("recipient", String(320), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_try", BigInteger, nullable=False),
    Column("error", Text, nullable=False),
    Column("raw", LargeBinary, nullable=False),
    Column("first", Integer, nullable=True),
    Column("news", LargeBinary, nullable=True),
    Column("look", String(24), nullable=False, server_default=""),
    Index("ix_outbox_state", "state", "recipient", "id"),
    Index("ix_outbox_game", "game", "seat", "state"),
    sqlite_autoincrement=True,
)

bounces = Table(
    "bounces",
    METADATA,
    Column("letter", _ID, ForeignKey("outbox.id"), primary_key=True, autoincrement=False),
    Column("address", String(320), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Index("ix_bounces_address", "address"),
)

fetched = Table(
    "fetched",
    METADATA,
    Column("account", String(320), primary_key=True),
    Column("validity", BigInteger, primary_key=True, autoincrement=False),
    Column("uid", BigInteger, primary_key=True, autoincrement=False),
    Column("sha256", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_fetched_sha256", "account", "sha256"),
)

answers = Table(
    "answers",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("seat", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", String(64), nullable=False),
    Index("ix_answers_seat", "game", "seat", "at"),
    sqlite_autoincrement=True,
)

holds = Table(
    "holds",
    METADATA,
    Column("game", String(64), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(64), primary_key=True),
    Column("asked", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("proof", String(64), nullable=False),
)

offers = Table(
    "offers",
    METADATA,
    Column("game", String(64), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(64), primary_key=True),
    Column("address", String(320), nullable=False),
    Column("token", String(128), nullable=False),
    Column("how", String(8), nullable=False),
    Column("lang", String(16), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("auto", Integer, nullable=False, server_default="0"),
)

substitutes = Table(
    "substitutes",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("game", String(64), nullable=False),
    Column("address", String(320), nullable=False),
    Column("lang", String(16), nullable=False),
    UniqueConstraint("game", "address", name="uq_substitutes"),
    sqlite_autoincrement=True,
)

asked = Table(
    "asked",
    METADATA,
    Column("game", String(64), ForeignKey("games.id"), primary_key=True),
    Column("seat", String(64), primary_key=True),
    Column("address", String(320), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

halls = Table(
    "halls",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("plan", LargeBinary, nullable=False),
    Column("on_time", Integer, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("open", Integer, nullable=False),
)

guests = Table(
    "guests",
    METADATA,
    Column("game", String(64), ForeignKey("games.id"), primary_key=True),
    Column("address", String(320), primary_key=True),
    Column("token", String(128), nullable=False),
    Column("lang", String(16), nullable=False),
    Column("made", BigInteger, nullable=False),
)

observers = Table(
    "observers",
    METADATA,
    Column("game", String(64), ForeignKey("games.id"), primary_key=True),
    Column("address", String(320), primary_key=True),
    Column("lang", String(16), nullable=False),
    Column("delay", BigInteger, nullable=False),
    Column("made", BigInteger, nullable=False),
)

pulse = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("raw", BigInteger, nullable=False),
    Column("shown", BigInteger, nullable=False),
    Column("ahead", BigInteger, nullable=False),
)

troubles = Table(
    "troubles",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("game", String(64), ForeignKey("games.id"), nullable=False),
    Column("what", String(16), nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Index("ix_troubles_game", "game", "id"),
    sqlite_autoincrement=True,
)

probes = Table(
    "probes",
    METADATA,
    Column("nonce", String(64), primary_key=True),
    Column("received", BigInteger, nullable=False),
)
