"""The game master's drawer: NPCs of three ranks with their special abilities, story hooks, challenge dice.

Source: seed 004, Creating Non-player Characters, Non-player Character Special Abilities and Story Hook Generator.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any

from storypool.engine.rules import (
    GM_ONLY,
    Bag,
    Character,
    CharacterSet,
    Check,
    Choice,
    ChoiceAsk,
    DiceRolled,
    Event,
    FlagAsk,
    Move,
    NumberAsk,
    Refusal,
    SheetAsk,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    Value,
    acting,
    characters,
    in_session,
    move,
    sheet_of,
    slug,
    symbols,
)
from storypool.systems.dune.checks import faces_of
from storypool.systems.dune.determination import places, rolled_again
from storypool.systems.dune.sheet import (
    DRIVES,
    HIGHEST,
    LOWEST,
    MAJOR,
    QUALITY,
    SKILLS,
    drives,
    label,
    skills,
    traits_of,
)
from storypool.systems.dune.sheet import rank as rank_of
from storypool.systems.dune.terms import number, shifted, text, texts, with_target, with_terms
from storypool.systems.twod20.dice import AXES, CHALLENGE, D20, HELPER
from storypool.words import Words


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files("storypool.systems.dune").joinpath(name).read_text(encoding="utf-8"))


TEMPLATES = _data("npcs.toml")
ABILITIES: Mapping[str, Mapping[str, str]] = TEMPLATES.pop("abilities")
HOOKS = _data("hooks.toml")
AGAIN = {"threatening": D20.name, "guidance": HELPER.name}
"""Abilities that re-roll one die, and which."""
FIELDS = {"name": "", "text": ".does"}
RANKS = {"minor": 1, "notable": 2, "major": 3}


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
    sheet = {"rank": RANKS[rank]} | dict(zip(in_order(skill, SKILLS), row["skills"], strict=True))
    if row["drives"]:
        return sheet | dict(zip(in_order(drive, DRIVES), row["drives"], strict=True))
    return sheet | {QUALITY: row["quality"]}


def _ranks(turn: Turn) -> Iterator[Choice]:
    for key in TEMPLATES:
        yield Choice(key, turn.system.words[f"rank.{key}"], turn.system.words[f"rank.{key}.note"])


def _has_drives(turn: Turn) -> bool:
    return turn.text("rank") in ("notable", "major")


def _abilities(turn: Turn) -> Iterator[Choice]:
    for key in ABILITIES:
        yield Choice(key, turn.system.words[f"ability.{key}"], turn.system.words[f"ability.{key}.does"])


ABILITY = ChoiceAsk("ability", "Which special ability?", _abilities)
ABILITY_SKILL = ChoiceAsk("ability_skill", "Of which skill?", skills, default="battle")


@move(
    "npc.make",
    by=["gm"],
    asks=[
        ChoiceAsk("rank", "Which rank?", _ranks, default="minor"),
        TextAsk("name", "Who is it?"),
        ChoiceAsk("skill", "Best skill", skills),
        ChoiceAsk("second", "Second skill", skills, needed=False),
        NumberAsk("quality", "Quality", default=5, low=4, high=8, shown=lambda t: t.text("rank") == "minor"),
        ChoiceAsk("drive", "Highest drive", drives, default="duty", shown=_has_drives),
        ChoiceAsk("drive2", "Second drive", drives, needed=False, shown=_has_drives),
        TextAsk("statement", "Statement of the highest drive", needed=False, shown=_has_drives),
        TextAsk("trait", "Job or role, as a trait", needed=False),
        TextAsk("reputation", "Reputation, as a second trait", needed=False, shown=_has_drives),
        TextAsk("focus", "Focus of the best skill", needed=False),
        TextAsk("talent", "A talent", needed=False, shown=_has_drives),
        replace(ABILITY, label="Or a special ability", needed=False, shown=lambda t: t.text("rank") == "major"),
        replace(ABILITY_SKILL, shown=lambda t: "ability" in t.args),
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
    sheet = template(rank, (turn.text("skill"), turn.text("second")), (turn.text("drive"), turn.text("drive2")))
    if rank == "minor":
        sheet[QUALITY] = turn.number("quality", 5)
    sheet |= sheet_of(turn.text("sheet"))
    _fits(turn, rank, sheet)
    hidden = GM_ONLY if turn.flag("secret") else None
    id = slug(turn.text("name"), turn.table.characters)
    numbers: dict[str, Value] = {**sheet}
    yield CharacterSet(Character(id, turn.text("name")[:40], "gm", "", numbers, hidden))
    said = {
        "trait": ("trait", ""),
        "reputation": ("trait", ""),
        "focus": ("focus", turn.text("skill")),
        "talent": ("talent", ""),
        "statement": ("statement", turn.text("drive")),
    }
    for ask, (kind, at) in said.items():
        if turn.text(ask):
            yield TraitSet(Trait(turn.fresh("t"), kind, turn.text(ask), id, at=at, by=turn.seat.id, seen_by=hidden))
    if turn.text("ability"):
        yield _ability(turn, turn.table.characters[id])


def _ability(turn: Turn, who: Character) -> Event:
    words, key, at = turn.system.words, turn.text("ability"), turn.text("ability_skill")
    told = {"name": words[f"ability.{key}"], "at": label(turn, at), "text": words[f"ability.{key}.does"]}
    said, terms = words.say("npc.ability", **told), {"ability": key}
    return TraitSet(
        Trait(turn.fresh("t"), "ability", said, who.id, at=at, by=turn.seat.id, terms=terms, seen_by=who.seen_by)
    )


def _fits(turn: Turn, rank: str, sheet: Mapping[str, int]) -> None:
    """`Refused` when a major NPC has more points than there are to spread."""
    spread = TEMPLATES[rank].get("spread")
    points = sum(sheet[skill] - LOWEST for skill in SKILLS)
    if spread is not None and points > spread:
        raise turn.refused("argument", "npc.points", "sheet", most=spread, got=points, high=HIGHEST)


# Special abilities.


def _majors(turn: Turn) -> Iterator[Choice]:
    for choice in characters("gm")(turn):
        if rank_of(turn.table.characters[choice.value]) == MAJOR:
            yield choice


@move(
    "npc.ability",
    by=["gm"],
    when=lambda t: None if any(_majors(t)) else t.firm("ability.major"),
    asks=[ChoiceAsk("who", "Whose?", _majors), ABILITY, ABILITY_SKILL],
    rule="Non-player Character Special Abilities",
)
def give_ability(turn: Turn) -> Iterator[Event]:
    """Give an NPC a special ability

    A major NPC has two to four talents, or abilities in their place.
    """
    yield _ability(turn, turn.table.characters[turn.text("who")])


def _usable(turn: Turn) -> Iterator[Choice]:
    """The abilities of whoever acts, or for guidance of whoever helps, that have their time now."""
    check = turn.check
    if check is None:
        return
    for who in (check.actor, *texts(check, "helpers")):
        for trait in traits_of(turn.table, "ability", who):
            key = str(trait.terms.get("ability", ""))
            now = ABILITIES.get(key, {}).get("phase") in (check.phase, "any")
            open_to_all = trait.seen_by is None or check.seen_by is not None
            theirs = (
                _of_this_skill(check, trait)
                and (key == "guidance") == (who != check.actor)
                and trait.id not in texts(check, "used")
            )
            if now and theirs and open_to_all:
                yield Choice(trait.id, trait.text)


def _of_this_skill(check: Check, trait: Trait) -> bool:
    """Whether this test is of the skill that the ability is of, as far as the rule or the test names one."""
    bound = trait.terms.get("ability") in ("proficiency", "threatening", "familiarity")
    return not bound or text(check, "skill") in ("", trait.at)


def _any_usable(turn: Turn) -> Refusal | None:
    return None if turn.check is None or any(_usable(turn)) else turn.firm("ability.none")


def _chosen(turn: Turn) -> str:
    trait = turn.table.traits.get(turn.text("ability"))
    return str(trait.terms.get("ability", "")) if trait else ""


def _ability_price(turn: Turn) -> Bag:
    """Threat, where the ability says so"""
    return Bag(threat=turn.number("n", 1)) if _chosen(turn) == "threat" else Bag()


@move(
    "ability.use",
    by=["gm"],
    when=acting,
    price=_ability_price,
    only_if=[_any_usable],
    asks=[
        ChoiceAsk("ability", "Which ability?", _usable),
        NumberAsk("n", "How much Threat?", default=1, low=1, high=10, shown=lambda t: _chosen(t) == "threat"),
        TextAsk("text", "What does it bring?", needed=False, shown=lambda t: _chosen(t) == "threat"),
        faces_of(lambda t: Bag({AGAIN[_chosen(t)]: 1}) if _chosen(t) in AGAIN else Bag()),
    ],
    rule="Non-player Character Special Abilities",
)
def use_ability(turn: Turn) -> Iterator[Event]:
    """Use an NPC's special ability

    Each once in a test.
    """
    check, trait = turn.here, turn.table.traits[turn.text("ability")]
    check = with_terms(check, used=(*texts(check, "used"), trait.id))
    match _chosen(turn):
        case "proficiency":
            yield turn.amend(with_terms(check, proficient=True), trait.text)
        case "substitution":
            changed = with_target(turn.table, with_terms(check, skill=trait.at, focus=""))
            yield turn.amend(changed, trait.text)
        case "familiarity":
            yield turn.amend(shifted(check, -1, trait.text.partition(":")[0]), trait.text)
        case "threat":
            if check.seen_by is not None:
                raise turn.refused("argument", "hidden.points", "ability")
            yield turn.amend(check, turn.text("text") or trait.text)
        case other:
            yield turn.amend(check, trait.text)
            yield from _again(turn, check, other, trait.about)


def _again(turn: Turn, check: Check, ability: str, who: str) -> Iterator[Event]:
    """One d20 re-rolled: the worst of whoever acts, after dice were bought with Threat; or the helper's."""
    if ability == "threatening" and not (number(check, "bought") and check.side == "gm"):
        raise turn.refused("argument", "ability.bought", "ability")
    if check.terms.get("touched"):
        raise turn.refused("argument", "touched", "ability")
    if ability == "threatening":
        free = sorted(places(check, D20.name), key=lambda i: -check.rolled[i - 1].face)[:1]
    else:
        helping = [i for i, one in enumerate(check.rolled, 1) if one.die == HELPER.name]
        at = texts(check, "helpers").index(who)
        free = [i for i in helping[at : at + 1] if i in places(check, HELPER.name)]
    if not free:
        raise turn.refused("argument", "reroll.none", "ability")
    yield from rolled_again(turn, free, AGAIN[ability])


# Hooks and challenge dice.


def _columns(turn: Turn) -> Iterator[Choice]:
    yield Choice("all", turn.system.words["hook.all"])
    for key in HOOKS["columns"]:
        yield Choice(key, turn.system.words[f"hook.{key}"])


def _asked(turn: Turn) -> list[str]:
    """The columns that are rolled on."""
    every: list[str] = HOOKS["columns"]
    return every if turn.text("column") in ("", "all") else [turn.text("column")]


def row_words() -> dict[str, str]:
    """What special abilities are called and what they do, and the story hooks, as sentences of the catalogue."""
    told = {f"ability.{key}{of}": row[field] for key, row in ABILITIES.items() for field, of in FIELDS.items()}
    hooks = {f"hook.{key}.{n}": row[key] for n, row in enumerate(HOOKS["rows"], 1) for key in HOOKS["columns"]}
    return told | hooks


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
        ChoiceAsk("column", "Which column?", _columns, default="all"),
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
    yield DiceRolled("", turn.seat.id, lies, turn.system.words["hook.rolled"], GM_ONLY)
    for column, one in zip(columns, lies, strict=True):
        words = turn.system.words
        said = words.say("hook.told", column=words[f"hook.{column}"], text=hook(words, column, one.face))
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
    words = turn.system.words
    effects = words.say("lies.effects", n=net["effects"])
    said = words.say("challenge.told", n=net["total"], effects=effects, text=turn.text("text"))
    yield DiceRolled("", turn.seat.id, lies, said.strip())


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
