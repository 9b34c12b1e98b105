"""A bulk audit on a Dask cluster: the files are read here and audited there, so no machine needs our disk.

Findings come in the order of the files; not more than a window of them is under way. A worker that dies is
Dask's business: its files are tried again elsewhere, and one that kills worker after worker is told of.
Whoever can reach the scheduler can run code on its workers: keep it on a network of your own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from engine import Refused, refuse
from pbem.audit.bulk import Finding, died, examine
from pbem.cli.audit_work import load, shown, unreadable

WINDOW = 256
PATIENCE = 10
"""Seconds that a scheduler has to answer."""


def on_cluster(paths: Iterable[str], address: str) -> Iterator[Finding]:
    """The finding on each file, in the order of the files. Refused `archive/cluster-missing`, `archive/scheduler`."""
    client = _client(address)
    under_way: deque[Any] = deque()
    try:
        for path in paths:
            under_way.append(_begin(client, path))
            if len(under_way) >= WINDOW:
                yield _end(under_way.popleft())
        while under_way:
            yield _end(under_way.popleft())
    finally:
        client.close()


def _client(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise refuse("archive/cluster-missing") from None
    try:
        import_module("distributed.comm").get_address_host(
            address
        )  # a Client that fails on it complains twice
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise refuse("archive/scheduler", address=address, problem=type(error).__name__) from None


def _begin(client: Any, path: str) -> Any:
    """The file's finding, or the name and the promise of one."""
    name = shown(path)
    try:
        mtime, data = load(path)
    except (OSError, Refused) as error:
        return unreadable(name, error)
    return name, client.submit(examine, name, mtime, data, pure=False)


def _end(begun: Any) -> Finding:
    if isinstance(begun, Finding):
        return begun
    name, promise = begun
    try:
        finding: Finding = promise.result()
    except Exception as error:  # noqa: BLE001  whatever a cluster raises is told of this file, and the rest goes on
        return Finding(name, problem=died(type(error).__name__))
    return finding
