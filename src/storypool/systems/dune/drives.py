"""Drives that a test contradicts: the offer of Determination, complying or challenging, refusing, and recovering.

Source: seed 004, Challenging Drives and Recovering a Drive; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    NOTHING,
    Ask,
    Character,
    CharacterSet,
    Choice,
    ChoiceAsk,
    Event,
    Outcome,
    PointsSet,
    Refusal,
    TextAsk,
    Trait,
    TraitSet,
    Turn,
    Value,
    answers,
    building,
    first_own,
    idle,
    move,
    of_check,
    proposes,
    rating,
)
from storypool.systems.dune.sheet import (
    DRIVES,
    LOWEST,
    SKILLS,
    STATEMENT_FROM,
    label,
    new_trait,
    statement,
    struck,
    traits_of,
    written_by,
)
from storypool.systems.dune.terms import in_the_open, no_offer, own

_CONTRADICTS = of_check(lambda check: check.text("fit") == "contradicts", "fit.contradicts")
_OFFERED = of_check(lambda check: check.text("offer") == "made", "offer.none", firm=True)


@move(
    "drive.offer",
    by=["gm"],
    when=building,
    only_if=[_CONTRADICTS, no_offer, in_the_open],
    rule="Challenging Drives",
)
def offer_point(turn: Turn) -> Iterator[Event]:
    """Offer Determination for a contradicted drive

    Where the statement contradicts the action. Without an offer the test goes on, and no Determination is spent on it.
    """
    check = turn.here
    drive = label(turn, check.text("drive"))
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
    said = turn.words.say(f"vow.{vow}.told", who=who.name, drive=label(turn, check.text("drive")))
    waits = check.against and "opposed" not in check.terms
    yield turn.amend(check.with_terms(offer=vow), said, windows=("target",) if waits else ())
    yield from gained(turn, who, said)


@move("drive.refuse", when=lambda t: building(t) or _OFFERED(t), only_if=[own], rule="Challenging Drives")
def refuse_point(turn: Turn) -> Iterator[Event]:
    """Refuse the point, and fail

    The test fails, with no further consequences.
    """
    check = turn.here
    said = turn.words.say("offer.refused", who=turn.table.characters[check.actor].name)
    refused = check.with_terms(offer="refused", touched=True)
    yield turn.amend(refused, outcome=Outcome(False, 0, NOTHING, said), phase="rolled", windows=())


def strike(turn: Turn, who: str, drive: str) -> Event:
    """A line through the statement of a drive; where none was written down, one is, to be struck."""
    found = statement(turn.table, who, drive)
    words = turn.words.say("drive.unwritten", drive=label(turn, drive))
    trait = found or Trait(turn.fresh("t"), "statement", words, who, at=drive)
    said = turn.words.say("drive.struck", text=trait.text)
    return TraitSet(replace(trait, text=said, terms={"struck": True, "said": trait.text}))


# What stands on a sheet in words.

WRITTEN = ("statement", "focus", "talent", "trait")


def _places(turn: Turn) -> Iterator[Choice]:
    return (Choice(key, label(turn, key)) for key in (DRIVES if turn.text("kind") == "statement" else SKILLS))


@move(
    "sheet.write",
    when=lambda t: None if any(written_by(t)) else t.firm("character.none"),
    asks=[
        ChoiceAsk("who", "Whose?", written_by, default=first_own),
        ChoiceAsk("kind", "What is it?", answers("sheet", *WRITTEN)),
        ChoiceAsk("at", "Of which skill or drive?", _places, shown=lambda t: t.text("kind") in WRITTEN[:2]),
        TextAsk("text", "In words"),
    ],
    rule="Skills, Drives and Traits",
)
def write(turn: Turn) -> Iterator[Event]:
    """Write on a sheet

    A drive's statement, a focus of a skill, a talent, a trait. A struck drive counts again with a new statement.
    """
    who, kind, at = turn.table.characters[turn.text("who")], turn.text("kind"), turn.text("at")
    old = statement(turn.table, who.id, at) if kind == "statement" else None
    if kind == "statement" and old is None and (rating(who, at) or STATEMENT_FROM) < STATEMENT_FROM:
        raise turn.refused("argument", "statement.low", "at", drive=label(turn, at), least=STATEMENT_FROM)
    id = old.id if old else turn.fresh("t")
    yield TraitSet(Trait(id, kind, turn.text("text"), who.id, at=at, by=turn.seat.id))


# Recovering.


def struck_drives(turn: Turn) -> Iterator[Choice]:
    """The struck statements of whoever is named, or of anybody this seat plays."""
    named = turn.text("who")
    for choice in written_by(turn):
        for trait in traits_of(turn.table, "statement", choice.value):
            if struck(trait) and named in ("", choice.value):
                yield Choice(trait.at, label(turn, trait.at), trait.text)


def _whose(turn: Turn) -> Iterator[Choice]:
    for choice in written_by(turn):
        if any(map(struck, traits_of(turn.table, "statement", choice.value))):
            yield choice


def _any_struck(turn: Turn) -> Refusal | None:
    return None if any(struck_drives(turn)) else turn.firm("drive.whole")


def _recovered(turn: Turn) -> tuple[dict[str, Value], str | None, list[str]]:
    """What recovering comes to: the sheet then, the drive that rises, and those of 6 or more without a statement."""
    who, key = turn.character("who"), turn.text("drive")
    if who is None or not key:
        return {}, None, []
    before = rating(who, key) or LOWEST
    sheet, risen = dict(who.sheet), None
    if before > LOWEST:
        risen = next((other for other in DRIVES if other != key and rating(who, other) == before - 1), None)
        sheet |= {key: before - 1} | ({risen: before} if risen else {})
    after = replace(who, sheet=sheet)
    high = [drive for drive in DRIVES if (rating(after, drive) or LOWEST) >= STATEMENT_FROM]
    return sheet, risen, [drive for drive in high if statement(turn.table, who.id, drive) is None]


def _other(drive: str) -> Ask:
    """A statement for a drive that never had one and did not rise."""

    def asked(turn: Turn) -> bool:
        _, risen, wordless = _recovered(turn)
        return drive in wordless and drive != risen

    return TextAsk(f"{drive}_text", f"A statement for {DRIVES[drive]}", needed=False, shown=asked)


@move(
    "drive.recover",
    when=lambda t: idle(t) or _any_struck(t),
    asks=[
        ChoiceAsk("who", "Whose?", _whose),
        ChoiceAsk("drive", "Which drive?", struck_drives),
        TextAsk("text", "A statement for the drive that rises, if it needs one", needed=False),
        *map(_other, DRIVES),
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
    found = statement(turn.table, who.id, key)
    if found is None or not struck(found):
        raise turn.refused("argument", "drive.whole", "drive")
    sheet, risen, wordless = _recovered(turn)
    texts = {drive: "text" if drive == risen else f"{drive}_text" for drive in wordless}
    for drive, field in texts.items():
        if not turn.text(field):
            raise turn.refused("argument", "statement.missing", field, drive=label(turn, drive), least=STATEMENT_FROM)
    if sheet != dict(who.sheet):
        yield CharacterSet(replace(who, sheet=sheet))
    said = str(found.terms.get("said", found.text))
    yield TraitSet(replace(found, text=said, terms={}))
    for drive, field in texts.items():
        yield new_trait(turn, "statement", turn.text(field), who.id, drive)
