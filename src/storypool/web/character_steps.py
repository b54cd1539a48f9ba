"""The steps in which a player makes a character: the draft so far, and the odds of each choice."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice

from storypool.engine.copies import replace
from storypool.engine.game.panels import SheetPanel
from storypool.engine.game.steps import (
    CharacterStep,
    StepChoice,
    StepText,
    TextMove,
    Trial,
    draft_of,
    picked,
)
from storypool.engine.game.system import System
from storypool.engine.house.people import DRAWN
from storypool.engine.refusal import Refused
from storypool.engine.table import Table, Value
from storypool.live.previews import previewed, rolls_of_sheet
from storypool.odds.question import within_limits
from storypool.play.local import LocalTable
from storypool.words import Words
from storypool.worth.weighing import reckoned

START, NAME = "start", "name"
"""The keys of the step that begins with a ready character, and of the last one."""
GROUPS = 3
"""The most steps that are made from the groups of a sheet."""
MOST_CHANCES = 24
"""The most odds in one step."""
SECONDS = 0.25
"""The most seconds, as estimated, for one of the odds."""

Chosen = Mapping[str, Sequence[str]]
"""The keys of the choices taken, by step."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of a typical action, an exact fraction as a text, with the word for success.

    `of` is the choice or the entry of the sheet that it belongs to. `without` is the chance before
    the step, or "" where it is the same or unknown.
    """

    of: str
    title: str
    chance: str
    outcome: str
    without: str = ""


@dataclass(frozen=True)
class Draft:
    """A character in the making: choices, typed numbers and texts, and the table's options."""

    system: System
    options: Mapping[str, str]
    chosen: Chosen = field(default_factory=dict)
    numbers: Mapping[str, Value] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def steps(self) -> tuple[CharacterStep, ...]:
        """The steps of the game, or those made from its sheet; the last one is for the name."""
        own = self.system.steps or tuple(_derived(self.system, self.options))
        return *own, _last(self.system.words)

    def sheet(self) -> dict[str, Value]:
        """The numbers and words of the sheet so far."""
        known = {
            key: value
            for key, value in self.numbers.items()
            if key in self.system.by_entry and self.system.by_entry[key].fits(value)
        }
        return draft_of(self.steps(), self.chosen, self.system.by_entry) | known

    def fields(self, step: CharacterStep) -> Iterator[StepText]:
        """Yield the texts to write in a step for what is chosen, by their full keys."""
        for one in picked(step, self.chosen):
            for text in one.texts:
                yield replace(text, key=f"{step.key}.{one.key}.{text.key}")

    def written(self) -> Iterator[TextMove]:
        """Yield the moves that write the texts, as they were typed or as they began."""
        for step in self.steps():
            for one in self.fields(step):
                text = self.texts.get(one.key, one.text).strip()
                if text and one.move in self.system.by_key:
                    yield TextMove(one.move, one.who, {**one.given, one.ask: text})
        for face in self.chosen.get(NAME, ())[:1]:
            yield TextMove("character.portrait", "who", {"drawn": face})

    def chances(self, step: CharacterStep) -> list[Chance]:
        """The odds of a step: of each choice as if it were taken, or of each number."""
        of = self._of_choices if step.choices else self._of_entries
        found = self._of_ready(step) if step.key == START else of(step)
        with suppress(Refused):
            return list(islice(found, MOST_CHANCES))
        return []

    def means(self, step: CharacterStep, chances: Sequence[Chance]) -> str:
        """The meaning of a step; one made from the sheet speaks of odds only where it has some."""
        made = "group" if step.entries else step.key
        plain = self.system.words.get(f"steps.{made}.plain", step.means)
        return step.means if chances else plain

    def _of_choices(self, step: CharacterStep) -> Iterator[Chance]:
        choices = [one for one in step.choices if one.trials]
        if not choices:
            return
        tried = TrialTable(self.system, self.options)
        old = replace(self, chosen={**self.chosen, step.key: ()}).sheet()
        for one in choices:
            new = self._with(step, one).sheet()
            for trial in one.trials:
                before = [found.chance for found in tried.chance(old, one.key, trial)]
                for found in tried.chance(new, one.key, trial):
                    without = next((n for n in before if n != found.chance), "")
                    yield replace(found, without=without)

    def _with(self, step: CharacterStep, one: StepChoice) -> "Draft":
        """The same draft with a choice taken."""
        others = [key for key in self.chosen.get(step.key, ()) if key != one.key]
        taken = [one.key, *others][: step.pick]
        return replace(self, chosen={**self.chosen, step.key: taken})

    def _of_entries(self, step: CharacterStep) -> Iterator[Chance]:
        tried, sheet = TrialTable(self.system, self.options), self.sheet()
        for trial in tried.trials(sheet):
            if trial.key in step.entries:
                yield from tried.chance(sheet, trial.key, trial)

    def _of_ready(self, step: CharacterStep) -> Iterator[Chance]:
        """Yield the odds of each ready character with the highest of its numbers."""
        tried = TrialTable(self.system, self.options)
        for one in step.choices:
            sheet = self._with(step, one).sheet()
            numbers = {key: n for key, n in sheet.items() if isinstance(n, int)}
            trials = [trial for trial in tried.trials(sheet) if trial.key in numbers]
            if trials:
                best = max(trials, key=lambda trial: numbers[trial.key])
                named = {"action": best.title, "entry": self.system.entry(best.key)}
                title = self.system.words.say("steps.start.trial", **named)
                yield from tried.chance(sheet, one.key, replace(best, title=title))


WHO = "?"
"""The name of the character at a table that tries it out."""


class TrialTable:
    """A table in memory with the options of another, where a player tries a new character out.

    A session runs, nobody else is there, and no rule of the moment is in the way.
    """

    def __init__(self, system: System, options: Mapping[str, str]) -> None:
        self.system = system
        known = {one.key: options[one.key] for one in system.options if one.key in options}
        # Nothing of the moment is in the way, such as points that wait for their first roll.
        known |= {"enforcement": "log"}
        local = LocalTable(system, lambda low, high: low, options=known)
        self.seat = local.sit("Player")
        self.gm = local.sit("GM", "gm") if system.has_gm else self.seat
        local.make(self.seat, "character.add", {"name": WHO})
        local.make(self.gm, "session.begin")
        self.table, self.who = local.state, next(iter(local.state.characters))

    def with_sheet(self, sheet: Mapping[str, Value]) -> Table:
        """The table where the character has this sheet too."""
        one = self.table.characters[self.who]
        new = replace(one, sheet={**one.sheet, **sheet})
        return replace(self.table, characters={self.who: new})

    def trials(self, sheet: Mapping[str, Value]) -> Iterator[Trial]:
        """Yield the actions that the numbers of this sheet begin, by their entries."""
        table = self.with_sheet(sheet)
        for roll in rolls_of_sheet(self.system, table, table.seats[self.seat], self.who, {}):
            if roll.move:
                yield Trial(roll.entry, self.system.title(roll.move), roll.given, roll.move)

    def chance(self, sheet: Mapping[str, Value], of: str, trial: Trial) -> Iterator[Chance]:
        """Yield the chance of a trial with this sheet; nothing where it has no odds."""
        table, args = self.with_sheet(sheet), {"as": self.who, **trial.given}
        tried = previewed(self.system, table, self.seat, trial.move, args)
        with suppress(Refused), within_limits(SECONDS):
            found = reckoned(self.system.key, table, tried.check) if tried.check else None
            for name, chance in islice(found.brief()["outcomes"].items() if found else (), 1):
                yield Chance(of, trial.title, chance, self.system.outcome(name))


def _derived(system: System, options: Mapping[str, str]) -> Iterator[CharacterStep]:
    """Yield the steps of a game without its own: a ready character to begin with, and the sheet."""
    words = system.words
    if system.ready:
        choices = tuple(
            StepChoice(f"r{n}", str(one["name"]), about=str(one.get("about", "")), sheet=sheet)
            for n, one in enumerate(system.ready)
            if isinstance(sheet := one.get("sheet"), Mapping) and sheet
        )
        if choices:
            yield replace(_step(words, START), choices=choices)
    groups = dict[str, list[str]]()
    ranks = {key for panel in system.panels if isinstance(panel, SheetPanel) for key in panel.rank}
    for entry in system.sheet:
        if entry.key not in ranks and _is_played(system, options, entry.group):
            groups.setdefault(entry.group, []).append(entry.key)
    listed = list(groups.items())
    # Further groups are one step together.
    rest = tuple(chain.from_iterable(entries for _, entries in listed[GROUPS - 1 :]))
    alone = listed if len(listed) <= GROUPS else listed[: GROUPS - 1]
    for n, (group, entries) in enumerate(alone):
        step = _step(words, "group", group=system.group(group))
        yield replace(step, key=f"group{n}", entries=tuple(entries))
    if alone is not listed:
        step = _step(words, "group", group=words["steps.more"])
        yield replace(step, key="more", entries=rest)


def _is_played(system: System, options: Mapping[str, str], group: str) -> bool:
    """Whether a table with these options plays a group of the sheet."""
    usual = {one.key: one.default for one in system.options}
    rules = (
        rule.split(" ")
        for panel in system.panels
        if isinstance(panel, SheetPanel)
        for rule in panel.only
    )
    return all(of != group or options.get(key, usual.get(key)) == value for of, key, value in rules)


def _last(words: Words) -> CharacterStep:
    """The step for the name, where a drawn face can be chosen too."""
    faces = (StepChoice(key, words[f"portrait.{key}"]) for key in DRAWN)
    return replace(_step(words, NAME), choices=tuple(faces))


def _step(words: Words, key: str, **named: object) -> CharacterStep:
    """A step of every game, in its words."""
    title, question, means = (
        words.say(f"steps.{key}{part}", **named) for part in ("", ".question", ".means")
    )
    return CharacterStep(key, title, question=question, means=means)
