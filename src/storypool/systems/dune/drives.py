"""Drives that a test contradicts, recovering them, and Determination: an automatic 1, a re-roll, a declaration, an
extra action. NPCs pay 3 Threat for each.

Source: seed 004, Challenging Drives, Recovering a Drive, Determination (Players) and Spending Threat: Determination;
dune.md 4.3; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.dune.checks import faces_of
from storypool.systems.dune.conditions import in_the_open, known, no_offer, own, own_or_left, spend, untouched
from storypool.systems.dune.conflict.turns import Conflict, conflict, running
from storypool.systems.dune.people import sheet
from storypool.systems.dune.people.advancement import returnable
from storypool.systems.dune.pools import BECOMES, OF_WHOM, WAY, WHICH, reshaped
from storypool.systems.dune.rolling import places, rolled_again
from storypool.systems.dune.test import Test, awaits_opponent
from storypool.systems.twod20.dice import D20, ONE

_CONTRADICTS = r.of_check(lambda check: Test.of(check).fit == "contradicts", "fit.contradicts")
_OFFERED = r.of_check(lambda check: Test.of(check).offer == "made", "offer.none", firm=True)


@r.move(
    "drive.offer",
    by=["gm"],
    when=r.building,
    only_if=[_CONTRADICTS, no_offer, in_the_open],
    rule="Challenging Drives",
    place=r.at("test"),
)
def offer_point(turn: r.Turn) -> Iterator[r.Event]:
    """Offer a point of Determination

    Where the statement contradicts the action. Without an offer the test goes on, and no Determination is spent on it.
    """
    check = turn.here
    drive = sheet.label(turn, Test.of(check).drive)
    said = turn.words.say("offer.made", who=turn.table.characters[check.actor].name, drive=drive)
    yield turn.amend(Test.put(check, offer="made"), said, windows=("active",))


def gained(turn: r.Turn, who: r.Character, why: str) -> Iterator[r.Event]:
    """A point of Determination for a player's character; one beyond the cap is lost, and that is recorded.

    An NPC gains 3 Threat instead. Source: seed 004, Spending Threat: Determination; rulings.md.
    """
    if who.side == "gm":
        yield from turn.change("threat", 3, why=why)
        return
    before = turn.table.balance("determination", who.id)
    yield from turn.change("determination", 1, who.id, why)
    if turn.table.balance("determination", who.id) == before:
        lost = turn.words.say("determination.lost", why=why)
        yield r.PointsSet("determination", who.id, before, 0, lost, turn.seat.id)


@r.move(
    "drive.accept",
    when=lambda t: r.building(t) or _OFFERED(t),
    only_if=[own],
    asks=[r.ChoiceAsk("vow", "Comply with the drive, or challenge it?", r.answers("vow", "comply", "challenge"))],
    rule="Challenging Drives",
    place=r.at("primary", 2),
)
def accept_point(turn: r.Turn) -> Iterator[r.Event]:
    """Accept the point, and comply or challenge

    The test is made with the same drive. Who complies gets a complication afterwards; who challenges strikes the
    statement, and uses that drive no more until it is changed or recovered.
    """
    check, vow = turn.here, turn.text("vow")
    who = turn.table.characters[check.actor]
    said = turn.words.say(f"vow.{vow}.told", who=who.name, drive=sheet.label(turn, Test.of(check).drive))
    yield turn.amend(Test.put(check, offer=vow), said, windows=("target",) if awaits_opponent(check) else ())
    yield from gained(turn, who, said)


@r.move(
    "drive.refuse",
    when=lambda t: r.building(t) or _OFFERED(t),
    only_if=[own_or_left],
    rule="Challenging Drives",
    place=r.at("actions", 67),
)
def refuse_point(turn: r.Turn) -> Iterator[r.Event]:
    """Refuse the point, and fail

    The test fails, with no further consequences.
    """
    check = turn.here
    said = turn.words.say("offer.refused", who=turn.table.characters[check.actor].name)
    refused = Test.put(check, offer="refused", touched=True)
    yield turn.amend(refused, outcome=r.Outcome(False, 0, r.NOTHING, said), phase="rolled", windows=())


# What stands on a sheet in words.

WRITTEN = ("statement", "focus", "talent", "trait")


@r.move(
    "sheet.write",
    when=lambda t: None if any(r.written_by(t)) else t.firm("character.none"),
    asks=[
        r.ChoiceAsk("who", "Whose?", r.written_by, default=r.first_own),
        r.ChoiceAsk("kind", "What is it?", r.answers("sheet", *WRITTEN)),
        r.ChoiceAsk(
            "at",
            "Of which skill or drive?",
            lambda t: [
                r.Choice(key, sheet.label(t, key))
                for key in (sheet.DRIVES if t.text("kind") == "statement" else sheet.SKILLS)
            ],
            shown=lambda t: t.text("kind") in WRITTEN[:2],
        ),
        r.TextAsk("text", "In words"),
    ],
    rule="Skills, Drives and Traits",
)
def write(turn: r.Turn) -> Iterator[r.Event]:
    """Write on a sheet

    A drive's statement, a focus of a skill, a talent, a trait. A struck drive counts again with a new statement.
    """
    who, kind, at = turn.table.characters[turn.text("who")], turn.text("kind"), turn.text("at")
    old = sheet.statement(turn.table, who.id, at) if kind == "statement" else None
    if kind == "statement" and old is None and (r.rating(who, at) or sheet.STATEMENT_FROM) < sheet.STATEMENT_FROM:
        raise turn.refused("argument", "statement.low", "at", drive=sheet.label(turn, at), least=sheet.STATEMENT_FROM)
    id = old.id if old else turn.fresh("t")
    yield r.TraitSet(r.Trait(id, kind, turn.text("text"), who.id, at=at, by=turn.seat.id))


# Recovering.


def struck_drives(turn: r.Turn) -> Iterator[r.Choice]:
    """The struck statements of whoever is named, or of anybody this seat plays."""
    named = turn.text("who")
    for choice in r.written_by(turn):
        for trait in turn.table.of_kind("statement", about=choice.value):
            if sheet.is_struck(trait) and named in ("", choice.value):
                yield r.Choice(trait.at, sheet.label(turn, trait.at), trait.text)


def _whose(turn: r.Turn) -> Iterator[r.Choice]:
    owners = {trait.about for trait in turn.table.of_kind("statement") if sheet.is_struck(trait)}
    return (choice for choice in r.written_by(turn) if choice.value in owners)


def _any_struck(turn: r.Turn) -> r.Refusal | None:
    return None if any(struck_drives(turn)) else turn.firm("drive.whole")


def _recovered(turn: r.Turn) -> tuple[dict[str, r.Value], str | None, list[str]]:
    """What recovering comes to: the sheet then, the drive that rises, and those of 6 or more without a statement."""
    who, key = turn.character("who"), turn.text("drive")
    if who is None or not key:
        return {}, None, []
    before = r.rating(who, key) or sheet.LOWEST
    numbers, risen = dict(who.sheet), None
    if before > sheet.LOWEST:
        risen = next((other for other in sheet.DRIVES if other != key and r.rating(who, other) == before - 1), None)
        numbers |= {key: before - 1} | ({risen: before} if risen else {})
    after = replace(who, sheet=numbers)
    high = [drive for drive in sheet.DRIVES if (r.rating(after, drive) or sheet.LOWEST) >= sheet.STATEMENT_FROM]
    return numbers, risen, [drive for drive in high if sheet.statement(turn.table, who.id, drive) is None]


def _other(drive: str) -> r.Ask:
    """A statement for a drive that never had one and did not rise."""

    def asked(turn: r.Turn) -> bool:
        _, risen, wordless = _recovered(turn)
        return drive in wordless and drive != risen

    return r.TextAsk(f"{drive}_text", f"A statement for {sheet.DRIVES[drive]}", needed=False, shown=asked)


@r.move(
    "drive.recover",
    when=lambda t: r.idle(t) or _any_struck(t),
    asks=[
        r.ChoiceAsk("who", "Whose?", _whose),
        r.ChoiceAsk("drive", "Which drive?", struck_drives),
        r.TextAsk("text", "A statement for the drive that rises, if it needs one", needed=False),
        *map(_other, sheet.DRIVES),
    ],
    approval=r.proposes,
    rule="Recovering a Drive",
)
def recover(turn: r.Turn) -> Iterator[r.Event]:
    """Recover a drive

    Between adventures, or in a scene of coming to terms with it. The struck drive falls by 1 and counts again, the one
    that it now equals rises by 1, and a drive of 6 or more without a statement gets one that follows from what
    happened. At 4 nothing falls or rises.
    """
    who, key = turn.table.characters[turn.text("who")], turn.text("drive")
    found = sheet.statement(turn.table, who.id, key)
    if found is None or not sheet.is_struck(found):
        raise turn.refused("argument", "drive.whole", "drive")
    numbers, risen, wordless = _recovered(turn)
    texts = {drive: "text" if drive == risen else f"{drive}_text" for drive in wordless}
    for drive, field in texts.items():
        if not turn.text(field):
            raise turn.refused(
                "argument", "statement.missing", field, drive=sheet.label(turn, drive), least=sheet.STATEMENT_FROM
            )
    if numbers != dict(who.sheet):
        yield r.CharacterSet(replace(who, sheet=numbers))
    yield r.TraitSet(replace(found, text=sheet.Statement.of(found).said or found.text, terms={}))
    for drive, field in texts.items():
        yield turn.trait("statement", turn.text(field), who.id, at=drive)


# Determination.

NPC_PRICE = 3


def price(turn: r.Turn) -> r.Points:
    """1 Determination of whoever acts; for an NPC 3 Threat"""
    check = turn.check
    if check is None:
        return r.Points()
    return r.Points(
        {r.Purse("threat"): NPC_PRICE} if check.side == "gm" else {r.Purse("determination", check.actor): 1}
    )


def fitting(turn: r.Turn) -> r.Refusal | None:
    """The statement of the drive in use applies, without conflict with the action."""
    check = turn.here
    if check.side == "gm" and sheet.rank(turn.table.characters.get(check.actor)) == sheet.MINOR:
        return None if turn.option("minor_npc_determination") == "yes" else turn.no("determination.minor")
    return None if Test.of(check).fit == "applies" else turn.no("determination.fit")


_HAS_DIE = r.of_check(lambda check: check.pool[D20.name], "dice.fixed")


@r.move(
    "determination.one",
    when=r.building,
    price=price,
    only_if=[own, in_the_open, known, fitting, _HAS_DIE],
    rule="Determination: Automatic 1",
    place=r.at("actions", 64),
)
def automatic_one(turn: r.Turn) -> Iterator[r.Event]:
    """Spend Determination: set a die to 1

    Chosen before the roll: that die is not rolled, is two successes, and no complication.
    """
    check = turn.here
    why = turn.words.say("determination.one", who=turn.seat.name)
    # What was spent before the roll comes back when the test is called off.
    back, by = returnable(turn, turn.paid), turn.seat.id
    fixed = (
        r.Mod("remove", D20.name, 1, why, by, bought=bool(back)),
        r.Mod("add", ONE.name, 1, why, by, bought=bool(back)),
    )
    yield turn.amend(check, why, mods=(*check.mods, *fixed), spent=check.spent + back)


def blanks(check: r.Check) -> list[int]:
    """The places of those among them that brought no success."""
    die = Test.of(check).die
    return [i for i in places(check) if not die.face(check.rolled[i - 1].face)["success"]]


def _selections(turn: r.Turn) -> Iterator[r.Choice]:
    check = turn.check
    if check is None:
        return
    for key, chosen in (("failed", blanks(check)), ("all", places(check))) if places(check) else ():
        shown = ", ".join(str(check.rolled[i - 1].face) for i in chosen)
        yield r.Choice(key, turn.words[f"reroll.{key}"], shown, "" if chosen else turn.words["reroll.failed.none"])
    for i in places(check):
        yield r.Choice(str(i), turn.words.say("reroll.die", n=i, face=check.rolled[i - 1].face))


def _selected(turn: r.Turn) -> list[int]:
    """The places that the answer names: by what lies there, or one by one."""
    check, which = turn.check, turn.text("which")
    if check is None:
        return []
    if which in ("failed", "all"):
        return blanks(check) if which == "failed" else places(check)
    return sorted({int(n) for n in which.replace(",", " ").split() if n.isdecimal() and len(n) < 3})


_AGAIN = r.of_check(places, "reroll.none", firm=True)


@spend(
    "determination.reroll",
    price=price,
    only_if=[own, in_the_open, fitting, untouched, _AGAIN],
    asks=[
        r.ChoiceAsk("which", "Which dice, by their places?", _selections, free=True),
        faces_of(lambda t: r.Bag({D20.name: len(_selected(t))})),
    ],
    rule="Determination: Re-roll",
    place=r.at("menu", 68, row=True),
)
def reroll(turn: r.Turn) -> Iterator[r.Event]:
    """Spend Determination: re-roll dice

    Before anything else comes of the roll. What is rolled again stands, even if it is worse, and is not rolled a third
    time. A die that Determination made a 1 stays a 1.
    """
    check, which, chosen = turn.here, turn.text("which"), _selected(turn)
    doubled = which not in ("failed", "all") and len(chosen) != len(which.replace(",", " ").split())
    if doubled or not chosen:
        raise turn.refused("argument", "reroll.which", "which", got=which[:30])
    if twice := [i for i in chosen if i in Test.of(check).again]:
        raise turn.refused("argument", "reroll.twice", "which", n=twice[0])
    if wrong := [i for i in chosen if i not in places(check)]:
        raise turn.refused("argument", "reroll.which", "which", got=wrong[0])
    yield from rolled_again(turn, chosen, D20.name)


@r.move(
    "determination.declare",
    when=r.acting,
    price=price,
    only_if=[own, in_the_open, fitting],
    asks=[WAY, WHICH, BECOMES, OF_WHOM],
    rule="Determination: Declaration",
    place=r.at("actions", 65),
)
def declaration(turn: r.Turn) -> Iterator[r.Event]:
    """Spend Determination: declare a fact

    A new trait, or one changed or removed.
    """
    yield from reshaped(turn)


def _action(turn: r.Turn) -> r.Refusal | None:
    """The first action of a turn in a conflict, which no other follows yet."""
    trait = conflict(turn.table)
    if trait is not None and Conflict.of(trait).second:
        return turn.no("action.second")
    if Test.of(turn.here).extra:
        return turn.no("action.extra")
    return None if Test.of(turn.here).is_action else turn.no("action.none")


@spend(
    "determination.act",
    price=price,
    only_if=[own, in_the_open, fitting, running, _action],
    rule="Determination: Extra Action",
    place=r.at("menu", 69, row=True),
)
def extra_action(turn: r.Turn) -> Iterator[r.Event]:
    """Spend Determination: act again

    When this action is done, the same character acts once more in this turn, at no greater Difficulty. Nobody has a
    third action in a turn.
    """
    yield turn.amend(Test.put(turn.here, extra=True), turn.words.say("action.again", who=turn.seat.name))
