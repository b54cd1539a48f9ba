"""The sides of an action, and changes of its pool: help, stunts, promised dice.

Source: seed 002, Stunts, Building Your Die Pool, Using Special Symbols; destinydice.md 3.3, 3.6,
11.
"""

from collections.abc import Iterator
from functools import partial

from storypool.engine import rules as r
from storypool.systems.destinydice.dice import MIRROR
from storypool.systems.destinydice.fight.conflict import on_players_side
from storypool.systems.destinydice.sheet import FREE_STUNTS, able, is_mook, is_out, number
from storypool.systems.destinydice.state import Action, Stunt


def name_of(turn: r.Turn, who: str) -> str:
    """The name of a character, or "the opposition"."""
    character = turn.table.characters.get(who)
    if character:
        return character.name
    return turn.words["outcome.opposition"]


def opposes(turn: r.Turn, check: r.Check) -> bool:
    """Whether this seat opposes the action: the GM, or among players the target's."""
    if r.acts_in(turn, check):
        return False
    if check.team is r.Team.GM:
        return not turn.is_gm
    return turn.is_gm or r.plays(turn, turn.table.target(check))


def contested(check: r.Check) -> bool:
    """Whether a character opposes the action, or will; a fixed difficulty has no opponent."""
    return bool(check.against) and Action.of(check).difficulty in ("", "opposed")


def defends(check: r.Check) -> bool:
    """Whether the actor defends, so that the opponent attempts something."""
    return Action.of(check).action == "defend"


def parties(check: r.Check, turn: r.Turn) -> tuple[r.Team, r.Team]:
    """The side that attempts something, and the side that resists: in a defence the actor's."""
    target = turn.table.target(check)
    theirs = target.team if target else check.team.other
    if defends(check):
        return (theirs, check.team)
    return (check.team, theirs)


KNOWN = r.characters(only=lambda turn, one: turn.here.knows(one))
"""The characters who are visible to everybody who sees the open action."""


def takes_part(turn: r.Turn) -> r.Refusal | None:
    """This seat acts, helps the actor, or opposes it, which needs a contest."""
    check = turn.check
    if check and opposes(turn, check) and not contested(check):
        return turn.no("uncontested")
    return None


has_actor = r.any_of(able, "nobody")
"""This seat has a character in the scene."""


COUNT = r.replace(r.DIE_COUNT, high=6)

_changing = partial(r.move, when=r.building, approval=r.proposes, rule="Types of Dice")


@_changing(
    "pool.add",
    asks=[
        r.die_of("hindrance", "aid", "difficulty", "skill", "expertise", "challenge"),
        COUNT,
        r.DIE_WHY,
    ],
    place=r.at("tray"),
)
def add_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Add dice for the circumstances

    Aid for what helps from outside, Hindrance for what makes things harder. A player proposes them.
    """
    yield from r.modified(turn, "add")


@_changing(
    "pool.remove",
    asks=[
        r.die_of("hindrance", "aid", "difficulty", "challenge", "skill", "expertise"),
        COUNT,
        r.DIE_WHY,
    ],
    place=r.at("pool"),
)
def remove_dice(turn: r.Turn) -> Iterator[r.Event]:
    """Remove dice

    Last of all; a removal beyond what is there is dropped. A player proposes it.
    """
    yield from r.modified(turn, "remove")


def _with_aid(turn: r.Turn, helps: bool, why: str, by: str, **once: tuple[str, ...]) -> r.Event:
    """An added Aid die, mirrored for the opponent; `once` records its use."""
    check = turn.here
    mod = r.Mod("add", "aid" if helps else MIRROR["aid"], 1, why, by)
    return turn.amend(Action.add(check, **once), f"{why}.", mods=(*check.mods, mod))


def _helps(turn: r.Turn, check: r.Check, who: str) -> bool:
    """Whether a character is on the actor's side; an NPC may be on the players'."""
    return on_players_side(turn.table, who) == on_players_side(turn.table, check.actor)


def _may_help(turn: r.Turn, one: r.Character) -> bool:
    """Whether a character can help the open action, once: on its side; in a contest on either."""
    check = turn.here
    if not check.knows(one) or not (_helps(turn, check, one.id) or contested(check)):
        return False
    if one.id in (check.actor, check.against, *Action.of(check).helped):
        return False
    return not is_out(turn.table, one.id)


_helpers = r.characters(own=True, only=_may_help)
HELPER: r.ChoiceAsk = r.ChoiceAsk(
    "helper",
    "Who helps?",
    _helpers,
    first=True,
    shown=lambda t: len(list(_helpers(t))) > 1,
    known=lambda t: HELPER.chosen(t),
)


@r.move(
    "check.help",
    when=r.building,
    only_if=[r.any_of(_helpers, "help")],
    asks=[HELPER],
    rule="Building Your Die Pool",
    place=r.at("actions", 64),
)
def help_out(turn: r.Turn) -> Iterator[r.Event]:
    """Help

    Each helper adds one Aid die, once; a helper of the opponent adds it mirrored, as a Hindrance.
    """
    helper = turn.table.characters[HELPER.chosen(turn)]
    helps = _helps(turn, turn.here, helper.id)
    why = turn.words.say("help.aid" if helps else "help.hindrance", who=helper.name)
    yield _with_aid(turn, helps, why, helper.id, helped=(helper.id,))


def _owners(turn: r.Turn) -> Iterator[r.Choice]:
    """The characters that this seat may write a stunt for, except mooks; closed without Refresh."""
    for choice in r.written_by(turn):
        who = turn.table.characters[choice.value]
        if not is_mook(who):
            yield choice.unless(_no_refresh(turn, who))


def _no_refresh(turn: r.Turn, who: r.Character) -> r.Refusal | None:
    """The refusal of another stunt for a character, or None."""
    further = len(turn.table.of_kind("stunt", about=who.id)) - FREE_STUNTS
    left = who.team is not r.Team.PLAYERS or further < number(who, "refresh") - 1
    if left:
        return None
    return turn.no("stunt.refresh", who=who.name)


def _has_owner(turn: r.Turn) -> r.Refusal | None:
    """A character of this seat can have another stunt."""
    owners = list(_owners(turn))
    if not owners:
        return turn.firm("nobody")
    full = all(owner.closed for owner in owners)
    if full:
        return turn.firm("stunt.refresh", who=owners[0].label)
    return None


KINDS = ("aid", "session")
"""The benefits of a stunt: an Aid die, or an exception to the rules once a session."""


@r.move(
    "stunt.add",
    only_if=[_has_owner],
    asks=[
        r.ChoiceAsk("who", "Whose stunt is it?", _owners),
        r.TextAsk("text", "What can they do, and when?"),
        r.ChoiceAsk("gives", "What does it give?", r.answers("stunt", *KINDS), default="aid"),
    ],
    rule="Stunts",
    place=r.at("characters", 61),
)
def add_stunt(turn: r.Turn) -> Iterator[r.Event]:
    """Add a stunt

    Three are free; each further one lowers Refresh by one, and Refresh is never less than one
    (destinydice.md 3.5).
    """
    who, terms = turn.text("who"), Stunt(turn.text("gives") == "aid").terms
    added = turn.trait("stunt", turn.text("text"), who, terms=terms)
    # A stunt written down in secret stays so once its bearer is in the open.
    yield r.gm_only(added) if turn.table.characters[who].hidden else added


def _aiding(turn: r.Turn) -> Iterator[r.Choice]:
    """The unused Aid stunts of this seat's character in the action, before the roll."""
    check = turn.check
    if check is None or check.phase != "build" or takes_part(turn):
        return
    who = check.against if opposes(turn, check) else check.actor
    if who not in turn.table.characters:
        return
    if not turn.is_gm and not r.plays(turn, turn.table.characters[who]):
        return
    for stunt in turn.table.of_kind("stunt", about=who):
        if check.knows(stunt) and Stunt.of(stunt).bonus and stunt.id not in Action.of(check).stunts:
            yield r.Choice(stunt.id, stunt.text, turn.words["stunt.aid"])


def _exceptions(turn: r.Turn) -> Iterator[r.Choice]:
    """The exceptions that this seat's characters have not used in this session."""
    own = [choice.value for choice in able(turn)]
    for stunt in turn.table.of_kind("stunt"):
        if stunt.about not in own or Stunt.of(stunt).bonus or r.in_session(turn) is not None:
            continue
        if not turn.table.of_kind("stunt-used", at=stunt.id):
            yield r.Choice(stunt.id, stunt.text, turn.words["stunt.session"])


def _usable(turn: r.Turn) -> Iterator[r.Choice]:
    yield from _aiding(turn)
    yield from _exceptions(turn)


def _unless_exceptional(condition: r.Condition) -> r.Condition:
    """A condition of stunts for the open action, waived if there is an exception to use."""
    return lambda turn: None if any(_exceptions(turn)) else condition(turn)


@r.move(
    "stunt.use",
    when=_unless_exceptional(r.building),
    only_if=[_unless_exceptional(takes_part), r.any_of(_usable, "stunt")],
    asks=[r.ChoiceAsk("stunt", "Which stunt?", _usable)],
    rule="Stunts",
    place=r.at("actions", 63),
)
def use_stunt(turn: r.Turn) -> Iterator[r.Event]:
    """Use a stunt

    Where it would give +2 it gives an Aid die; the opponent's stunt comes mirrored, as a Hindrance.
    One that is an exception to the rules happens as it says, once a session.
    """
    stunt = turn.table.traits[turn.text("stunt")]
    if not Stunt.of(stunt).bonus:
        text = turn.words.say("stunt.spent", text=stunt.text)
        used = turn.trait("stunt-used", text, stunt.about, at=stunt.id, until="session")
        # A revealed character may still have hidden stunts.
        yield r.hidden_like(used, stunt)
        return
    why = turn.words.say("stunt.used", text=stunt.text)
    yield _with_aid(turn, stunt.about != turn.here.against, why, turn.seat.id, stunts=(stunt.id,))


def promise(turn: r.Turn, die: str, about: str, why: str) -> r.Event:
    """A die for the next roll of this character, however late."""
    mod = r.Mod("add", die, 1, why, turn.seat.id)
    return r.promise(turn, mod, about, turn.words[f"promise.{die}"])
