"""Observers of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds them; nobody watches."""
    op.create_table(
        "observers",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("address", sa.String(320), primary_key=True),
        sa.Column("lang", sa.String(16), nullable=False),
        sa.Column("delay", sa.BigInteger, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Takes them away."""
    op.drop_table("observers")
