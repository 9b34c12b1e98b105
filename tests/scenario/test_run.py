"""Scenarios from the door: what holds, what is reported as different, and what is wrong with the file."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from engine import Refused, sentences, words
from pbem.log.canonical import Limits, read
from pbem.scenario import CODES, DEEPEST, MOST_BYTES, run, run_file
from tests.scenario.toy import TOY

GAMES = (TOY,)
THROW = {"do": "throw"}
DIG = {"do": "dig"}
REST = {"do": "rest"}

WHOLE: dict[str, Any] = {
    "v": 1,
    "name": "all expectations at once",
    "page": "p. 1",
    "question": "Who learns which gem was dug?",
    "answer": "The digger alone.",
    "ruleset": "toy",
    "seats": ["red", "blue"],
    "options": {"goal": 6},
    "position": {"heap": ["ruby", "opal"], "hands": {"blue": ["jade"]}},
    "draws": [{"label": "1/throw", "values": [2]}, {"values": [5]}],
    "steps": [
        {
            "standing": {"seat": "blue", "policy": {"beg": "ask"}},
            "expect": {"waiting": {"filed": {"length": 1}}},
        },
        {
            "seat": "red",
            "orders": [DIG, THROW, DIG, DIG, {"do": "beg", "seat": "blue"}, REST],
            "expect": {
                "lapses": [{"order": 4, "code": "moment/heap-empty", "seat": "red"}],
                "events": [{"event": "dug", "gem": "ruby"}, {"event": "replied", "give": False}],
                "heard": {
                    "red": {
                        "exactly": [
                            {"event": "dug", "seat": "red", "gem": "ruby"},
                            {"event": "threw", "seat": "red", "die": 2},
                            {"event": "dug", "seat": "red", "gem": "opal"},
                            {"event": "lapsed", "order": 4},
                            {"event": "replied", "seat": "blue", "give": False},
                        ]
                    },
                    "public": [{"event": "dug", "gem": ""}],
                },
                "auto": [{"seat": "blue", "decision": "reply", "by": "standing", "answer": {"give": False}}],
                "draws": {
                    "public": [{"label": "1/throw", "sides": 6, "values": [2]}],
                    "hidden": {"exactly": []},
                },
                "closed": True,
                "next": [{"seat": "blue", "decision": "turn"}],
                "position": {
                    "heap": [],
                    "hands": {"red": {"contains": ["opal"], "length": 2}},
                    "asked": {"absent": True},
                    "asking": ["blue"],
                },
                "sees": {"red": ["ruby"], "blue": ["jade"]},
                "hides": {"blue": ["ruby", "opal"], "public": ["ruby", "jade"]},
                "view": {"red": {"heap": 0}},
                "tally": [{"name": "gems", "count": 3}],
            },
        },
        {
            "seat": "red",
            "orders": [THROW],
            "expect": {"refusal": "moment/not-your-turn"},
        },
        {
            "seat": "blue",
            "orders": [{"do": "beg", "seat": "blue"}],
            "expect": {"refusal": {"code": "order/no-such-seat", "order": 1}},
        },
        {"timeout": "blue", "expect": {"next": ["red"]}},
        {
            "seat": "red",
            "orders": [THROW],
            "expect": {"result": {"how": "goal", "places": [{"seat": "red"}]}},
        },
    ],
    "expect": {
        "events": [{"event": "threw", "die": 2}, {"event": "threw", "die": 5}],
        "next": [],
        "result": {"how": "goal"},
    },
}


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """The whole scenario with one thing written differently."""
    copy = deepcopy(WHOLE)
    at: Any = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return copy


def small(**fields: Any) -> dict[str, Any]:
    return {"v": 1, "name": "small", "ruleset": "toy", "seats": ["red", "blue"], "steps": [], **fields}


def test_everything_as_expected() -> None:
    report = run(WHOLE, GAMES)
    assert report.difference is None
    assert report.ok
    assert (report.name, report.steps) == ("all expectations at once", 6)


STEP = ("steps", 1, "expect")


@pytest.mark.parametrize(
    ("path", "to", "where"),
    [
        ((*STEP, "lapses"), [], "steps[1].expect.lapses"),
        ((*STEP, "lapses", 0, "code"), "moment/other", "steps[1].expect.lapses[0].code"),
        ((*STEP, "events", 0, "gem"), "jade", "steps[1].expect.events[0]"),
        ((*STEP, "heard", "red", "exactly"), [], "steps[1].expect.heard.red.exactly"),
        ((*STEP, "heard", "public", 0, "gem"), "ruby", "steps[1].expect.heard.public[0]"),
        ((*STEP, "auto", 0, "by"), "default", "steps[1].expect.auto[0]"),
        ((*STEP, "draws", "public", 0, "sides"), 8, "steps[1].expect.draws.public[0]"),
        ((*STEP, "closed"), False, "steps[1].expect.closed"),
        ((*STEP, "next"), ["red"], "steps[1].expect.next[0].seat"),
        ((*STEP, "next", 0, "decision"), "reply", "steps[1].expect.next[0].decision"),
        ((*STEP, "position", "heap"), ["ruby"], "steps[1].expect.position.heap"),
        ((*STEP, "position", "hands", "red", "length"), 1, "steps[1].expect.position.hands.red.length"),
        (
            (*STEP, "position", "hands", "red", "contains"),
            ["jade"],
            "steps[1].expect.position.hands.red.contains",
        ),
        ((*STEP, "position", "mover"), {"absent": True}, "steps[1].expect.position.mover"),
        ((*STEP, "position", "goal"), "6", "steps[1].expect.position.goal"),
        ((*STEP, "position", "hands"), {"exactly": {"red": []}}, "steps[1].expect.position.hands.red"),
        ((*STEP, "position", "nothing"), 1, "steps[1].expect.position.nothing"),
        ((*STEP, "sees", "blue"), ["ruby"], "steps[1].expect.sees.blue"),
        ((*STEP, "hides", "red"), ["ruby"], "steps[1].expect.hides.red"),
        ((*STEP, "view", "red", "heap"), 1, "steps[1].expect.view.red.heap"),
        ((*STEP, "tally", 0, "count"), 4, "steps[1].expect.tally[0].count"),
        (("steps", 2, "expect"), {}, "steps[2].expect.refusal"),
        (("steps", 4, "expect"), {"refusal": "order/shape"}, "steps[4].expect.refusal"),
        (("steps", 3, "expect", "refusal", "order"), 2, "steps[3].expect.refusal.order"),
        (("steps", 3, "expect", "refusal", "code"), "order/shape", "steps[3].expect.refusal"),
        (("steps", 5, "expect", "result", "how"), "resigned", "steps[5].expect.result.how"),
        (("expect", "events", 1, "die"), 6, "expect.events[1]"),
        (("draws",), [{"values": [2]}, {"values": [5]}, {"values": [1]}], "draws[2]"),
    ],
)
def test_the_first_difference_is_named(path: tuple[Any, ...], to: Any, where: str) -> None:
    report = run(changed(*path, to=to), GAMES)
    assert report.difference is not None
    assert report.difference.path == where
    assert not report.ok
    assert where in words(report.difference.say)


def test_a_difference_shows_the_sentence_of_a_refusal() -> None:
    difference = run(changed("steps", 2, "expect", to={}), GAMES).difference
    assert difference is not None
    assert "moment/not-your-turn (expected: A move from one of the seats that must decide now: blue" in words(
        difference.say
    )


def test_a_question_rests_the_list_until_it_is_answered() -> None:
    report = run(
        small(
            position={"asking": ["blue"]},
            draws=[{"values": [3]}],
            steps=[
                {
                    "seat": "red",
                    "orders": [{"do": "beg", "seat": "blue"}, THROW, REST],
                    "expect": {
                        "next": [{"seat": "blue", "decision": "reply"}],
                        "waiting": {"rest": [{"seat": "red", "first": 2}], "due": []},
                        "closed": False,
                    },
                },
                {"seat": "blue", "orders": [{"do": "reply", "give": True}], "expect": {"closed": True}},
            ],
            expect={"position": {"score": {"exactly": {"red": 3}}}, "next": ["blue"]},
        ),
        GAMES,
    )
    assert report.difference is None


def test_a_position_may_begin_in_the_middle_of_a_turn() -> None:
    report = run(
        small(
            position={"asking": ["blue"], "asked": "blue"},
            waiting={"due": [], "rest": [{"seat": "red", "orders": [REST], "first": 3}]},
            steps=[{"seat": "blue", "orders": [{"do": "reply", "give": True}]}],
            expect={"next": ["blue"], "position": {"turn": 2}},
        ),
        GAMES,
    )
    assert report.difference is None


def test_menus_and_checks() -> None:
    beg = {"do": "beg", "seat": "blue"}
    scenario = small(
        position={"heap": ["ruby"]},
        expect={
            "menu": {
                "red": {"admits": [beg, DIG], "refuses": [{"do": "beg", "seat": "red"}]},
                "blue": {"refuses": [DIG]},
            },
            "check": {
                "red": [
                    {"order": beg, "certainty": "sure"},
                    {"order": THROW, "certainty": "sure"},
                    {
                        "order": {"do": "beg", "seat": "red"},
                        "code": "order/no-such-seat",
                        "certainty": "refused",
                    },
                    {"order": {"do": "dance"}, "code": "order/shape"},
                ]
            },
        },
    )
    assert run(scenario, GAMES).difference is None
    scenario["expect"]["menu"]["red"]["admits"].append({"do": "reply", "give": True})
    found = run(scenario, GAMES).difference
    assert found is not None
    assert found.path == "expect.menu.red.admits[2]"


def test_a_fresh_game_with_a_scripted_shuffle() -> None:
    scenario = small(
        draws=[{"label": "heap", "values": ["jade"]}],
        expect={"position": {"heap": ["jade", "ruby", "opal"]}, "draws": {"hidden": [{"label": "heap"}]}},
    )
    assert run(scenario, GAMES).difference is None


def test_unscripted_draws_depend_on_the_seed_alone() -> None:
    def thrown(seed: str) -> list[int]:
        return [
            die
            for turn in range(1, 9)
            for die in range(1, 7)
            if run(
                small(
                    seed=seed,
                    position={"turn": turn},
                    steps=[{"seat": "red", "orders": [THROW]}],
                    expect={"events": [{"event": "threw", "die": die}]},
                ),
                GAMES,
            ).ok
        ]

    assert len(thrown("a")) == 8
    assert thrown("a") == thrown("a")
    assert thrown("a") != thrown("b")


def test_an_impossible_position_and_bad_options_have_the_codes_of_the_game() -> None:
    twice = small(position={"heap": ["ruby", "ruby"]})
    found = run(twice, GAMES).difference
    assert found is not None
    assert found.path == "expect.refusal"
    assert run({**twice, "expect": {"refusal": "position/heap"}}, GAMES).ok
    unplayable = small(options={"goal": 0})
    assert not run(unplayable, GAMES).ok
    assert run({**unplayable, "expect": {"refusal": "options/goal"}}, GAMES).ok


FAULTS: dict[str, dict[str, Any]] = {
    "scenario/shape": small(step=[]),
    "scenario/step": small(steps=[{"seat": "red", "timeout": "red", "orders": []}]),
    "scenario/unknown-ruleset": small(version=2),
    "scenario/unknown-seat": small(steps=[{"timeout": "green"}]),
    "scenario/data": small(options={"goal": "six"}),
    "scenario/draw-dice": small(
        position={}, steps=[{"seat": "red", "orders": [THROW]}], draws=[{"values": [7]}]
    ),
    "scenario/draw-items": small(draws=[{"values": ["glass"]}]),
}


@pytest.mark.parametrize("code", FAULTS)
def test_what_is_wrong_with_a_file_has_a_code(code: str) -> None:
    with pytest.raises(Refused) as caught:
        run(FAULTS[code], GAMES)
    assert caught.value.refusal.code == code
    table = {entry.code: entry for entry in CODES}
    assert all(words(sentence) for sentence in sentences(caught.value.refusal, table))


def test_every_code_has_a_file() -> None:
    assert {code.code for code in CODES} == set(FAULTS)


MORE: list[dict[str, Any]] = [
    {"steps": [{"seat": "red", "orders": [], "nonsense": 1}]},
    {"steps": [{}]},
    {"expect": {"view": {"green": {}}}},
    {"expect": {"hides": {"nobody": ["ruby"]}}},
    {"position": {}, "waiting": {"due": ["green"]}},
    {"draws": [{"values": ["ruby", "ruby"]}]},
]


@pytest.mark.parametrize("more", MORE)
def test_more_that_is_wrong_with_a_file(more: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        run(small(**more), GAMES)
    assert caught.value.refusal.area == "scenario"


def strictly(data: bytes) -> Any:
    return read(data, Limits(MOST_BYTES, DEEPEST))


def test_a_file_is_read_by_the_strict_reader() -> None:
    verdict = run_file(json.dumps(WHOLE, indent=2).encode(), strictly, GAMES)
    assert verdict.ok
    assert words(verdict.say) == "all expectations at once: as expected"
    with pytest.raises(Refused) as caught:
        run_file(b'{"v": 1, "v": 1}', strictly, GAMES)
    assert caught.value.refusal.code == "file/key-twice"


def test_the_verdict_of_a_file_that_differs() -> None:
    verdict = run_file(json.dumps(changed("expect", "next", to=["red"])).encode(), strictly, GAMES)
    assert not verdict.ok
    assert words(verdict.say) == (
        'all expectations at once: expect.next:\n  expected [{"seat":"red"}]\n  found    []'
    )
