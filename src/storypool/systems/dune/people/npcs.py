"""NPCs made and completed. Source: seed 004, Creating Non-player Characters."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from storypool.engine import rules as r
from storypool.systems.dune.people import abilities, sheet
from storypool.systems.dune.people.abilities import ABILITY, OF_ABILITY
from storypool.systems.dune.people.adversaries import PARTS, TEMPLATES, template, write_parts
from storypool.systems.twod20.dice import D20, SIDES


def _ask_for(part: str) -> r.Ask:
    ranks = PARTS[part].get("ranks")
    shown = r.answered("rank", *ranks) if ranks else None
    return r.TextAsk(part, PARTS[part]["ask"], needed=False, shown=shown)


_has_drives = r.answered("rank", "notable", "major")
_STATEMENTS = ("statement", "statement2")


@r.gm_move(
    "npc.make",
    asks=[
        r.ChoiceAsk("rank", "Which rank?", r.answers("rank", *TEMPLATES), default="minor"),
        r.NAME,
        r.ChoiceAsk("skill", "Best skill", sheet.skills),
        r.ChoiceAsk("second", "Second skill", sheet.skills, needed=False),
        r.NumberAsk(
            "quality", "Quality", default=5, low=4, high=8, shown=r.answered("rank", "minor")
        ),
        r.ChoiceAsk("drive", "Highest drive", sheet.drives, default="duty", shown=_has_drives),
        r.ChoiceAsk("drive2", "Second drive", sheet.drives, needed=False, shown=_has_drives),
        *map(_ask_for, _STATEMENTS),
        *[_ask_for(part) for part in PARTS if part not in _STATEMENTS],
        r.replace(
            ABILITY, label="Or a special ability", needed=False, shown=r.answered("rank", "major")
        ),
        *OF_ABILITY,
        r.SheetAsk("sheet", "Other numbers on the sheet", needed=False),
        r.FlagAsk("secret", "Hidden from the players?", default=False, needed=False),
    ],
    rule="Creating Non-player Characters",
    place=r.at("generators", 60),
)
def make_npc(turn: r.Turn) -> r.Events:
    """Make an NPC

    Numbers by rank, the best skill and drive first; every number can be another. A major NPC
    spreads 11 points over skills of 4, none above 8. What else the rank needs can be completed
    afterwards.
    """
    rank, skills = turn.text("rank"), (turn.text("skill"), turn.text("second"))
    drives = turn.text("drive"), turn.text("drive2")
    numbers = template(rank, skills, drives)
    if rank == "minor":
        numbers[sheet.QUALITY] = turn.number("quality", 5)
    numbers |= r.sheet_of(turn.text("sheet"))
    # A major NPC has only so many points to spread.
    spread = TEMPLATES[rank].get("spread")
    points = sum(numbers[skill] - sheet.LOWEST for skill in sheet.SKILLS)
    if spread is not None and points > spread:
        values = {"most": spread, "got": points, "high": sheet.HIGHEST}
        raise turn.refused("argument", "npc.points", "sheet", **values)
    new = r.npc(turn, numbers)
    id = new.character.id
    yield new
    yield from write_parts(turn, id, skills, drives, turn.text)
    if turn.text("ability"):
        yield abilities.give(turn, turn.table.characters[id])


IDEAS: Mapping[str, Any] = r.rows("storypool.systems.dune", "npcs")["ideas"]
"""What an NPC can be given, by kind; some by the skill or drive that they are of."""


def missing(table: r.Table, who: r.Character) -> list[tuple[str, str]]:
    """The missing parts of an NPC's sheet by rank: each kind, with its skill or drive.

    A focus for a skill of 6 and two for one of 7, at least three for a major NPC; a statement for a
    notable NPC's highest drive, unless another has one, and for each of a major one's drives of 6
    or more; a trait, two for a major NPC; a talent, and two talents or abilities for a major one.

    Source: seed 004, Creating Non-player Characters.
    """
    rank = sheet.rank(who)
    major, minor = rank == sheet.MAJOR, rank == sheet.MINOR
    own = [trait for trait in table.traits.values() if trait.about == who.id and not trait.until]
    has = Counter((trait.kind, trait.at) for trait in own)
    kinds = Counter(trait.kind for trait in own)
    found = [("trait", "")] * (kinds["trait"] == 0)
    found += [("reputation", "")] * (major and kinds["trait"] < 2)
    ratings = {key: r.rating(who, key) or 0 for key in (*sheet.SKILLS, *sheet.DRIVES)}
    skills = sorted(sheet.SKILLS, key=lambda key: -ratings[key])
    drives = sorted(sheet.DRIVES, key=lambda key: -ratings[key])
    if major:
        wanted = [skill for skill in skills if not has["focus", skill]]
        found += [("focus", skill) for skill in wanted[: max(0, 3 - kinds["focus"])]]
    else:
        needs = {skill: min(2, ratings[skill] - 5) for skill in skills if ratings[skill] > 5}
        for skill, n in needs.items():
            found += [("focus", skill)] * (n - has["focus", skill])
    high = [drive for drive in drives if ratings[drive] >= sheet.STATEMENT_FROM and not minor]
    if not major:
        high = [] if any(has["statement", drive] for drive in high) else high[:1]
    found += [("statement", drive) for drive in high if not has["statement", drive]]
    talents = 0 if minor else 1 + major
    return found + [("talent", "")] * (talents - kinds["talent"] - kinds["ability"])


def part_in_words(turn: r.Turn, kind: str, at: str) -> str:
    return turn.words.say(f"missing.{kind}", of=sheet.label(turn, at) if at else "")


def _incomplete(turn: r.Turn) -> r.Choices:
    for choice in r.characters("gm")(turn):
        if wanted := missing(turn.table, turn.table.characters[choice.value]):
            parts = [part_in_words(turn, *one) for one in wanted]
            yield r.replace(choice, note=" · ".join(parts))


def _wanted(turn: r.Turn) -> list[tuple[str, str]]:
    """What is missing of the answers' NPC: everything, or what they name; a faction never is."""
    who, what = turn.character("who"), turn.text("what")
    kind, _, at = what.partition(" ")
    if who is None or kind == "faction":
        return [(kind, at)] if who else []
    return [one for one in missing(turn.table, who) if what in ("all", " ".join(one).strip())]


def _parts(turn: r.Turn) -> r.Choices:
    who = turn.character("who")
    yield r.Choice("all", turn.words["missing.all"])
    for one in dict.fromkeys(missing(turn.table, who) if who else ()):
        yield r.Choice(" ".join(one).strip(), part_in_words(turn, *one))
    if sheet.rank(who) == sheet.MAJOR:
        yield r.Choice("faction", part_in_words(turn, "faction", ""))


def ideas(turn: r.Turn, kind: str, at: str) -> list[str]:
    """What can be written down as this, without what the NPC has already."""
    key, n = (f"{kind}.{at}", len(IDEAS[kind][at])) if at else (kind, len(IDEAS[kind]))
    theirs = turn.table.of_kind(PARTS[kind]["kind"], about=turn.text("who"))
    have = {trait.text for trait in theirs}
    texts = [turn.words[f"idea.{key}.{i}"] for i in range(1, n + 1)]
    return [text for text in texts if text not in have] or texts


def _ideas(turn: r.Turn) -> r.Choices:
    for kind, at in _wanted(turn)[:1]:
        yield from (r.Choice(text, text) for text in ideas(turn, kind, at))


@r.gm_move(
    "npc.complete",
    when=r.any_of(_incomplete, "npc.complete"),
    asks=[
        r.first_choice("who", "Whose sheet?", _incomplete),
        r.ChoiceAsk("what", "What?", _parts, default="all"),
        r.ChoiceAsk(
            "text",
            "In words, or one at random",
            _ideas,
            needed=False,
            free=True,
            shown=lambda t: t.text("what") not in ("", "all"),
        ),
        r.faces_of(lambda t: r.Bag() if t.text("text") else r.Bag({D20.name: len(_wanted(t))})),
    ],
    rule="Creating Non-player Characters",
    place=r.at("generators", 61),
)
def complete(turn: r.Turn) -> r.Events:
    """Complete an NPC

    What the rank needs and the sheet has not, listed beside the name: in your words, or at random,
    a d20 for each.
    """
    who, wanted = turn.table.characters[turn.text("who")], _wanted(turn)
    if turn.text("text"):
        kind, at = wanted[0]
        yield turn.trait(PARTS[kind]["kind"], turn.text("text"), who.id, at=at)
        return
    rolled = turn.cast(r.Bag({D20.name: len(wanted)}), turn.numbers("faces"))
    # A face shows which part was chosen.
    yield r.gm_only(r.DiceRolled("", turn.seat.id, rolled, turn.words["missing.rolled"]))
    for (kind, at), one in zip(wanted, rolled, strict=True):
        found = ideas(turn, kind, at)
        text = found[(one.face - 1) * len(found) // SIDES]
        yield turn.trait(PARTS[kind]["kind"], text, who.id, at=at)
