"""The names that an expression of a game file can read, by the place where it stands.

A name of the file that cannot be read at a place would be 0 there; it is a mistake at its line,
which says where it can be read. The same goes for a word that is used as a number, and for a text
that a name never is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import Any

from storypool.engine.refusal import nearest
from storypool.gamefile.file_format.expressions import GROUP, JOINED, Expression, Other
from storypool.gamefile.file_format.schema import ActionRow, AskRow, GameFile
from storypool.gamefile.file_format.thing_rows import words_of
from storypool.words import Phrase

__all__ = ["CARET", "DECLARED", "HERO", "OUTCOME", "PLAYERS", "READING", "ROUND", "SIDE"]
__all__ += ["WITHOUT_CHARACTER", "Place", "ReadableNames", "one_of", "place_of_time"]

CARET = "caret_caret_caret"
"""A name or a text in the place of the caret: its mistake lists every name known there."""
ACTION = "action"
"""The name of the key of an action, where a file has several; also the term that keeps it."""
OUTCOME = "outcome"
"""The name of a roll's result: the key of its rung."""
SIDE = "side"
"""The name of the side that acts: `players` or `gm`."""
ROUND = "round"
"""The name of the number of the round; 0 without turns."""
PLAYERS = "players"
"""The name of the number of players at the table."""
HERO = "hero"
"""The name of whether a character is a player's: 1, or 0 for an NPC. A file's own name wins."""
LISTED = 400
"""The most characters of a list of known names in a mistake."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]

TABLE = frozenset({"points", "entry", "option", "table", "given"})
DECLARED = TABLE | {"ask", "term"}
ROLLED = DECLARED | {"read", OUTCOME}
READING = frozenset({"ask", "term", "read"})
NUMBERS_ONLY = frozenset({"points", "entry", "term", "read", "more"})
"""The kinds of names that are always numbers."""
AT_A_TABLE = frozenset({"traits", "hand", "left"})
"""The counts of any table."""
TIMES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "before the roll": (DECLARED, AT_A_TABLE | {"dice"}),
    **dict.fromkeys(
        ("after the roll", "any time", "rolled", "closed"),
        (ROLLED, AT_A_TABLE | {"dice", "shows"}),
    ),
}
"""The kinds of names that can be read at a time with an action, and what can be counted."""
WITHOUT_CHARACTER = frozenset(
    {"session begins", "session ends", "scene begins", "scene ends", "round begins"}
)
"""The events that are about no character."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place of expressions: the kinds of names that have a value there.

    `key` is how a mistake names it, `asks` are the questions of a move that are answered there, and
    `later` those that are not yet; `more` are names of the place itself, such as `face`.
    """

    key: str
    kinds: frozenset[str]
    counts: frozenset[str] = AT_A_TABLE
    character: bool = True
    """Whether it is about a character, whose sheet, points and statements can be read."""
    asks: Mapping[str, AskRow] = field(default_factory=dict)
    later: frozenset[str] = frozenset()
    more: frozenset[str] = frozenset()

    @property
    def functions(self) -> frozenset[str]:
        """All that can be counted there, also of a group in an action that others join."""
        return self.counts | GROUP.keys() if self.kinds >= DECLARED else self.counts

    @property
    def pure(self) -> bool:
        """Whether there is no table there, only an action and its dice."""
        return not self.kinds & TABLE

    def at(self, key: str, *more: str) -> Place:
        """The same place under another key, where these names can be read too."""
        return replace(self, key=key, more=self.more | {*more})


def place_of_time(key: str, when: str, **more: Any) -> Place:
    """The place of what is done at a time, or by an event."""
    kinds, counts = TIMES.get(when, (TABLE, AT_A_TABLE))
    return Place(key=key, kinds=kinds, counts=counts, **more)


def one_of(
    path: Path, name: str, known: Iterable[str], owners: Mapping[str, Iterable[str]] = {}
) -> Found:
    """The mistake of a name that is not among those known; `owners` are actions that have it."""
    names = list(known)
    if name in names:
        return
    if name == CARET:
        yield path, Phrase("gamefile.name", name=name, known=tuple(names))
        return
    near = nearest(name, names)
    if name in owners:
        actions = ", ".join(f'"{key}"' for key in owners[name])
        id = "name.actions" if path[0] in ("move", "whenever") else "name.elsewhere"
        yield path, Phrase(f"gamefile.{id}", name=name, actions=actions)
    elif near:
        yield path, Phrase("gamefile.name.near", name=name[:40], near=near[0])
    else:
        listed = shorten(", ".join(filter(None, names)), LISTED, placeholder=" …") or "-"
        yield path, Phrase("gamefile.name", name=name[:40], known=listed)


class ReadableNames:
    """Finds out what each name of a game is, and checks expressions by their places.

    `names` are what all of these `actions` have; `owners` the actions that have any other name.
    """

    def __init__(
        self,
        game: GameFile,
        actions: Sequence[ActionRow],
        owners: Mapping[str, Sequence[str]],
        *,
        names: Iterable[str],
        given: Iterable[str],
    ) -> None:
        self.game, self.actions, self.owners = game, actions, owners
        common = frozenset(names)
        asks = [ask for row in reversed(actions) for ask in row.asks]
        self.asks = {ask.name: ask for ask in asks if ask.name in common}
        terms = {name for row in actions for name in row.terms if name in common}
        groups = game.sheet.values()
        self.entries = {entry for group in groups for entry in group.numbers}
        table = {SIDE, PLAYERS, HERO, *([ROUND] if game.turns is not None else [])}
        kinds: dict[str, Iterable[str]] = {
            "given": given,
            "table": table,
            "option": game.option,
            "entry": self.entries,
            "points": game.points,
            "words": words_of(game.sheet),
            OUTCOME: [OUTCOME],
            "read": common - terms - {*self.asks, ACTION},
            "term": terms,
            "ask": {*self.asks, *(common & {ACTION})},
        }
        self.kinds = {name: kind for kind, names in kinds.items() for name in names}
        """What each name of the game is."""

    def known(self, place: Place) -> list[str]:
        """The names that can be read at a place, the nearest first."""
        there = [name for name, kind in self.kinds.items() if self._is_there(name, kind, place)]
        return [*place.asks, *sorted(place.more), *reversed(there)]

    def mistakes(
        self, path: Path, expression: Expression | None, place: Place, number: bool = False
    ) -> Found:
        """The mistakes of an expression at a place; of one whose value has to be a `number`."""
        if expression is None:
            return
        for fault in expression.faults:
            yield path, fault
        for name in sorted(expression.names - {str(one) for one in expression.others}):
            yield from self._name(path, name, place)
        for other in sorted(expression.others):
            yield from self._other(path, other, place)
        for function, about in sorted(expression.counts):
            yield from self._count(path, function, about[0], place)
        numbers = expression.numbers | expression.results if number else expression.numbers
        for name in sorted(numbers):
            yield from self._number(path, name, place)
        if number:
            yield from _texts_as_numbers(path, expression.literals)
        for name, text in sorted(expression.texts):
            yield from self._text(path, name, text, place)
        for name, text in sorted(expression.chosen):
            yield from self._chosen(path, name, text, place)

    def kind(self, name: str, place: Place) -> str:
        """What a name is at a place; "" for nothing."""
        if name in place.more:
            return "more"
        return "own" if name in place.asks else self.kinds.get(name, "")

    def ask(self, name: str, place: Place) -> AskRow | None:
        """The question of this name that a place can read."""
        if name in place.asks:
            return place.asks[name]
        return self.asks.get(name) if "ask" in place.kinds else None

    def about_character(self, kind: str) -> bool:
        """Whether statements of a kind are about a character."""
        return kind in self.game.trait and self.game.trait[kind].of == "character"

    def _is_there(self, name: str, kind: str, place: Place) -> bool:
        return kind in place.kinds and (place.character or not self._is_of_character(name, kind))

    def _is_of_character(self, name: str, kind: str) -> bool:
        own = kind == "points" and self.game.points[name].is_own
        return own or kind == "entry" or (kind, name) == ("table", HERO)

    def _name(self, path: Path, name: str, place: Place) -> Found:
        kind = self.kind(name, place)
        if kind in ("more", "own") or (kind and self._is_there(name, kind, place)):
            return
        if name in place.later:
            yield _scope(path, "later", name, place)
        elif not kind:
            if name == JOINED:
                yield path, Phrase("gamefile.together.none")
                return
            counts = [f"{count}(" for count in sorted(place.functions)] if name == CARET else []
            yield from one_of(path, name, [*self.known(place), *counts], self.owners)
        elif kind in place.kinds:
            yield _scope(path, "nobody", name, place)
        else:
            yield _scope(path, kind, name, place)

    def _other(self, path: Path, read: Other, place: Place) -> Found:
        ask, question = self.ask(read.question, place), read.question
        if question in place.later:
            yield _scope(path, "later", question, place)
        elif place.pure:
            yield _scope(path, "other", str(read), place)
        elif ask is None and question in self.asks:
            yield _scope(path, "ask", question, place)
        elif ask is None:
            asks = {**place.asks, **(self.asks if "ask" in place.kinds else {})}
            known = [name for name, one in asks.items() if self._means_character(one)]
            yield from one_of(path, question, known)
        elif ask.reads_statement(read, self.game.trait):
            return
        elif ask.trait and read.name in ("rank", "kind") and not read.function:
            kinds = (name for name in ask.trait if name in self.game.trait)
            name = next((one for one in kinds if not self._has(one, read.name)), "")
            key = "kinds" if read.name == "kind" else "rank"
            yield (
                path,
                Phrase("gamefile.silent.scope.of_statement", name=str(read), of=name, key=key),
            )
        elif not self._means_character(ask):
            yield path, Phrase("gamefile.silent.scope.no_character", name=question)
        elif not read.function and _is_secret(place.asks.get(read.name)):
            return
        elif read.function == "points":
            own = [name for name, row in self.game.points.items() if row.is_own]
            yield from one_of(path, read.name, own)
        elif read.function == "traits":
            yield from one_of(path, read.name, filter(self.about_character, self.game.trait))
        elif self.kinds.get(read.name) == "points":
            yield path, Phrase("gamefile.silent.scope.points.of", name=question, points=read.name)
        elif self.kinds.get(read.name) == "words":
            yield _scope(path, "words", read.name, place)
        else:
            yield from one_of(path, read.name, [*sorted(self.entries), HERO])

    def _has(self, kind: str, name: str) -> bool:
        """Whether statements of a kind have ranks, or kinds."""
        row = self.game.trait[kind]
        return bool(row.rank if name == "rank" else row.kinds)

    def _kinds_of(self, name: str, place: Place) -> list[str]:
        """The kinds that a reading such as `which.kind` can be; none of another name."""
        question, _, read = name.partition(".")
        ask = self.ask(question, place)
        if read != "kind" or ask is None:
            return []
        rows = [self.game.trait[kind] for kind in ask.trait if kind in self.game.trait]
        return list(dict.fromkeys(kind for row in rows for kind in row.kinds))

    def _means_character(self, ask: AskRow) -> bool:
        return bool(ask.character) or any(map(self.about_character, ask.trait))

    def _count(self, path: Path, function: str, name: str, place: Place) -> Found:
        if function == "chose":
            secret = (ask.name for ask in place.asks.values() if _is_secret(ask))
            yield from one_of(path, name, secret)
            return
        if function not in place.functions:
            key = f"gamefile.silent.scope.{'group' if function in GROUP else function}"
            if place.pure and function not in GROUP:
                key = "gamefile.silent.pure" if function == "dice" else "gamefile.pure"
            yield path, Phrase(key, function=function, place=place.key)
            return
        known = {"dice": [*self.game.dice, *self.game.deck], "shows": self.game.dice}
        known |= {"traits": self.game.trait, "hand": self.game.deck, "left": self.game.deck}
        asked = [ask.name for ask in self.asks.values() if ask.entry]
        own = [name for name, row in self.game.points.items() if row.of == "character"]
        known |= dict.fromkeys(GROUP, (*asked, *sorted(self.entries), *own))
        yield from one_of(path, name, known[function])
        if function == "hand" and not place.character:
            yield _scope(path, "nobody", f"hand({name})", place)
        if function == "traits" and not place.character and self.about_character(name):
            yield _scope(path, "nobody", f"traits({name})", place)

    def _number(self, path: Path, name: str, place: Place) -> Found:
        """A word that is used as a number."""
        kind, ask = self.kind(name, place), self.ask(name, place)
        if kinds := self._kinds_of(name, place):
            yield path, _typed_words(name, kinds)
        elif ask is not None and ask.choose:
            example = f"'{next(iter(ask.choices), '')}' in {name}"
            yield path, Phrase("gamefile.silent.typed.several", name=name, example=example)
        elif ask is not None and ask.character:
            example = f"{name}.{min(self.entries)}" if self.entries else f"{name}.traits(...)"
            yield path, Phrase("gamefile.silent.typed.character", name=name, example=example)
        elif ask is not None and ask.text:
            yield path, Phrase("gamefile.silent.typed.text", name=name)
        elif (words := self._words(name, kind, ask)) and not any(map(_is_number, words)):
            yield path, _typed_words(name, words)

    def _words(self, name: str, kind: str, ask: AskRow | None) -> list[str]:
        """The texts that a name can be; none for a number."""
        if ask is not None and kind in ("own", "ask"):
            return list(ask.choices)
        if kind == "option":
            return list(self.game.option[name].values)
        if name == ACTION and kind == "ask":
            return [row.key for row in self.game.actions]
        if kind == OUTCOME:
            ladders = [row.outcome or self.game.outcome for row in self.actions]
            return list(dict.fromkeys(one.key for ladder in ladders for one in ladder))
        return ["players", "gm"] if name == SIDE and kind == "table" else []

    def _text(self, path: Path, name: str, text: str, place: Place) -> Found:
        """A text with which a name is compared that it never is."""
        kind, ask = self.kind(name, place), self.ask(name, place)
        if kind not in ("own", "ask"):
            ask = None
        if ask is not None and ask.choose and text:
            example = f"'{text[:20]}' in {name}"
            yield path, Phrase("gamefile.silent.typed.several", name=name, example=example)
        elif ask is not None and ask.card and not place.pure:
            yield from _one_answer(path, text, self._suits_of(ask))
        elif ask is not None and (ask.entry or ask.trait or ask.card):
            if place.pure:
                yield _scope(path, "chosen", f"{name} == '{text}'", place)
            else:
                yield from _one_answer(path, text, self._entries_of(ask))
        elif ask is not None and ask.character and text:
            yield path, Phrase("gamefile.silent.typed.id", name=name)
        elif words := self._words(name, kind, ask) or self._kinds_of(name, place):
            yield from _one_answer(path, text, words)
        elif (
            name.partition(".")[2] in {"rank", HERO, *self.entries}
            or kind in NUMBERS_ONLY
            or name in (ROUND, PLAYERS, HERO)
            or (ask is not None and ask.number)
        ):
            yield path, Phrase("gamefile.silent.typed.number", name=name, text=text[:40])

    def _suits_of(self, ask: AskRow) -> list[str]:
        rows = (self.game.deck[name] for name in ask.card if name in self.game.deck)
        return [suit for row in rows for suit in row.suits]

    def _chosen(self, path: Path, name: str, text: str, place: Place) -> Found:
        """A text that is looked for among the answers to a question."""
        ask = self.ask(name, place)
        if ask is not None and ask.choose:
            yield from _one_answer(path, text, list(ask.choices))
        elif self.kind(name, place):
            example = f"{name} == '{text[:20]}'"
            yield path, Phrase("gamefile.silent.typed.one", name=name, example=example)

    def _entries_of(self, ask: AskRow) -> list[str]:
        if ask.trait:
            return [*ask.trait, *sorted(self.entries)]
        groups = (self.game.sheet[name] for name in ask.entry if name in self.game.sheet)
        return [entry for group in groups for entry in group.entries]


def _is_secret(ask: AskRow | None) -> bool:
    return ask is not None and ask.secret


def _typed_words(name: str, words: list[str]) -> Phrase:
    """The mistake of a name that is one of some words, used as a number."""
    example = f"{name} == '{words[0]}'"
    return Phrase("gamefile.silent.typed.words", name=name, words=_list(words), example=example)


def _scope(path: Path, key: str, name: str, place: Place) -> tuple[Path, Phrase]:
    return path, Phrase(f"gamefile.silent.scope.{key}", name=name[:60], place=place.key)


def _one_answer(path: Path, text: str, known: list[str]) -> Found:
    """A text that is none of these answers, nor the empty one of a question left open."""
    if text == CARET:
        yield from one_of(path, text, known)
    elif text and text not in known:
        yield path, Phrase("gamefile.silent.typed.choice", got=text[:40], known=_list(known))


def _texts_as_numbers(path: Path, literals: Iterable[str]) -> Found:
    for text in sorted(literals):
        if not _is_number(text):
            yield path, Phrase("gamefile.silent.text", text=text[:40])


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _list(words: Iterable[str]) -> str:
    return shorten(", ".join(words), LISTED, placeholder=" …") or "-"
