"""Drives that a test contradicts, recovering them, and Determination: an automatic 1, a re-roll, a declaration, an
extra action. NPCs pay 3 Threat for each.

Source: seed 004, Challenging Drives, Recovering a Drive, Determination (Players) and Spending Threat: Determination;
dune.md 4.3; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    NOTHING,
    Ask,
    Bag,
    Character,
    CharacterSet,
    Check,
    Choice,
    ChoiceAsk,
    Event,
    Mod,
    Outcome,
    Points,
    PointsSet,
    Purse,
    Refusal,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    Value,
    acting,
    answers,
    building,
    first_own,
    idle,
    move,
    of_check,
    proposes,
    rating,
    written_by,
)
from storypool.systems.dune import sheet
from storypool.systems.dune.advancement import returnable
from storypool.systems.dune.checks import faces_of
from storypool.systems.dune.conflicts import conflict, running
from storypool.systems.dune.pools import BECOMES, OF_WHOM, WAY, WHICH, reshaped
from storypool.systems.dune.rolling import places, rolled_again
from storypool.systems.dune.terms import (
    ACTIONS,
    awaits_opponent,
    in_the_open,
    known,
    no_offer,
    own,
    own_or_left,
    spend,
    untouched,
)
from storypool.systems.twod20.dice import D20, ONE, bound

_CONTRADICTS = of_check(lambda check: check.text("fit") == "contradicts", "fit.contradicts")
_OFFERED = of_check(lambda check: check.text("offer") == "made", "offer.none", firm=True)


@move("drive.offer", by=["gm"], when=building, only_if=[_CONTRADICTS, no_offer, in_the_open], rule="Challenging Drives")
def offer_point(turn: Turn) -> Iterator[Event]:
    """Offer a point of Determination

    Where the statement contradicts the action. Without an offer the test goes on, and no Determination is spent on it.
    """
    check = turn.here
    drive = sheet.label(turn, check.text("drive"))
    said = turn.words.say("offer.made", who=turn.table.characters[check.actor].name, drive=drive)
    yield turn.amend(check.with_terms(offer="made"), said, windows=("active",))


def gained(turn: Turn, who: Character, why: str) -> Iterator[Event]:
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
        yield PointsSet("determination", who.id, before, 0, lost, turn.seat.id)


@move(
    "drive.accept",
    when=lambda t: building(t) or _OFFERED(t),
    only_if=[own],
    asks=[ChoiceAsk("vow", "Comply with the drive, or challenge it?", answers("vow", "comply", "challenge"))],
    rule="Challenging Drives",
)
def accept_point(turn: Turn) -> Iterator[Event]:
    """Accept the point, and comply or challenge

    The test is made with the same drive. Who complies gets a complication afterwards; who challenges strikes the
    statement, and uses that drive no more until it is changed or recovered.
    """
    check, vow = turn.here, turn.text("vow")
    who = turn.table.characters[check.actor]
    said = turn.words.say(f"vow.{vow}.told", who=who.name, drive=sheet.label(turn, check.text("drive")))
    yield turn.amend(check.with_terms(offer=vow), said, windows=("target",) if awaits_opponent(check) else ())
    yield from gained(turn, who, said)


@move("drive.refuse", when=lambda t: building(t) or _OFFERED(t), only_if=[own_or_left], rule="Challenging Drives")
def refuse_point(turn: Turn) -> Iterator[Event]:
    """Refuse the point, and fail

    The test fails, with no further consequences.
    """
    check = turn.here
    said = turn.words.say("offer.refused", who=turn.table.characters[check.actor].name)
    refused = check.with_terms(offer="refused", touched=True)
    yield turn.amend(refused, outcome=Outcome(False, 0, NOTHING, said), phase="rolled", windows=())


# What stands on a sheet in words.

WRITTEN = ("statement", "focus", "talent", "trait")


@move(
    "sheet.write",
    when=lambda t: None if any(written_by(t)) else t.firm("character.none"),
    asks=[
        ChoiceAsk("who", "Whose?", written_by, default=first_own),
        ChoiceAsk("kind", "What is it?", answers("sheet", *WRITTEN)),
        ChoiceAsk(
            "at",
            "Of which skill or drive?",
            lambda t: [
                Choice(key, sheet.label(t, key))
                for key in (sheet.DRIVES if t.text("kind") == "statement" else sheet.SKILLS)
            ],
            shown=lambda t: t.text("kind") in WRITTEN[:2],
        ),
        TextAsk("text", "In words"),
    ],
    rule="Skills, Drives and Traits",
)
def write(turn: Turn) -> Iterator[Event]:
    """Write on a sheet

    A drive's statement, a focus of a skill, a talent, a trait. A struck drive counts again with a new statement.
    """
    who, kind, at = turn.table.characters[turn.text("who")], turn.text("kind"), turn.text("at")
    old = sheet.statement(turn.table, who.id, at) if kind == "statement" else None
    if kind == "statement" and old is None and (rating(who, at) or sheet.STATEMENT_FROM) < sheet.STATEMENT_FROM:
        raise turn.refused("argument", "statement.low", "at", drive=sheet.label(turn, at), least=sheet.STATEMENT_FROM)
    id = old.id if old else turn.fresh("t")
    yield TraitSet(Trait(id, kind, turn.text("text"), who.id, at=at, by=turn.seat.id))


# Recovering.


def struck_drives(turn: Turn) -> Iterator[Choice]:
    """The struck statements of whoever is named, or of anybody this seat plays."""
    named = turn.text("who")
    for choice in written_by(turn):
        for trait in sheet.traits_of(turn.table, "statement", choice.value):
            if sheet.struck(trait) and named in ("", choice.value):
                yield Choice(trait.at, sheet.label(turn, trait.at), trait.text)


def _whose(turn: Turn) -> Iterator[Choice]:
    owners = {trait.about for trait in sheet.traits_of(turn.table, "statement") if sheet.struck(trait)}
    return (choice for choice in written_by(turn) if choice.value in owners)


def _any_struck(turn: Turn) -> Refusal | None:
    return None if any(struck_drives(turn)) else turn.firm("drive.whole")


def _recovered(turn: Turn) -> tuple[dict[str, Value], str | None, list[str]]:
    """What recovering comes to: the sheet then, the drive that rises, and those of 6 or more without a statement."""
    who, key = turn.character("who"), turn.text("drive")
    if who is None or not key:
        return {}, None, []
    before = rating(who, key) or sheet.LOWEST
    numbers, risen = dict(who.sheet), None
    if before > sheet.LOWEST:
        risen = next((other for other in sheet.DRIVES if other != key and rating(who, other) == before - 1), None)
        numbers |= {key: before - 1} | ({risen: before} if risen else {})
    after = replace(who, sheet=numbers)
    high = [drive for drive in sheet.DRIVES if (rating(after, drive) or sheet.LOWEST) >= sheet.STATEMENT_FROM]
    return numbers, risen, [drive for drive in high if sheet.statement(turn.table, who.id, drive) is None]


def _other(drive: str) -> Ask:
    """A statement for a drive that never had one and did not rise."""

    def asked(turn: Turn) -> bool:
        _, risen, wordless = _recovered(turn)
        return drive in wordless and drive != risen

    return TextAsk(f"{drive}_text", f"A statement for {sheet.DRIVES[drive]}", needed=False, shown=asked)


@move(
    "drive.recover",
    when=lambda t: idle(t) or _any_struck(t),
    asks=[
        ChoiceAsk("who", "Whose?", _whose),
        ChoiceAsk("drive", "Which drive?", struck_drives),
        TextAsk("text", "A statement for the drive that rises, if it needs one", needed=False),
        *map(_other, sheet.DRIVES),
    ],
    approval=proposes,
    rule="Recovering a Drive",
)
def recover(turn: Turn) -> Iterator[Event]:
    """Recover a drive

    Between adventures, or in a scene of coming to terms with it. The struck drive falls by 1 and counts again, the one
    that it now equals rises by 1, and a drive of 6 or more without a statement gets one that follows from what
    happened. At 4 nothing falls or rises.
    """
    who, key = turn.table.characters[turn.text("who")], turn.text("drive")
    found = sheet.statement(turn.table, who.id, key)
    if found is None or not sheet.struck(found):
        raise turn.refused("argument", "drive.whole", "drive")
    numbers, risen, wordless = _recovered(turn)
    texts = {drive: "text" if drive == risen else f"{drive}_text" for drive in wordless}
    for drive, field in texts.items():
        if not turn.text(field):
            raise turn.refused(
                "argument", "statement.missing", field, drive=sheet.label(turn, drive), least=sheet.STATEMENT_FROM
            )
    if numbers != dict(who.sheet):
        yield CharacterSet(replace(who, sheet=numbers))
    said = str(found.terms.get("said", found.text))
    yield TraitSet(replace(found, text=said, terms={}))
    for drive, field in texts.items():
        yield sheet.noted(turn, Trait("", "statement", turn.text(field), who.id, at=drive))


# Determination.

NPC_PRICE = 3


def price(turn: Turn) -> Points:
    """1 Determination of whoever acts; for an NPC 3 Threat"""
    check = turn.check
    if check is None:
        return Points()
    return Points({Purse("threat"): NPC_PRICE} if check.side == "gm" else {Purse("determination", check.actor): 1})


def fitting(turn: Turn) -> Refusal | None:
    """The statement of the drive in use applies, without conflict with the action."""
    check = turn.here
    if check.side == "gm" and sheet.rank(turn.table.characters.get(check.actor)) == sheet.MINOR:
        return None if turn.option("minor_npc_determination") == "yes" else turn.no("determination.minor")
    return None if check.text("fit") == "applies" else turn.no("determination.fit")


_HAS_DIE = of_check(lambda check: check.pool[D20.name], "dice.fixed")


@move(
    "determination.one",
    when=building,
    price=price,
    only_if=[own, in_the_open, known, fitting, _HAS_DIE],
    rule="Determination: Automatic 1",
)
def automatic_one(turn: Turn) -> Iterator[Event]:
    """Spend Determination: set a die to 1

    Chosen before the roll: that die is not rolled, is two successes, and no complication.
    """
    check = turn.here
    why = turn.words.say("determination.one", who=turn.seat.name)
    # What was spent before the roll comes back when the test is called off.
    back, by = returnable(turn, turn.paid), turn.seat.id
    fixed = (
        Mod("remove", D20.name, 1, why, by, bought=bool(back)),
        Mod("add", ONE.name, 1, why, by, bought=bool(back)),
    )
    yield turn.amend(check, why, mods=(*check.mods, *fixed), spent=check.spent + back)


def blanks(check: Check) -> list[int]:
    """The places of those among them that brought no success."""
    die = bound(D20.name, check.number("target"), check.number("critical") or 1)
    return [i for i in places(check) if not die.face(check.rolled[i - 1].face)["success"]]


def _selections(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    if check is None:
        return
    for key, chosen in (("failed", blanks(check)), ("all", places(check))) if places(check) else ():
        shown = ", ".join(str(check.rolled[i - 1].face) for i in chosen)
        yield Choice(key, turn.words[f"reroll.{key}"], shown, "" if chosen else turn.words["reroll.failed.none"])
    for i in places(check):
        yield Choice(str(i), turn.words.say("reroll.die", n=i, face=check.rolled[i - 1].face))


def _selected(turn: Turn) -> list[int]:
    """The places that the answer names: by what lies there, or one by one."""
    check, which = turn.check, turn.text("which")
    if check is None:
        return []
    if which in ("failed", "all"):
        return blanks(check) if which == "failed" else places(check)
    return sorted({int(n) for n in which.replace(",", " ").split() if n.isdecimal() and len(n) < 3})


_AGAIN = of_check(places, "reroll.none", firm=True)


@spend(
    "determination.reroll",
    price=price,
    only_if=[own, in_the_open, fitting, untouched, _AGAIN],
    asks=[
        ChoiceAsk("which", "Which dice, by their places?", _selections, free=True),
        faces_of(lambda t: Bag({D20.name: len(_selected(t))})),
    ],
    rule="Determination: Re-roll",
)
def reroll(turn: Turn) -> Iterator[Event]:
    """Spend Determination: re-roll dice

    Before anything else comes of the roll. What is rolled again stands, even if it is worse, and is not rolled a third
    time. A die that Determination made a 1 stays a 1.
    """
    check, which, chosen = turn.here, turn.text("which"), _selected(turn)
    doubled = which not in ("failed", "all") and len(chosen) != len(which.replace(",", " ").split())
    if doubled or not chosen:
        raise turn.refused("argument", "reroll.which", "which", got=which[:30])
    if twice := [i for i in chosen if i in check.numbers("again")]:
        raise turn.refused("argument", "reroll.twice", "which", n=twice[0])
    if wrong := [i for i in chosen if i not in places(check)]:
        raise turn.refused("argument", "reroll.which", "which", got=wrong[0])
    yield from rolled_again(turn, chosen, D20.name)


@move(
    "determination.declare",
    when=acting,
    price=price,
    only_if=[own, in_the_open, fitting],
    asks=[WAY, WHICH, BECOMES, OF_WHOM],
    rule="Determination: Declaration",
)
def declaration(turn: Turn) -> Iterator[Event]:
    """Spend Determination: declare a fact

    A new trait, or one changed or removed.
    """
    yield from reshaped(turn)


def _action(turn: Turn) -> Refusal | None:
    """The first action of a turn in a conflict, which no other follows yet."""
    trait = conflict(turn.table)
    if trait is not None and trait.terms.get("second"):
        return turn.no("action.second")
    if turn.here.terms.get("extra"):
        return turn.no("action.extra")
    return None if turn.here.text("kind") in ACTIONS else turn.no("action.none")


@spend(
    "determination.act",
    price=price,
    only_if=[own, in_the_open, fitting, running, _action],
    rule="Determination: Extra Action",
)
def extra_action(turn: Turn) -> Iterator[Event]:
    """Spend Determination: act again

    When this action is done, the same character acts once more in this turn, at no greater Difficulty. Nobody has a
    third action in a turn.
    """
    yield turn.amend(turn.here.with_terms(extra=True), turn.words.say("action.again", who=turn.seat.name))
