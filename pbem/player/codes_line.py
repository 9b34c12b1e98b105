"""The words of what can be wrong with orders written as lines of text."""

from __future__ import annotations

from engine import Code

_WORDS = "Correct the word."

LINE = (
    Code(
        "line/too-long",
        "At most {lines} lines of at most {length} characters.",
        "More, or longer ones.",
        "Give only the lines with orders.",
    ),
    Code(
        "line/not-utf-8",
        "A text file with one order a line.",
        "A file of another kind.",
        "Save the lines as plain text (UTF-8).",
    ),
    Code(
        "line/no-verb",
        "An order: {words}.",
        "No word that could be one.",
        "Begin the line with one of these words.",
    ),
    Code("line/unknown-verb", "An order, such as {words}.", "The word {word}.", _WORDS),
    Code(
        "line/missing", "More words: {fields}.", "The line ends here.", "Add what is missing, in this order."
    ),
    Code("line/no-value", "A word for {field}.", "None.", "Add it here."),
    Code("line/unknown-field", "One of the names {words}.", "The word {word}.", _WORDS),
    Code(
        "line/too-much",
        "The end of the order.",
        "One word more: {word}.",
        "Take it away, or begin a new line.",
    ),
    Code("line/not-a-number", "A whole number for {field}.", "The word {word}.", "Write it in digits."),
    Code("line/not-yes-or-no", "“yes” or “no” for {field}.", "The word {word}.", _WORDS),
    Code("line/unknown-word", "One of {words}.", "The word {word}.", _WORDS),
    Code(
        "line/no-bracket",
        "What belongs to {field}, in round brackets.",
        "No opening bracket.",
        "Put it in brackets: its kind first, then what else belongs to it.",
    ),
    Code("line/unclosed", "A closing bracket: {sign}", "The line ends here.", "Add the bracket."),
    Code(
        "line/open-quote",
        "A closing quotation mark.",
        "The line ends here.",
        "Add it, or take the opening one away.",
    ),
    Code(
        "line/escape",
        "After a backslash one of the letters n, t, r, b, f, a backslash, a quotation mark, or u and four digits.",
        "Something else.",
        "Write two backslashes where you mean one.",
    ),
    Code("line/how-many", "{n} values for {field}.", "{found}.", "Write as many, with commas between them."),
    Code(
        "line/too-deep",
        "At most {depth} brackets in each other.",
        "More.",
        "Write the order as a move file, or let `pbem fill` write it.",
    ),
    Code(
        "line/no-check-word",
        "A check word at the end of this line, since other lines have one.",
        "None: the line, or its end, was lost or changed on its way.",
        "Ask for the line again. If you write the lines yourself, take all check words away.",
    ),
    Code(
        "line/check-word",
        "A line that fits its check word, as do all before it.",
        "The line “{line}” with the word {word}: this line was changed, or one before it was lost or moved.",
        "Compare it with the line as it was sent. If you changed it on purpose, take all check words away.",
    ),
    Code(
        "line/no-orders",
        "At least one line with an order.",
        "None.",
        "Write an order a line, such as the ones in the manual of the game under docs/.",
    ),
)
