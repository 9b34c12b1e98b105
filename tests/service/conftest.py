"""Databases for the tests of the store: a SQLite file, and a database of a PostgreSQL cluster where there is one."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from pbem.service.database import Database
from tests.service.postgres import new_database, open_cluster


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
    return new_database(base, request.node.nodeid)


@pytest.fixture
def shared(cluster: str, request: pytest.FixtureRequest) -> str:
    """A new database of the cluster."""
    return new_database(cluster, request.node.nodeid)


@pytest.fixture
def empty(url: str) -> Generator[Database]:
    """A database without tables."""
    database = Database(url)
    yield database
    database.close()
