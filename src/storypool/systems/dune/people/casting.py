"""Ready-made people of Dune, from people.toml: complete sheets by the rules for each rank.

Source of the ranks: seed 004, Creating Non-player Characters.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.dune.conflict.assets import place_in_zone
from storypool.systems.dune.people import abilities, sheet
from storypool.systems.dune.people.adversaries import TEMPLATES, template, write_parts
from storypool.systems.dune.skill_test_terms import Ability
from storypool.systems.supporting_cast.bringing import Casting, Row
from storypool.systems.supporting_cast.whole import cast_moves

HERE = "storypool.systems.dune"


def _best(row: Row, *keys: str) -> tuple[str, ...]:
    return tuple(row[key] for key in keys if key in row)


def _sheet(turn: r.Turn, row: Row) -> Mapping[str, r.Value]:
    """The numbers of the rank, the best skills and drives of the row first."""
    drives = _best(row, "drive", "drive2", "drive3")
    return template(row["rank"], _best(row, "skill", "second"), drives)


def _gives(turn: r.Turn, who: r.Character, row: Row) -> r.Events:
    """Yield the words of the sheet, a special ability, and an asset."""
    prefix = f"people.{turn.text('person')}"
    skills, drives = _best(row, "skill", "second"), _best(row, "drive", "drive2")

    def text_of(part: str) -> str:
        return turn.words.get(f"{prefix}.{part}", "")

    yield from write_parts(turn, who.id, skills, drives, text_of)
    # A major one has a statement for each drive of 6 or more: one more than the form asks for.
    if "drive3" in row:
        yield turn.trait("statement", text_of("statement3"), who.id, at=row["drive3"])
    if "ability" in row:
        yield abilities.given(turn, who, row["ability"], row["ability_skill"])
    yield sheet.asset(turn, who.id, row["kind"], text_of("asset"), row.get("potency", 0))


@dataclass(frozen=True)
class Written(r.State):
    """A trait of a sheet without terms."""


def _fits(turn: r.Turn, trait: r.Trait) -> bool:
    """Whether this game has the ability, the kind of asset, or the drive of a statement."""
    if trait.kind == "ability":
        return f"ability.{Ability.of(trait).ability}" in turn.words
    if trait.kind == "asset":
        return not trait.at and 0 <= trait.rating <= sheet.MOST_POTENT
    return trait.kind != "statement" or trait.at in sheet.DRIVES


def _placed(turn: r.Turn, who: r.Character, zone: str) -> r.Events:
    """Yield the events that put an NPC and its assets in a zone."""
    yield place_in_zone(turn, who.id, zone)
    for asset in turn.table.of_kind("asset", about=who.id):
        yield place_in_zone(turn, asset.id, zone)


CASTING = Casting(
    package=HERE,
    ranks=tuple(TEMPLATES),
    sheet=_sheet,
    best=lambda turn, key, row: sheet.label(turn, row["skill"]),
    gives=_gives,
    belongs=lambda trait: trait.kind in ("asset", "trait"),
    kinds={
        **dict.fromkeys(("focus", "talent", "trait"), Written),
        "statement": sheet.Statement,
        "ability": Ability,
        "asset": sheet.Asset,
    },
    fits=_fits,
    placed=_placed,
)
MOVES = cast_moves(CASTING, rule="Creating Non-player Characters", place=r.at("generators", 59))
"""The moves that bring in these people, alone or in an encounter, and copy NPCs."""
