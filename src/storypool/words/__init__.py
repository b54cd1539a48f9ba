"""The catalogue of every sentence that people read, by id.

Another language is another folder of files.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, overload

from storypool.words.plurals import CATEGORIES, categories, rule

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BadValue", "NotInstalled", "Phrase", "StorypoolError", "Words"]

T = TypeVar("T")

PROGRAM: Mapping[str, Sequence[str]] = {
    "en": (),
    "odds": ("grid", "picture", "whatif"),
    "log": ("brought", "log"),
    "characters": ("imported",),
    "check": ("check",),
    "gamefile": ("gamefile",),
    "client": ("client",),
    "discord": ("discord",),
    "web": ("help", "live", "print", "recap_page", "serve", "shell", "web"),
    "cli": ("cli", "doctor", "play"),
    "page": ("page",),
    "lab": ("lab",),
}
"""File name → the id prefixes of its sentences, which belong to no game; `en` has the rest."""
_FILES = {begin: name for name, begins in PROGRAM.items() for begin in begins}


class StorypoolError(Exception):
    """The base of every exception that this package raises on purpose.

    Its text is one sentence, with the reason and what to do instead. Each kind has a base of the
    standard library too where one fits, such as `ValueError`.

    >>> from storypool import StorypoolError, d, odds
    >>> try:
    ...     odds(d(6)).mean("hits")
    ... except StorypoolError as error:
    ...     print(error)
    There is no axis 'hits' here; ask about pips.
    """

    # That of a `KeyError` would quote the sentence.
    __str__ = Exception.__str__


class BadValue(StorypoolError, ValueError):
    """A value of the right kind that does not fit; the sentence says what does.

    >>> from storypool import d, odds
    >>> odds({d(6): -1})
    Traceback (most recent call last):
    storypool.words.BadValue: A pool cannot hold -1 d6 dice; give 0 or more.
    """


class NotInstalled(StorypoolError, ImportError):
    """A package that is only needed for this is not installed; the sentence has the command."""


class Words(Mapping[str, str]):
    """A catalogue of sentences by dotted id, in one language; `say` fills in the blanks.

    `texts` are not copied.

    >>> Words({"no.points": "You have {have}, it costs {price}."}).say("no.points", have=0, price=1)
    'You have 0, it costs 1.'

    A sentence that counts is a table of CLDR's plural categories, and the value of its blank `n`
    picks one:

    >>> dice = Words({}).also({"left": {"one": "{n} die is left.", "other": "{n} dice are left."}})
    >>> dice.say("left", n=1), dice.say("left", n=2)
    ('1 die is left.', '2 dice are left.')
    """

    __slots__ = ("_rule", "_texts", "language")

    def __init__(self, texts: Mapping[str, str], language: str = "en") -> None:
        self._texts, self.language, self._rule = texts, language, rule(language)

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def get(self, key: str, default: None = None, /) -> str | None: ...

    @overload
    def get(self, key: str, default: str, /) -> str: ...

    @overload
    def get(self, key: str, default: T, /) -> str | T: ...

    def get(self, key: str, default: object = None, /) -> object:
        """The sentence with its blanks unfilled, or the default; fast where it is missing."""
        return self._texts.get(key, default)

    def say(self, key: str, /, **values: object) -> str:
        """The sentence with its blanks filled; `KeyError` when there is no such sentence.

        >>> turn = Words({"turn": "It is {who}'s turn."})
        >>> turn.say("turn", who="the dock hands"), turn.say("turn", who="the boss")
        ("It is the dock hands' turn.", "It is the boss's turn.")
        """
        return _with_possessives(self.form(key, values), values).format_map(values)

    def joined(self, texts: Iterable[str], last: str = "list.last") -> str:
        """Texts joined into a list: with commas, and "and" or another word before the last.

        The words of a roll without a table have no lists of their own.

        >>> words = Words({"list.comma": ", ", "list.last": " and "})
        >>> words.joined(["Ann", "Bo", "Cy"]), words.joined(["Ann"]), words.joined([])
        ('Ann, Bo and Cy', 'Ann', '')
        """
        *most, end = [*texts] or [""]
        return self.get("list.comma", ", ").join(most) + (self[last] if most else "") + end

    def category(self, n: object) -> str:
        """The plural category of a number in this language; `other` unless it is a whole number."""
        return self._rule(abs(n)) if isinstance(n, int) else "other"

    def form(self, key: str, values: Mapping[str, object]) -> str:
        """The sentence, in the form for the number in its blank `n` if it has forms."""
        texts = self._texts
        if "n" in values and (form := texts.get(f"{key}.{self.category(values['n'])}")) is not None:
            return form
        return texts[key] if key in texts or f"{key}.other" not in texts else texts[f"{key}.other"]

    def plus(self, file: str | Path) -> Words:
        """This catalogue and the sentences of a TOML file; `ValueError` for a known id."""
        return self.also(read(file))

    def over(self, file: str | Path) -> Words:
        """This catalogue with the sentences of a TOML file, which may replace its own."""
        return Words({**self._texts, **read(file)}, self.language)

    def also(self, texts: Mapping[str, object], before: str = "") -> Words:
        """This catalogue and more sentences, such as those of rows. `ValueError` for a known id.

        Those of a list are numbered from 1.

        >>> dict(Words({}).also({"notice": "Notice one thing", "lose": ["A coin"]}, "spend"))
        {'spend.notice': 'Notice one thing', 'spend.lose.1': 'A coin'}
        """
        more = _flat(texts, f"{before}." if before else "")
        twice = more.keys() & self._texts.keys()
        if twice:
            raise BadValue(
                f"These sentences are already in the catalogue: {', '.join(sorted(twice))}."
            )
        return Words({**self._texts, **more}, self.language)

    def under(self, other: Words) -> Words:
        """This catalogue translated: each sentence as in `other`, or unchanged where that has none.

        A sentence with the blank `n`, or a word with a plural, may have a form for each plural
        category of the other language, or one form for every number. A translation must not have
        blanks that the original lacks: the `ValueError` names the first that does.
        """
        texts = dict(self._texts)
        for key in sorted(other):
            if (filled := self._filled(key)) is None:
                continue
            if not blanks(other[key]) <= filled:
                raise BadValue(f"The sentence {key} has a blank that nothing fills: {other[key]}")
            if counts(texts, key):
                texts = {
                    id: text
                    for id, text in texts.items()
                    if id not in (f"{key}.one", f"{key}.other")
                }
            texts[key] = other[key]
        return Words(texts, other.language)

    def _filled(self, key: str) -> set[str] | None:
        """The blanks that a translation of this sentence or form may have; None if unknown."""
        base, _, last = key.rpartition(".")
        for id in (key, base if last in CATEGORIES else key):
            if counts(self._texts, id):
                return blanks(self._texts[f"{id}.other"]) | {"n"}
        if key in self._texts:
            return blanks(self._texts[key])
        if last in CATEGORIES and f"{base}.plural" in self._texts:
            return set()
        found = blanks(self._texts.get(base, ""))
        return found if last in CATEGORIES and "n" in found else None


_OWNER = r"\{(\w+)\}'s\b"  # Compiled on first use: few commands of the terminal need it.


def _with_possessives(text: str, values: Mapping[str, object]) -> str:
    """The sentence with a bare apostrophe after each owner whose name ends in s, but not in ss."""
    if "}'s" not in text:
        return text
    ends = {
        name for name, value in values.items() if re.search("[^s]s$", str(value), re.IGNORECASE)
    }
    return re.sub(
        _OWNER, lambda owner: owner[0].removesuffix("s") if owner[1] in ends else owner[0], text
    )


def counts(texts: Mapping[str, str], key: str) -> bool:
    """Whether an English sentence has a singular and a plural form, chosen by its blank `n`."""
    return f"{key}.one" in texts and f"{key}.other" in texts


class Phrase:
    """A sentence that is not yet in any language: its id, and the values of its blanks.

    It becomes text where it is shown, with `localize`; `str` is English, for programmers. A value
    may be another phrase, or an exception that holds one.
    """

    __slots__ = ("key", "values")

    def __init__(self, key: str, /, **values: object) -> None:
        self.key, self.values = key, values

    def localize(self, words: Words) -> str:
        """The sentence in these words; `KeyError` if they lack it."""
        values = {name: _localized(value, words) for name, value in self.values.items()}
        form = words.form(self.key, values)
        for name, value in self.values.items():
            # A sentence that another one ends with brings its own full stop.
            if isinstance(value, Phrase | Exception) and f"{{{name}}}." in form:
                values[name] = str(values[name]).removesuffix(".")
        return words.say(self.key, **values)

    def __str__(self) -> str:
        return self.localize(english())

    def __repr__(self) -> str:
        return repr(str(self))


def localize(what: object, words: Words) -> str:
    """A phrase, or an exception that holds one, in these words; anything else as its `str`."""
    return str(_localized(what, words))


def _localized(value: object, words: Words) -> object:
    if isinstance(value, Exception) and value.args:
        value = value.args[0] if isinstance(value.args[0], Phrase) else value
    return value.localize(words) if isinstance(value, Phrase) else value


def blanks(text: str) -> set[str]:
    """The names of the blanks in a sentence; `ValueError` for braces that are not blanks."""
    from string import Formatter  # only a translation needs it

    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@cache
def house_words() -> Words:
    """The sentences that every game shares, in English."""
    return Words(_texts_of("en"))


@cache
def _texts_of(name: str) -> Mapping[str, str]:
    return read(package_file("storypool.words", f"{name}.toml"))


@cache
def english() -> Words:
    """The English sentences that belong to no game, including those of the page and terminal."""
    return Words(_ProgramTexts())


class _ProgramTexts(Mapping[str, str]):
    """The English sentences that belong to no game; each file is read on first use.

    Reading all files takes 30 ms, and a terminal command uses a few sentences of one or two files.
    """

    def __init__(self) -> None:
        self._texts, self._read = dict[str, str](), set[str]()

    def _with_files(self, *names: str) -> dict[str, str]:
        for name in names:
            if name not in self._read:
                # Two threads that read the file at once store the same texts.
                self._texts |= _texts_of(name)
                self._read.add(name)
        return self._texts

    def __getitem__(self, key: str) -> str:
        return self._with_files(_FILES.get(key.partition(".")[0], "en"))[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._with_files(*PROGRAM))

    def __len__(self) -> int:
        return len(self._with_files(*PROGRAM))


def to_translate(texts: Mapping[str, str], language: str) -> dict[str, str]:
    """English sentences to translate, with the plural forms of the other language only.

    >>> texts = {"dice.one": "{n} die", "dice.other": "{n} dice", "look.d6.plural": "d6s"}
    >>> list(to_translate(texts, "cs"))
    ['dice.one', 'dice.few', 'dice.other', 'look.d6.plural', 'look.d6.few']
    """
    found: dict[str, str] = {}
    for key, text in texts.items():
        base, _, last = key.rpartition(".")
        if last in CATEGORIES and counts(texts, base):
            text = texts[f"{base}.other"]
            found |= {
                f"{base}.{one}": texts.get(f"{base}.{one}", text) for one in categories(language)
            }
        else:
            found[key] = text
            if last == "plural":
                found |= {
                    f"{base}.{one}": text
                    for one in categories(language)
                    if one not in ("one", "other")
                }
    return found


def as_toml(texts: Mapping[str, str]) -> str:
    """Sentences as a TOML file to translate, in the order of their ids.

    >>> print(as_toml({"no.busy": "An action is still going on: {title}."}), end="")
    "no.busy" = "An action is still going on: {title}."
    """
    return "".join(f"{_quoted(key)} = {_quoted(texts[key])}\n" for key in sorted(texts))


def _quoted(text: str) -> str:
    import json  # only a file to translate needs it

    # A basic TOML string is a JSON string, except for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def package_file(package: str, name: str = "") -> str:
    """The path of a file in the folder of a package, or of that folder."""
    # Like `importlib.resources`, whose import takes longer than a whole roll.
    return f"{import_module(package).__path__[0]}/{name}"


def read(file: str | Path) -> dict[str, str]:
    """The sentences of a TOML file by dotted id."""
    return _flat(toml(file))


def read_text(text: str) -> dict[str, str]:
    """The sentences of a TOML text by dotted id."""
    return _flat(tomllib.loads(text))


def toml(file: str | Path) -> dict[str, Any]:
    """The contents of a TOML file."""
    with open(file, encoding="utf-8") as opened:
        return tomllib.loads(opened.read().removeprefix("\ufeff"))


def _flat(tree: Mapping[str, object], before: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, list):
            flat |= {f"{before}{key}.{n}": str(one) for n, one in enumerate(value, 1)}
        elif isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[before + key] = str(value)
    return flat
