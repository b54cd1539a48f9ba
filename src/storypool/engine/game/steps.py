"""The steps in which a player makes a character: choices, each a package of numbers and texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from storypool.engine.folder import rows
from storypool.engine.game.kit import Entry
from storypool.engine.table import Value

__all__ = ["steps_in"]


@dataclass(frozen=True, slots=True)
class TextMove:
    """A move that writes a text of a new character; its question `who` takes the character."""

    move: str
    who: str
    args: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class StepText:
    """A text in the player's own words, which a `move` writes once the character is made.

    The field begins with `text`; an empty one writes nothing. `ask` is the question that takes the
    text, `who` the one that takes the character, and `given` answers the others.
    """

    key: str
    label: str
    move: str
    _: KW_ONLY
    text: str = ""
    ask: str = "text"
    who: str = "who"
    given: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trial:
    """A typical action, which shows by its odds what a choice means in play."""

    key: str
    title: str
    given: Mapping[str, Value]
    move: str = "check.declare"


@dataclass(frozen=True, slots=True)
class StepChoice:
    """A choice: numbers that it sets, numbers that it adds to, and its texts."""

    key: str
    name: str
    _: KW_ONLY
    about: str = ""
    sheet: Mapping[str, Value] = field(default_factory=dict)
    adds: Mapping[str, int] = field(default_factory=dict)
    trials: tuple[Trial, ...] = ()
    texts: tuple[StepText, ...] = ()


@dataclass(frozen=True, slots=True)
class CharacterStep:
    """A step: its question, what the answer means in play, and the `pick` choices to take.

    `entries` are numbers and words of the sheet that the player places.
    """

    key: str
    title: str
    _: KW_ONLY
    question: str
    means: str
    pick: int = 1
    choices: tuple[StepChoice, ...] = ()
    entries: tuple[str, ...] = ()

    def labelled(self, label: Callable[[str, str], str]) -> "CharacterStep":
        """The step with the label for each id; the second argument is the one in the row."""
        id = f"steps.{self.key}"
        return replace(
            self,
            title=label(id, self.title),
            question=label(f"{id}.question", self.question),
            means=label(f"{id}.means", self.means),
            choices=tuple(_labelled(f"{id}.{one.key}", one, label) for one in self.choices),
        )


def _labelled(id: str, one: StepChoice, label: Callable[[str, str], str]) -> StepChoice:
    trials = (
        replace(trial, title=label(f"trial.{trial.key}", trial.title)) for trial in one.trials
    )
    return replace(
        one,
        name=label(id, one.name),
        about=label(f"{id}.about", one.about) if one.about else "",
        trials=tuple(trials),
        texts=tuple(_text(f"{id}.{text.key}", text, label) for text in one.texts),
    )


def _text(id: str, one: StepText, label: Callable[[str, str], str]) -> StepText:
    text = label(f"{id}.text", one.text) if one.text else ""
    return replace(one, label=label(f"{id}.label", one.label), text=text)


def steps_in(package: str) -> tuple[CharacterStep, ...]:
    """The steps in a game's `steps.toml`, where choices name their trials and texts by key."""
    found = rows(package, "steps")
    trials = {key: Trial(key, **row) for key, row in found.get("trial", {}).items()}
    return tuple(_step(row, trials) for row in found["step"])


def _step(row: Mapping[str, Any], trials: Mapping[str, Trial]) -> CharacterStep:
    choices = tuple(_choice(one, trials) for one in row["choices"])
    return CharacterStep(**{**row, "choices": choices})


def _choice(row: Mapping[str, Any], trials: Mapping[str, Trial]) -> StepChoice:
    tried = tuple(trials[key] for key in row.get("trials", ()))
    texts = tuple(StepText(**text) for text in row.get("texts", ()))
    return StepChoice(**{**row, "trials": tried, "texts": texts})


def picked(step: CharacterStep, chosen: Mapping[str, Sequence[str]]) -> Iterator[StepChoice]:
    """Yield the chosen choices of a step, in its order, at most as many as it takes."""
    keys = chosen.get(step.key, ())[: step.pick]
    return (one for one in step.choices if one.key in keys)


def draft_of(
    steps: Iterable[CharacterStep],
    chosen: Mapping[str, Sequence[str]],
    entries: Mapping[str, Entry],
) -> dict[str, Value]:
    """The sheet that the choices make, each number within the bounds of its entry."""
    sheet: dict[str, Value] = {}
    for step in steps:
        for one in picked(step, chosen):
            sheet |= one.sheet
            for key, n in one.adds.items():
                entry, old = entries[key], sheet.get(key, 0)
                now = n + old if isinstance(old, int) else n
                sheet[key] = min(entry.high, max(entry.low, now))
    return sheet
