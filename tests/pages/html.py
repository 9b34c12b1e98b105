"""HTML read by the rules of HTML: the first thing that is not in order is an error."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

import html5lib


def valid(page: bytes) -> Element:
    """The document; ParseError at the first thing that is not HTML."""
    parser: Any = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root: Element = parser.parse(page)
    return root


def text(page: bytes) -> str:
    """All words of a page."""
    return " ".join(valid(page).itertext())
