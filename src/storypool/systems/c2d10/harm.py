"""What goes wrong: setbacks, complications and messes, taken or ignored; strain, stress and crisis; an offered crisis.

Source: c2d10.md 2.2 and 2.4; seed 001, Villain point gains; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from storypool.engine import rules as r
from storypool.systems.c2d10.dice import ACTIVE, RIVAL
from storypool.systems.c2d10.gains import arriving, room
from storypool.systems.c2d10.prices import POINTS
from storypool.systems.c2d10.result import is_contest
from storypool.systems.c2d10.sides import acts_for, pays_for, roller, rollers, stance

KINDS = ("setback", "complication", "mess")
TRACKS = ("strain", "stress")
OFFER = "crisis-offer"
SKILLS = r.rows("storypool.systems.c2d10", "skills")
"""The rows of skills.toml: the talents in their groups, and the track that each group of talents hurts."""


def _trouble(turn: r.Turn, ignoring: bool = False) -> Iterator[r.Choice]:
    """The trouble of this roll that this seat may take, or may ignore as one of the party; a mess it may not."""
    for part, owner in rollers(turn):
        mine = pays_for(turn, owner) if ignoring else acts_for(turn, owner) or turn.is_gm
        for kind in KINDS:
            symbol = f"{part.mark}{kind}"
            n, text = turn.here.left[symbol], turn.word(symbol)
            if mine and n:
                if is_contest(turn.here):
                    text = turn.words.say("trouble.whose", what=text, who=owner.name if owner else "")
                if ignoring and kind == "mess":
                    yield r.Choice(symbol, text, closed=turn.words["no.trouble.mess"])
                    continue
                note = _gives(turn, kind) if ignoring else turn.words.say(f"trouble.left.{kind}", n=n)
                yield r.Choice(symbol, text, note)


_ignorable = partial(_trouble, ignoring=True)


def _gives(turn: r.Turn, kind: str) -> str:
    """What ignoring one of these gives the Keeper."""
    n = min(gives(kind), room(turn, "villain"))
    return turn.words.say("trouble.gives" if n else "trouble.full", n=n)


class Unsettled(NamedTuple):
    """Trouble of a roll that is not settled yet: its symbol, how much of it, and whose roll brought it."""

    symbol: str
    n: int
    owner: r.Character | None

    @property
    def kind(self) -> str:
        """A setback, a complication or a mess, on either side."""
        return self.symbol.removeprefix(RIVAL.mark)

    @property
    def decided(self) -> bool:
        """Whether it is to be decided about: the party takes or ignores its own, an NPC just takes it."""
        return stance(self.owner) == "heroes"

    @property
    def advice(self) -> str:
        """The id of the sentence that says what to do about it: heroes may ignore it, but for a mess."""
        return self.kind if self.decided else "theirs"


def unsettled(turn: r.Turn) -> Iterator[Unsettled]:
    """The trouble of this roll that is not settled yet, of whoever acts first."""
    for part, owner in rollers(turn):
        for kind in KINDS:
            if n := turn.here.left[f"{part.mark}{kind}"]:
                yield Unsettled(f"{part.mark}{kind}", n, owner)


def advice(turn: r.Turn) -> str:
    """What to do about the trouble of this roll that is not settled yet; empty where there is none."""
    said = (turn.words.say(f"todo.{one.advice}", n=one.n, gives=gives(one.kind)) for one in unsettled(turn))
    return " ".join(dict.fromkeys(said))


def gives(kind: str) -> int:
    """How many points the Keeper gains where the party ignores one of these, 0 for what cannot be ignored."""
    return int(POINTS["gains"].get(kind, 0))


def _any_left(turn: r.Turn) -> r.Refusal | None:
    """This roll brought trouble that is this seat's to take."""
    return r.rolled(turn) or (None if any(_trouble(turn)) else turn.firm("trouble.none"))


def _settled(turn: r.Turn) -> tuple[r.Check, str, int]:
    """The check with the chosen trouble settled, its kind, and how much of it; `Refused` for more than is left."""
    check, symbol, n = turn.here, turn.text("what"), turn.number("n", 1)
    if n > check.left[symbol]:
        n = check.left[symbol]
        raise turn.refused("price", "trouble.most", "n", n=n, what=turn.word(symbol, n))
    check = replace(check.with_terms(settled=True), left=check.left - r.Bag({symbol: n}))
    return check, symbol.removeprefix(RIVAL.mark), n


COUNT = r.NumberAsk("n", "How many?", default=1, low=1, high=60, needed=False)


def _all_of_it(turn: r.Turn) -> int:
    return max(1, turn.check.left[turn.text("what")]) if turn.check else 1


@r.move(
    "trouble.take",
    when=_any_left,
    asks=[
        r.first_choice("what", "What?", _trouble),
        replace(COUNT, default=_all_of_it),
        r.TextAsk("text", "What goes wrong?", needed=False),
    ],
    rule="Setbacks and complications",
    group="spend",
    place=r.at("actions", 63),
)
def take(turn: r.Turn) -> Iterator[r.Event]:
    """Let it go wrong

    Each setback, complication or mess is something true until the scene is over. In a conflict or in danger a setback
    also costs strain, or stress where the talent is of the mind.
    """
    check, _, n = _settled(turn)
    yield turn.amend(check)
    yield from _taken(turn, turn.text("what"), n, turn.text("text"))


def taken_by_npcs(turn: r.Turn) -> Iterator[r.Event]:
    """What went wrong for an NPC is taken, because nobody has to decide about it."""
    for one in [one for one in unsettled(turn) if not one.decided]:
        yield turn.amend(turn.here, left=turn.here.left - r.Bag({one.symbol: one.n}))
        yield from _taken(turn, one.symbol, one.n)


def _taken(turn: r.Turn, symbol: str, n: int, text: str = "") -> Iterator[r.Event]:
    """Trouble becomes true, and what it costs in danger is counted."""
    check, kind = turn.here, symbol.removeprefix(RIVAL.mark)
    part, term = (RIVAL, "by_talent") if symbol.startswith(RIVAL.mark) else (ACTIVE, "talent")
    owner = roller(turn, check, part)
    about = owner.id if owner else ""
    text = text or turn.words.say(f"trouble.{kind}", what=check.title)
    for _ in range(n):
        yield turn.result(kind, text, about, until="scene")
    # In danger means while a dire situation lasts. What a hidden test did to somebody known would tell of it.
    hurts = check.terms.get("conflict") in turn.table.traits or turn.table.of_kind("dire")
    tells = check.hidden and owner is not None and not owner.hidden
    if kind == "setback" and owner is not None and hurts and not tells:
        yield from turn.change(_track_of(check.text(term)), n, owner.id, turn.words["trouble.hurts"])


def _track_of(talent: str) -> str:
    """The track that a setback of a test with this talent hurts; that of the body where none is named."""
    group = next((group for group, talents in SKILLS["talents"].items() if talent in talents), "physical")
    return next(track for track in TRACKS if group in SKILLS["tracks"][track]["groups"])


def _any_ignorable(turn: r.Turn) -> r.Refusal | None:
    """This roll brought trouble that this seat may ignore."""
    if refusal := r.rolled(turn):
        return refusal
    if any(not choice.closed for choice in _ignorable(turn)):
        return None
    return turn.firm("trouble.mess" if any(_ignorable(turn)) else "trouble.ours")


@r.move(
    "trouble.ignore",
    by=["player"],
    when=_any_ignorable,
    asks=[r.first_choice("what", "What?", _ignorable), COUNT],
    rule="Villain point gains",
    group="spend",
    place=r.at("actions", 64),
)
def ignore(turn: r.Turn) -> Iterator[r.Event]:
    """Ignore it: the Keeper gains points

    The Keeper gains 2 villain points for a setback and 5 for a complication, for each one.
    """
    check, kind, n = _settled(turn)
    yield turn.amend(check, turn.words.say("trouble.ignored", n=n, what=turn.word(turn.text("what"), n)))
    why = turn.words.say("gain.ignored", what=turn.word(kind, n), n=n)
    yield from arriving(turn, "villain", gives(kind) * n, why)


CHANGING = (
    r.WHO,
    r.ChoiceAsk("track", "Which track?", lambda t: [r.Choice(name, t.plural(name)) for name in (*TRACKS, "crisis")]),
    r.NumberAsk("by", "How many?", default=1, low=1, high=5, needed=False),
    r.TextAsk("why", "Why?", needed=False),
)


@r.move("track.suffer", asks=CHANGING, rule="Strain and stress")
def suffer(turn: r.Turn) -> Iterator[r.Event]:
    """Take strain, stress or crisis

    What a full track has no room for is crisis at once.
    """
    yield from turn.change(turn.text("track"), turn.number("by", 1), turn.text("who"), turn.text("why"))


@r.move("track.recover", asks=CHANGING, rule="Strain and stress")
def recover(turn: r.Turn) -> Iterator[r.Event]:
    """Recover from strain, stress or crisis"""
    yield from turn.change(turn.text("track"), -turn.number("by", 1), turn.text("who"), turn.text("why"))


@r.whenever(r.PeriodEnded)
def scene_counts(turn: r.Turn, event: r.PeriodEnded) -> Iterator[r.Event]:
    """Whenever a scene ends, each track with something on it is due for a test, and is empty again."""
    ends = event.kind == "scene"
    for character, track in [(c, track) for c in turn.table.characters.values() for track in TRACKS if ends]:
        n = turn.table.balance(track, character.id)
        if n and r.here(character):
            talent = str(SKILLS["tracks"][track]["test"])
            text = turn.words.say("track.due", talent=turn.system.entry(talent), n=n, track=turn.plural(track))
            terms = {"track": track, "talent": talent}
            yield turn.trait("due", text, character.id, rating=n, terms=terms)
        if n:
            yield from turn.change(track, -n, character.id, turn.words["track.counted"])


def nothing_due(turn: r.Turn) -> r.Refusal | None:
    """What the last scene has cost has been tested."""
    # What is due of somebody hidden holds nobody up: the reason would tell of them.
    due = next((trait for trait in turn.table.of_kind("due") if not trait.hidden), None)
    owner = turn.table.characters.get(due.about) if due else None
    return turn.no("due", who=owner.name) if owner else None


def _crises(turn: r.Turn) -> r.Refusal | None:
    """The table plays with crises that the Keeper offers, and this roll brought a hero a setback."""
    off = turn.no("crisis.off") if turn.option("keeper_crisis") == "no" else None
    return off or r.rolled(turn) or (None if any(_shaken(turn)) else turn.firm("crisis.unshaken"))


def _shaken(turn: r.Turn) -> Iterator[r.Choice]:
    """The heroes of players who had a setback in this roll."""
    for part, hero in rollers(turn):
        outcome, seen = turn.here.outcome, not turn.here.hidden
        if outcome is None or not seen or hero is None or not hero.seat or stance(hero) != "heroes":
            continue
        if outcome.net[f"{part.axis}zeros"] and bool(outcome.passed) == (part is RIVAL):
            yield r.Choice(hero.id, hero.name)


@r.move(
    "crisis.inflict",
    by=["gm"],
    when=_crises,
    price=r.Bag(villain=POINTS["crisis"]["cost"]),
    limit=r.Limit("crisis", ("check",)),
    asks=[r.ChoiceAsk("who", "Which hero?", _shaken)],
    rule="Crisis",
    group="spend",
    place=r.at("menu", 63),
)
def inflict(turn: r.Turn) -> Iterator[r.Event]:
    """Inflict a crisis after a setback

    The player takes a point of crisis, or refuses, which gives the Keeper 5 villain points.
    """
    check = turn.here
    yield turn.amend(check.with_terms(settled=True))
    yield turn.trait(OFFER, turn.words["crisis.offered"], turn.text("who"), at=check.id, until="check")


def _offers(turn: r.Turn) -> Iterator[r.Choice]:
    for trait in turn.table.of_kind(OFFER):
        hero = turn.table.characters.get(trait.about)
        if hero is not None and acts_for(turn, hero):
            yield r.Choice(trait.id, trait.text, hero.name)


@r.move(
    "crisis.answer",
    when=r.any_of(_offers, "crisis.none"),
    asks=[
        r.first_choice("offer", "Which?", _offers),
        r.ChoiceAsk("answer", "Take it?", r.answers("crisis", "take", "refuse")),
    ],
    rule="Crisis",
    group="spend",
    place=r.at("primary", 1),
)
def answer(turn: r.Turn) -> Iterator[r.Event]:
    """Answer the crisis

    Taken, the crisis value grows by 1; refused, the Keeper gains 5 villain points.
    """
    offer = turn.table.traits[turn.text("offer")]
    yield r.TraitRemoved(offer.id)
    if turn.text("answer") == "take":
        yield from turn.change("crisis", 1, offer.about, turn.words["crisis.taken"])
    else:
        yield from arriving(turn, "villain", POINTS["crisis"]["refused"], turn.words["crisis.refused"])
