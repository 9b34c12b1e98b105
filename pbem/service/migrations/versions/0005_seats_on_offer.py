"""Seats that are offered: to a successor, or to a player who has lost his key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds them; no seat is on offer."""
    op.create_table(
        "offers",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(64), primary_key=True),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("token", sa.String(128), nullable=False),
        sa.Column("how", sa.String(8), nullable=False),
        sa.Column("lang", sa.String(16), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Takes them away."""
    op.drop_table("offers")
