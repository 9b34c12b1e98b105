"""No sentence is glued from pieces: what a reader sees is a whole message with named places."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

import pytest

from fixtures.sentences import called, constants, trees

Rule = Callable[[ast.Module], Iterator[ast.expr]]
SAYING = ("say", "Say", "plural")
HOME = ("engine/kernel/prose.py", "engine/kernel/refusal.py")
"""Where sentences are made of what others have said."""
WORD = re.compile(r"(?<![\w./-])[A-Za-z]{2,}")
FRAGMENT = re.compile(r"\W*\b(and|or|with|of|the|by|to|in|is|has|from|for|not|but|are)\b\W*")


def ids_that_are_no_literals(tree: ast.Module) -> Iterator[ast.expr]:
    """A message id that is computed stands in no catalog."""
    names = constants(tree)
    for call in calls(tree):
        ids = call.args[: 2 if called(call) == "plural" else 1]
        ids += [
            keyword.value
            for keyword in call.keywords
            if called(call) == "Say" and keyword.arg in {"id", "one"}
        ]
        for one in ids:
            if not isinstance(one, ast.Constant) and not (isinstance(one, ast.Name) and one.id in names):
                yield call


def glue_in_sentences(tree: ast.Module) -> Iterator[ast.expr]:
    """Words joined by an f-string or by + on their way into a sentence."""
    for call in calls(tree):
        for value in [*call.args, *(keyword.value for keyword in call.keywords)]:
            for node in expressions(value):
                if has_words(joined(node)):
                    yield node


def glue_around_sentences(tree: ast.Module) -> Iterator[ast.expr]:
    """Words set beside a sentence that has been put into a language already."""
    for node in expressions(tree):
        parts = joined(node)
        if any(
            isinstance(one, ast.Call) and called(one) == "words" for part in parts for one in ast.walk(part)
        ):
            texts = [part.value for part in parts if isinstance(part, ast.Constant)]
            if any(WORD.search(re.sub(r"<[^>]*>", "", text)) for text in texts if isinstance(text, str)):
                yield node


def fragments(tree: ast.Module) -> Iterator[ast.expr]:
    """A little word with blanks around it is a piece of a sentence."""
    for node in expressions(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and text != text.strip() and FRAGMENT.fullmatch(text):
            yield node


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in SAYING:
            yield node


def expressions(tree: ast.AST) -> Iterator[ast.expr]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.expr))


def joined(node: ast.AST) -> list[ast.expr]:
    """What an f-string, + or % puts together."""
    if isinstance(node, ast.JoinedStr):
        return node.values
    glue = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod)
    return [node.left, node.right] if isinstance(node, ast.BinOp) and glue else []


def has_words(parts: list[ast.expr]) -> bool:
    texts = [part.value for part in parts if isinstance(part, ast.Constant)]
    return any(WORD.search(text) for text in texts if isinstance(text, str))


@pytest.mark.parametrize(
    "rule",
    [ids_that_are_no_literals, glue_in_sentences, glue_around_sentences, fragments],
    ids=lambda one: one.__name__,
)
def test_no_sentence_is_glued(rule: Rule) -> None:
    found = [
        f"{name}:{node.lineno}: {ast.unparse(node)[:100]}"
        for name, tree in trees()
        if name not in HOME
        for node in rule(tree)
    ]
    assert not found


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (ids_that_are_no_literals, "say(text)"),
        (ids_that_are_no_literals, "plural('one', f'{n} many', 2)"),
        (glue_in_sentences, "say('{a}', a=f'the {b}')"),
        (glue_in_sentences, "say('{a}', a=b + ' fell')"),
        (glue_around_sentences, "f'{words(one, lang)} or nothing'"),
        (glue_around_sentences, "words(one) + ' or nothing'"),
        (fragments, "' and '.join(names)"),
    ],
)
def test_glue_is_seen(rule: Rule, text: str) -> None:
    assert list(rule(ast.parse(text)))


TO_ONESELF = {"pbem/service/roundtrip.py", "pbem/cli/host_health.py"}
"""Mails that no player reads, and answers for machines."""


def test_whatever_is_put_into_words_names_its_language() -> None:
    """`words` without a language is English, whoever reads it."""
    found = [
        f"{name}:{call.lineno}: {ast.unparse(call)[:100]}"
        for name, tree in trees()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and called(call) in {"words", "listing"} and name not in TO_ONESELF
        if len(call.args) < 2 and not any(keyword.arg == "lang" for keyword in call.keywords)
    ]
    assert not found
