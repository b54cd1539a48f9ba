"""Critical injuries: their effects, the list of a table, and their treatment.

A hit that gets through soak may cause one (starwars.md 1.5). The effects are a house's own rows: no
source here has a table of severities.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from storypool.engine import rules as r
from storypool.systems.narrative.lasting import INJURY, note
from storypool.systems.narrative.sheet import NARRATIVE, note_of

ROWS: Mapping[str, Mapping[str, Mapping[str, str]]] = r.rows(NARRATIVE, "injuries")
"""The effects that are ready to be chosen, by their keys."""
OWN_ROW = "injury-row"
"""The kind of the trait with an effect that the table has added."""
MODS: Mapping[str, tuple[Literal["add", "upgrade"], str]] = {
    "setback": ("add", "setback"),
    "difficulty": ("upgrade", "difficulty"),
}
"""The changes of the checks of an injured character, by the die."""


@dataclass(frozen=True)
class Added(r.State):
    """An effect that a table has added: the die that it changes, or ""."""

    die: str = ""


def injury_words() -> dict[str, str]:
    """The ready effects, as sentences of the catalogue."""
    return {key: str(row["text"]) for key, row in ROWS.items()}


def effects(turn: r.Turn) -> Iterator[r.Choice]:
    """The effects of the table's own list, then the ready ones."""
    for trait in turn.table.of_kind(OWN_ROW):
        yield r.Choice(trait.id, trait.text)
    for key in ROWS:
        yield r.Choice(key, turn.words[f"injury.{key}"])


def effect_text(turn: r.Turn, key: str) -> str:
    """The words of an effect; "" without one."""
    return next((choice.label for choice in effects(turn) if choice.value == key), "")


def _mods(turn: r.Turn, key: str, why: str) -> tuple[r.Mod, ...]:
    """The changes of each check of a character with this injury."""
    if key in ROWS:
        die = ROWS[key].get("mod", {}).get("die", "")
    else:
        added = turn.table.traits.get(key)
        die = Added.of(added).die if added else ""
    if die not in MODS:
        return ()
    kind, name = MODS[die]
    return (r.Mod(kind, name, 1, why, turn.seat.id),)


def injure(turn: r.Turn, whom: str, key: str, text: str, logged: bool) -> r.TraitSet:
    """The injury of a character, with the effect of this key, until it is treated."""
    # The reason of a die is read in later actions: do not reveal the words of a hidden one.
    why = text if not turn.here.hidden else turn.words["buys.critical"]
    return note(turn, text, whom, until="", at=INJURY, logged=logged, mods=_mods(turn, key, why))


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

    It is offered with each critical injury at this table, before the ready ones.
    """
    yield turn.trait(OWN_ROW, turn.text("text"), terms=Added(turn.text("die")).terms)


# Treatment.


def injuries(table: r.Table, who: str) -> list[r.Trait]:
    """The critical injuries of a character."""
    return table.of_kind("effect", at=INJURY, about=who)


def _treatable(turn: r.Turn) -> Iterator[r.Choice]:
    """The injuries of the patient of a declared check."""
    if note_of(turn, turn.text("skill"), "helps") and turn.text("against"):
        for trait in injuries(turn.table, turn.text("against")):
            yield r.Choice(trait.id, trait.text)


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
