"""Run by Alembic on the connection, and inside the transaction, that `database.migrate` gives it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context

from pbem.service.tables import METADATA


def run(connection: sa.Connection) -> None:
    """All migrations that the database has not seen."""
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):
    run(context.config.attributes["connection"])
