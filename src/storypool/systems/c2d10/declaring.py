"""Declaring a test or a contest: the questions, the pool, the DC, and what moves it before the roll.

Source: c2d10.md 2.1, 2.2, 2.5; rulings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from storypool.engine.rules import (
    Ask,
    Bag,
    Character,
    CharacterSet,
    Check,
    CheckOpened,
    Choice,
    ChoiceAsk,
    Event,
    FacesAsk,
    FlagAsk,
    Move,
    NumberAsk,
    PoolAsk,
    Refusal,
    TextAsk,
    TraitRemoved,
    Turn,
    Value,
    building,
    characters,
    idle,
    in_session,
    move,
)
from storypool.systems.c2d10 import conflicts
from storypool.systems.c2d10.dice import ACTIVE, RIVAL, Part
from storypool.systems.c2d10.reading import is_contest, number
from storypool.systems.c2d10.sheet import DICE, acts_for, entry, label, rating, skills, talents
from storypool.systems.c2d10.sides import unrolled, who

HIGHEST_DC = 10


# Conditions.


def has_a_character(turn: Turn) -> Refusal | None:
    """This seat has somebody to act with."""
    return None if any(characters(own=True)(turn)) else turn.no("nobody")


def tested(turn: Turn) -> Refusal | None:
    """A test against a DC is going on, and its dice have not been rolled."""
    check = turn.check
    no = building(turn)
    return no or (turn.no("contest.dc") if check and is_contest(check) else None)


def contested(turn: Turn) -> Refusal | None:
    """A contest is going on, and nobody has rolled."""
    check = turn.check
    if check is not None and not check.against:
        return turn.firm("contest.none")
    return unrolled(turn)


# Questions.


def first(turn: Turn) -> str | None:
    """The first character that this seat plays."""
    return next((choice.value for choice in characters(own=True)(turn)), None)


AS = ChoiceAsk("as", "Who acts?", characters(own=True), default=first)
TITLE = TextAsk("title", "What are you trying to do?", needed=False)
POOL = PoolAsk("pool", "Or dice by hand", needed=False)
WHY = TextAsk("why", "Why?")
FACES = FacesAsk("faces", "Faces of real dice, one for each die", needed=False)


def _usual(turn: Turn, skill: str) -> str | None:
    found = entry(turn, turn.text(skill))
    return found.notes.get("with") if found else None


Whose = Callable[[Turn], Character | None]


def _unknown(turn: Turn, one: Character | None, key: str) -> bool:
    return one is not None and bool(turn.text(key)) and rating(one, turn.text(key)) is None


def ability(before: str, whose: Whose, labels: tuple[str, str, str]) -> tuple[Ask, ...]:
    """The questions after a skill, a talent and a focus, and after dots that the sheet does not hold yet."""
    skill, talent = f"{before}skill", f"{before}talent"
    return (
        ChoiceAsk(skill, labels[0], skills, needed=False, free=True, shown=lambda t: not t.text("pool")),
        ChoiceAsk(
            talent,
            labels[1],
            talents,
            default=lambda t: _usual(t, skill),
            needed=False,
            shown=lambda t: not t.text("pool"),
        ),
        NumberAsk(
            f"{before}dots",
            "Dots in the skill",
            default=0,
            high=5,
            shown=lambda t: _unknown(t, whose(t), skill),
        ),
        NumberAsk(
            f"{before}talent_dots",
            "Dots in the talent",
            default=1,
            low=1,
            high=5,
            shown=lambda t: _unknown(t, whose(t), talent),
        ),
        FlagAsk(f"{before}focus", labels[2], default=False, needed=False),
    )


def _actor(turn: Turn) -> Character | None:
    return turn.table.characters.get(turn.text("as"))


def _named(turn: Turn) -> Character | None:
    return turn.table.characters.get(turn.text("against"))


def rival(turn: Turn) -> Character | None:
    """Whoever opposes in the contest in sight."""
    return who(turn, turn.check, RIVAL) if turn.check else None


LABELS = ("Skill", "Talent", "Does a focus apply?")
OWN = ability("", _actor, LABELS)
THEIRS = ability("by_", _named, ("Their skill", "Their talent", "Does their focus apply?"))
DC = NumberAsk("dc", "DC", default=conflicts.difficulty, needed=False, low=0, high=HIGHEST_DC)
IN_CONFLICT = FlagAsk(
    "conflict",
    "Part of the conflict?",
    default=True,
    needed=False,
    shown=lambda t: conflicts.current(t.table) is not None and not _hidden(t),
)
ASSET = ChoiceAsk(
    "asset",
    "With which asset?",
    lambda t: conflicts.assets(t, t.text("as")),
    needed=False,
    shown=lambda t: any(conflicts.assets(t, t.text("as"))),
)


def _hidden(turn: Turn) -> bool:
    one = _actor(turn)
    return one is not None and one.seen_by is not None


def known(own: bool, keep: Callable[[Turn, Character], bool] = lambda t, c: True) -> Callable[[Turn], Iterator[Choice]]:
    """The characters that everybody knows of."""

    def choices(turn: Turn) -> Iterator[Choice]:
        for choice in characters(own=own)(turn):
            one = turn.table.characters[choice.value]
            if one.seen_by is None and keep(turn, one):
                yield choice

    return choices


# Declaring.


def dots(turn: Turn, one: Character | None, skill: str, talent: str) -> int:
    """Skill and talent together; where neither is named, the dice that an NPC has ready."""
    if skill or talent:
        return (rating(one, skill) or 0) + (rating(one, talent) or 0)
    return rating(one, DICE) or 0


def dice_of(turn: Turn, one: Character | None, part: Part, n: int, focus: bool, by_hand: Bag | None = None) -> Bag:
    """The dice of one side: so many, of which as many are crisis dice as their crisis value says; then the focus.

    Crisis dice take the place of regular ones, never more than there are. What comes after, the focus die and dice
    that are bought, is always regular (c2d10.md 2.2).
    """
    ready = Bag()
    if by_hand is not None:
        n, ready = by_hand[ACTIVE.regular] + by_hand[ACTIVE.crisis], by_hand
    crisis = min(n, max(ready[ACTIVE.crisis], turn.table.balance("crisis", one.id) if one else 0))
    return Bag({part.regular: n - crisis + int(focus), part.crisis: crisis})


def opened(turn: Turn, kind: str) -> Iterator[Event]:
    """A check declared, with the pool that its answers make; dice of another side make a contest of it."""
    actor = turn.table.characters[turn.text("as")]
    yield from _remember(turn, actor, "")
    if turn.text("against"):
        yield from _remember(turn, turn.table.characters[turn.text("against")], "by_")
    actor = turn.table.characters[actor.id]
    by_hand = turn.system.notation.parse(turn.text("pool")) if turn.text("pool") else None
    rivals = by_hand.only([RIVAL.regular, RIVAL.crisis]) if by_hand is not None else Bag()
    if rivals and kind == "test":
        kind = "contest"
    if rivals and kind != "contest":
        raise turn.refused("argument", "pool.rival", "pool")
    terms: dict[str, Value] = {"kind": kind}
    for key in ("skill", "talent", "by_skill", "by_talent", "asset"):
        if turn.text(key):
            terms[key] = turn.text(key)
    for key in ("focus", "by_focus"):
        if turn.flag(key):
            terms[key] = True
    conflict = conflicts.current(turn.table)
    if conflict is not None and turn.flag("conflict"):
        terms["conflict"] = conflict.id
    if "dc" in turn.args and kind != "contest":
        terms["dc"] = turn.number("dc")
    side: Literal["players", "gm"] = "gm" if actor.side == "gm" else "players"
    title = turn.text("title") or _headline(turn)
    check = Check(turn.own_check, actor.id, side, turn.seat.id, title, turn.text("against"), terms=terms)
    n = max(1, dots(turn, actor, turn.text("skill"), turn.text("talent")))
    base = dice_of(turn, actor, ACTIVE, n, turn.flag("focus"), by_hand)
    if kind == "contest":
        base += rivals or answer_of(turn, check)
    if not base.only([ACTIVE.regular, ACTIVE.crisis]):
        raise turn.refused("argument", "pool.empty", "pool")
    yield CheckOpened(targeted(turn, replace(check, base=base, pool=base)))


def answer_of(turn: Turn, check: Check) -> Bag:
    """The dice of whoever opposes; none as long as nobody has said with what."""
    rival = turn.table.characters.get(check.against)
    skill, talent = str(check.terms.get("by_skill", "")), str(check.terms.get("by_talent", ""))
    n = dots(turn, rival, skill, talent)
    if not n and not skill and not talent:
        return Bag()
    return dice_of(turn, rival, RIVAL, max(1, n), bool(check.terms.get("by_focus")))


def targeted(turn: Turn, check: Check) -> Check:
    """The check with the DC that it has by now: its own, what was brought into play, and every circumstance."""
    if "dc" not in check.terms:
        return check
    moved = number(check, "dc") + number(check, "shift") + conflicts.shift(turn.table, check)
    return replace(check, terms={**check.terms, "target": max(0, min(HIGHEST_DC, moved))})


def _headline(turn: Turn) -> str:
    key = turn.text("skill") or turn.text("talent")
    return label(turn, key) if key else turn.system.words["check.untitled"]


def _remember(turn: Turn, one: Character, before: str) -> Iterator[Event]:
    """Dots asked for the first time are on the sheet from now on."""
    new: dict[str, Value] = {}
    for ask, key in ((f"{before}dots", f"{before}skill"), (f"{before}talent_dots", f"{before}talent")):
        if turn.text(key) and ask in turn.args and rating(one, turn.text(key)) is None:
            new[turn.text(key)] = turn.number(ask)
    if new:
        yield CharacterSet(replace(one, sheet={**one.sheet, **new}))


@move(
    "check.declare",
    when=lambda t: in_session(t) or idle(t),
    only_if=[has_a_character, conflicts.in_turn],
    asks=[AS, TITLE, POOL, *OWN, DC, IN_CONFLICT, ASSET],
    rule="Tests",
)
def declare(turn: Turn) -> Iterator[Event]:
    """Try something

    As many dice as the skill and the talent have dots, at least one, and one more where a focus applies. As many of
    them as the crisis value says are crisis dice instead. 7 and 8 are a success, 9 is two; as many as the DC are
    needed.
    """
    yield from opened(turn, "test")


@move(
    "contest.declare",
    when=lambda t: in_session(t) or idle(t),
    only_if=[has_a_character, conflicts.in_turn],
    asks=[
        replace(AS, choices=known(True), default=lambda t: next((c.value for c in known(True)(t)), None)),
        ChoiceAsk("against", "Against whom?", known(False, lambda t, one: one.id != t.text("as"))),
        TITLE,
        POOL,
        *OWN,
        *THEIRS,
        IN_CONFLICT,
        ASSET,
    ],
    rule="Contests",
)
def declare_contest(turn: Turn) -> Iterator[Event]:
    """Contend with somebody

    Both sides roll, and more successes win; as many change nothing, unless the table says otherwise. Whoever opposes
    may still say with what before the dice are rolled. There is no DC.
    """
    yield from opened(turn, "contest")


@move(
    "contest.answer",
    when=contested,
    only_if=[lambda t: None if t.seat.side == "gm" or acts_for(t, rival(t)) else t.no("contest.theirs")],
    asks=[replace(one, needed=one.needed or one.name == "by_skill") for one in ability("by_", rival, LABELS)],
    rule="Contests",
)
def answer(turn: Turn) -> Iterator[Event]:
    """Oppose it

    Whoever opposes says with which skill and talent.
    """
    check, one = turn.here, rival(turn)
    assert one is not None
    yield from _remember(turn, one, "by_")
    kept = {k: v for k, v in check.terms.items() if k not in ("by_skill", "by_talent", "by_focus")}
    given = {k: turn.args[k] for k in ("by_skill", "by_talent", "by_focus") if turn.args.get(k)}
    check = replace(check, terms={**kept, **given})
    base = check.base.only([ACTIVE.regular, ACTIVE.crisis]) + answer_of(turn, check)
    yield turn.amend(check, turn.system.words.say("check.opposed", who=one.name), base=base)


# The DC.


def retarget(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a circumstance comes, changes or goes, every test that is not rolled yet has its new DC."""
    for check in [c for c in turn.table.checks.values() if c.phase == "build"]:
        changed = targeted(turn, check)
        if changed.terms != check.terms:
            yield turn.amend(changed, turn.system.words.say("check.dc", n=number(changed, "target")))


@move("check.dc", by=["gm"], when=tested, asks=[replace(DC, needed=True, default=None)], rule="Tests")
def set_dc(turn: Turn) -> Iterator[Event]:
    """Set the DC

    0 to 10; circumstances and what is brought into play move it.
    """
    changed = targeted(turn, replace(turn.here, terms={**turn.here.terms, "dc": turn.number("dc")}))
    yield turn.amend(changed, turn.system.words.say("check.dc", n=number(changed, "target")))


PLAYABLE = ("fact", "effect", "setback", "complication", "mess", "asset", "bonus", "dire")


def _playable(turn: Turn) -> Iterator[Choice]:
    check = turn.check
    used = check.terms.get("traits", ()) if check else ()
    for trait in turn.table.traits.values():
        known = trait.seen_by is None or (check is not None and check.seen_by is not None)
        if trait.kind in PLAYABLE and trait.text and known and isinstance(used, tuple) and trait.id not in used:
            yield Choice(trait.id, trait.text)


WAY = ChoiceAsk(
    "way",
    "Does it help or hinder?",
    lambda t: [Choice(way, t.system.words[f"way.{way}"]) for way in ("easier", "harder")],
)


def step(turn: Turn) -> int:
    """By how much the DC moves with the chosen way."""
    return -1 if turn.text("way") == "easier" else 1


@move(
    "check.trait",
    when=tested,
    only_if=[lambda t: None if any(_playable(t)) else t.firm("traits.none")],
    asks=[ChoiceAsk("trait", "What is true?", _playable), WAY],
    approval=lambda t: t.seat.side == "player",
    rule="Traits",
)
def bring_into_play(turn: Turn) -> Iterator[Event]:
    """Bring something true into play

    A trait or an asset makes this test easier or harder by 1, each once; the Keeper decides, a player proposes. What
    was found out as a bonus is used up by it.
    """
    check, trait = turn.here, turn.table.traits.get(turn.text("trait"))
    if trait is None:
        raise turn.refused("argument", "traits.gone", "trait")
    used = check.terms.get("traits", ())
    assert isinstance(used, tuple)
    names = tuple(str(id) for id in used)
    terms = {**check.terms, "traits": (*names, trait.id), "shift": number(check, "shift") + step(turn)}
    changed = targeted(turn, replace(check, terms=terms))
    yield turn.amend(changed, turn.system.words.say(f"check.{turn.text('way')}", text=trait.text))
    if trait.kind == "bonus":
        yield TraitRemoved(trait.id, turn.system.words["bonus.used"])


MOVES = tuple(value for value in list(globals().values()) if isinstance(value, Move))
