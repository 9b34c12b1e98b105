"""An archive in other forms: a layer of it, tables, text. For files, and for what the service exports.

Decides nothing about what is in an archive; what does not pass level 1 is not made into anything.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args

import click
import msgspec

from engine import refuse, say
from pbem.audit import layers, record_text, tables
from pbem.audit.layers import LAYERS, Layer, Selection
from pbem.audit.tables import TABLES, Table
from pbem.cli.say import tell
from pbem.disk import read_file, write_file

Format = Literal["pbem", "jsonl", "csv", "text", "head"]


class Form(msgspec.Struct, frozen=True):
    """What is wanted of an archive: which part, as what, which table of it; and what is to be said beside it."""

    layer: Layer = "full"
    seat: str = ""
    since: int = 0
    format: Format = "pbem"
    table: Table = "moves"
    licence: str = ""
    source: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the archive is wanted as it is."""
        return self == Form(licence=self.licence, source=self.source)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `pbem export` that choose a form; they come as the keyword arguments of `Form`."""
    for option in (
        click.option(
            "--source", default="", help="Where the archive is from, for the file beside it (with -o)."
        ),
        click.option(
            "--licence", default="", help="Its licence, for the .about.json file beside it (with -o)."
        ),
        click.option(
            "--table",
            type=click.Choice(TABLES),
            default="moves",
            help="For jsonl and csv; moves if left out.",
        ),
        click.option(
            "--format", type=click.Choice(get_args(Format)), default="pbem", help="pbem, if left out."
        ),
        click.option(
            "--since", type=click.IntRange(min=0), default=0, help="Only records from this number on."
        ),
        click.option("--seat", default="", help="Whose layer, with --layer seat."),
        click.option(
            "--layer",
            type=click.Choice(LAYERS),
            default="full",
            help="What may be shown to whom; full, if left out.",
        ),
    ):
        command = option(command)
    return command


def check(form: Form, output: Path | None, *, as_html: bool) -> None:
    """Refused `cli/together`, `cli/apart`: an option that would say nothing is a mistake, and is told."""
    needs = (
        (bool(form.seat) and form.layer != "seat", "--seat", "--layer seat"),
        (form.layer == "seat" and not form.seat, "--layer seat", "--seat SEAT"),
        (form.table != "moves" and form.format not in ("jsonl", "csv"), "--table", "--format jsonl"),
        (bool(form.licence) and output is None, "--licence", "-o FILE"),
        (bool(form.source) and output is None, "--source", "-o FILE"),
    )
    for wrong, option, other in needs:
        if wrong:
            raise refuse("cli/together", option=option, other=other)
    spoilt = (
        (form.format != "pbem", "--format"),
        (bool(form.licence), "--licence"),
        (bool(form.source), "--source"),
    )
    for wrong, option in spoilt:
        if wrong and as_html:
            raise refuse("cli/apart", option="--html", other=option)


def is_file(name: str) -> bool:
    """Whether GAME|FILE is meant as a file: it is there, or is written as no game is named."""
    return "." in name or "/" in name or Path(name).exists()


def formed(data: bytes, form: Form) -> bytes:
    """The bytes of an archive, or of a game record as text, in another form. Refused `archive/…`, `text/…`, `file/…`."""
    if record_text.is_text(data):
        return _from_text(record_text.read(data), form)
    lines = layers.sound_lines(data)
    chosen = layers.select(lines, Selection(form.layer, form.seat, form.since))
    match form.format:
        case "pbem":
            return b"".join(chosen)
        case "head":
            from pbem.audit.anchors import log_of

            return log_of(b"".join(chosen)).lines[-1]
        case "text":
            whole = layers.select(lines, Selection(form.layer, form.seat))
            text = record_text.from_log(whole, layers.read_all(whole))
            return record_text.write(_since(text, form.since))
        case "jsonl" | "csv":
            whole = layers.select(lines, Selection(form.layer, form.seat))
            found = (row for row in tables.rows(form.table, layers.read_all(whole)) if row.n >= form.since)
            return b"".join(
                tables.as_csv(form.table, found) if form.format == "csv" else tables.as_jsonl(found)
            )


def export_file(path: Path, output: Path | None, form: Form, *, names: bool = True) -> None:
    """Writes a file in another form, to a file or standard output; beside a file, what is said of it."""
    data = read_file(path)
    hand_over(data if names else without_names(data), output, form)


def without_names(data: bytes) -> bytes:
    """A log without its line of names, if that is how it ends; else as it is."""
    from pbem.audit.anchors import log_of

    history = b"".join(line + b"\n" for line in log_of(data).lines)
    ends = data.endswith(b"\n") and data.startswith(history) and data.count(b"\n", len(history)) == 1
    return history if ends else data


def hand_over(data: bytes, output: Path | None, form: Form) -> None:
    """Writes what was made of an archive; beside a file, licence and source if any were given."""
    made = data if form.is_plain else formed(data, form)
    if output is None:
        click.echo(made, nl=False)
        return
    write_file(output, made)
    tell(say("Written: {file}", file=str(output)))
    if form.licence or form.source:
        from pbem.cli.audit_anchors import about_path

        write_file(about_path(output), about(made if form.format == "pbem" else data, form))
        tell(say("Written: {file}", file=str(about_path(output))))


def about(data: bytes, form: Form) -> bytes:
    """The file beside an export that says its licence and source."""
    from pbem.audit.anchors import log_of, write_about

    records = layers.read_all(layers.sound_lines(data)[:1])
    return write_about(log_of(data), getattr(records[0], "game", ""), form.licence, form.source)


def _from_text(text: record_text.GameText, form: Form) -> bytes:
    asked = (
        (form.layer != "full", "--layer"),
        (form.table != "moves", "--table"),
        (form.format == "head", "head"),
    )
    for wrong, option in asked:
        if wrong:
            raise refuse("text/form", option=option)
    kept = _since(text, form.since)
    match form.format:
        case "jsonl":
            return b"".join(tables.as_jsonl(record_text.rows(kept)))
        case "csv":
            return b"".join(tables.as_csv("moves", record_text.rows(kept)))
        case "pbem" | "text" | "head":
            return record_text.write(kept)


def _since(text: record_text.GameText, since: int) -> record_text.GameText:
    return msgspec.structs.replace(text, entries=tuple(one for one in text.entries if one.n >= since))
