"""Pictures: what a player's letters bring, and what a letter still has to get before it is sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds them; letters that wait go out as they were written."""
    op.add_column("people", sa.Column("pictures", sa.String(4), nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("look", sa.String(24), nullable=False, server_default=""))


def downgrade() -> None:
    """Takes them away."""
    op.drop_column("outbox", "look")
    op.drop_column("people", "pictures")
