"""What can be wrong with a scenario file itself: the table of the `scenario/…` codes."""

from __future__ import annotations

from engine import Code, Counted

CODES = (
    Code(
        "scenario/shape",
        "A scenario: an object with exactly the fields of docs/scenarios.md.",
        "{problem}.",
        "Compare the file with docs/scenarios.md, or check it against schemas/scenario.schema.json.",
    ),
    Code(
        "scenario/step",
        "A step with exactly one of `seat` (a move), `timeout`, `resign` and `standing`.",
        "Step {step} has {found}.",
        "Split the step, or name what happens in it.",
    ),
    Code(
        "scenario/unknown-ruleset",
        "A ruleset of this release: {known}.",
        "{ruleset}, version {version}.",
        "Correct `ruleset` and `version`, or run the scenario with a release that has them.",
    ),
    Code(
        "scenario/unknown-seat",
        "One of the scenario's seats: {seats}.",
        "{seat} at {path}.",
        "Correct the name, or add the seat to `seats`.",
    ),
    Code(
        "scenario/data",
        "What the ruleset writes in its {what}.",
        "{problem}.",
        "Compare it with the ruleset's page in docs/.",
    ),
    Code(
        "scenario/draw-dice",
        Counted(
            "count",
            "For the draw {label}, one number from 1 to {sides}.",
            "For the draw {label}, {count} numbers from 1 to {sides}.",
        ),
        "{found}.",
        "Correct the values of this scripted draw.",
    ),
    Code(
        "scenario/draw-items",
        "For the draw {label}, only what is drawn from: {items}.",
        "{found}.",
        "Correct the values of this scripted draw; they are the first items to come out, in order.",
    ),
)
