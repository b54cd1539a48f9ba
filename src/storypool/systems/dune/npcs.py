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
    Check,
    Choice,
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
    acting,
    answers,
    characters,
    in_session,
    move,
    rows,
    sheet_of,
    slug,
    symbols,
)
from storypool.systems.dune import sheet
from storypool.systems.dune.checks import faces_of
from storypool.systems.dune.drives import places, rolled_again
from storypool.systems.dune.terms import shifted, told_difficulty, with_target
from storypool.systems.twod20.dice import AXES, CHALLENGE, D20, HELPER
from storypool.words import Words

ABILITIES: Mapping[str, Mapping[str, str]] = rows("storypool.systems.dune", "npcs")["abilities"]
TEMPLATES = {key: row for key, row in rows("storypool.systems.dune", "npcs").items() if key != "abilities"}
HOOKS = rows("storypool.systems.dune", "hooks")
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
    numbers = {"rank": RANKS[rank]} | dict(zip(in_order(skill, sheet.SKILLS), row["skills"], strict=True))
    if row["drives"]:
        return numbers | dict(zip(in_order(drive, sheet.DRIVES), row["drives"], strict=True))
    return numbers | {sheet.QUALITY: row["quality"]}


def _has_drives(turn: Turn) -> bool:
    return turn.text("rank") in ("notable", "major")


ABILITY = ChoiceAsk(
    "ability",
    "Which special ability?",
    lambda t: [Choice(key, t.words[f"ability.{key}"], t.words[f"ability.{key}.does"]) for key in ABILITIES],
)
ABILITY_SKILL = ChoiceAsk("ability_skill", "Of which skill?", sheet.skills, default="battle")


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
        yield _ability(turn, turn.table.characters[id])


def _ability(turn: Turn, who: Character) -> Event:
    key, at = turn.text("ability"), turn.text("ability_skill")
    told = {
        "name": turn.words[f"ability.{key}"],
        "at": sheet.label(turn, at),
        "text": turn.words[f"ability.{key}.does"],
    }
    said = turn.words.say("npc.ability", **told)
    return sheet.noted(turn, Trait("", "ability", said, who.id, at=at, terms={"ability": key}, seen_by=who.seen_by))


# Special abilities.


def _majors(turn: Turn) -> Iterator[Choice]:
    who = turn.table.characters
    return (choice for choice in characters("gm")(turn) if sheet.rank(who[choice.value]) == sheet.MAJOR)


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
    for who in (check.actor, *check.names("helpers")):
        for trait in sheet.traits_of(turn.table, "ability", who):
            key = _key(trait)
            now = ABILITIES.get(key, {}).get("phase") in (check.phase, "any")
            theirs = (key == "guidance") == (who != check.actor) and trait.id not in check.names("used")
            # These go with one skill, as far as the test names one.
            bound = key in ("proficiency", "threatening", "familiarity") and check.text("skill") not in ("", trait.at)
            if now and theirs and not bound and (trait.seen_by is None or check.seen_by is not None):
                yield Choice(trait.id, trait.text)


def _key(trait: Trait | None) -> str:
    return str(trait.terms.get("ability", "")) if trait else ""


def _chosen(turn: Turn) -> str:
    return _key(turn.table.traits.get(turn.text("ability")))


def _is_threat(turn: Turn) -> bool:
    return _chosen(turn) == "threat"


def _ability_price(turn: Turn) -> Bag:
    """Threat, where the ability says so"""
    return Bag(threat=turn.number("n", 1)) if _is_threat(turn) else Bag()


@move(
    "ability.use",
    by=["gm"],
    when=acting,
    price=_ability_price,
    only_if=[lambda t: None if any(_usable(t)) else t.firm("ability.none")],
    asks=[
        ChoiceAsk("ability", "Which ability?", _usable),
        NumberAsk("n", "How much Threat?", default=1, low=1, high=10, shown=_is_threat),
        TextAsk("text", "What does it bring?", needed=False, shown=_is_threat),
        faces_of(lambda t: Bag({AGAIN[_chosen(t)]: 1}) if _chosen(t) in AGAIN else Bag()),
    ],
    rule="Non-player Character Special Abilities",
)
def use_ability(turn: Turn) -> Iterator[Event]:
    """Use an NPC's special ability

    Each once in a test.
    """
    check, trait = turn.here, turn.table.traits[turn.text("ability")]
    check = check.with_terms(used=(*check.names("used"), trait.id))
    match _chosen(turn):
        case "proficiency":
            yield turn.amend(check.with_terms(proficient=True), trait.text)
        case "substitution":
            yield turn.amend(with_target(turn.table, check.with_terms(skill=trait.at, focus="")), trait.text)
        case "familiarity":
            check = shifted(check, -1, trait.text.partition(":")[0])
            yield turn.amend(check, f"{trait.text}. {told_difficulty(turn, check)}".strip())
        case "threat":
            if check.seen_by is not None:
                raise turn.refused("argument", "hidden.points", "ability")
            yield turn.amend(check, turn.text("text") or trait.text)
        case other:
            yield turn.amend(check, trait.text)
            yield from _again(turn, check, other, trait.about)


def _again(turn: Turn, check: Check, ability: str, who: str) -> Iterator[Event]:
    """One d20 re-rolled: the worst of whoever acts, after dice were bought with Threat; or the helper's."""
    if ability == "threatening" and not (check.number("bought") and check.side == "gm"):
        raise turn.refused("argument", "ability.bought", "ability")
    if check.terms.get("touched"):
        raise turn.refused("argument", "touched", "ability")
    if ability == "threatening":
        free = sorted(places(check), key=lambda i: -check.rolled[i - 1].face)[:1]
    else:
        helping = [i for i, lies in enumerate(check.rolled, 1) if lies.die == HELPER.name]
        at = check.names("helpers").index(who)
        free = [i for i in helping[at : at + 1] if i in places(check, HELPER.name)]
    if not free:
        raise turn.refused("argument", "reroll.none", "ability")
    yield from rolled_again(turn, free, AGAIN[ability])


# Hooks and challenge dice.


def _asked(turn: Turn) -> list[str]:
    """The columns that are rolled on."""
    return list(HOOKS["columns"]) if turn.text("column") in ("", "all") else [turn.text("column")]


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
