"""How a finding is told: one line a file, with more below it where there is more to say; or one line of JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from engine import Say, plain, say, sentences, words
from pbem.audit.audit import headline, sentences_of
from pbem.audit.bulk import Finding, fields_of
from pbem.audit.explain import consequence
from pbem.audit.hosts import Keyring
from pbem.cli.codes import table
from pbem.cli.say import FAULTS, OK, UNFINISHED, USAGE, lang, tell, tell_json, warn

if TYPE_CHECKING:
    from pbem.cli.audit_anchors import Anchored

EXIT_CODES = {"sound": OK, "fault": FAULTS, "unfinished": UNFINISHED, "unreadable": USAGE}
WORST = ("fault", "unreadable", "unfinished", "sound")
"""Of several files, the verdict that weighs most in the exit code."""


class Manner(msgspec.Struct, frozen=True):
    """How to tell: as JSON, with consequences, with trust in hosts, with time stamps beside the file; only faults."""

    as_json: bool = False
    explain: bool = False
    ring: Keyring | None = None
    anchors: bool = False
    certificate: Path | None = None
    headers: Path | None = None
    quiet: bool = False


def tell_finding(finding: Finding, manner: Manner) -> None:
    """One finding on standard output; a file that was not audited on standard error."""
    stamps = _stamps(finding, manner)
    if manner.as_json:
        tell_json({**fields_of(finding), **_more(finding, manner), **_stamped(stamps, manner)})
    elif finding.report is None:
        warn(unread(finding))
    elif not manner.quiet or finding.verdict != "sound":
        _tell_report(finding, manner, stamps)


def unread(finding: Finding) -> Say:
    """What is said of a file that was not audited."""
    return say("{file}: cannot be read: {problem}", file=harmless(finding.file), problem=_problem(finding))


def _stamps(finding: Finding, manner: Manner) -> tuple[Anchored, ...]:
    if not manner.anchors:
        return ()
    from pbem.cli.audit_anchors import anchored  # X.509 is slow to import, and an audit needs none of it

    return anchored(finding, manner.certificate, manner.headers)


def harmless(text: str) -> str:
    """A file's name without characters that would move the cursor."""
    return "".join(char if char.isprintable() else "?" for char in text)


def _tell_report(finding: Finding, manner: Manner, stamps: tuple[Anchored, ...]) -> None:
    report = finding.report
    assert report is not None
    tell(say("{file}: {verdict}", file=harmless(finding.file), verdict=headline(report)))
    names = (say("Expected"), say("Found"), say("What to do"))
    rows = list(zip(names, sentences_of(report)[1:], strict=False))
    if manner.explain and report.code:
        rows.append((say("What it would allow"), consequence(report.code)))
    if manner.ring is not None and report.host_key:
        rows.append((say("Host"), _host(report.host_key, manner.ring)))
    rows += [(say("Beside it"), stamp.said) for stamp in stamps]
    for name, sentence in rows:
        tell(say("    {name}: {sentence}", name=name, sentence=sentence))


def _problem(finding: Finding) -> Say | str:
    refusal = finding.problem
    if refusal is None:
        return ""
    if refusal.code == "cli/file":
        return str(refusal.args["problem"])
    return sentences(refusal, table())[1]


def _host(key: str, ring: Keyring) -> Say:
    if key in ring:
        return say("{name}, whom you trust", name=ring[key])
    return say("the owner of the key {key}, who is not in your keyring", key=key)


def _more(finding: Finding, manner: Manner) -> dict[str, Any]:
    report = finding.report
    more: dict[str, Any] = {}
    if report is None:
        return more
    if manner.explain and report.code:
        more["explanation"] = words(consequence(report.code), lang())
    if manner.ring is not None and report.host_key:
        name = manner.ring.get(report.host_key)
        more["trusted"] = name is not None
        more |= {"host": name} if name is not None else {}
    return more


def _stamped(stamps: tuple[Anchored, ...], manner: Manner) -> dict[str, Any]:
    return (
        {"anchors": [{**plain(one.found), "said": words(one.said, lang())} for one in stamps]}
        if manner.anchors
        else {}
    )
