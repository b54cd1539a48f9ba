"""The game master's drawer: NPCs of three ranks with their special abilities, story hooks, challenge dice.

Source: seed 004, Creating Non-player Characters, Non-player Character Special Abilities and Story Hook Generator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from storypool.engine.rules import (
    GM_ONLY,
    Bag,
    Character,
    CharacterSet,
    ChoiceAsk,
    DiceRolled,
    Event,
    FlagAsk,
    NumberAsk,
    SheetAsk,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    answers,
    in_session,
    move,
    rows,
    sheet_of,
    slug,
    symbols,
)
from storypool.systems.dune import abilities, sheet
from storypool.systems.dune.abilities import ABILITY, OF_ABILITY
from storypool.systems.dune.checks import faces_of
from storypool.systems.twod20.dice import AXES, CHALLENGE
from storypool.words import Words

RANKS = {"minor": sheet.MINOR, "notable": sheet.NOTABLE, "major": sheet.MAJOR}
TEMPLATES = {key: row for key, row in rows("storypool.systems.dune", "npcs").items() if key in RANKS}
HOOKS = rows("storypool.systems.dune", "hooks")


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


def _has_drives(turn: Turn) -> bool:
    return turn.text("rank") in ("notable", "major")


@move(
    "npc.make",
    by=["gm"],
    asks=[
        ChoiceAsk("rank", "Which rank?", answers("rank", *TEMPLATES), default="minor"),
        TextAsk("name", "Who is it?"),
        ChoiceAsk("skill", "Best skill", sheet.skills),
        ChoiceAsk("second", "Second skill", sheet.skills, needed=False),
        NumberAsk("quality", "Quality", default=5, low=4, high=8, shown=lambda t: t.text("rank") == "minor"),
        ChoiceAsk("drive", "Highest drive", sheet.drives, default="duty", shown=_has_drives),
        ChoiceAsk("drive2", "Second drive", sheet.drives, needed=False, shown=_has_drives),
        TextAsk("statement", "Statement of the highest drive", needed=False, shown=_has_drives),
        TextAsk("trait", "Job or role, as a trait", needed=False),
        TextAsk("reputation", "Reputation, as a second trait", needed=False, shown=_has_drives),
        TextAsk("focus", "Focus of the best skill", needed=False),
        TextAsk("talent", "A talent", needed=False, shown=_has_drives),
        replace(ABILITY, label="Or a special ability", needed=False, shown=lambda t: t.text("rank") == "major"),
        *OF_ABILITY,
        SheetAsk("sheet", "Other numbers, as key=number", needed=False),
        FlagAsk("secret", "Hidden from the players?", default=False, needed=False),
    ],
    rule="Creating Non-player Characters",
)
def make_npc(turn: Turn) -> Iterator[Event]:
    """Make an NPC

    Numbers by rank, the best skill and drive first; every number can be another. A major NPC spreads 11 points over
    skills of 4, none above 8.
    """
    rank = turn.text("rank")
    numbers = template(rank, (turn.text("skill"), turn.text("second")), (turn.text("drive"), turn.text("drive2")))
    if rank == "minor":
        numbers[sheet.QUALITY] = turn.number("quality", 5)
    numbers |= sheet_of(turn.text("sheet"))
    # A major NPC has only so many points to spread.
    spread, points = TEMPLATES[rank].get("spread"), sum(numbers[skill] - sheet.LOWEST for skill in sheet.SKILLS)
    if spread is not None and points > spread:
        raise turn.refused("argument", "npc.points", "sheet", most=spread, got=points, high=sheet.HIGHEST)
    hidden = GM_ONLY if turn.flag("secret") else None
    id = slug(turn.text("name"), turn.table.characters)
    yield CharacterSet(Character(id, turn.text("name")[:40], "gm", "", {**numbers}, hidden))
    said = {
        "trait": ("trait", ""),
        "reputation": ("trait", ""),
        "focus": ("focus", turn.text("skill")),
        "talent": ("talent", ""),
        "statement": ("statement", turn.text("drive")),
    }
    for ask, (kind, at) in said.items():
        if turn.text(ask):
            yield sheet.noted(turn, Trait("", kind, turn.text(ask), id, at=at, seen_by=hidden))
    if turn.text("ability"):
        yield abilities.given(turn, turn.table.characters[id])


# Hooks and challenge dice.


def _asked(turn: Turn) -> list[str]:
    """The columns that are rolled on."""
    return list(HOOKS["columns"]) if turn.text("column") in ("", "all") else [turn.text("column")]


def row_words() -> dict[str, str]:
    """The story hooks as sentences of the catalogue."""
    return {f"hook.{key}.{n}": row[key] for n, row in enumerate(HOOKS["rows"], 1) for key in HOOKS["columns"]}


def hook(words: Words, column: str, face: int) -> str:
    """The entry of a column under a face of a d20: four faces to a row.

    >>> words = Words(row_words())
    >>> hook(words, "location", 1), hook(words, "location", 20)
    ('A warehouse', 'The desert')
    """
    return words[f"hook.{column}.{(face - 1) // 4 + 1}"]


@move(
    "hook.roll",
    by=["gm"],
    asks=[
        ChoiceAsk("column", "Which column?", answers("hook", "all", *HOOKS["columns"]), default="all"),
        faces_of(lambda t: Bag(d20=len(_asked(t)))),
    ],
    rule="Story Hook Generator",
)
def roll_hook(turn: Turn) -> Iterator[Event]:
    """Roll a story hook

    A d20 for each column, seen by the game master alone; one column can be rolled again.
    """
    columns = _asked(turn)
    lies = turn.cast(Bag(d20=len(columns)), turn.numbers("faces"))
    yield DiceRolled("", turn.seat.id, lies, turn.words["hook.rolled"], GM_ONLY)
    for column, one in zip(columns, lies, strict=True):
        text = hook(turn.words, column, one.face)
        said = turn.words.say("hook.told", column=turn.words[f"hook.{column}"], text=text)
        yield TraitSet(Trait(f"hook-{column}", "hook", said, by=turn.seat.id, at=column, seen_by=GM_ONLY))


@move(
    "challenge.roll",
    when=lambda t: in_session(t) or (None if t.option("challenge_dice") == "yes" else t.firm("challenge.none")),
    asks=[
        NumberAsk("n", "How many?", default=2, low=1, high=20),
        TextAsk("text", "What for?", needed=False),
        faces_of(lambda t: Bag(challenge=t.number("n", 2))),
    ],
    rule="The 2d20 family: challenge dice",
)
def roll_challenge(turn: Turn) -> Iterator[Event]:
    """Roll challenge dice

    Where the table plays with them: a total, and how many effects.
    """
    lies = turn.cast(Bag(challenge=turn.number("n", 2)), turn.numbers("faces"))
    net = AXES.net(symbols(lies, [CHALLENGE]))
    effects = turn.words.say("lies.effects", n=net["effects"])
    said = turn.words.say("challenge.told", n=net["total"], effects=effects, text=turn.text("text"))
    yield DiceRolled("", turn.seat.id, lies, said.strip())
