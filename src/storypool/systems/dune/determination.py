"""Determination.

Source: seed 004, Determination (Players), Spending Threat; dune.md 4.3; rulings.md.
"""

from functools import wraps

from storypool.engine import rules as r
from storypool.systems.dune.conditions import before_roll, known, own, spend, untouched
from storypool.systems.dune.conflict.turns import running, state_of
from storypool.systems.dune.people import sheet
from storypool.systems.dune.people.advancement import returnable
from storypool.systems.dune.pools import RESHAPING, reshape
from storypool.systems.dune.skill_test_rolls import places, roll_again
from storypool.systems.dune.skill_test_terms import ACTIONS, SkillTest, of_test, with_gone
from storypool.systems.twod20.dice import D20, ONE

NPC_PRICE = 3


@r.worded("1 Determination of the acting character; for an NPC 3 Threat")
def price(turn: r.Turn) -> r.Points:
    check = turn.here
    if check.team is r.Team.GM:
        return r.Points({r.Purse("threat"): NPC_PRICE})
    return r.Points({r.Purse("determination", check.actor): 1})


def fitting(turn: r.Turn) -> r.Refusal | None:
    """The statement of the drive in use applies, without conflict with the action."""
    check = turn.here
    if check.team is r.Team.GM and sheet.rank(turn.table.actor(check)) == sheet.MINOR:
        allowed = turn.option("minor_npc_determination") == "yes"
        return None if allowed else turn.no("determination.minor")
    return None if applies(turn.table, check) else turn.no("determination.fit")


def applies(table: r.Table, check: r.Check) -> bool:
    """Whether the statement of the drive in use applies, or its player may still claim that."""
    return SkillTest.of(check).fit == "applies" or claimable(table, check) is not None


def claimable(table: r.Table, check: r.Check) -> r.Trait | None:
    """The statement of the drive in use, where it is still open whether it applies."""
    test = SkillTest.of(check)
    return None if test.fit else sheet.whole_statement(table, check.actor, test.drive)


def claim(turn: r.Turn) -> str:
    """The claim that is made by spending Determination: that the statement of the drive applies."""
    written = claimable(turn.table, turn.here)
    return turn.words.say("determination.claim", text=written.text) if written else ""


def unasked(table: r.Table, check: r.Check) -> bool:
    """Whether nobody is asked about Determination after this roll: its seat is silent.

    A silent seat is asked about a failure all the same.
    """
    seats = r.actor_of(table, check)
    silent = bool(seats) and all(r.is_silent(table, seat) for seat in seats)
    return check.phase == "rolled" and not check.failed and silent


def asked(turn: r.Turn) -> r.Refusal | None:
    """This seat is asked about Determination after such a roll."""
    return turn.no("determination.silent") if unasked(turn.table, turn.here) else None


def spends_determination(move: r.Move) -> r.Move:
    """The move as paid with Determination: who pays claims that the statement applies."""

    @wraps(move.body)
    def body(turn: r.Turn) -> r.Events:
        if written := claimable(turn.table, turn.here):
            who = turn.table.characters[turn.here.actor].name
            what = turn.words.say("determination.claimed", who=who, text=written.text)
            yield turn.amend(SkillTest.put(turn.here, fit="applies"), what)
        yield from move.body(turn)

    return r.replace(move, body=body, price=price, caution=claim)


@spends_determination
@before_roll(
    "determination.one",
    only_if=[
        own,
        r.in_the_open,
        known,
        fitting,
        r.of_check(lambda check: check.pool[D20.name], "dice.fixed"),
    ],
    rule="Determination: Automatic 1",
    place=r.at("actions", 64),
)
def set_to_one(turn: r.Turn) -> r.Events:
    """Spend Determination: set a die to 1

    Chosen before the roll: that die is not rolled, is two successes, and no complication.
    """
    why, by = turn.words.say("determination.one", who=turn.seat.name), turn.seat.id
    # What was spent before the roll comes back when the test is called off.
    back = returnable(turn, turn.paid)
    bought, check = bool(back), with_gone(turn.here, turn.paid - back)
    fixed = (
        r.Mod("remove", D20.name, 1, why, by, bought=bought),
        r.Mod("add", ONE.name, 1, why, by, bought=bought),
    )
    yield turn.amend(check, why, mods=(*check.mods, *fixed), spent=check.spent + back)


def blanks(check: r.Check) -> list[int]:
    die = SkillTest.of(check).die
    return [i for i in places(check) if not die.face(check.rolled[i - 1].face)["success"]]


def _selections(turn: r.Turn) -> r.Choices:
    faces = {i: turn.here.rolled[i - 1].face for i in places(turn.here)}
    for key, chosen in (("failed", blanks(turn.here)), ("all", [*faces])) if faces else ():
        shown = ", ".join(str(faces[i]) for i in chosen)
        closed = "" if chosen else turn.words["reroll.failed.none"]
        yield r.Choice(key, turn.words[f"reroll.{key}"], shown, closed)
    for i, face in faces.items():
        yield r.Choice(str(i), turn.words.say("reroll.die", n=i, face=face))


def _selected(turn: r.Turn) -> list[int]:
    check, which = turn.here, turn.text("which")
    if which in ("failed", "all"):
        return blanks(check) if which == "failed" else places(check)
    return sorted({int(n) for n in which.replace(",", " ").split() if n.isdecimal() and len(n) < 3})


@spends_determination
@spend(
    "determination.reroll",
    only_if=[
        own,
        r.in_the_open,
        fitting,
        asked,
        untouched,
        r.of_check(places, "reroll.none", firm=True),
    ],
    asks=[
        r.ChoiceAsk("which", "Which dice, by their places?", _selections, free=True),
        r.faces_of(lambda t: r.Bag({D20.name: len(_selected(t))})),
    ],
    rule="Determination: Re-roll",
    place=r.at("menu", 59, row=True),
)
def reroll(turn: r.Turn) -> r.Events:
    """Spend Determination: re-roll dice

    Before anything else comes of the roll. What is rolled again stands, even if it is worse, and is
    not rolled a third time. A die that Determination made a 1 stays a 1.
    """
    check, which, chosen = turn.here, turn.text("which"), _selected(turn)
    doubled = which not in ("failed", "all") and len(chosen) != len(which.replace(",", " ").split())
    if doubled or not chosen:
        raise turn.refused("argument", "reroll.which", "which", got=which[:30])
    if twice := [i for i in chosen if i in SkillTest.of(check).again]:
        raise turn.refused("argument", "reroll.twice", "which", n=twice[0])
    if wrong := [i for i in chosen if i not in places(check)]:
        raise turn.refused("argument", "reroll.which", "which", got=wrong[0])
    yield from roll_again(turn, chosen, D20.name)


@spends_determination
@r.move(
    "determination.declare",
    when=r.acting,
    only_if=[own, r.in_the_open, fitting, asked],
    asks=RESHAPING,
    rule="Determination: Declaration",
    place=r.at("actions", 65),
)
def declare_fact(turn: r.Turn) -> r.Events:
    """Spend Determination: declare a fact

    A new trait, or one changed or removed.
    """
    if turn.here.phase == "build":
        yield turn.amend(with_gone(turn.here, turn.paid))
    yield from reshape(turn)


_action = r.all_of(
    r.requires(lambda turn: not state_of(turn.table).second, "action.second"),
    of_test(lambda test: not test.extra, "action.extra"),
    of_test(lambda test: test.kind in ACTIONS, "action.none"),
)
"""The first action of a turn in a conflict, which no other follows yet."""


@spends_determination
@spend(
    "determination.act",
    only_if=[own, r.in_the_open, fitting, asked, running, _action],
    rule="Determination: Extra Action",
    place=r.at("menu", 69, row=True),
)
def act_again(turn: r.Turn) -> r.Events:
    """Spend Determination: act again

    When this action is done, the same character acts once more in this turn, at no greater
    Difficulty. Nobody has a third action in a turn.
    """
    what = turn.words.say("action.again", who=turn.seat.name)
    yield turn.amend(SkillTest.put(turn.here, extra=True), what)


def _silent_title(turn: r.Turn) -> str:
    """The title for a seat that is silent already."""
    return turn.words["determination.asked"] if r.is_silent(turn.table, turn.seat.id) else ""


@r.move(
    "determination.silent",
    when=r.in_session,
    rule="Determination",
    shown_as=_silent_title,
)
def be_silent(turn: r.Turn) -> r.Events:
    """Spend Determination only when I say so

    A test that you do not fail ends without a question about it, or about Threat in its place. The
    same move again has you asked, also about a test that is still open.
    """
    what = turn.words.say("determination.silent", who=turn.seat.name)
    yield from r.be_silent(turn, what)
