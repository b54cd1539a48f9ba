"""Declaring a check: the actor, the basic pool, the difficulty, and promised dice.

Sources: seed 003, Dice Pool; starwars.md 1.2 to 1.6.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.narrative import windows
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.fight.attacks import DAMAGE, WEAPON, bare_hands, typed_value
from storypool.systems.narrative.fight.injuries import TREATED, treatment_level
from storypool.systems.narrative.fight.opponents import actors, opponents, usual_opponent
from storypool.systems.narrative.fight.ranges import range_between
from storypool.systems.narrative.fight.slots import in_order
from storypool.systems.narrative.fight.targets import opposing_mods
from storypool.systems.narrative.fight.weapons import (
    WEAPON_ASK,
    Weapon,
    best_weapon,
    usual_skill,
    weapon_of,
    wielded,
)
from storypool.systems.narrative.sheet import (
    best_skill,
    characteristics,
    is_combat,
    missing_value,
    note_of,
    rank_of,
    ready_dice,
    remember,
    skills,
)
from storypool.systems.narrative.symbol_dice import HINDERING, as_difficulty, opposing, skilled

LEVELS = {
    "simple": 0,
    "easy": 1,
    "average": 2,
    "hard": 3,
    "daunting": 4,
    "formidable": 5,
    "impossible": 5,
}
"""Difficulty dice by level. Source: seed 003, Difficulty Levels; counts from starwars.md 1.2."""

RANGED = {"easy": "close", "average": "medium", "hard": "long", "daunting": "extreme"}
MELEE = {"average": "engaged"}
"""The range at which an attack is of this level. Source: seed 003, Difficulty Levels."""
AT_RANGE = {range: level for level, range in (*RANGED.items(), *MELEE.items())}
"""The level of an attack at each range."""


# Conditions.


ready = r.requires(lambda turn: not turn.table.of_kind("points-unset"), "points.unset")
"""The points of this session are set; while they are not, a trait of this kind says how."""

difficulty_known = r.of_check(lambda check: Attempt.of(check).difficulty, "difficulty")
"""The basic pool stands; only then either side upgrades it. Source: seed 003, Basic Dice Pool."""


def is_unpaid(check: r.Check) -> bool:
    """The point for attempting the impossible is still due; a hidden action is free."""
    attempt = Attempt.of(check)
    return attempt.difficulty == "impossible" and not attempt.paid and not check.hidden


paid = r.of_check(lambda check: not is_unpaid(check), "unpaid")
"""The point for attempting the impossible is not due."""


# Questions.


def levels(turn: r.Turn) -> Iterator[r.Choice]:
    """The difficulty levels of the table; an impossible task with its price."""
    actor = turn.check or turn.character("as")
    point, _ = windows.purses(turn, actor.team if actor else r.Team.PLAYERS)
    for level, n in LEVELS.items():
        if n:
            note = turn.words.say("level.note", n=n)
        else:
            note = turn.words["level.note.none"]
        if level == "impossible":
            note += turn.words["list.comma"] + r.priced(turn, r.Bag({point: 1}))
        yield r.Choice(level, turn.words[f"level.{level}"], note)


def _levels_and_opposition(turn: r.Turn) -> Iterator[r.Choice]:
    acting = turn.check is None or "as" in turn.args
    skill = turn.text("skill") if acting else Attempt.of(turn.here).skill
    if not is_combat(turn, skill):
        ranges = {}
    elif note_of(turn, skill, "with") == "brawn":
        ranges = MELEE
    else:
        ranges = RANGED
    for choice in levels(turn):
        note = [choice.note]
        if choice.value in ranges:
            note.append(turn.words[f"range.{ranges[choice.value]}"])
        yield r.replace(choice, note=turn.words["list.comma"].join(note))
    # Open without a target too: a choice that came and went would move its neighbours.
    yield r.Choice("opposed", turn.words["level.opposed"], turn.words["level.note.opposed"])


@dataclass(frozen=True)
class Contest(r.State):
    """A contest, with the difficulty for everybody."""

    difficulty: str = ""


contests = r.traits("contest")
"""The open contests."""


def _by_numbers(turn: r.Turn) -> bool:
    """Whether characteristic and ranks make the actor's pool: no dice are typed or ready."""
    return not turn.text("pool") and not ready_dice(turn, turn.character("as"))


def _opposed(turn: r.Turn) -> bool:
    return turn.text("difficulty") == "opposed"


def _opposed_by_numbers(turn: r.Turn) -> bool:
    """Whether the opponent's characteristic and ranks are the difficulty."""
    return _opposed(turn) and not ready_dice(turn, turn.character("against"))


def _lacks_opposing_number(turn: r.Turn) -> bool:
    """Whether the opponent's sheet lacks the characteristic that opposes."""
    key = turn.text("by_characteristic")
    return (
        _opposed_by_numbers(turn) and key != "" and r.rating(turn.character("against"), key) is None
    )


def _skill_characteristic(skill: str) -> Callable[[r.Turn], str | None]:
    """A default: the characteristic that goes with the skill in the answer to this question."""
    return lambda turn: note_of(turn, turn.text(skill), "with") or None


def _opposing_skill(turn: r.Turn) -> str | None:
    """The skill that usually opposes the chosen one; None for an opponent with ready dice."""
    skill = turn.text("skill") or (Attempt.of(turn.check).skill if turn.check else "")
    if ready_dice(turn, turn.character("against")):
        return None
    return note_of(turn, skill, "opposed") or None


def _initial_skill(turn: r.Turn) -> str | None:
    """The skill that a form begins with: that of its weapon, else the best."""
    weapon = weapon_of(turn, turn.text("weapon") or best_weapon(turn) or "")
    return weapon.skill if weapon else best_skill(turn)


def _initial_level(turn: r.Turn) -> str | None:
    """The difficulty that a form begins with.

    That of a treatment, or of an attack: of the range on the board, else the usual one of its
    weapon.
    """
    if treated := treatment_level(turn.table.traits.get(turn.text("injury"))):
        return treated
    skill = turn.text("skill")
    if is_combat(turn, skill):
        band = range_between(turn, turn.text("as"), turn.text("against"), skill)
        if band:
            return AT_RANGE[band]
    trait = wielded(turn, turn.character("as"), turn.text("skill"), turn.text("weapon"))
    return AT_RANGE.get(Weapon.of(trait).range) if trait else None


ACTING = (
    r.ChoiceAsk(
        "skill",
        "Skill",
        skills("as"),
        default=usual_skill,
        needed=False,
        preset=_initial_skill,
    ),
    r.ChoiceAsk(
        "characteristic",
        "Characteristic",
        characteristics,
        default=_skill_characteristic("skill"),
        needed=False,
        shown=_by_numbers,
        known=lambda t: (
            _skill_characteristic("skill")(t) if ready_dice(t, t.character("as")) else None
        ),
    ),
    missing_value(lambda t: t.text("characteristic"), _by_numbers),
    r.missing_number("rank", "Ranks in the skill", "skill", "as", _by_numbers, default=0),
)

# The GM decides about the opposition; a player suggests it.
DIFFICULTY = r.ChoiceAsk(
    "difficulty", "Difficulty", _levels_and_opposition, needed=False, whose="gm"
)
AGAINST = r.ChoiceAsk("against", "Target", opponents, needed=False, preset=usual_opponent)
OPPOSITION = tuple(
    r.replace(ask, whose="gm")
    for ask in (
        r.ChoiceAsk(
            "by_skill",
            "Their skill",
            skills("against"),
            default=_opposing_skill,
            needed=False,
            shown=_opposed,
            implies=("difficulty", "opposed"),
        ),
        r.ChoiceAsk(
            "by_characteristic",
            "Their characteristic",
            characteristics,
            default=_skill_characteristic("by_skill"),
            needed=False,
            shown=_opposed_by_numbers,
            known=_skill_characteristic("by_skill"),
            implies=("difficulty", "opposed"),
        ),
        r.missing_number(
            "by_value",
            "How high is that characteristic of theirs?",
            "by_characteristic",
            "against",
            _lacks_opposing_number,
            low=1,
        ),
        r.missing_number(
            "by_rank",
            "Their ranks in the skill",
            "by_skill",
            "against",
            _lacks_opposing_number,
            default=0,
        ),
    )
)


def _is_impossible(turn: r.Turn) -> bool:
    level = _contest_difficulty(turn) or turn.text("difficulty")
    return level == "impossible" and not _hides(turn)


def _contest_difficulty(turn: r.Turn) -> str:
    """The difficulty of the action's contest, or ""."""
    contest = turn.table.traits.get(turn.text("contest"))
    return Contest.of(contest).difficulty if contest else ""


def _hides(turn: r.Turn) -> bool:
    """Whether the action is secret: the GM's choice, or its actor is hidden."""
    actor = turn.character("as")
    return r.opens_hidden(turn) or (actor is not None and actor.hidden)


@r.worded("Nothing; one point of this seat's side for an impossible task")
def _attempt_price(turn: r.Turn) -> r.Bag:
    if _is_impossible(turn):
        return r.Bag({windows.purses(turn)[0]: 1})
    return r.Bag()


@r.worded("None; for an impossible task that of points in one action")
def _attempt_limit(turn: r.Turn) -> tuple[r.Limit, ...]:
    if _is_impossible(turn):
        return windows.one_point(turn, turn.own_check)
    return ()


@r.declares(
    price=_attempt_price,
    limit=_attempt_limit,
    only_if=[r.has_a_character, ready, in_order],
    asks=[
        r.first_choice("as", "Who acts?", actors),
        r.TITLE,
        r.PoolAsk("pool", "Type a whole pool", needed=False, whose="gm"),
        WEAPON_ASK,
        *ACTING,
        r.ChoiceAsk(
            "contest",
            "Part of a contest?",
            contests,
            needed=False,
            shown=lambda t: any(contests(t)),
        ),
        AGAINST,
        r.replace(
            DIFFICULTY,
            shown=lambda t: not t.text("contest"),
            known=_contest_difficulty,
            preset=_initial_level,
        ),
        # What a target brings comes after the difficulty, which does not move under a finger.
        *OPPOSITION,
        TREATED,
        DAMAGE,
        r.HIDE_ACTION,
    ],
    rule="Dice Pool",
    place=r.at("primary", 61),
)
def declare(turn: r.Turn) -> Iterator[r.Event]:
    """Make a check

    The pool is built from the skill and its characteristic, or typed as a whole. An Impossible task
    is paid for with a point as it is declared (seed 003, Impossible Tasks).
    """
    actor = turn.table.characters[turn.text("as")]
    new = _new_numbers(turn, actor)
    if _hides(turn) == actor.hidden:
        yield from remember(actor, new)
    keys = ["skill", "characteristic", "difficulty", "by_skill", "by_characteristic", "contest"]
    keys.append("injury")
    given: dict[str, r.Value | None] = {key: turn.text(key) for key in keys}
    given |= {key: turn.number(key) for key in ("by_value", "by_rank")}
    given["damage"] = turn.number("damage") if "damage" in turn.args else None
    by_hand, level = turn.text("pool"), _contest_difficulty(turn) or turn.text("difficulty")
    if by_hand and not level and turn.system.notation.parse(by_hand).only(HINDERING):
        level = "by hand"
    key = turn.text("skill") or turn.text("characteristic")
    weapon = wielded(turn, actor, turn.text("skill"), turn.text("weapon"))
    if weapon is not None:
        given["weapon"] = weapon.id
    title = turn.text("title") or _usual_title(turn, weapon, key)
    # Do not write on a visible sheet for a hidden action.
    if _hides(turn):
        given |= {asked: new[key] for key, asked in _entry_questions(turn).items() if key in new}
    check = turn.action(actor, title, turn.text("against"))
    check = Attempt.put(check, kind="check", **given, by_hand=by_hand)
    check = Attempt.put(check, difficulty=level)
    own, other = windows.purses(turn)
    if _is_impossible(turn):
        owed = r.Bag() if windows.crosses_at_once(turn) else r.Bag({other: 1})
        check = r.replace(
            Attempt.put(check, paid=True), spent=r.Points({r.Purse(own): 1}), owed=owed
        )
    check = with_base_pool(turn, check)
    check = r.replace(check, mods=(*opposing_mods(turn, check), *r.promised(turn, check)))
    if not check.base.only(turn.system.notation.helping):
        raise turn.refused("argument", "no.dice", "skill", who=actor.name)
    yield turn.open(check)
    if check.spent and not check.owed:
        yield from turn.change(other, 1, why=turn.words["points.turned"])
    yield turn.amend(windows.with_windows(turn, check))


def _usual_title(turn: r.Turn, weapon: r.Trait | None, key: str) -> str:
    """The title of a check without one: its weapon, else its skill or characteristic."""
    if weapon is not None:
        return Weapon.of(weapon).name
    return turn.system.entry(key) if key else turn.words["check.untitled"]


def _entry_questions(turn: r.Turn) -> dict[str, str]:
    """The entries of the actor's sheet in the answers, each with the question for its number."""
    return {turn.text("characteristic"): "value", turn.text("skill"): "rank", WEAPON: "damage"}


def _new_numbers(turn: r.Turn, actor: r.Character) -> dict[str, int]:
    """The numbers asked for the first time, which go on the sheet.

    A rank of 0 is not written down, nor is the damage of bare hands or of a named weapon.
    """
    asked = _entry_questions(turn).items()
    new = dict[str, int]()
    for key, ask in asked:
        if key and actor.rating(key) is None and (n := turn.number(ask)):
            new[key] = n
    skill = turn.text("skill")
    bare = new.get(WEAPON) == bare_hands(turn, actor, skill, typed_value(turn))
    if bare or wielded(turn, actor, skill, turn.text("weapon")):
        new.pop(WEAPON, None)
    return new


def with_base_pool(turn: r.Turn, check: r.Check) -> r.Check:
    """The check with its basic pool: skill or a typed pool, and the difficulty."""
    attempt = Attempt.of(check)
    people = [turn.table.characters.get(id) for id in (check.actor, attempt.helper)]
    if attempt.by_hand:
        base = turn.system.notation.parse(attempt.by_hand)
    else:
        value = max(r.rating(who, attempt.characteristic) or attempt.value for who in people)
        rank = max(rank_of(turn, who, attempt.skill) or attempt.rank for who in people)
        if value:
            base = skilled(value, rank)
        else:
            base = ready_dice(turn, people[0], attempt.skill)
    level = attempt.difficulty
    if level == "opposed":
        base = base - base.only(HINDERING) + _opposition(turn, check)
    elif level in LEVELS:
        base = base - base.only(HINDERING) + r.Bag(difficulty=LEVELS[level])
    return r.replace(check, base=base)


def _opposition(turn: r.Turn, check: r.Check) -> r.Bag:
    """The opponent's dice, as difficulty. Source: starwars.md 1.6, Opposed."""
    opponent = turn.table.target(check)
    if opponent is None:
        raise turn.refused("argument", "opponent", "against")
    attempt = Attempt.of(check)
    if value := r.rating(opponent, attempt.by_characteristic) or attempt.by_value:
        return opposing(value, rank_of(turn, opponent, attempt.by_skill) or attempt.by_rank)
    dice = as_difficulty(ready_dice(turn, opponent, attempt.by_skill))
    if not dice:
        raise turn.refused("argument", "opponent.dice", "by_skill", who=opponent.name)
    return dice


@r.whenever(r.CheckOpened, r.CheckChanged)
def opposition_remembered(turn: r.Turn, event: r.CheckOpened | r.CheckChanged) -> Iterator[r.Event]:
    """Write the numbers that were given for an opponent on its sheet.

    A player's suggestion waits for the GM. The numbers of a hidden action are not written on a
    sheet that everybody reads.
    """
    check, attempt = event.check, Attempt.of(event.check)
    opponent = turn.table.target(check)
    if opponent is None or "by_value" in check.suggested or check.hidden != opponent.hidden:
        return
    given = {attempt.by_characteristic: attempt.by_value, attempt.by_skill: attempt.by_rank}
    yield from remember(opponent, given)


@r.gm_move(
    "check.difficulty",
    when=r.building,
    asks=[
        r.replace(AGAINST, default=lambda t: t.here.against or None),
        r.replace(DIFFICULTY, needed=True),
        *OPPOSITION,
    ],
    rule="Difficulty",
    place=r.at("actions", 60),
)
def set_difficulty(turn: r.Turn) -> Iterator[r.Event]:
    """Set the difficulty

    The GM sets it before the roll (seed 003, Basic Dice Pool). A mistake is set right in the same
    way: points spent since come back, and who may spend decides again.
    """
    yield from refund_points(turn)
    check = turn.here
    keys = ("difficulty", "by_skill", "by_characteristic")
    given = {key: turn.text(key) for key in keys if turn.text(key)}
    numbers = {key: turn.number(key) for key in ("by_value", "by_rank")}
    changed = r.replace(
        Attempt.put(check, **given, **numbers), against=turn.text("against") or check.against
    )
    changed = with_base_pool(turn, changed)
    if changed.against != check.against:
        kept = tuple(mod for mod in check.mods if mod.by != check.against or not check.against)
        changed = r.replace(changed, mods=(*kept, *opposing_mods(turn, changed)))
    again = Attempt.of(check).difficulty and "difficulty" not in check.suggested
    level = turn.words[f"level.{given['difficulty']}"]
    id = "check.difficulty.again" if again else "check.difficulty"
    yield turn.amend(changed, turn.words.say(id, level=level))
    yield turn.amend(
        windows.with_windows(turn, Attempt.put(turn.here, passed=(), paid=False, ready=""))
    )


def refund_points(turn: r.Turn) -> Iterator[r.Event]:
    """Give back the points spent on the open action, from the other side if they turned over.

    Points whose effect has happened stay owed.
    """
    check = turn.here
    crosses = windows.crossing(turn)
    crossed = r.Bag({crosses[account]: n for (account, _), n in check.spent.items()})
    yield from r.corrected(turn)
    for account, n in crossed.items():
        owed = min(n, turn.here.owed[account])
        yield turn.amend(turn.here, owed=turn.here.owed - r.Bag({account: owed}))
        if n > owed:
            yield from turn.change(account, owed - n, why=turn.words["points.back"])
