"""The desk page with the words of every refusal that it may have to tell."""

from __future__ import annotations

from functools import cache

from pbem.desk.page import desk_page, packed_page
from pbem.turn.eml import Attachment
from pbem.turn.refusals import TABLE
from pbem.turn.wording import PAGE


@cache
def desk_file() -> Attachment:
    """The page as a file of a letter: ASCII, in short lines."""
    return Attachment(PAGE, "text/html; charset=utf-8", packed_page(TABLE))


def plain_desk() -> bytes:
    """The page in the form that can be read."""
    return desk_page(TABLE)
