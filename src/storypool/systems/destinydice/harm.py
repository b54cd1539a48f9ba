"""Harm: hits and what takes them up, being taken out, conceding, and recovery.

Source: destinydice.md 3.5; seed 002, Using Special Symbols, for the lowest box and the lowest open slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations

from storypool.engine.rules import (
    Check,
    CheckClosed,
    Choice,
    ChoiceAsk,
    Event,
    PeriodBegan,
    PeriodEnded,
    Refusal,
    TextAsk,
    Trait,
    TraitRemoved,
    Turn,
    any_of,
    characters,
    first_of,
    idle,
    in_session,
    move,
    plays,
)
from storypool.systems.destinydice.aspects import free_invokes
from storypool.systems.destinydice.pool import has_somebody
from storypool.systems.destinydice.sheet import SHIFTS, able, checked, number, open_consequences, unchecked


def waiting(kind: str) -> Callable[[Turn], Iterator[Choice]]:
    """What waits for those whom this seat plays: their hits, or their compels."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for trait in turn.table.of_kind(kind):
            character = turn.table.characters.get(trait.about)
            if character is not None and plays(turn, character):
                yield Choice(trait.id, f"{character.name}: {trait.text}")

    return choices


def turn_box(turn: Turn, who: str, box: int) -> Iterator[Event]:
    """Check a stress box until the end of the scene, or clear it if it was checked."""
    full = [trait for trait in turn.table.of_kind("stress", about=who) if trait.rating == box]
    for trait in full:
        yield TraitRemoved(trait.id)
    if not full:
        yield turn.trait("stress", turn.words.say("stress.box", n=box), who, rating=box, until="scene")


def take_consequence(turn: Turn, who: str, severity: str, text: str, inflicted_by: str = "") -> Event:
    """A consequence: an aspect that lasts, with a free invoke for the side that inflicted it."""
    called = text or turn.words["consequence.unnamed"]
    terms = {"name": called, "session": turn.table.periods["session"], "scene": turn.table.periods["scene"]}
    new = turn.trait("consequence", called, who, rating=SHIFTS[severity], at=severity, terms=terms)
    return free_invokes(turn, new.trait, inflicted_by or "gm", 1 if inflicted_by else 0)


def takes_up(turn: Turn, who: str, shifts: int) -> str:
    """What would take up a hit of so many shifts: box 2 and a mild consequence, or a moderate consequence."""
    severities = open_consequences(turn.table, who)
    ways: list[tuple[int, tuple[str, ...]]] = []
    sets = [taken for n in range(len(severities) + 1) for taken in combinations(severities, n)]
    for taken in sorted(sets, key=_shifts_of):
        boxes = [box for box in (0, *unchecked(turn.table, who)) if box + _shifts_of(taken) >= shifts]
        # Heavier consequences are worth a word only where they save a box.
        if boxes and all(boxes[0] < box for box, _ in ways):
            ways.append((boxes[0], taken))
    return turn.words["list.or"].join(_said(turn, *way) for way in ways) or turn.words["hit.nothing"]


def _said(turn: Turn, box: int, taken: tuple[str, ...]) -> str:
    boxes = [turn.words.say("hit.box", n=box)] if box else []
    kinds = [turn.words.say("hit.consequence", kind=turn.words[f"severity.{severity}"]) for severity in taken]
    return turn.words["result.and"].join(boxes + kinds)


def _shifts_of(taken: Iterable[str]) -> int:
    return sum(SHIFTS[severity] for severity in taken)


_hits = waiting("hit")
_usual_hit = first_of(_hits)
HIT = ChoiceAsk("hit", "Which hit?", _hits, default=_usual_hit)


def _hit(turn: Turn) -> Trait | None:
    return turn.table.traits.get(turn.text("hit") or _usual_hit(turn) or "")


def _boxes(turn: Turn) -> Iterator[Choice]:
    hit = _hit(turn)
    yield Choice("0", turn.words["stress.none"])
    for box in unchecked(turn.table, hit.about) if hit else ():
        yield Choice(str(box), turn.words.say("stress.takes", n=box))


def _usual_box(turn: Turn) -> str:
    """The lowest box that takes up what the consequences leave of the hit, where there is one and it is needed."""
    hit = _hit(turn)
    left = (hit.rating if hit else 0) - _shifts_of(_named(turn))
    boxes = [box for box in unchecked(turn.table, hit.about) if box >= left > 0] if hit else []
    return str(boxes[0]) if boxes else "0"


def _named(turn: Turn) -> list[str]:
    """The consequences that are taken, the lightest first."""
    return [severity for severity in SHIFTS if turn.text(severity)]


def _asked(severity: str) -> TextAsk:
    def can_take(turn: Turn) -> bool:
        hit = _hit(turn)
        # What was answered all the same is refused with its own reason.
        return hit is not None and (severity in open_consequences(turn.table, hit.about) or bool(turn.text(severity)))

    label = f"Take a {severity} consequence ({SHIFTS[severity]} shifts): what is it?"
    return TextAsk(severity, label, needed=False, shown=can_take)


_answering = partial(move, when=any_of(_hits, "hit.none"), rule="Stress and consequences")


@_answering(
    "harm.absorb",
    asks=[HIT, *map(_asked, SHIFTS), ChoiceAsk("box", "Which stress box?", _boxes, default=_usual_box)],
)
def absorb(turn: Turn) -> Iterator[Event]:
    """Take a hit

    At most one unchecked stress box, and any number of open consequences; together they take up all shifts of the
    hit. Whoever inflicted it has a free invoke of each consequence.
    """
    hit, box, taken = turn.table.traits[turn.text("hit")], int(turn.text("box")), _named(turn)
    for severity in taken:
        if severity not in open_consequences(turn.table, hit.about):
            raise turn.refused("argument", "consequence.full", severity, kind=turn.words[f"severity.{severity}"])
    total = box + _shifts_of(taken)
    if total < hit.rating:
        what = takes_up(turn, hit.about, hit.rating)
        raise turn.refused("argument", "hit.short", "box", got=total, n=hit.rating, what=what)
    yield TraitRemoved(hit.id, turn.words["hit.taken"])
    if box:
        yield from turn_box(turn, hit.about, box)
    for severity in taken:
        yield take_consequence(turn, hit.about, severity, turn.text(severity), str(hit.terms["by"]))


@_answering("harm.fall", asks=[HIT])
def fall(turn: Turn) -> Iterator[Event]:
    """Be taken out

    Whoever cannot take up all shifts of a hit, or does not want to, is out of the scene.
    """
    hit = turn.table.traits[turn.text("hit")]
    yield TraitRemoved(hit.id)
    yield turn.trait("taken-out", turn.words["taken-out"], hit.about, until="scene")


def attacked(check: Check) -> str:
    """The id of whoever is attacked in this check, or the empty text."""
    if check.text("action") == "attack":
        return check.against
    return check.actor if check.text("versus") == "attack" else ""


def _concedes(turn: Turn) -> Iterator[Choice]:
    """Those who may concede: anybody before the roll, and after it whoever was attacked."""
    check = turn.check
    for choice in able(turn):
        if check is None or check.phase == "build" or attacked(check) == choice.value:
            yield choice


@move(
    "conflict.concede",
    when=lambda t: in_session(t) or (t.no("concede.late") if any(able(t)) and not any(_concedes(t)) else None),
    only_if=[has_somebody],
    asks=[
        ChoiceAsk("as", "Who concedes?", _concedes, default=first_of(_concedes)),
        TextAsk("text", "How do they go?", needed=False),
    ],
    rule="Conceding",
)
def concede(turn: Turn) -> Iterator[Event]:
    """Concede the conflict

    On your own terms: an attack on you is over, and so is an action of your own. Before the roll it brings a Fate
    point, and one more for each consequence taken in this conflict; and what was spent on that action comes back.
    """
    who, scene = turn.text("as"), turn.table.periods["scene"]
    taken = [trait for trait in turn.table.of_kind("consequence", about=who) if trait.terms["scene"] == scene]
    ended = [check for check in turn.table.checks.values() if who in (check.actor, attacked(check))]
    yield turn.trait("conceded", turn.text("text") or turn.words["conceded"], who, until="scene")
    # A hidden attack changes nothing that a player could count.
    if all(check.phase == "build" or check.seen_by for check in ended):
        yield from turn.change("fate", 1 + len(taken), who)
    for check in ended:
        yield from _ended(turn, check)


def _ended(turn: Turn, check: Check) -> Iterator[Event]:
    """An attack that was conceded: called off before the roll; after it, it hits nobody."""
    if check.phase == "build":
        yield CheckClosed(check.id, "cancelled")
        yield from turn.refund(check.spent, check.title)
        return
    for hit in turn.table.of_kind("hit", at=check.id):
        yield TraitRemoved(hit.id)
    yield turn.amend(check.with_terms(taken="conceded"), turn.words["concede.ends"])


def _with_stress(turn: Turn) -> Iterator[Choice]:
    everybody = turn.table.characters
    return (choice for choice in characters()(turn) if number(everybody[choice.value], "stress"))


def _their_boxes(turn: Turn) -> Iterator[Choice]:
    who = turn.character("who")
    for box in range(1, number(who, "stress") + 1) if who else ():
        state = "checked" if who and box in checked(turn.table, who.id) else "clear"
        yield Choice(str(box), turn.words.say("stress.box", n=box), turn.words[f"stress.{state}"])


_by_gm = partial(move, by=["gm"], rule="Stress and consequences")


@_by_gm(
    "stress.toggle",
    asks=[ChoiceAsk("who", "Whose stress?", _with_stress), ChoiceAsk("box", "Which box?", _their_boxes)],
)
def toggle(turn: Turn) -> Iterator[Event]:
    """Check or clear a stress box by hand"""
    yield from turn_box(turn, turn.text("who"), int(turn.text("box")))


@_by_gm("recovery.rest", when=in_session)
def rest(turn: Turn) -> Iterator[Event]:
    """Say that there is time to rest in this scene

    Mild consequences are over at its end then. Stress is cleared at the end of every scene, whether anybody rests.
    """
    if not turn.table.of_kind("rest"):
        yield turn.trait("rest", turn.words["rest"], until="scene")


def _in_scenario(turn: Turn) -> Refusal | None:
    """A scenario is going on."""
    return None if "adventure" in turn.table.running else turn.no("scenario.none")


@_by_gm("scenario.end", when=lambda t: in_session(t) or idle(t) or _in_scenario(t))
def end_scenario(turn: Turn) -> Iterator[Event]:
    """The scenario is over

    Severe consequences are over with it.
    """
    yield PeriodEnded("adventure", turn.table.periods["adventure"])


def recovered(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene, a session or a scenario ends, the consequences that last until then are over."""
    assert isinstance(event, PeriodEnded)
    rested = bool(turn.table.of_kind("rest"))
    for trait in turn.table.of_kind("consequence"):
        over = {
            "mild": event.kind == "scene" and rested,
            "moderate": event.kind == "session" and event.number > int(str(trait.terms["session"])),
            "severe": event.kind == "adventure",
        }[trait.at]
        if over:
            yield TraitRemoved(trait.id, turn.words["consequence.over"])


def new_scenario(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session begins and no scenario is running, a new one begins with it."""
    assert isinstance(event, PeriodBegan)
    if event.kind == "session" and "adventure" not in turn.table.running:
        yield PeriodBegan("adventure", turn.table.periods["adventure"] + 1)
