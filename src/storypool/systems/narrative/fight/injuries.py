"""Critical injuries: the throw for one, their effects, the table of a group, and their treatment.

A hit that gets through soak may cause one (starwars.md 1.5). The throw, the severities and the
effects are a house's own rows: no source here has them.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from storypool.engine import rules as r
from storypool.systems.narrative.lasting import INJURY, note
from storypool.systems.narrative.sheet import NARRATIVE, note_of

ROWS: Mapping[str, Mapping[str, Any]] = r.rows(NARRATIVE, "injuries")
"""The effects that are ready to be chosen, by their keys."""
OWN_ROW = "injury-row"
"""The kind of the trait with an effect that the table has added."""
MODS: Mapping[str, tuple[Literal["add", "upgrade"], str]] = {
    "setback": ("add", "setback"),
    "difficulty": ("upgrade", "difficulty"),
}
"""The changes of the checks of an injured character, by the die."""
THROWN, DIE = "thrown", r.Die("d100", tuple(r.Bag() for _ in range(100)))
"""The choice of the effect that a throw of this die gives."""
WORSE = 10
"""What each earlier injury of the character adds to the throw."""
SEVERITIES = {"light": "easy", "serious": "average", "grave": "hard", "deadly": "daunting"}
"""The difficulty of the treatment of an injury, by its severity."""


@dataclass(frozen=True)
class Severity(r.State):
    """The severity of an injury, or ""."""

    severity: str = ""


@dataclass(frozen=True)
class Added(r.State):
    """An effect that a table has added: the die that it changes, or "", and what gives it.

    The throws from `first` to `last` do; a row without them is only chosen.
    """

    die: str = ""
    first: int = 0
    last: int = 0
    severity: str = ""


@dataclass(frozen=True)
class Effect:
    """What an injury does: its words, its severity or "", and the die that it changes, n times."""

    text: str
    severity: str = ""
    die: str = ""
    n: int = 1


def injury_words() -> dict[str, str]:
    """The ready effects, as sentences of the catalogue."""
    return {key: row["text"] for key, row in ROWS.items()}


def effects(turn: r.Turn) -> Iterator[r.Choice]:
    """The throw, then the effects of the table's own list, then the ready ones."""
    yield r.Choice(THROWN, turn.words["injury.thrown"])
    for key in (*(trait.id for trait in turn.table.of_kind(OWN_ROW)), *ROWS):
        effect = _effect(turn, key)
        if effect is not None:
            yield r.Choice(key, effect.text, _severity_word(turn, effect))


def injury_asks(
    asked: Callable[[r.Turn], bool],
    preset: Callable[[r.Turn], str | None],
    label: str = "What does it do?",
) -> tuple[r.Ask, ...]:
    """The questions about a critical injury where it is `asked`: its effect, and a real d100."""
    return (
        r.ChoiceAsk("injury", label, effects, preset=preset, needed=False, shown=asked),
        r.NumberAsk(
            "shows",
            "What does your d100 show?",
            low=1,
            high=DIE.sides,
            needed=False,
            shown=lambda t: asked(t) and t.text("injury") == THROWN,
        ),
    )


def effect_of(turn: r.Turn, who: r.Character) -> Generator[r.Event, None, Effect | None]:
    """Throw for the answered injury of a character, or take the chosen one; return its effect.

    The effect is None where no injury is answered.
    """
    key = turn.text("injury")
    if key != THROWN:
        return _effect(turn, key)
    face = turn.number("shows")
    rolled = turn.cast({DIE.name: 1}, (face,) if face else ())
    more = WORSE * len(injuries(turn.table, who.id))
    total = rolled[0].face + more
    values = {"who": who.name, "n": rolled[0].face, "more": more, "total": total}
    why = turn.words.say("injury.again" if more else "injury.throw", **values)
    thrown = r.DiceRolled("", turn.seat.id, rolled, why)
    hidden = next((one for one in (turn.check, who) if one and one.hidden), who)
    yield r.hidden_like(thrown, hidden)
    return _effect(turn, _reached(turn, total))


def _reached(turn: r.Turn, total: int) -> str:
    """The row of the table's own that a throw gives, else the ready one."""
    for trait in turn.table.of_kind(OWN_ROW):
        row = Added.of(trait)
        if row.first and row.first <= total <= row.last:
            return trait.id
    return _ready_row(total)


def _ready_row(total: int) -> str:
    """The ready row that a throw gives."""
    first = {key: row["first"] for key, row in ROWS.items() if row.get("first", total + 1) <= total}
    return max(first, key=first.__getitem__)


def _effect(turn: r.Turn, key: str) -> Effect | None:
    """The effect with this key; None without one."""
    added = turn.table.traits.get(key)
    if added is not None:
        own = Added.of(added)
        return Effect(added.text, own.severity, own.die)
    if key not in ROWS:
        return None
    mod = ROWS[key].get("mod", {})
    severity = ROWS[key].get("severity", "")
    return Effect(turn.words[f"injury.{key}"], severity, mod.get("die", ""), mod.get("n", 1))


def in_words(turn: r.Turn, effect: Effect | None, text: str = "") -> str:
    """An effect in words, or one's own `text` for it, with the severity that was thrown."""
    text = text or (effect.text if effect else "")
    if effect is None or not effect.severity or turn.text("injury") != THROWN:
        return text
    return turn.words.say("injury.severe", text=text, severity=_severity_word(turn, effect))


def _severity_word(turn: r.Turn, effect: Effect) -> str:
    return turn.words[f"severity.{effect.severity}"] if effect.severity else ""


def injure(
    turn: r.Turn, whom: str, effect: Effect | None, text: str, logged: bool = False
) -> r.TraitSet:
    """The injury of a character, with this effect until it is treated."""
    # The reason of a die is read in later actions: do not reveal the words of a hidden one.
    why = turn.words["buys.critical"] if turn.check and turn.check.hidden else text
    mods: tuple[r.Mod, ...] = ()
    if effect and effect.die:
        kind, die = MODS[effect.die]
        mods = (r.Mod(kind, die, effect.n, why, turn.seat.id),)
    injury = note(turn, text, whom, until="", at=INJURY, logged=logged, mods=mods)
    severity = effect.severity if effect else ""
    return r.TraitSet(Severity.put(injury.trait, severity=severity))


# The table's own list.


_ROW = re.compile(r"(\d{1,3})(?:\s*[-\u2013]\s*(\d{1,3})|(\s*\+))?\s*:\s*(\S.*)")
"""A row as it is written: `41-90: name, severity, effect`, also `91+: ...` and `100: ...`."""
ABOVE_ALL = 999


@r.gm_move(
    "injury.add",
    when=r.idle,
    asks=[
        r.TextAsk("text", "What does it do?"),
        r.ChoiceAsk("die", "To their checks", r.answers("injury.die", *MODS), needed=False),
    ],
    rule="Strain and wounds",
    place=r.at("table", 51),
)
def add_effect(turn: r.Turn) -> Iterator[r.Event]:
    """Add a critical injury to the list

    It is offered with each critical injury at this table, before the ready ones. Rows such as
    "1-40: Bruised, light, a Setback on every check; 41+: Cut, serious, ..." are the throw's own.
    """
    rows = [_ROW.fullmatch(row.strip()) for row in turn.text("text").split(";")]
    if not all(rows):
        yield turn.trait(OWN_ROW, turn.text("text"), terms=Added(turn.text("die")).terms)
        return
    for row in rows:
        if row is not None:
            yield _written_row(turn, row)


def _written_row(turn: r.Turn, row: re.Match[str]) -> r.TraitSet:
    """A row of the throw as it was written.

    Without a severity that is known it has that of the house's row; without a die that was chosen,
    the one that its words name.
    """
    first = int(row[1])
    last = ABOVE_ALL if row[3] else int(row[2] or first)
    if not 0 < first <= last:
        raise turn.refused("argument", "injury.range", "text", first=first, last=last)
    name, *more = (part.strip() for part in row[4].split(",", 2))
    severity = _severity(turn, more[0]) if more else ""
    if severity:
        text = turn.words.say("injury.row", name=name, text=more[1]) if more[1:] else name
    else:
        text = row[4]
        severity = ROWS[_ready_row(first)]["severity"]
    named = (die for die in MODS if r.alike(turn.word(die)) in r.alike(text))
    die = turn.text("die") or next(named, "")
    return turn.trait(OWN_ROW, text, terms=Added(die, first, last, severity).terms)


def _severity(turn: r.Turn, text: str) -> str:
    """The severity with this word, or whose treatment is of this level; or ""."""
    for key, level in SEVERITIES.items():
        words = (key, turn.words[f"severity.{key}"], turn.words[f"level.{level}"])
        if r.alike(text) in map(r.alike, words):
            return key
    return ""


# Treatment.


def injuries(table: r.Table, who: str) -> list[r.Trait]:
    """The critical injuries of a character."""
    return table.of_kind("effect", at=INJURY, about=who)


def treatment_level(trait: r.Trait | None) -> str | None:
    """The level of the treatment of an injury, by its severity; None without one."""
    return SEVERITIES.get(Severity.of(trait).severity) if trait else None


def _treatable(turn: r.Turn) -> Iterator[r.Choice]:
    """The injuries of the patient of a declared check, each with the level of its treatment."""
    if note_of(turn, turn.text("skill"), "helps") and turn.text("against"):
        for trait in injuries(turn.table, turn.text("against")):
            level = treatment_level(trait)
            yield r.Choice(trait.id, trait.text, turn.words[f"level.{level}"] if level else "")


def _initial_treatment(turn: r.Turn) -> str | None:
    """The injury that a form begins with, for a patient without wounds."""
    if turn.table.balance("wounds", turn.text("against")):
        return None
    return next((choice.value for choice in _treatable(turn)), None)


TREATED = r.ChoiceAsk(
    "injury",
    "A critical injury, instead of wounds",
    _treatable,
    needed=False,
    preset=_initial_treatment,
    shown=lambda t: any(_treatable(t)),
)
"""The question of what is treated, for a patient with a critical injury."""
