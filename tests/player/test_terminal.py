"""`pbem fill` as a person meets it: a real terminal, 80 columns wide, and a game of the catalog."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

import pytest

from engine import GAMES
from tests.player.host import Host
from tests.player.run import ok, put, use_key

# A suite that was started in the background is deaf to Ctrl-C, and would hand that on.
PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from pbem.cli import main
main()
"""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT = re.compile(r"\n([0-9]+–[0-9]+ )?(\[.*\] )?> $")
PATIENCE = 60.0


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *args: str) -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def until(self, text: str) -> str:
        """What appears up to a text that must come; escape sequences left out."""
        shown, end = "", time.monotonic() + PATIENCE
        while text not in ESCAPES.sub("", shown):
            assert time.monotonic() < end, f"{text!r} did not come: {shown}"
            if select.select([self.master], [], [], 0.2)[0]:
                shown += self._read()
        self.seen += shown
        return ESCAPES.sub("", shown)

    def prompt(self) -> str:
        """What appears up to the next prompt, at which the command waits."""
        shown, end = "", time.monotonic() + PATIENCE
        while not (PROMPT.search(ESCAPES.sub("", shown)) and not self._more()):
            assert time.monotonic() < end, f"no prompt came: {shown}"
            shown += self._read() if self._more() else ""
        self.seen += shown
        return ESCAPES.sub("", shown)

    def _more(self) -> bool:
        return bool(select.select([self.master], [], [], 0.15)[0])

    def type(self, line: str) -> None:
        """A line and Enter."""
        os.write(self.master, line.encode() + b"\n")

    def _read(self) -> str:
        try:
            return os.read(self.master, 65536).decode("utf-8", "replace")
        except OSError:  # the other end is closed
            return ""

    def close(self) -> int:
        """The exit code."""
        code = self.process.wait(PATIENCE)
        os.close(self.master)
        return code


@pytest.fixture
def letter(home: Path) -> str:
    """A letter that asks for a move, and the key to answer it."""
    game = GAMES[0]
    host = Host(game, game.seats[:2]).begin()
    seat = host.asked()
    use_key(home, seat)
    ok("join", put("i.json", host.invitation(seat)))
    return str(put("letter.eml", host.mail(seat)))


def test_a_turn_filled_in_at_a_terminal(letter: str) -> None:
    terminal = Terminal("fill", letter)
    report = terminal.prompt()
    assert "\x1b[1m" in terminal.seen
    assert all(len(line.rstrip("\r")) <= 80 for line in report.split("\n"))
    terminal.type("1")
    terminal.prompt()
    terminal.type("1")
    assert "sure to be carried out" in terminal.prompt()
    terminal.type("stop")
    assert "A note to yourself?" in terminal.prompt()
    terminal.type("")
    assert "Your orders:" in terminal.prompt()
    terminal.type("")
    terminal.until("Send it to: ")
    assert terminal.close() == 0
    signed = json.loads(next(Path().glob("*.signed.json")).read_bytes())
    assert len(signed["payload"]["orders"]) == 1


def test_tab_completes_a_word(letter: str) -> None:
    """The first letters of an order, Tab, Enter: the next question is asked."""
    terminal = Terminal("fill", letter)
    terminal.prompt()
    os.write(terminal.master, b"secret_b\t")
    terminal.until("secret_bet")
    terminal.type("")
    terminal.prompt()
    terminal.type("u")
    assert "Make your secret bet" in terminal.prompt()
    terminal.type("q")
    terminal.until("there is nothing to keep")
    assert terminal.close() == 0


def test_without_a_terminal_there_is_no_colour_and_an_end_of_input_is_said(letter: str) -> None:
    """A newcomer's `pbem fill LETTER </dev/null` ended with 0, as if something had been done."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "fill", letter],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        check=False,
    )
    assert done.returncode == 2
    assert "kit/no-answers" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_ctrl_c_keeps_the_draft(letter: str) -> None:
    terminal = Terminal("fill", letter)
    terminal.prompt()
    terminal.type("1")
    terminal.prompt()
    terminal.type("1")
    assert "sure to be carried out" in terminal.prompt()
    os.killpg(terminal.process.pid, signal.SIGINT)
    terminal.until("Your draft is in ")
    assert terminal.close() == 0
    assert len(list(Path().glob("*.draft.json"))) == 1
    assert not list(Path().glob("*.signed.*"))
