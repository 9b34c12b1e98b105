"""The figures of a run as pictures, by matplotlib, which is loaded with this module (the extra `lab`).

Shows the numbers of the tables. How the pixels come out is the library's business: nothing is compared with them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from engine import Say, say, words
from pbem.lab.balance import Balance
from pbem.lab.figures import Share, wilson

_MOST_WORDS = 24


def plots(cells: Sequence[Balance], lang: str = "en") -> dict[str, bytes]:
    """Pictures as PNG, by file name, cell by cell."""
    files: dict[str, bytes] = {}
    for number, cell in enumerate(cells):
        for by, title in (
            ("seat", say("Wins by seat")),
            ("order", say("Wins by place in the turn order")),
            ("bot", say("Wins by bot")),
        ):
            bars = [(name, share) for name, share, _ in cell.wins(by)]
            files[f"{number}-{by}.png"] = _drawn(title, lang, bars)
        files[f"{number}-length.png"] = _drawn_lengths(cell, lang)
        words_of_doers = sorted(
            (word for word in cell.did if word[1] not in ("", "seat")),
            key=lambda word: (-cell.did[word], word),
        )
        bars = [
            (" ".join((word[0], word[2])), wilson(cell.did_and_won[word], cell.did[word]))
            for word in words_of_doers[:_MOST_WORDS]
        ]
        files[f"{number}-wins_with.png"] = _drawn(say("Wins of those who did it"), lang, bars)
    return files


def _drawn(title: Say, lang: str, bars: Sequence[tuple[str, Share]]) -> bytes:
    """Shares as points with their intervals, one above the other."""
    names = [name for name, _ in bars]
    rates = [share.rate for _, share in bars]
    reach = ([share.rate - share.low for _, share in bars], [share.high - share.rate for _, share in bars])

    def draw(axes: Any) -> None:
        axes.errorbar(rates, range(len(bars)), xerr=reach, fmt="o", color="#1f5fa8", capsize=4)
        axes.set_yticks(range(len(bars)), names)
        axes.set_ylim(len(bars) - 0.5, -0.5)
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.grid(axis="x", color="#dddddd")

    return _png(title, lang, max(2.4, 0.32 * len(bars) + 1.2), draw)


def _drawn_lengths(cell: Balance, lang: str) -> bytes:
    turns = sorted(cell.turns)

    def draw(axes: Any) -> None:
        axes.bar(turns, [cell.turns[one] for one in turns], width=0.9, color="#1f5fa8")
        axes.set_xlabel(words(say("turns"), lang))
        axes.set_ylabel(words(say("games"), lang))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))

    return _png(say("Length of the games"), lang, 3.6, draw)


def _png(title: Say, lang: str, height: float, draw: Callable[[Any], None]) -> bytes:
    figure = Figure(figsize=(7.2, height), layout="constrained")
    axes: Any = figure.add_subplot()
    axes.set_title(words(title, lang))
    draw(axes)
    data = io.BytesIO()
    canvas: Any = FigureCanvasAgg(figure)
    canvas.print_png(data, metadata={"Software": None})
    return data.getvalue()
