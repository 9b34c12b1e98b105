"""Games on hold after an old copy was put back, mail that a doctor sent to himself, and a queue by game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds them; no game is on hold."""
    op.create_table(
        "holds",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(64), primary_key=True),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("proof", sa.String(64), nullable=False),
    )
    op.create_table(
        "probes",
        sa.Column("nonce", sa.String(64), primary_key=True),
        sa.Column("received", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_inbox_queue", "inbox", ["game", "state", "id"])


def downgrade() -> None:
    """Takes them away, and all that is in them."""
    op.drop_index("ix_inbox_queue", "inbox")
    op.drop_table("probes")
    op.drop_table("holds")
