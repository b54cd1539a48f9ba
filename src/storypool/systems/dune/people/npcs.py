"""The GM's drawer: NPCs of three ranks with their special abilities, story hooks, challenge dice.

Source: seed 004, Creating Non-player Characters, Non-player Character Special Abilities and Story Hook Generator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.dune.people import abilities, sheet
from storypool.systems.dune.people.abilities import ABILITY, OF_ABILITY

RANKS = {"minor": sheet.MINOR, "notable": sheet.NOTABLE, "major": sheet.MAJOR}
TEMPLATES = {key: row for key, row in r.rows("storypool.systems.dune", "npcs").items() if key in RANKS}


def in_order(first: tuple[str, ...], all_of: Mapping[str, str]) -> list[str]:
    """All of these, those named first at the front, the rest as printed."""
    chosen = [key for key in dict.fromkeys(first) if key in all_of]
    return [*chosen, *[key for key in all_of if key not in chosen]]


def template(rank: str, skill: tuple[str, ...], drive: tuple[str, ...]) -> dict[str, int]:
    """The numbers of an NPC of this rank, the named skills and drives being the best.

    >>> template("minor", ("battle",), ())["battle"], template("minor", ("battle",), ())["quality"]
    (6, 5)
    """
    row = TEMPLATES[rank]
    numbers = {"rank": RANKS[rank]} | dict(zip(in_order(skill, sheet.SKILLS), row["skills"], strict=True))
    if row["drives"]:
        return numbers | dict(zip(in_order(drive, sheet.DRIVES), row["drives"], strict=True))
    return numbers | {sheet.QUALITY: row["quality"]}


def _has_drives(turn: r.Turn) -> bool:
    return turn.text("rank") in ("notable", "major")


def _is_major(turn: r.Turn) -> bool:
    return turn.text("rank") == "major"


@r.gm_move(
    "npc.make",
    asks=[
        r.ChoiceAsk("rank", "Which rank?", r.answers("rank", *TEMPLATES), default="minor"),
        r.TextAsk("name", "Who is it?"),
        r.ChoiceAsk("skill", "Best skill", sheet.skills),
        r.ChoiceAsk("second", "Second skill", sheet.skills, needed=False),
        r.NumberAsk("quality", "Quality", default=5, low=4, high=8, shown=lambda t: t.text("rank") == "minor"),
        r.ChoiceAsk("drive", "Highest drive", sheet.drives, default="duty", shown=_has_drives),
        r.ChoiceAsk("drive2", "Second drive", sheet.drives, needed=False, shown=_has_drives),
        r.TextAsk("statement", "Statement of the highest drive", needed=False, shown=_has_drives),
        r.TextAsk("statement2", "Statement of the second drive", needed=False, shown=_has_drives),
        r.TextAsk("trait", "Job or role, as a trait", needed=False),
        r.TextAsk("reputation", "Reputation, as a second trait", needed=False, shown=_has_drives),
        r.TextAsk("faction", "Faction, as a third trait", needed=False, shown=_is_major),
        r.TextAsk("focus", "Focus of the best skill", needed=False),
        r.TextAsk("focus2", "Another focus of the best skill", needed=False, shown=_has_drives),
        r.TextAsk("focus3", "Focus of the second skill", needed=False, shown=_has_drives),
        r.TextAsk("talent", "A talent", needed=False, shown=_has_drives),
        r.TextAsk("talent2", "A second talent", needed=False, shown=_has_drives),
        replace(ABILITY, label="Or a special ability", needed=False, shown=_is_major),
        *OF_ABILITY,
        r.SheetAsk("sheet", "Other numbers, as key=number", needed=False),
        r.FlagAsk("secret", "Hidden from the players?", default=False, needed=False),
    ],
    rule="Creating Non-player Characters",
    place=r.at("generators", 60),
)
def make_npc(turn: r.Turn) -> Iterator[r.Event]:
    """Make an NPC

    Numbers by rank, the best skill and drive first; every number can be another. A major NPC spreads 11 points
    over skills of 4, none above 8. What the rank needs besides, and is not said, can be completed afterwards.
    """
    rank = turn.text("rank")
    skills, drives = (turn.text("skill"), turn.text("second")), (turn.text("drive"), turn.text("drive2"))
    numbers = template(rank, skills, drives)
    if rank == "minor":
        numbers[sheet.QUALITY] = turn.number("quality", 5)
    numbers |= r.sheet_of(turn.text("sheet"))
    # A major NPC has only so many points to spread.
    spread, points = TEMPLATES[rank].get("spread"), sum(numbers[skill] - sheet.LOWEST for skill in sheet.SKILLS)
    if spread is not None and points > spread:
        raise turn.refused("argument", "npc.points", "sheet", most=spread, got=points, high=sheet.HIGHEST)
    new = r.npc(turn, {**numbers})
    id = new.character.id
    yield new
    best, highest = (in_order(first, all_of) for first, all_of in ((skills, sheet.SKILLS), (drives, sheet.DRIVES)))
    parts = {
        "trait": ("trait", ""),
        "reputation": ("trait", ""),
        "faction": ("trait", ""),
        "focus": ("focus", best[0]),
        "focus2": ("focus", best[0]),
        "focus3": ("focus", best[1]),
        "talent": ("talent", ""),
        "talent2": ("talent", ""),
        "statement": ("statement", highest[0]),
        "statement2": ("statement", highest[1]),
    }
    for ask, (kind, at) in parts.items():
        if turn.text(ask):
            yield turn.trait(kind, turn.text(ask), id, at=at)
    if turn.text("ability"):
        yield abilities.give(turn, turn.table.characters[id])
