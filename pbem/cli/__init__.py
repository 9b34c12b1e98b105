"""The command line: one module a noun, loaded only when its command is called.

Nothing is decided here; what a person reads comes from sentences, and a `Refused` ends as one answer on
standard error with exit code 2 (1 where a file was judged and found wanting).
"""

from __future__ import annotations

from importlib import import_module

import click

from pbem import __version__

COMMANDS = {
    "key": "pbem.cli.player_key:key",
    "join": "pbem.cli.player_key:join",
    "ready": "pbem.cli.player_send:ready",
    "show": "pbem.cli.player_turn:show",
    "render": "pbem.cli.render:render",
    "fill": "pbem.cli.player_fill:fill",
    "compile": "pbem.cli.player_compile:compile_orders",
    "check": "pbem.cli.player_turn:check",
    "sign": "pbem.cli.player_turn:sign",
    "verify": "pbem.cli.player_verify:verify",
    "desk": "pbem.cli.desk:desk",
    "standing": "pbem.cli.player_standing:standing",
    "resign": "pbem.cli.player_send:resign",
    "press": "pbem.cli.player_send:press",
    "advance": "pbem.cli.player_time:advance",
    "withdraw": "pbem.cli.player_time:withdraw",
    "away": "pbem.cli.player_time:away",
    "extend": "pbem.cli.player_time:extend",
    "undo": "pbem.cli.player_time:undo",
    "settings": "pbem.cli.player_time:settings",
    "turn": "pbem.cli.turn:turn",
    "audit": "pbem.cli.audit:audit",
    "replay": "pbem.cli.audit:replay",
    "scenario": "pbem.cli.scenario:scenario",
    "library": "pbem.cli.site:library",
    "replay-page": "pbem.cli.site:replay_page",
    "lab": "pbem.cli.lab:lab",
    "host": "pbem.cli.host:host",
    "game": "pbem.cli.host:game",
    "player": "pbem.cli.host_people:player",
    "table": "pbem.cli.host_tables:table",
    "serve": "pbem.cli.host:serve",
    "work": "pbem.cli.host:work",
    "deliver": "pbem.cli.inbox:deliver",
    "inbox": "pbem.cli.inbox:inbox",
    "export": "pbem.cli.host:export",
    "status": "pbem.cli.host:status",
}
"""Each command and where it is defined; help shows them in this order."""


class Lazy(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, name = target.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbem")
def main() -> None:
    """Play-by-email games: signed moves, fair dice, archives that anyone can verify."""
