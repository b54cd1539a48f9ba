"""NPCs by rank, and ready adversaries. Source: seed 004, Creating Non-player Characters."""

from collections.abc import Callable, Generator, Mapping
from typing import Any

from storypool.engine import rules as r
from storypool.systems.dune.people import sheet

_ROWS = r.rows("storypool.systems.dune", "npcs")
RANKS = {"minor": sheet.MINOR, "notable": sheet.NOTABLE, "major": sheet.MAJOR}
TEMPLATES = {key: row for key, row in _ROWS.items() if key in RANKS}
PARTS: Mapping[str, Mapping[str, Any]] = _ROWS["parts"]
"""What is written on the sheet of an NPC besides numbers, in this order."""
READY: Mapping[str, Mapping[str, Any]] = _ROWS["adversaries"]
"""Adversaries who are ready to be brought in, by key."""
NEW = "new-"
"""What the value of a ready adversary begins with, where one is chosen."""
HELD: Mapping[str, str] = _ROWS["held"]
"""The kind of the asset of an NPC who is made in one word, by their best skill."""


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
    skills = zip(in_order(skill, sheet.SKILLS), row["skills"], strict=True)
    if not row["drives"]:
        return {"rank": RANKS[rank], **dict(skills), sheet.QUALITY: row["quality"]}
    drives = zip(in_order(drive, sheet.DRIVES), row["drives"], strict=True)
    return {"rank": RANKS[rank], **dict(skills), **dict(drives)}


def write_parts(
    turn: r.Turn,
    who: str,
    skill: tuple[str, ...],
    drive: tuple[str, ...],
    text_of: Callable[[str], str],
) -> r.Events:
    """Write down the parts of an NPC with a text, each for one of their best skills or drives."""
    skills, drives = in_order(skill, sheet.SKILLS), in_order(drive, sheet.DRIVES)
    of = {"skill": skills[0], "second": skills[1], "drive": drives[0], "drive2": drives[1]}
    for part, row in PARTS.items():
        if text := text_of(part):
            yield turn.trait(row["kind"], text, who, at=of.get(row.get("of", ""), ""))


def adversaries(turn: r.Turn, skill: str | None) -> r.Choices:
    """The ready adversaries; first those who are best at this skill."""
    for key, row in sorted(READY.items(), key=lambda one: one[1]["skill"] != skill):
        known = turn.words[f"rank.{row['rank']}"], sheet.label(turn, row["skill"])
        name = turn.words[f"adversary.{key}.name"]
        yield r.Choice(f"{NEW}{key}", name, turn.words["list.comma"].join(known))


def bring_in(turn: r.Turn, chosen: str, skill: str) -> Generator[r.Event, None, str]:
    """Bring in a ready adversary, or a minor NPC of this name, with an asset."""
    key = chosen.removeprefix(NEW)
    row = READY.get(key) if chosen.startswith(NEW) else None
    if row is None:
        if len(chosen) > r.LONGEST_NAME:
            values = {"name": chosen, "most": r.LONGEST_NAME}
            raise turn.refused("argument", "argument.text", "against", **values)
        new = r.npc(turn, template("minor", (skill,), ()), chosen)
        yield new
        held = turn.words[f"adversary.held.{skill}"]
        yield sheet.asset(turn, new.character.id, HELD[skill], held)
        return new.character.id
    parts = ("name", *PARTS, "asset")
    texts = {part: turn.words.get(f"adversary.{key}.{part}", "") for part in parts}
    skills = (row["skill"], row.get("second", ""))
    drives = (row.get("drive", ""), row.get("drive2", ""))
    new = r.npc(turn, template(row["rank"], skills, drives), r.free_name(turn, texts["name"]), key)
    yield new
    who = new.character.id
    yield from write_parts(turn, who, skills, drives, texts.__getitem__)
    yield sheet.asset(turn, who, row["kind"], texts["asset"], row.get("potency", 0))
    return who
