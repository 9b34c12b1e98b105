"""Alembic's folder: `env.py`, and one file a migration under `versions`. Released migrations never change."""
