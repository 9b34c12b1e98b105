"""The first tables: games, people, records, inbox, outbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Makes them."""
    _games()
    _records()
    _inbox()
    _outbox()


def downgrade() -> None:
    """Takes them away, and all that is in them."""
    for table in ("outbox", "inbox", "records", "people", "games"):
        op.drop_table(table)


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("ruleset", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("charter_line", sa.LargeBinary, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("secrets", sa.LargeBinary, nullable=False),
        sa.Column("snapshot", sa.LargeBinary, nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(64), primary_key=True),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("token", sa.String(128), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("lang", sa.String(16), nullable=False),
    )


def _records() -> None:
    op.create_table(
        "records",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("payload_digest", sa.String(64), nullable=True),
        sa.Column("kept", sa.LargeBinary, nullable=True),
        sa.UniqueConstraint("game", "digest", name="uq_records_digest"),
        sa.UniqueConstraint("game", "payload_digest", name="uq_records_payload_digest"),
    )


def _inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.String(64), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("sender", sa.String(320), nullable=False),
        sa.Column("recipient", sa.String(320), nullable=False),
        sa.Column("received", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("outcome", sa.String(64), nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbox_state", "inbox", ["state", "id"])
    op.create_index("ix_inbox_sha256", "inbox", ["sha256"])


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("message_id", sa.String(255), nullable=False, unique=True),
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.String(64), nullable=False),
        sa.Column("recipient", sa.String(320), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_try", sa.BigInteger, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
        sa.Column("raw", sa.LargeBinary, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_state", "outbox", ["state", "recipient", "id"])
    op.create_index("ix_outbox_game", "outbox", ["game", "seat", "state"])
