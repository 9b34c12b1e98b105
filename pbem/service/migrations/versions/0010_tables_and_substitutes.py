"""Standing tables and their guests; substitutes, and who of them was asked; an address that waits to be confirmed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Adds them; there are none yet."""
    op.add_column("people", sa.Column("wanted", sa.String(400), nullable=False, server_default=""))
    op.add_column("offers", sa.Column("auto", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "substitutes",
        sa.Column("id", _ID, primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("lang", sa.String(16), nullable=False),
        sa.UniqueConstraint("game", "address", name="uq_substitutes"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "asked",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.String(64), primary_key=True),
        sa.Column("address", sa.String(320), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "halls",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("plan", sa.LargeBinary, nullable=False),
        sa.Column("on_time", sa.Integer, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("open", sa.Integer, nullable=False),
    )
    op.create_table(
        "guests",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("address", sa.String(320), primary_key=True),
        sa.Column("token", sa.String(128), nullable=False),
        sa.Column("lang", sa.String(16), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Takes them away, and all that is in them."""
    for name in ("guests", "halls", "asked", "substitutes"):
        op.drop_table(name)
    op.drop_column("offers", "auto")
    op.drop_column("people", "wanted")
