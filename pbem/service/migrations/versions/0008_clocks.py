"""Clocks: when each game must be looked at, when the service was last alive, times that do not count; players' zones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Adds them; no game has a clock yet."""
    op.add_column("games", sa.Column("wake", sa.BigInteger, nullable=True))
    op.create_index("ix_games_wake", "games", ["wake"])
    op.add_column("people", sa.Column("zone", sa.String(64), nullable=False, server_default=""))
    op.add_column("people", sa.Column("quiet", sa.String(11), nullable=False, server_default=""))
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("raw", sa.BigInteger, nullable=False),
        sa.Column("shown", sa.BigInteger, nullable=False),
        sa.Column("ahead", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "troubles",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_troubles_game", "troubles", ["game", "id"])


def downgrade() -> None:
    """Takes them away, and all that is in them."""
    op.drop_index("ix_troubles_game", "troubles")
    op.drop_table("troubles")
    op.drop_table("pulse")
    op.drop_column("people", "quiet")
    op.drop_column("people", "zone")
    op.drop_index("ix_games_wake", "games")
    op.drop_column("games", "wake")
