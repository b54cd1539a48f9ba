"""The recap of a session told in the words of its game: what every surface shows of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from storypool.engine.game.system import System
from storypool.engine.recap import RecapLine
from storypool.odds.question import text
from storypool.pictures.rows import percent
from storypool.worth.luck import LuckyRoll, luck
from storypool.worth.session import PointsSpent, SessionRecap


@dataclass(frozen=True, slots=True)
class PoolTold:
    """One pool: its account, the side that spends it, and each balance with the record after which it holds."""

    account: str
    side: str
    steps: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SpendTold:
    """One spend at record `seq`: who, of which side, by which move, on which action, for how many points.

    `adds` are the points that the other side got, where that is the whole price. `gained` is what it added to the
    chance of its side as an exact fraction, null where nothing of the kind can be told, and `change` says so in words.
    """

    seq: int
    who: str
    side: str
    move: str
    action: str
    points: Mapping[str, int]
    adds: Mapping[str, int]
    gained: str | None
    price: str
    change: str


@dataclass(frozen=True, slots=True)
class RollTold:
    """One roll at record `seq` against its own odds, chances as exact fractions.

    `place` is the share of rolls of these dice that are worse, half of those as good. `chance` is how likely it was to
    pass when the dice fell, `passed` how the action ended, `paid` how many points were spent on it, and `bought` how
    much of a chance they moved.
    """

    seq: int
    who: str
    side: str
    action: str
    chance: str
    place: str
    passed: bool | None
    paid: int
    bought: str


@dataclass(frozen=True, slots=True)
class LuckTold:
    """The mean place of so many rolls in hundredths, and between which two it lies nine times of ten for fair dice.

    `together` says that it is of a whole side, which `who` names.
    """

    who: str
    side: str
    together: bool
    rolls: int
    place: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class HingeTold:
    """A roll on which much hung, by its record, and what it was in a sentence."""

    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class LockTold:
    """How long a side had no points: how many of all actions began so, how often, and how many in a row at most."""

    side: str
    actions: int
    without: int
    times: int
    longest: int
    text: str


@dataclass(frozen=True, slots=True)
class SessionTold:
    """The latest session of a table: `session` is its number, 0 before the first.

    `lines` are the session in at most five lines. `bought` says in a sentence for each person what their points were
    worth. `about` holds sentences that explain the parts `spends`, `luck` and `hinges`.
    """

    title: str
    session: int
    running: bool
    lines: Sequence[RecapLine]
    pools: Sequence[PoolTold]
    spends: Sequence[SpendTold]
    bought: Sequence[str]
    luck: Sequence[LuckTold]
    rolls: Sequence[RollTold]
    hinges: Sequence[HingeTold]
    locks: Sequence[LockTold]
    about: Mapping[str, Sequence[str]]


def tell(of: SessionRecap, system: System, title: str) -> SessionTold:
    """Return a recap in the words of its game."""
    return SessionTold(
        system.words.say("recap.title", table=title),
        of.short.session,
        of.short.running,
        of.short.lines,
        [PoolTold(name, of.sides[name], steps) for name, steps in of.pools.items()],
        [_spend(one, system) for one in of.spends],
        list(_bought(of, system)),
        list(_luck(of, system)),
        [_roll(one) for one in of.rolls],
        [HingeTold(one.seq, _hinge(one, system, _scene(one, of, system))) for one in of.hinges()],
        list(_locks(of, system)),
        {part: list(_about(part, of, system)) for part in ("spends", "luck", "hinges")},
    )


def _about(part: str, of: SessionRecap, system: System) -> Iterator[str]:
    words = system.words
    if of.kept:
        # Said once: the other parts are empty then.
        if part == "spends":
            yield words["recap.kept"]
    elif part == "luck" and of.rolls:
        yield from (words["recap.luck.is"], words["recap.luck.not"])
        if of.left_out:
            yield words.say("recap.luck.out", n=of.left_out)
    elif part == "spends" and any(one.gained is not None for one in of.spends):
        yield words["recap.spends.are"]
    elif part == "hinges" and of.hinges():
        yield words["recap.hinges.are"]


def _spend(one: PointsSpent, system: System) -> SpendTold:
    signs = (*(("", *paid) for paid in one.points.items()), *(("+", *added) for added in one.adds.items()))
    price = ", ".join(f"{sign}{n} {system.word(account, n)}" for sign, account, n in signs)
    gained, change = ("", "") if one.gained is None else (text(one.gained), _change(one.gained))
    points, adds = dict(one.points), dict(one.adds)
    return SpendTold(one.seq, one.who, one.side, one.move, one.action, points, adds, gained or None, price, change)


def _bought(of: SessionRecap, system: System) -> Iterator[str]:
    """Yield for each person how many points they spent, and how many results those turn by the odds."""
    sums = dict[str, tuple[int, Fraction | None]]()
    for one in of.spends:
        n, much = sums.get(one.who, (0, None))
        much = much if one.gained is None else (much or Fraction(0)) + one.gained
        sums[one.who] = n + sum(one.points.values()) + sum(one.adds.values()), much
    for who, (n, much) in sums.items():
        if much is None:
            yield system.words.say("recap.spent", who=who, n=n)
        else:
            yield system.words.say("recap.bought", who=who, n=n, gained=f"{float(much):.1f}".replace("-", "−"))


def _luck(of: SessionRecap, system: System) -> Iterator[LuckTold]:
    for one in luck(of.rolls):
        low, high = (max(0, min(100, round(100 * (0.5 + reach)))) for reach in (-one.reach, one.reach))
        who = one.who or _side(system, "together", one.side)
        yield LuckTold(who, one.side, not one.who, one.rolls, round(100 * one.place), low, high)


def _roll(one: LuckyRoll) -> RollTold:
    chance, place, bought = text(one.chance), text(one.place), text(one.bought)
    return RollTold(one.seq, one.who, one.side, one.action, chance, place, one.passed, one.paid, bought)


def _hinge(one: LuckyRoll, system: System, scene: str) -> str:
    result = system.words["recap.passed" if one.passed else "recap.failed"]
    # A number and its sign stay on one line.
    chance = percent(one.chance, 0).replace(" ", "\N{NO-BREAK SPACE}")
    title = system.words.say("recap.hinge.scene", title=one.action, scene=scene) if scene else one.action
    told = {"who": one.who, "title": title, "result": result, "chance": chance}
    return system.words.say("recap.hinge.paid" if one.paid else "recap.hinge", **told, n=one.paid)


def _scene(one: LuckyRoll, of: SessionRecap, system: System) -> str:
    """Return the scene of a roll by its title or its number; nothing where there was only one."""
    if one.scene is None or of.scenes < 2:
        return ""
    return one.scene.title or f"{system.words['period.scene']} {one.scene.number}"


def _locks(of: SessionRecap, system: System) -> Iterator[LockTold]:
    for one in of.locks if of.locks and of.locks[0].actions else ():
        told = {"n": one.without, "actions": one.actions, "longest": one.longest}
        side, how = _side(system, "side", one.side), "recap.lock.some" if one.without else "recap.lock.none"
        said = system.words.say(how, side=side, **told)
        yield LockTold(one.side, one.actions, one.without, one.times, one.longest, said)


def _side(system: System, family: str, side: str) -> str:
    said = system.words.say(f"recap.{family}.{side}", gm=system.words["wait.gm"])
    return said[:1].upper() + said[1:]


def _change(gained: Fraction) -> str:
    """Return a change of a chance in percent of a hundred, with its sign."""
    return f"{'−' if gained < 0 else '+'}{percent(abs(gained), 0)}"
