"""Mail for years: second addresses, what a letter carries, bounces, fetched mail, answers, and counts by time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Adds them; what was there keeps its meaning."""
    op.add_column("people", sa.Column("second", sa.String(320), nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("first", sa.Integer, nullable=True))
    op.add_column("outbox", sa.Column("news", sa.LargeBinary, nullable=True))
    op.create_index("ix_inbox_sender", "inbox", ["sender", "received"])
    op.create_index("ix_inbox_game", "inbox", ["game", "received"])
    op.create_table(
        "bounces",
        sa.Column("letter", _ID, sa.ForeignKey("outbox.id"), primary_key=True, autoincrement=False),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
    )
    op.create_index("ix_bounces_address", "bounces", ["address"])
    op.create_table(
        "fetched",
        sa.Column("account", sa.String(320), primary_key=True),
        sa.Column("validity", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("uid", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_fetched_sha256", "fetched", ["account", "sha256"])
    op.create_table(
        "answers",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.String(64), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_answers_seat", "answers", ["game", "seat", "at"])


def downgrade() -> None:
    """Takes them away, and all that is in them."""
    for table in ("answers", "fetched", "bounces"):
        op.drop_table(table)
    op.drop_index("ix_inbox_game", "inbox")
    op.drop_index("ix_inbox_sender", "inbox")
    op.drop_column("outbox", "news")
    op.drop_column("outbox", "first")
    op.drop_column("people", "second")
