"""Ready-made people of C2D10, from people.toml: talents, skills, and an asset for conflicts."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10.sides import SIDE, STANCE, STANCES
from storypool.systems.supporting_cast.bringing import Casting, Row, bringing
from storypool.systems.supporting_cast.copying import copying

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


BRING = bringing(
    Casting(package=HERE, ranks=RANKS, sheet=_sheet, best=_best_skill, gives=_gives),
    SIDE,
    rule="NPC Successes",
    place=r.at("scene", 59),
)
"""The move that brings in one of these people."""
COPY = copying(
    belongs=lambda trait: trait.kind == "asset",
    rule="NPC Successes",
    place=r.at("scene", 59),
)
