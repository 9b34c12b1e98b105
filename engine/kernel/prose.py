"""Sentences as data: a message id and named arguments, put into words only at the very end.

The message id is the English sentence itself, as gettext has it; `Say` marks it for extraction. An
argument is a string, a number, another sentence (a name, say) or a list of sentences. Nothing here
glues words together: even a list is joined by messages of its own.
"""

from __future__ import annotations

import gettext
from functools import cache, lru_cache
from pathlib import Path
from typing import Union

import msgspec

LOCALES = Path(__file__).resolve().parents[1] / "locale"
DOMAIN = "pbem"
LANGUAGES = ("de", "en", "fi", "hu")
"""The languages that a reader may choose: English, and those with a catalog."""

Arg = Union[str, int, "Say", tuple["Say", ...]]


class Say(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A sentence to be put into a reader's language.

    `id` is the message id with `{named}` places, `args` fills them. With `one`, the id is the plural
    form, `one` the singular, and the integer argument `n` chooses between them.
    """

    id: str
    args: dict[str, Arg] = {}
    one: str = ""

    def of(self, **args: Arg) -> Say:
        """The same sentence with other arguments."""
        return Say(self.id, args, self.one)


def say(id: str, /, **args: Arg) -> Say:
    """Short form of `Say(id, args)`."""
    return Say(id, args)


def verbatim(text: str, /) -> Say:
    """A name or a text that is no sentence of ours, and the same in every language."""
    return Say("{text}", {"text": text})


def plural(one: str, many: str, /, n: int, **args: Arg) -> Say:
    """A sentence whose form depends on the number `n`, which may stand in it as `{n}`."""
    return Say(many, {"n": n, **args}, one)


@cache
def translations(lang: str) -> gettext.NullTranslations:
    """The catalog of a language (`en`, `fi` …); English, which needs none, where there is no such catalog."""
    return gettext.translation(DOMAIN, str(LOCALES), languages=[lang], fallback=True)


def words(sentence: Say, lang: str = "en") -> str:
    """The sentence in a language. KeyError where an argument is missing: that is a fault of ours."""
    args = sentence.args
    if sentence.one:
        count = args["n"]
        if not isinstance(count, int):
            raise TypeError(f"plural sentence {sentence.id!r} needs an integer n")
        template = translations(lang).ngettext(sentence.one, sentence.id, count)
    elif not args:
        return _name(sentence.id, lang)
    else:
        template = _template(sentence.id, lang)
    said: dict[str, str | int] = {}
    for name, value in args.items():
        # the plain types first: this runs some hundred times a letter
        kind = type(value)
        if kind is str or kind is int:
            said[name] = value  # type: ignore[assignment]
        elif isinstance(value, Say):
            said[name] = words(value, lang)
        else:
            said[name] = listing(value, lang) if isinstance(value, tuple) else value
    return template.format_map(said)


@lru_cache(maxsize=4096)
def _name(id: str, lang: str) -> str:
    """A sentence without arguments: mostly a name, of which a letter says the same ones over and over."""
    return translations(lang).gettext(id).format_map({}) if id else ""


@lru_cache(maxsize=4096)
def _template(id: str, lang: str) -> str:
    return translations(lang).gettext(id)


def listing(items: tuple[Say, ...], lang: str = "en") -> str:
    """Sentences or names joined as a list: nothing, `a`, `a and b`, `a, b and c`."""
    return _listed(tuple(words(item, lang) for item in items), lang)


@lru_cache(maxsize=4096)
def _listed(texts: tuple[str, ...], lang: str) -> str:
    if not texts:
        return words(say("nothing"), lang)
    if len(texts) == 1:
        return texts[0]
    head = texts[0]
    for text in texts[1:-1]:
        head = words(say("{first}, {next}", first=head, next=text), lang)
    return words(say("{head} and {last}", head=head, last=texts[-1]), lang)
