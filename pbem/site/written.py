"""The words that stand on a replay page before its script has done anything: what the page says of itself.

The page's script reads them off the document (tale.mjs), this module off the HTML; their digest stands in the
page, so that it notices when a word of it was changed. White space is left out: readers of HTML move it about.
"""

from __future__ import annotations

from html.parser import HTMLParser

_TAGS = frozenset(("title", "header", "nav", "main", "footer"))
_IDS = frozenset(("words", "tale"))
_CLASS = "audited"
_SPACE = str.maketrans("", "", " \t\n\r\f")


def written_on(html: str) -> str:
    """The text of head line, verdict with the rules, controls, content, foot, and of the data, without white space."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.found).translate(_SPACE)


class _Reader(HTMLParser):
    """Keeps text that stands inside of one of the parts; `inside` is that part's tag, `depth` how often it is open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.inside = ""
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.inside:
            told = dict(attrs)
            if tag in _TAGS or told.get("id") in _IDS or told.get("class") == _CLASS:
                self.inside, self.depth = tag, 1
        elif tag == self.inside:
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == self.inside:
            self.depth -= 1
            if self.depth == 0:
                self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found.append(data)
