"""What an asset does in a conflict besides attacking: it is moved from zone to zone, or used for something.

Source: seed 004, Moving Assets and Use of Assets; dune.md 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine.rules import (
    Check,
    CheckOpened,
    Choice,
    ChoiceAsk,
    Event,
    Limit,
    Move,
    Refusal,
    TextAsk,
    Trait,
    TraitRemoved,
    TraitSet,
    Turn,
    Value,
    characters,
    idle,
    move,
    rolled,
)
from storypool.systems.dune.assets import assets, owned, put, where
from storypool.systems.dune.checks import ACTOR, AGAINST, DIFFICULTY, TEST, TITLE, opened
from storypool.systems.dune.conflicts import begun, beside, in_turn, running, zones
from storypool.systems.dune.payment import Payment
from storypool.systems.dune.sheet import remembered
from storypool.systems.dune.terms import (
    has_a_character,
    in_the_open,
    kind,
    own,
    succeeded,
    text,
    with_difficulty,
    with_terms,
)

MOVE_DIFFICULTY = 2
USES = {"remove": 2, "trait": 2, "asset": 2, "obstacle": 1, "information": 0, "aid": 2}
"""What an asset is used for besides attacking, with the usual Difficulty. Source: dune.md 4.4."""

# Moving.


def _movable(turn: Turn) -> Iterator[Choice]:
    yield from characters(own=True)(turn)
    yield from assets(turn)


def _styles(turn: Turn) -> Iterator[Choice]:
    for key in ("plainly", "subtly", "boldly"):
        yield Choice(key, turn.system.words[f"style.{key}"], turn.system.words[f"style.{key}.note"])


def next_zone(turn: Turn, start: str, to: str, field: str) -> None:
    """`Refused` when a zone does not lie next to where something is, with those that do."""
    near = [turn.table.traits[id].text for id in beside(turn.table, start)]
    if start and to not in beside(turn.table, start):
        names = {"zone": turn.table.traits[to].text, "near": ", ".join(near) or turn.system.words["zone.nowhere"]}
        raise turn.refused("argument", "zone.far", field, **names)


@move(
    "asset.move",
    when=lambda t: running(t) or (None if any(zones(t)) else t.firm("zone.none")) or idle(t),
    window=in_turn,
    only_if=[has_a_character],
    asks=[
        ACTOR,
        ChoiceAsk("asset", "What do you move?", _movable),
        ChoiceAsk("to", "To which zone?", zones),
        ChoiceAsk("style", "How?", _styles, default="plainly"),
        *TEST,
        replace(DIFFICULTY, label="Difficulty, if not 2"),
    ],
    rule="Moving Assets",
)
def move_asset(turn: Turn) -> Iterator[Event]:
    """Move an asset

    To the next zone, at Difficulty 2. Subtly, keeping the initiative is free if it succeeds; boldly, an opponent's
    asset can be moved too. If it fails an enemy moves an asset, and the initiative is not kept.
    """
    thing = turn.text("asset")
    trait = owned(turn) if thing in turn.table.traits else None
    if trait is None and thing != turn.text("as"):
        raise turn.refused("argument", "asset.none", "asset")
    name = trait.text if trait else turn.table.characters[thing].name
    next_zone(turn, where(turn.table, thing), turn.text("to"), "to")
    yield from remembered(turn, turn.table.characters[turn.text("as")])
    title = turn.system.words.say("asset.moves", asset=name, zone=turn.table.traits[turn.text("to")].text)
    check = opened(turn, "move", title, asset=thing, to=turn.text("to"), style=turn.text("style"))
    yield from _acting(turn, check if "difficulty" in check.terms else with_difficulty(check, MOVE_DIFFICULTY))


def _acting(turn: Turn, check: Check) -> Iterator[Event]:
    yield CheckOpened(check)
    yield from begun(turn, check)


FURTHER = Payment("move", lambda turn: 2)


def _moved(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None:
        return None
    if kind(check) != "move" or check.outcome is None:
        return turn.firm("move.none")
    return None if check.outcome.passed else turn.no("move.failed")


@move(
    "asset.further",
    when=rolled,
    price=FURTHER.price,
    limit=Limit("further", ("check",)),
    only_if=[own, in_the_open, _moved],
    asks=[ChoiceAsk("to", "To which zone?", zones), *FURTHER.asks],
    rule="Moving Assets",
    group="spend",
)
def further(turn: Turn) -> Iterator[Event]:
    """Move one zone further

    For 2, once, after a move that succeeded.
    """
    next_zone(turn, text(turn.here, "to"), turn.text("to"), "to")
    yield from FURTHER.paid(turn)
    said = turn.system.words.say("asset.further", zone=turn.table.traits[turn.text("to")].text)
    yield turn.amend(with_terms(turn.here, to=turn.text("to"), touched=True), said)


def _shifts(turn: Turn) -> Refusal | None:
    """A bold move that succeeded lets the mover move an opponent's asset; a failed one lets an enemy move one."""
    check = turn.check
    if check is None:
        return None
    if kind(check) != "move" or check.outcome is None:
        return turn.firm("move.none")
    mine = (turn.seat.side == "gm") == (check.side == "gm")
    if check.outcome.passed:
        return None if mine and text(check, "style") == "boldly" else turn.no("move.bold")
    return turn.no("move.enemy") if mine else None


def _shiftable(turn: Turn) -> Iterator[Choice]:
    """The assets of the side that did not make this move."""
    check = turn.check
    for trait in turn.table.traits.values():
        owner = turn.table.characters.get(trait.about)
        if not check or trait.kind != "asset" or owner is None or trait.terms.get("aside"):
            continue
        if (owner.side == "gm") != (check.side == "gm"):
            yield Choice(trait.id, trait.text, owner.name)


@move(
    "asset.shift",
    when=rolled,
    limit=Limit("shift", ("check",)),
    only_if=[in_the_open, _shifts],
    asks=[ChoiceAsk("asset", "Which asset?", _shiftable), ChoiceAsk("to", "To which zone?", zones)],
    rule="Moving Assets",
    group="spend",
)
def shift(turn: Turn) -> Iterator[Event]:
    """Move an asset in answer to a move

    After a bold move that succeeded, one of the opponent's; after a move that failed, an enemy moves one of their own.
    One zone.
    """
    thing = turn.table.traits[turn.text("asset")]
    owner = turn.table.characters[thing.about]
    if turn.seat.side != "gm" and owner.side != "gm" and owner.seat != turn.seat.id:
        raise turn.refused("argument", "asset.theirs", "asset", who=owner.name, asset=thing.text)
    next_zone(turn, thing.at, turn.text("to"), "to")
    yield put(turn, thing.id, turn.text("to"))
    zone = turn.table.traits[turn.text("to")].text
    said = turn.system.words.say("asset.moves", asset=thing.text, zone=zone)
    yield turn.amend(with_terms(turn.here, touched=True), said)


# Using.


def _uses(turn: Turn) -> Iterator[Choice]:
    for key, difficulty in USES.items():
        yield Choice(key, turn.system.words[f"use.{key}"], turn.system.words.say("use.note", n=difficulty))


def _objects(turn: Turn) -> Iterator[Choice]:
    """What a use can be about: an opponent's asset, an obstacle, a trait to take from an ally or from the scene, a
    defeated ally, unless the defeat lasts.
    """
    use, actor = turn.text("use"), turn.table.characters.get(turn.text("as"))
    for trait in turn.table.traits.values():
        if trait.seen_by is None and trait.kind in _ABOUT.get(use, ()) and trait.text:
            owner = turn.table.characters.get(trait.about)
            ally = owner is None or actor is None or (owner.side == "gm") == (actor.side == "gm")
            if use == "remove" and (ally or trait.terms.get("aside")):
                continue
            if use == "aid" and (not ally or trait.terms.get("lasting")):
                continue
            yield Choice(trait.id, trait.text, owner.name if owner else "")


_ABOUT = {
    "remove": ("asset",),
    "obstacle": ("trait", "fact", "complication", "effect"),
    "aid": ("complication", "trait", "fact", "effect", "defeated"),
}


def _about(turn: Turn) -> bool:
    return any(_objects(turn))


@move(
    "asset.use",
    when=lambda t: running(t) or idle(t),
    window=in_turn,
    only_if=[has_a_character],
    asks=[
        ACTOR,
        ChoiceAsk("asset", "With which asset?", assets),
        ChoiceAsk("use", "What for?", _uses),
        ChoiceAsk("at", "What is it about?", _objects, needed=False, shown=_about),
        TextAsk("text", "What do you want to come of it?", needed=False),
        TITLE,
        *TEST,
        DIFFICULTY,
        AGAINST,
    ],
    rule="Use of Assets",
)
def use_asset(turn: Turn) -> Iterator[Event]:
    """Use an asset

    To remove an opponent's asset, create a trait or an asset, overcome an obstacle, learn something, or help an
    ally who is hindered or defeated.
    """
    asset, use = owned(turn), turn.text("use")
    if use in ("remove", "aid") and not turn.text("at"):
        raise turn.refused("argument", "use.at", "at")
    if use in ("trait", "asset") and not turn.text("text"):
        raise turn.refused("argument", "use.text", "text")
    yield from remembered(turn, turn.table.characters[turn.text("as")])
    title = turn.system.words.say("use.title", asset=asset.text, what=turn.system.words[f"use.{use}"])
    what = {"use": use, "at": turn.text("at"), "text": turn.text("text")}
    check = opened(turn, "use", title, asset=asset.id, **what)
    if "difficulty" not in check.terms and not check.against:
        check = with_difficulty(check, USES[use])
    yield from _acting(turn, check)


KEEP = Payment("asset", lambda turn: 2)


def _brought(turn: Turn) -> Refusal | None:
    check = turn.check
    if check is None:
        return None
    made = text(check, "use") == "asset" and check.outcome is not None and check.outcome.passed
    return None if made else turn.firm("use.asset.none")


@move(
    "asset.keep",
    when=rolled,
    price=KEEP.price,
    limit=Limit("keep", ("check",)),
    only_if=[own, in_the_open, succeeded, _brought],
    asks=[*KEEP.asks],
    rule="Use of Assets",
    group="spend",
)
def keep_asset(turn: Turn) -> Iterator[Event]:
    """Keep the new asset

    For 2: it is not over with the scene.
    """
    yield from KEEP.paid(turn)
    yield turn.amend(with_terms(turn.here, keeps=True, touched=True), turn.system.words["use.kept"])


def done(turn: Turn, check: Check) -> Iterator[Event]:
    """What a move or a use of an asset brings when it is over and succeeded."""
    if check.outcome is None or not check.outcome.passed or kind(check) not in ("move", "use"):
        return
    thing, at = text(check, "asset"), turn.table.traits.get(text(check, "at"))
    if kind(check) == "move":
        if text(check, "to") in turn.table.traits and (thing in turn.table.traits or thing in turn.table.characters):
            yield put(turn, thing, text(check, "to"))
        return
    said, hidden = text(check, "text"), check.seen_by
    match text(check, "use"):
        case "remove" if at is not None and at.terms.get("tangible"):
            yield TraitSet(replace(at, at="", terms={**at.terms, "aside": True}))
        case "remove" | "aid" | "obstacle" if at is not None and not at.terms.get("lasting"):
            yield TraitRemoved(at.id, "" if hidden else check.title)
        case "trait":
            yield TraitSet(Trait(turn.fresh("t"), "trait", said, by=turn.seat.id, until="scene", seen_by=hidden))
        case "asset":
            made: dict[str, Value] = {"kind": "", "defensive": False, "tangible": False}
            yield TraitSet(
                Trait(
                    turn.fresh("t"),
                    "asset",
                    said,
                    check.actor,
                    by=turn.seat.id,
                    until="" if check.terms.get("keeps") else "scene",
                    terms=made,
                    seen_by=hidden,
                )
            )


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
