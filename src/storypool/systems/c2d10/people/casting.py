"""Ready-made people of C2D10, from people.toml: talents, skills, and an asset for conflicts."""

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.c2d10.sides import SIDE, STANCE, STANCES
from storypool.systems.supporting_cast.bringing import Casting, Row
from storypool.systems.supporting_cast.whole import cast_moves

HERE = "storypool.systems.c2d10"
RANKS = ("minor", "notable", "major")


def _sheet(turn: r.Turn, row: Row) -> dict[str, r.Value]:
    """The talents and skills of a row, and whose side it is on."""
    talents = [entry.key for entry in turn.system.sheet if entry.group == "talent"]
    numbers = dict(zip(talents, row["talents"], strict=True))
    return {**numbers, **row["skills"], STANCE: turn.text("stance") or STANCES[0]}


def _best_skill(turn: r.Turn, key: str, row: Row) -> str:
    """The skill with the most dice with its usual talent."""
    numbers, skills = _sheet(turn, row), row["skills"]

    def dice(skill: str) -> int:
        return int(skills[skill] + numbers[turn.system.by_entry[skill].notes["with"]])

    return turn.system.entry(max(skills, key=dice))


def _gives(turn: r.Turn, who: r.Character, row: Row) -> Iterator[r.Event]:
    """Yield the asset of a row, which everybody who sees its owner sees."""
    if "asset" in row:
        text = turn.words[f"people.{turn.text('person')}.asset"]
        yield turn.trait("asset", text, who.id, rating=row["asset"])


@dataclass(frozen=True)
class CarriedAsset(r.State):
    """An asset of a character: it has no terms."""


CASTING = Casting(
    package=HERE,
    ranks=RANKS,
    sheet=_sheet,
    best=_best_skill,
    gives=_gives,
    belongs=lambda trait: trait.kind == "asset",
    kinds={"asset": CarriedAsset},
    worded={STANCE: STANCES},
    fits=lambda turn, trait: 1 <= trait.rating <= 5 and not trait.at,
)
MOVES = cast_moves(CASTING, SIDE, rule="NPC Successes", place=r.at("scene", 59))
"""The moves that bring in these people, alone or in an encounter, and copy NPCs."""
