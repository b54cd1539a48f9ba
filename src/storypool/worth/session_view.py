"""The recap of a session in the words of its game, for every surface."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from storypool.engine.game.system import System
from storypool.odds.question import text
from storypool.pictures.rows import percent
from storypool.worth.luck import LuckyRoll, luck
from storypool.worth.recap import RecapLine
from storypool.worth.session import Lock, PointsSpent, SessionRecap


@dataclass(frozen=True, slots=True)
class PoolView:
    """A pool: its account, the side that spends it, and each balance with its record."""

    account: str
    side: str
    steps: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SpendView:
    """One spend at record `seq`: the person, side, move and action, and the points.

    `points` may name a substitute payment, such as a free invoke. `adds` are the points that rose
    by the same move, as a price on a track or as a gain: nobody spent those. `gained` is the change
    to the chance of its side as an exact fraction, null if unknown, and `change` is the same in
    words.
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
class RollView:
    """One roll at record `seq` against its own odds, with chances as exact fractions.

    `place` is a percentile, 0 to 1: the share of rolls of these dice that are worse, plus half the
    ties. `chance` is the chance to pass at the time of the roll, `passed` the result, `paid` the
    number of points spent on it, and `bought` the change they made to the chance.
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
class LuckView:
    """The mean `place` of `rolls` rolls, in hundredths, and its usual range (9 times in 10).

    `together`: it is for a whole side, named by `who`.
    """

    who: str
    side: str
    together: bool
    rolls: int
    place: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class HingeView:
    """A roll that mattered much: its record, and a sentence about it."""

    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class LockView(Lock):
    """The times in which a pool of a side was empty, with a sentence about it."""

    text: str


@dataclass(frozen=True, slots=True)
class SessionView:
    """The latest session of a table: `session` is its number, 0 before the first.

    `lines` are the session in at most twelve lines. `bought` has a sentence for each person on the
    worth of their points. `about` holds sentences that explain the parts `spends`, `luck` and
    `hinges`.
    """

    title: str
    session: int
    running: bool
    lines: Sequence[RecapLine]
    pools: Sequence[PoolView]
    spends: Sequence[SpendView]
    bought: Sequence[str]
    luck: Sequence[LuckView]
    rolls: Sequence[RollView]
    hinges: Sequence[HingeView]
    locks: Sequence[LockView]
    about: Mapping[str, Sequence[str]]


def view_session(of: SessionRecap, system: System, title: str) -> SessionView:
    """The recap in the words of its game."""
    return SessionView(
        system.words.say("recap.title", table=title),
        of.short.session,
        of.short.running,
        lines=of.short.lines,
        pools=[PoolView(name, of.sides[name], steps) for name, steps in of.pools.items()],
        spends=[_spend(one, system) for one in of.spends],
        bought=list(_spend_sentences(of, system)),
        luck=list(_luck(of, system)),
        rolls=[_roll(one) for one in of.rolls],
        hinges=[
            HingeView(one.seq, _hinge(one, system, _scene(one, of, system))) for one in of.hinges()
        ],
        locks=list(_locks(of, system)),
        about={part: list(_about(part, of, system)) for part in ("spends", "luck", "hinges")},
    )


def _about(part: str, of: SessionRecap, system: System) -> Iterator[str]:
    words = system.words
    if of.kept:
        # Yield it once: the other parts are empty then.
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


def _spend(one: PointsSpent, system: System) -> SpendView:
    signs = (
        *(("", *paid) for paid in one.points.items()),
        *(("+", *added) for added in one.adds.items()),
    )
    price = ", ".join(f"{sign}{n} {system.word(account, n)}" for sign, account, n in signs)
    gained, change = ("", "") if one.gained is None else (text(one.gained), _change(one.gained))
    points, adds = dict(one.points), dict(one.adds)
    return SpendView(
        one.seq,
        one.who,
        one.side,
        move=one.move,
        action=one.action,
        points=points,
        adds=adds,
        gained=gained or None,
        price=price,
        change=change,
    )


def _spend_sentences(of: SessionRecap, system: System) -> Iterator[str]:
    """A sentence for each person: the points they spent, and the number of results that changed.

    Points that rose, on a track or for others, were not spent: they are in the list of the spends.
    """
    sums = dict[str, tuple[Counter[str], Fraction | None]]()
    for one in of.spends:
        if not one.points:
            continue
        points, much = sums.get(one.who, (Counter[str](), None))
        if one.gained is None:
            much = much
        else:
            much = (much or Fraction(0)) + one.gained
        sums[one.who] = points + Counter(one.points), much
    for who, (points, much) in sums.items():
        besides = any(name not in system.by_account for name in points)
        kinds = ", ".join(f"{n} {system.word(account, n)}" for account, n in points.items())
        values = {"who": who, "n": points.total(), "kinds": kinds}
        worth = "" if much is None else f"{float(much):.1f}".replace("-", "−")
        if much is not None and worth in ("0.0", "−0.0"):
            # Too small to show; the spend may have bought something else.
            worth = system.words["recap.little"] if much > 0 else ""
        id = "recap.bought" if worth else "recap.spent"
        values["gained"] = worth
        how = ".kinds" if len(points) > 1 else ""
        if besides:
            how = ".besides"
        yield system.words.say(f"{id}{how}", **values)


def _luck(of: SessionRecap, system: System) -> Iterator[LuckView]:
    for one in luck(of.rolls):
        low, high = (
            max(0, min(100, round(100 * (0.5 + reach)))) for reach in (-one.reach, one.reach)
        )
        who = one.who or _side(system, "together", one.side)
        yield LuckView(
            who,
            one.side,
            not one.who,
            rolls=one.rolls,
            place=round(100 * one.place),
            low=low,
            high=high,
        )


def _roll(one: LuckyRoll) -> RollView:
    chance, place, bought = text(one.chance), text(one.place), text(one.bought)
    return RollView(
        one.seq,
        one.who,
        one.side,
        action=one.action,
        chance=chance,
        place=place,
        passed=one.passed,
        paid=one.paid,
        bought=bought,
    )


def _hinge(one: LuckyRoll, system: System, scene: str) -> str:
    id = "recap.passed" if one.passed else "recap.failed"
    result = system.words[f"recap.passed.{one.bargain}" if one.bargain else id]
    # Keep a number and its sign on one line.
    chance = percent(one.chance, 0).replace(" ", "\N{NO-BREAK SPACE}")
    title = one.action
    if scene:
        title = system.words.say("recap.hinge.scene", title=title, scene=scene)
    values = {"who": one.who, "title": title, "result": result, "chance": chance}
    counts = [(one.paid, system.words.say("recap.hinge.points", n=one.paid))] if one.paid else []
    counts += [(n, f"{n} {system.word(name, n)}") for name, n in one.instead.items()]
    if not counts:
        return system.words.say("recap.hinge", **values)
    paid = system.words.joined(text for _, text in counts)
    return system.words.say("recap.hinge.paid", **values, paid=paid, n=sum(n for n, _ in counts))


def _scene(one: LuckyRoll, of: SessionRecap, system: System) -> str:
    """The title or number of a roll's scene; "" if there was only one scene."""
    if one.scene is None or of.scenes < 2:
        return ""
    return one.scene.title or f"{system.words['period.scene']} {one.scene.number}"


def _locks(of: SessionRecap, system: System) -> Iterator[LockView]:
    if not of.locks or not of.locks[0].actions:
        return
    for one in of.locks:
        how = "between" if one.dry else "none"
        if one.without:
            how = "some"
        values = {"side": _side(system, "side", one.side), "account": system.plural(one.account)}
        counts = {"n": one.without, "actions": one.actions, "longest": one.longest}
        sentence = system.words.say(f"recap.lock.{how}", **values, **counts)
        yield LockView(**asdict(one), text=sentence)


def _side(system: System, family: str, side: str) -> str:
    name = system.words.say(f"recap.{family}.{side}", gm=system.words["wait.gm"])
    return name[:1].upper() + name[1:]


def _change(gained: Fraction) -> str:
    """A change of a chance in percentage points, with its sign."""
    return f"{'−' if gained < 0 else '+'}{percent(abs(gained), 0)}"
