"""The sheet and its state; the ladder of ratings; mooks; the table's list of skills.

Source: seed 002, Approaches, Building Your Die Pool, Bad Guys; destinydice.md 3.5. The rungs are in
ladder.toml.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

from storypool.engine import rules as r
from storypool.systems.destinydice.state import Named
from storypool.words import Words

HERE = "storypool.systems.destinydice"

LOWEST, HIGHEST = -2, 8
"""The ratings at the two ends of the ladder."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A rating: its name, the pool of its owner, and the Difficulty dice of an equal task."""

    key: str
    name: str
    rating: int
    pool: r.Bag
    difficulty: int

    def title(self, words: Words) -> str:
        """The name with its number: Great (+4)."""
        rating = f"{self.rating:+}".replace("-", "−")
        return words.say("level.rated", name=words[f"rung.{self.key}"], rating=rating)


@cache
def rungs() -> Mapping[str, Rung]:
    """The rungs by key, the lowest first."""
    listed = r.rows(HERE, "ladder")["rung"]
    return {row["key"]: Rung(**{**row, "pool": r.Bag(row["pool"])}) for row in listed}


def rung(rating: int) -> Rung:
    """The rung of a rating, limited to the ends of the ladder.

    >>> rung(3).name, rung(3).pool, rung(-7).key
    ('Good', Bag(skill=2, expertise=1), 'terrible')
    """
    return list(rungs().values())[max(LOWEST, min(rating, HIGHEST)) - LOWEST]


FREE_STUNTS = 3
"""Stunts that cost no Refresh. Source: destinydice.md 3.5."""
ABILITIES: Mapping[str, Mapping[str, str]] = r.rows(HERE, "skills")
"""Approaches and skills by group: each key with its name."""
SHIFTS: Mapping[str, int] = {
    severity: row["shifts"] for severity, row in r.rows(HERE, "harm").items()
}
"""The shifts that each kind of consequence absorbs, the lightest first."""

SHEET = (
    *(
        r.Entry(key, name, "approach", LOWEST, HIGHEST)
        for key, name in ABILITIES["approaches"].items()
    ),
    *(r.Entry(key, name, "skill", LOWEST, HIGHEST) for key, name in ABILITIES["skills"].items()),
    r.Entry("refresh", "Refresh", "fate", low=1, high=10, default=3),
    r.Entry("stress", "Stress boxes", "harm", low=0, high=6, default=3),
    r.Entry("consequences", "Consequences they can take", "harm", low=0, high=3, default=3),
)
_DEFAULT = {entry.key: entry.default for entry in SHEET}


def number(character: r.Character | None, key: str) -> int:
    """A number on a sheet, or its default."""
    written = r.rating(character, key)
    if written is None:
        return _DEFAULT.get(key, 0)
    return written


def rated_abilities(turn: r.Turn) -> dict[str, str]:
    """The abilities that this table rates: the approaches, or its edited list of skills."""
    if turn.option("ratings") == "approaches":
        return {key: turn.system.entry(key) for key in ABILITIES["approaches"]}
    own = {skill.key: skill.name for skill in map(Named.of, turn.table.of_kind("skill"))}
    struck = {Named.of(trait).key for trait in turn.table.of_kind("skill-struck")}
    return {key: turn.system.entry(key) for key in ABILITIES["skills"] if key not in struck} | own


def rating_at(turn: r.Turn, who: r.Character | None, key: str) -> int | None:
    """A character's rating in an approach, a skill or a knack; None if it is unknown."""
    knack = turn.table.traits.get(key)
    if knack is None or knack.kind != "knack":
        return r.rating(who, key)
    if who and knack.about == who.id:
        return knack.rating
    return None


def abilities(turn: r.Turn, who: r.Character | None) -> Iterator[r.Choice]:
    """The abilities of a character, each with its number, the best first.

    These are a mook's knacks, and the abilities that the table rates.
    """
    if who is None:
        return
    knacks = {knack.id: Named.of(knack).name for knack in turn.table.of_kind("knack", about=who.id)}
    names = {**knacks, **rated_abilities(turn), **_besides(turn, who)}
    rated = {key: rating_at(turn, who, key) or 0 for key in names}
    words = {n: turn.words[f"knack.rated.{kind}"] for kind, n in KNACKS.items()}
    for key in sorted(names, key=lambda key: -rated[key]):
        if key in knacks:
            note = words[rated[key]]
        else:
            note = rung(rated[key]).title(turn.words)
        yield r.Choice(key, names[key], note)


def sheet_rolls(turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
    """The dice of the abilities that the table rates, and the uses of aspects and stunts."""
    for choice in abilities(turn, who):
        pool = rung(rating_at(turn, who, choice.value) or 0).pool
        given = {"as": who.id, "approach": choice.value}
        yield r.SheetRoll(choice.value, pool=pool, move="check.declare", given=given)
    for kind, move in (("aspect", "aspect.invoke"), ("stunt", "stunt.use")):
        for trait in turn.table.of_kind(kind, about=who.id):
            yield r.SheetRoll(trait.id, move=move, given={kind: trait.id})


def best(turn: r.Turn, who: r.Character | None) -> str | None:
    """The best ability of a character, or None if no rating is known."""
    first = next(abilities(turn, who), None)
    if first is not None and rating_at(turn, who, first.value) is not None:
        return first.value
    return None


def _besides(turn: r.Turn, who: r.Character) -> dict[str, str]:
    """A sheet's entries outside every list: for an NPC, and with ratings by skills."""
    known = {entry.key for entry in turn.system.sheet} | set(rated_abilities(turn))
    open_list = who.team is r.Team.GM or turn.option("ratings") == "skills"
    found = {}
    for key, n in who.sheet.items():
        if open_list and key not in known and isinstance(n, int):
            found[key] = key
    return found


def label(turn: r.Turn, key: str) -> str:
    """The name of an approach, a skill or a knack; a player's own stays as it is."""
    knack = turn.table.traits.get(key)
    if knack is not None and knack.kind == "knack":
        return Named.of(knack).name
    return rated_abilities(turn).get(key) or turn.system.entry(key)


def refresh(table: r.Table, who: str) -> int:
    """The Refresh of a character, less one for each stunt beyond the free ones.

    An NPC only has what is on its sheet.
    """
    character = table.characters.get(who)
    if character is None or (character.team is r.Team.GM and "refresh" not in character.sheet):
        return 0
    further = max(0, len(table.of_kind("stunt", about=who)) - FREE_STUNTS)
    return max(1, number(character, "refresh") - further)


def checked_boxes(table: r.Table, who: str) -> set[int]:
    """The checked stress boxes; box 1 absorbs one shift, box 2 two, and so on."""
    return {box.rating for box in table.of_kind("stress", about=who)}


def unchecked_boxes(table: r.Table, who: str) -> list[int]:
    """The unchecked stress boxes, the lowest first."""
    boxes = range(1, number(table.characters.get(who), "stress") + 1)
    return sorted({*boxes} - checked_boxes(table, who))


def open_consequences(table: r.Table, who: str) -> list[str]:
    """The kinds of consequences that a character can still take, the lightest first."""
    taken = {trait.at for trait in table.of_kind("consequence", about=who)}
    slots = list(SHIFTS)[: number(table.characters.get(who), "consequences")]
    return [severity for severity in slots if severity not in taken]


OUT = ("taken-out", "conceded")
"""The kinds of traits that put a character out of the scene."""


def is_out(table: r.Table, who: str) -> bool:
    """Whether a character is out of the scene: taken out, or gone on their own terms."""
    return bool(table.of_kind(*OUT, about=who))


def is_mook(character: r.Character) -> bool:
    """Whether this is a mook: an NPC without consequences or stunts."""
    return character.team is r.Team.GM and number(character, "consequences") == 0


able = r.characters(own=True, only=lambda turn, one: not is_out(turn.table, one.id))
"""This seat's characters who are still in the scene."""


# Mooks: good at some things, bad at others, and quickly out of the way.

KNACKS = {"skilled": 2, "bad": LOWEST}
"""The ratings of a mook's strengths and weaknesses."""
HIDDEN = r.FlagAsk("secret", "Hidden from the players?", default=False, needed=False)


@r.gm_move(
    "mook.add",
    asks=[
        r.NAME,
        r.TextAsk("skilled", "What are they skilled at? Separate with commas", needed=False),
        r.TextAsk("bad", "What are they bad at? Separate with commas", needed=False),
        r.NumberAsk("members", "How many are they?", default=1, low=1, high=12, needed=False),
        r.NumberAsk("stress", "Stress boxes of one alone", default=1, high=2, needed=False),
        HIDDEN,
    ],
    rule="Bad Guys",
    place=r.at("scene", 60),
)
def add_mook(turn: r.Turn) -> Iterator[r.Event]:
    """Add mooks

    What they are skilled at they do with three Skill dice, what they are bad at with one Skill and
    one Hindrance. No consequences; a group has a stress box for every two.
    """
    new = r.npc(turn, mook_sheet(turn.number("members", 1), turn.number("stress", 1)))
    yield new
    for ask in KNACKS:
        for name in filter(None, map(str.strip, turn.text(ask).split(","))):
            yield knack(turn, new.character.id, ask, name)


def mook_sheet(members: int, alone: int) -> dict[str, r.Value]:
    """The sheet of mooks, with the boxes of one `alone`: a group has one for every two members."""
    return {"stress": members // 2 if members > 1 else alone, "consequences": 0}


def knack(turn: r.Turn, who: str, kind: str, name: str) -> r.Event:
    """The event that gives a mook a strength (`skilled`) or a weakness (`bad`)."""
    text = turn.words.say(f"knack.{kind}", name=name)
    return turn.trait("knack", text, who, rating=KNACKS[kind], terms=Named(name=name).terms)


_by_skills = r.requires(lambda turn: turn.option("ratings") == "skills", "skills", firm=True)
_editing = partial(
    r.gm_move, only_if=[_by_skills], rule="Destiny Dice in Fate Accelerated: adapting it"
)


@_editing(
    "skill.add",
    asks=[r.TextAsk("name", "What is the skill called?", most=r.LONGEST_NAME)],
    place=r.at("table", 60),
)
def add_skill(turn: r.Turn) -> Iterator[r.Event]:
    """Add a skill to this table's list

    The seed invites tables to adapt the dice; with the skills of Fate Core the list is the table's
    own.
    """
    name = turn.text("name")
    key = "-".join(re.findall(r"[^\W_]+", r.alike(name)))
    if not key or key in rated_abilities(turn):
        raise turn.refused("argument", "skill.there", "name", name=name)
    struck = next(
        (trait for trait in turn.table.of_kind("skill-struck") if Named.of(trait).key == key), None
    )
    if struck is not None:
        yield r.TraitRemoved(struck.id)
    else:
        yield turn.trait(
            "skill", turn.words.say("skill.added", name=name), terms=Named(key, key, name).terms
        )


SKILL = r.ChoiceAsk(
    "skill", "Which skill?", lambda t: [r.Choice(k, n) for k, n in rated_abilities(t).items()]
)


@_editing("skill.strike", asks=[SKILL], place=r.at("table", 61))
def strike_skill(turn: r.Turn) -> Iterator[r.Event]:
    """Remove a skill from this table's list"""
    key = turn.text("skill")
    own = next((trait for trait in turn.table.of_kind("skill") if Named.of(trait).key == key), None)
    if own is not None:
        yield r.TraitRemoved(own.id)
    elif key not in ABILITIES["skills"]:
        raise turn.refused("argument", "skill.none", "skill")
    else:
        yield turn.trait(
            "skill-struck",
            turn.words.say("skill.struck", name=label(turn, key)),
            terms=Named(key).terms,
        )
