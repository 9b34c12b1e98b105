"""Lines are broken as the standard library breaks them."""

from __future__ import annotations

import textwrap

from hypothesis import example, given
from hypothesis import strategies as st

from engine import break_lines

WORDS = st.lists(st.text("ab-é\u00a0\u2003,", min_size=1, max_size=14), max_size=30)
INDENTS = st.sampled_from(["", "  ", "  * ", "> "])


@given(WORDS, st.sampled_from([" ", "  ", "\n", "\t"]), st.integers(8, 40), st.tuples(INDENTS, INDENTS))
@example([], " ", 8, ("", ""))
@example(["aaaaaaaaaaaa", "b"], " ", 8, ("  ", ""))
@example(["a", "bbbbbbbbbbbbb"], " ", 8, ("", "  "))
def test_lines_are_the_standard_library_s(
    words: list[str], gap: str, width: int, indents: tuple[str, str]
) -> None:
    first, rest = indents
    text = " ".join(words[:3]) + gap.join(["", *words[3:]])
    for cut in (False, True):
        assert break_lines(text, width, first, rest, cut=cut) == textwrap.wrap(
            text,
            width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=cut,
            break_on_hyphens=False,
        )
