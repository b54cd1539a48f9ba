"""NPCs by rank, and ready adversaries. Source: seed 004, Creating Non-player Characters."""

from collections.abc import Callable, Generator, Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.dune.people import sheet

_ROWS = r.rows("storypool.systems.dune", "npcs")
RANKS = {"minor": sheet.MINOR, "notable": sheet.NOTABLE, "major": sheet.MAJOR}
TEMPLATES = {key: row for key, row in _ROWS.items() if key in RANKS}
READY: Mapping[str, Mapping[str, str]] = _ROWS["adversaries"]
"""Adversaries who are ready to be brought in, by key."""
NEW = "new-"
"""What the value of a ready adversary begins with, where one is chosen."""
HELD: Mapping[str, str] = _ROWS["held"]
"""The kind of the asset of an NPC who is made in one word, by their best skill."""
KIND_OF = {"reputation": "trait", "faction": "trait"}
"""The kind of the traits that part of an NPC is, where it has another name."""
PARTS: tuple[str, ...] = (
    "trait",
    "reputation",
    "faction",
    "focus",
    "focus2",
    "focus3",
    "talent",
    "talent2",
)
PARTS += ("statement", "statement2")
"""What is written on the sheet of an NPC besides numbers, in this order."""


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
    numbers = {"rank": RANKS[rank]} | dict(
        zip(in_order(skill, sheet.SKILLS), row["skills"], strict=True)
    )
    if row["drives"]:
        return numbers | dict(zip(in_order(drive, sheet.DRIVES), row["drives"], strict=True))
    return numbers | {sheet.QUALITY: row["quality"]}


def write_parts(
    turn: r.Turn,
    who: str,
    skill: tuple[str, ...],
    drive: tuple[str, ...],
    text_of: Callable[[str], str],
) -> Iterator[r.Event]:
    """Write down the parts of an NPC that have a text, each of one of their best skills or drives."""
    (best, second, *_) = in_order(skill, sheet.SKILLS)
    (highest, next_high, *_) = in_order(drive, sheet.DRIVES)
    of = {
        "focus": best,
        "focus2": best,
        "focus3": second,
        "statement": highest,
        "statement2": next_high,
    }
    for part in PARTS:
        if text := text_of(part):
            yield turn.trait(KIND_OF.get(part, part.rstrip("23")), text, who, at=of.get(part, ""))


def adversary_words() -> dict[str, str]:
    """What ready adversaries are called and what they have, as sentences of the catalogue."""
    texts = ("name", *PARTS, "asset")
    return {
        f"adversary.{key}.{text}": row[text]
        for key, row in READY.items()
        for text in texts
        if text in row
    }


def adversaries(turn: r.Turn, skill: str | None) -> Iterator[r.Choice]:
    """The ready adversaries; first those who are best at this skill."""
    for key, row in sorted(READY.items(), key=lambda one: one[1]["skill"] != skill):
        note = turn.words["list.comma"].join(
            (turn.words[f"rank.{row['rank']}"], sheet.label(turn, row["skill"]))
        )
        yield r.Choice(f"{NEW}{key}", turn.words[f"adversary.{key}.name"], note)


def bring_in(turn: r.Turn, chosen: str, skill: str) -> Generator[r.Event, None, str]:
    """Bring in a ready adversary, or a minor NPC of this name, with an asset."""
    key = chosen.removeprefix(NEW)
    row = READY.get(key) if chosen.startswith(NEW) else None
    if row is None:
        if len(chosen) > r.LONGEST_NAME:
            raise turn.refused(
                "argument", "argument.text", "against", name=chosen, most=r.LONGEST_NAME
            )
        new = r.npc(turn, template("minor", (skill,), ()), chosen)
        yield new
        yield sheet.asset(
            turn, new.character.id, HELD[skill], turn.words[f"adversary.held.{skill}"]
        )
        return new.character.id
    skills = (row["skill"], row.get("second", ""))
    drives = (row.get("drive", ""), row.get("drive2", ""))
    name = r.free_name(turn, turn.words[f"adversary.{key}.name"])
    new = r.npc(turn, template(row["rank"], skills, drives), name, key)
    yield new
    who = new.character.id
    yield from write_parts(
        turn, who, skills, drives, lambda part: turn.words.get(f"adversary.{key}.{part}", "")
    )
    yield sheet.asset(
        turn, who, row["kind"], turn.words[f"adversary.{key}.asset"], int(row.get("potency", 0))
    )
    return who
