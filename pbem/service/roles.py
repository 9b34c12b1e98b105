"""What a process of the service does, and beside whom it may do it.

| role     | work                                             |
| -------- | ------------------------------------------------ |
| `smtp`   | takes mail into the inbox                        |
| `worker` | plays mail: inbox → records, letters             |
| `sender` | sends letters: outbox → a mail server            |

Law: over one PostgreSQL any number of processes on any number of machines may have any roles. A SQLite file has
one process with all of them: it takes the lock of its home, and one beside the file if that lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, get_args

from engine import refuse
from pbem.disk import only_writer
from pbem.service.config import Home
from pbem.service.database_url import read_url

Role = Literal["smtp", "worker", "sender"]
ROLES: tuple[Role, ...] = get_args(Role)


def check_roles(home: Home, roles: tuple[Role, ...]) -> None:
    """Refused `host/roles` if a SQLite file would have to be shared between processes."""
    if _sqlite_file(home) is not None and set(roles) != set(ROLES):
        raise refuse("host/roles")


@contextmanager
def alone_if_need_be(home: Home) -> Generator[None]:
    """Holds what keeps a second service off a SQLite file. Refused `disk/in-use`."""
    file = _sqlite_file(home)
    with ExitStack() as held:
        if file is not None:
            held.enter_context(only_writer(home.path))
            real = file.resolve()
            if real.parent != home.path.resolve() and real.parent.is_dir():
                held.enter_context(only_writer(real.parent, f".{real.name}.lock"))
        yield


def _sqlite_file(home: Home) -> Path | None:
    url = read_url(home.url)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None
