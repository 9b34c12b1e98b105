"""Tests of the desk page: its modules under Node, held against Python's, and the page itself in Chromium."""

from pathlib import Path

HERE = Path(__file__).parent
