"""Databases for the tests of the store: a SQLite file, and a database of a PostgreSQL cluster where there is one."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.service.database import Database
from tests.service.postgres import open_cluster


@pytest.fixture(scope="session")
def cluster() -> Generator[str]:
    with open_cluster() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new, empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'pbem.sqlite'}"
    base: str = request.getfixturevalue("cluster")
    name = f"t{abs(hash(request.node.nodeid)) % 10**12}"
    engine = sa.create_engine(base.replace("DATABASE", "postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE IF EXISTS {name}"))
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return base.replace("DATABASE", name)


@pytest.fixture
def empty(url: str) -> Generator[Database]:
    """A database without tables."""
    database = Database(url)
    yield database
    database.close()
