"""The whole catalogue of a game: its sentences, and the label of every row, by stable ids.

A label is written in its row, where it is read together with the rule. Its id is made from the
row's key, so a translation needs only words: `whole` returns everything to translate, and
`translated` the same game in other words.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from storypool.engine.game.asks import Ask
from storypool.engine.game.kit import Entry, Look
from storypool.engine.game.moves import Move
from storypool.engine.game.panels import Panel
from storypool.engine.game.system import System
from storypool.words import BadValue, Words
from storypool.words.plurals import CATEGORIES

Whole = TypeVar("Whole", bound=System)

Label = Callable[[str, str], str]
"""The label for an id; the second argument is the label written in the row."""


def whole(system: System) -> dict[str, str]:
    """Every sentence and every label of a game by its id.

    `ValueError` if two rows with one id have different labels; one of them then needs a name of its
    own.
    """
    found: dict[str, str] = {}

    def labelled(id: str, text: str) -> str:
        label = system.words.get(id, text)
        if found.setdefault(id, label) != label:
            raise BadValue(f"{system.name} has two labels for the id {id}: {found[id]} / {label}")
        return label

    _labelled(system, labelled)
    return {**found, **system.words}


def translated(system: Whole, words: Words) -> Whole:
    """The same game in other words; a sentence or label that `words` lacks stays as it was.

    The rules do not change: keys, ids, names of dice and everything that is typed stay the same.
    """
    own = Words(whole(system)).under(words)
    look = {name: _counted(f"look.{name}", one, own) for name, one in system.look.items()}
    return replace(_labelled(replace(system, look=look), lambda id, _: own[id]), words=own)


def _counted(id: str, look: Look, words: Words) -> Look:
    """A look with the plural forms of its word, for languages with more forms than English."""
    return replace(
        look, forms={one: words[f"{id}.{one}"] for one in CATEGORIES if f"{id}.{one}" in words}
    )


def _labelled(system: Whole, label: Label) -> Whole:
    return replace(
        system,
        name=label("game.name", system.name),
        about=label("game.about", system.about) if system.about else "",
        moves=tuple(_move(row, label) for row in system.moves),
        sheet=tuple(_entry(entry, label) for entry in system.sheet),
        look={name: _look(f"look.{name}", look, label) for name, look in system.look.items()},
        outcomes={
            name: _look(f"outcome.{name}", look, label) for name, look in system.outcomes.items()
        },
        panels=tuple(_panel(panel, label) for panel in system.panels),
        ready=tuple(_ready(one, label) for one in system.ready),
        steps=tuple(step.labelled(label) for step in system.steps),
    )


def _move(row: Move, label: Label) -> Move:
    return replace(
        row,
        title=label(f"title.{row.key}", row.title),
        rule=label(f"rule.{_slug(row.rule)}", row.rule) if row.rule else "",
        asks=tuple(_ask(f"ask.{row.key}.{ask.name}", ask, label) for ask in row.asks),
    )


def _ask(id: str, ask: Ask, label: Label) -> Ask:
    return replace(ask, label=label(id, ask.label))


def _entry(entry: Entry, label: Label) -> Entry:
    id = f"entry.{entry.key}"
    about = {"about": label(f"{id}.about", entry.notes["about"])} if "about" in entry.notes else {}
    return replace(entry, label=label(id, entry.label), notes={**entry.notes, **about})


def _look(id: str, look: Look, label: Label) -> Look:
    return replace(
        look,
        word=label(id, look.word),
        plural=label(f"{id}.plural", look.plural or f"{look.word}s"),
        letter=label(f"{id}.letter", look.letter) if look.letter else "",
    )


def _panel(panel: Panel, label: Label) -> Panel:
    id = f"panel.{panel.kind}.{panel.name}" if panel.name else f"panel.{panel.kind}"
    return replace(
        panel,
        title=label(id, panel.title) if panel.title else "",
        words={name: label(f"{id}.word.{name}", word) for name, word in panel.words.items()},
    )


def _ready(one: Mapping[str, object], label: Label) -> Mapping[str, object]:
    id = f"ready.{_slug(str(one['name']))}"
    about = {"about": label(f"{id}.about", str(one["about"]))} if "about" in one else {}
    return {**one, "name": label(id, str(one["name"])), **about}


def _slug(text: str) -> str:
    """A text as an id: lower-case letters and digits, with a dash for anything between."""
    return "-".join(re.findall(r"[^\W_]+", text.lower()))
