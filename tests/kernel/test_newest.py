"""What is remembered is given again for equal arguments only."""

from __future__ import annotations

from collections.abc import Mapping

from engine.kernel.newest import newest, newest_of_same


def test_an_answer_is_given_again_for_equal_arguments_alone() -> None:
    asked: list[tuple[Mapping[str, int], str]] = []

    @newest
    def joined(counts: Mapping[str, int], lang: str) -> str:
        asked.append((counts, lang))
        return f"{sum(counts.values())} {lang}"

    assert [joined({"a": 1}, "en"), joined({"a": 1}, "en")] == ["1 en", "1 en"]
    assert len(asked) == 1
    assert [joined({"a": 2}, "en"), joined({"a": 2}, "fi"), joined({"a": 1}, "en")] == [
        "2 en",
        "2 fi",
        "1 en",
    ]
    assert len(asked) == 4


def test_of_things_that_are_only_equal_the_answer_is_made_anew() -> None:
    asked: list[list[int]] = []

    @newest_of_same
    def total(numbers: list[int]) -> int:
        asked.append(numbers)
        return sum(numbers)

    one, other = [1, 2], [1, 2]
    assert [total(one), total(one), total(other), total(one)] == [3, 3, 3, 3]
    assert len(asked) == 3


def test_what_fails_is_not_remembered() -> None:
    @newest
    def inverse(number: int) -> float:
        return 1 / number

    assert inverse(2) == 0.5
    for _ in range(2):
        try:
            inverse(0)
        except ZeroDivisionError:
            continue
        raise AssertionError
    assert inverse(2) == 0.5
