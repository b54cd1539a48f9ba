"""Trouble of a roll, taken or ignored; strain, stress and crisis.

Source: c2d10.md 2.2 and 2.4; seed 001, Villain point gains; rulings.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from storypool.engine import rules as r
from storypool.systems.c2d10.dice import ACTIVE, BEST, RIVAL, Part, net
from storypool.systems.c2d10.gains import add_points, room
from storypool.systems.c2d10.prices import POINTS
from storypool.systems.c2d10.sides import (
    POOLS,
    is_replaced,
    paid_parts,
    pays_for,
    player_caution,
    rollers,
    stance,
)
from storypool.systems.c2d10.test import Test, winner

KINDS = ("setback", "complication", "mess")
TRACKS = ("strain", "stress")
OFFER = "crisis-offer"
SKILLS = r.rows("storypool.systems.c2d10", "skills")
"""The rows of skills.toml: the talents in groups, and the track that each group hurts."""


@dataclass(frozen=True)
class Due(r.State):
    """A test for the last scene's harm: the track, and the talent to test."""

    track: str = ""
    talent: str = ""


class Trouble(NamedTuple):
    """Unsettled trouble of a roll: its kind, its amount, and the side that rolled it."""

    kind: str
    n: int
    part: Part
    owner: r.Character | None

    @property
    def symbol(self) -> str:
        """The symbol that is left of the roll."""
        return f"{self.part.mark}{self.kind}"

    @property
    def decided(self) -> bool:
        """Whether the party decides about it: an NPC just takes it."""
        return stance(self.owner) == "heroes"

    @property
    def advice(self) -> str:
        """The id of its advice: heroes may ignore anything but a mess."""
        return self.kind if self.decided else "theirs"

    def choice(self, turn: r.Turn, note: str = "", closed: str = "") -> r.Choice:
        """The choice for it; in a contest with the name of its roller."""
        text = turn.word(self.symbol)
        if Test.of(turn.here).is_contest:
            who = self.owner.name if self.owner else ""
            text = turn.words.say("trouble.whose", what=text, who=who)
        return r.Choice(self.symbol, text, note, closed)


def troubles(turn: r.Turn) -> Iterator[Trouble]:
    """The unsettled trouble of this roll, the actor's first."""
    for part, owner in rollers(turn):
        for kind in KINDS:
            if n := turn.here.left[f"{part.mark}{kind}"]:
                yield Trouble(kind, n, part, owner)


def can_turn(turn: r.Turn) -> bool:
    """Whether a re-roll could turn this seat's failure, or avoid its setback.

    Re-rolling a success would cost more than it brings.
    """
    check, points = turn.check, turn.table.balance(POOLS[turn.team])
    if check is None or check.outcome is None or Test.of(check).settled:
        return False
    if not points or check.hidden:
        return False
    margin, won = check.outcome.margin, winner(turn.table, check)
    lost = [part for part in paid_parts(turn) if part is not won]
    if not lost:
        return False
    setbacks = {one.part for one in troubles(turn) if one.kind == "setback" and one.decided}

    def turns(part: Part) -> bool:
        missing = margin
        if part is ACTIVE:
            missing = Test.of(check).is_contest - margin
        regular = [die for die in check.rolled if die.die == part.regular]
        shown = sorted(net((die,))[f"{part.axis}successes"] for die in regular)
        return part in setbacks or sum(BEST - n for n in shown[:points]) >= missing

    return any(map(turns, lost))


def final_dice_caution(turn: r.Turn) -> str:
    """A caution that the dice become final, with the seats that could still re-roll."""
    seats = (one for one in turn.table.seats.values() if one.here and one.side != "spectator")
    others = (one for one in seats if one.id != turn.seat.id)
    able = tuple(one.id for one in others if can_turn(turn.as_seat(one, check=turn.here.id)))
    if able:
        return turn.words.say("caution.settles", who=r.named(turn, able))
    return ""


def _takeable(turn: r.Turn) -> Iterator[r.Choice]:
    """The trouble of this roll that this seat may take."""
    for one in troubles(turn):
        if turn.is_gm or r.plays(turn, one.owner):
            yield one.choice(turn, turn.words.say(f"trouble.left.{one.kind}", n=one.n))


def _ignorable(turn: r.Turn) -> Iterator[r.Choice]:
    """The trouble that this seat may ignore for the party, with the Keeper's gain."""
    for one in troubles(turn):
        if pays_for(turn, one.owner):
            if one.kind == "mess":
                yield one.choice(turn, closed=turn.words["no.trouble.mess"])
            else:
                yield one.choice(turn, _gain(turn, one.kind))


def gain_in_words(turn: r.Turn, kind: str) -> str:
    """The Keeper's gain for ignoring trouble of this kind, in words."""
    return (
        r.priced(turn, r.Bag(villain=min(keeper_gain(kind), room(turn, "villain"))))
        or turn.words["nothing"]
    )


def _gain(turn: r.Turn, kind: str) -> str:
    if not room(turn, "villain"):
        return turn.words["trouble.full"]
    return turn.words.say("trouble.gives", points=gain_in_words(turn, kind))


def advice(turn: r.Turn) -> str:
    """Advice on the unsettled trouble of this roll, or ""."""
    sentences = (
        turn.words.say(f"todo.{one.advice}", n=one.n, gives=gain_in_words(turn, one.kind))
        for one in troubles(turn)
    )
    return " ".join(dict.fromkeys(sentences))


def keeper_gain(kind: str) -> int:
    """The Keeper's gain for ignoring trouble of this kind; 0 if it cannot be ignored."""
    return int(POINTS["gains"].get(kind, 0))


def _settled(turn: r.Turn) -> tuple[r.Check, Trouble]:
    """The check without the chosen trouble, and that trouble; `Refused` for too much."""
    [chosen] = [one for one in troubles(turn) if one.symbol == turn.text("what")]
    n = turn.number("n", 1)
    if n > chosen.n:
        raise turn.refused(
            "price", "trouble.most", "n", n=chosen.n, what=turn.word(chosen.symbol, chosen.n)
        )
    left = turn.here.left - r.Bag({chosen.symbol: n})
    return r.replace(Test.put(turn.here, settled=True), left=left), chosen._replace(n=n)


def _amount_left(turn: r.Turn) -> int:
    """The unsettled amount of the chosen trouble, at least 1."""
    return max(1, turn.here.left[turn.text("what")])


COUNT = r.NumberAsk("n", "How many?", default=1, low=1, high=60, needed=False, most=_amount_left)


def _nameable(turn: r.Turn, ours: Sequence[Trouble]) -> Trouble | None:
    """The trouble for a title: the chosen one, or the only one."""
    if "n" in turn.args:
        return None
    usual = ours[0].symbol if len(ours) == 1 else ""
    chosen = turn.args.get("what", usual)
    return next((one for one in ours if one.symbol == chosen), None)


def _take_title(turn: r.Turn) -> str:
    """The title with the amount taken at once, until a number is chosen; "" for one."""
    ours = [one for one in troubles(turn) if turn.is_gm or r.plays(turn, one.owner)]
    one = _nameable(turn, ours)
    if one is None or one.n < 2:
        return ""
    what = r.priced(turn, r.Bag({one.symbol: one.n}))
    return turn.words.say("trouble.take_all", what=what)


@r.move(
    "trouble.take",
    when=r.all_of(r.rolled, r.any_of(_takeable, "trouble.none")),
    asks=[
        r.first_choice("what", "What?", _takeable),
        r.replace(COUNT, default=_amount_left),
        r.TextAsk("text", "What goes wrong?", needed=False),
    ],
    rule="Setbacks and complications",
    group="spend",
    caution=lambda t: player_caution(t, next((one.owner for one in troubles(t)), None)),
    loss=True,
    place=r.at("actions", 63),
    shown_as=_take_title,
)
def take(turn: r.Turn) -> Iterator[r.Event]:
    """Take it

    Each setback, complication or mess is something true until the scene is over. In a conflict or
    in danger a setback also costs strain, or stress where the talent is of the mind.
    """
    check, trouble = _settled(turn)
    yield turn.amend(check)
    yield from _come_true(turn, trouble, turn.text("text"))


def take_for_npcs(turn: r.Turn) -> Iterator[r.Event]:
    """Apply the trouble of NPCs, about which nobody decides."""
    for one in list(troubles(turn)):
        if not one.decided:
            yield turn.amend(turn.here, left=turn.here.left - r.Bag({one.symbol: one.n}))
            yield from _come_true(turn, one)


def _come_true(turn: r.Turn, trouble: Trouble, text: str = "") -> Iterator[r.Event]:
    """Record trouble as a fact, and count its harm."""
    check, kind, owner, test = turn.here, trouble.kind, trouble.owner, Test.of(turn.here)
    text = text or turn.words.say(f"trouble.{kind}", what=check.title)
    for _ in range(trouble.n):
        # Each is a separate fact, usable once.
        known = {one.text for one in r.public(turn.table).of_kind(kind)}
        numbered = (
            turn.words.say("trouble.again", what=text, n=n) for n in range(2, len(known) + 2)
        )
        name = next(one for one in (text, *numbered) if one not in known)
        yield turn.result(kind, name, owner.id if owner else "", until="scene")
    # Danger lasts as long as a dire situation. Harm to a visible character would reveal a
    # hidden test.
    hurts = test.counts(turn.table) or turn.table.of_kind("dire")
    if kind == "setback" and owner is not None and hurts and check.may_use(owner):
        track = _track_of(test.side(trouble.part).talent)
        yield from turn.change(track, trouble.n, owner.id, turn.words["trouble.hurts"])


def _track_of(talent: str) -> str:
    """The track that a setback with this talent hurts; the body's by default."""
    group = next(
        (group for group, talents in SKILLS["talents"].items() if talent in talents), "physical"
    )
    return next(track for track in TRACKS if group in SKILLS["tracks"][track]["groups"])


def _any_ignorable(turn: r.Turn) -> r.Refusal | None:
    """This roll has trouble that this seat may ignore."""
    choices = list(_ignorable(turn))
    if any(not choice.closed for choice in choices):
        return None
    return turn.firm("trouble.mess" if choices else "trouble.ours")


def _ignore_title(turn: r.Turn) -> str:
    """The title with the chosen trouble, or that it is one of several."""
    ours = [one for one in troubles(turn) if pays_for(turn, one.owner) and one.kind != "mess"]
    one = _nameable(turn, ours)
    if one is None:
        return ""
    if "what" in turn.args:
        what = r.priced(turn, r.Bag({one.symbol: 1}))
        return turn.words.say(
            "trouble.ignore_this", what=what, points=gain_in_words(turn, one.kind)
        )
    if one.n > 1:
        return turn.words["trouble.ignore_one"]
    return ""


@r.move(
    "trouble.ignore",
    by=["player"],
    when=r.all_of(r.rolled, _any_ignorable),
    asks=[r.first_choice("what", "What?", _ignorable), COUNT],
    rule="Villain point gains",
    group="spend",
    place=r.at("actions", 64),
    shown_as=_ignore_title,
)
def ignore(turn: r.Turn) -> Iterator[r.Event]:
    """Ignore it: the Keeper gains points

    The Keeper gains 2 villain points for a setback and 5 for a complication, for each one.
    """
    check, trouble = _settled(turn)
    what = turn.word(trouble.symbol, trouble.n)
    note = turn.words.say("trouble.ignored", n=trouble.n, what=what)
    # The result text must also mention the ignored trouble.
    yield turn.amend(check.also(note), note)
    why = turn.words.say("gain.ignored", what=turn.word(trouble.kind, trouble.n), n=trouble.n)
    yield from add_points(turn, "villain", keeper_gain(trouble.kind) * trouble.n, why)


def _tracks(turn: r.Turn) -> list[r.Choice]:
    return [r.Choice(key, turn.plural(key)) for key in (*TRACKS, "crisis")]


@r.move(
    "track.suffer",
    only_if=[r.has_a_sheet],
    asks=r.track_asks(r.WHO, _tracks, most=5),
    rule="Strain and stress",
    loss=True,
)
def suffer(turn: r.Turn) -> Iterator[r.Event]:
    """Take strain, stress or crisis

    What a full track has no room for is crisis at once.
    """
    return r.track_changed(turn, 1)


@r.move(
    "track.recover",
    only_if=[r.has_a_sheet, r.something_on(_tracks)],
    asks=r.track_asks(r.WHO, _tracks, most=5, lowers=True),
    rule="Strain and stress",
)
def recover(turn: r.Turn) -> Iterator[r.Event]:
    """Recover from strain, stress or crisis"""
    return r.track_changed(turn, -1)


@r.whenever(r.PeriodEnded)
def make_tests_due(turn: r.Turn, event: r.PeriodEnded) -> Iterator[r.Event]:
    """Replace strain and stress by due tests at the end of a scene."""
    if event.kind != "scene":
        return
    for character, track in product(turn.table.characters.values(), TRACKS):
        n = turn.table.balance(track, character.id)
        if n and r.here(character):
            due = Due(track, str(SKILLS["tracks"][track]["test"]))
            values = {"talent": turn.system.entry(due.talent), "n": n, "track": turn.plural(track)}
            text = turn.words.say("track.due", **values)
            yield turn.trait("due", text, character.id, rating=n, terms=due.terms)
        if n:
            yield from turn.change(track, -n, character.id, turn.words["track.counted"])


def nothing_due(turn: r.Turn) -> r.Refusal | None:
    """No test for the last scene's harm is due."""
    # A hidden character's due test holds nobody up: the reason would reveal them.
    for due in r.public(turn.table).of_kind("due"):
        owner = turn.table.characters.get(due.about)
        if owner is not None and not is_replaced(turn.table, owner):
            return turn.no("due", who=owner.name)
    return None


_crises = r.requires(lambda turn: turn.option("keeper_crisis") != "no", "crisis.off")


def _shaken(turn: r.Turn) -> Iterator[r.Choice]:
    """Players' heroes with a setback in this roll."""
    for part, hero in rollers(turn):
        outcome = turn.here.outcome
        if outcome is None or turn.here.hidden:
            continue
        if hero is None or not hero.seat or stance(hero) != "heroes":
            continue
        if outcome.net[f"{part.axis}zeros"] and bool(outcome.passed) == (part is RIVAL):
            yield r.Choice(hero.id, hero.name)


@r.gm_move(
    "crisis.inflict",
    when=r.all_of(_crises, r.rolled, r.any_of(_shaken, "crisis.unshaken")),
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
    yield turn.amend(Test.put(check, settled=True))
    yield turn.trait(
        OFFER, turn.words["crisis.offered"], turn.text("who"), at=check.id, until="check"
    )


_offers = r.traits(
    OFFER,
    only=lambda t, trait: r.plays(t, t.table.characters.get(trait.about)),
    note=lambda t, trait: t.table.characters[trait.about].name,
)


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
        yield from add_points(
            turn, "villain", POINTS["crisis"]["refused"], turn.words["crisis.refused"]
        )
