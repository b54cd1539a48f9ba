"""Points that come and go automatically, and those the Keeper takes with a reason.

Source: seed 001, Hero points, Losing hero points, Villain points, NPC Successes, Villain point
gains; rulings.md.
"""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10 import conflicts
from storypool.systems.c2d10.dice import Part
from storypool.systems.c2d10.prices import POINTS
from storypool.systems.c2d10.sides import POOLS, stance
from storypool.systems.c2d10.test import Test, roller, winner


def points_owed(turn: r.Turn, check: r.Check) -> r.Bag:
    """The points that a finished roll brings: one for each success above what was needed.

    None from a failed test, a neutral NPC, a hidden check, or a roll with bought dice. In a
    contest only the winner has an excess, over the other side's successes.
    """
    outcome, part = check.outcome, winner(turn.table, check)
    if outcome is None or part is None:
        return r.NOTHING
    account = pool_of(turn.table, check, part, turn.option)
    excess = abs(outcome.margin) - Test.of(check).side(part).added
    if account and excess > 0:
        return r.Bag({account: excess})
    return r.NOTHING


def pool_of(table: r.Table, check: r.Check, part: Part, option: Callable[[str], str]) -> str:
    """The account for an excess of this side's roll; empty if it brings no points."""
    test, stands = Test.of(check), stance(roller(table, check, part))
    side, heroic = test.side(part), stands == "heroes"
    stopped = (
        (test.is_contest and heroic and option("contest_hero_gain") == "no")
        or (test.conflict and option("conflict_excess") == "progress_only")
        or (side.rerolled and option("reroll_blocks_gain") == "yes")
        or (side.bought and (heroic or option("npc_bought_dice_block_gain") == "yes"))
    )
    if stands == "neutral" or stopped or check.hidden:
        return ""
    return POOLS[r.Team.PLAYERS if heroic else r.Team.GM]


def add_points(turn: r.Turn, account: str, n: int, why: str) -> Iterator[r.Event]:
    """Add points to a pool, and record those that find no room even in the Keeper's."""
    before = room(turn)
    yield from turn.change(account, n, why=why)
    lost = n - (before - room(turn))
    if lost > 0:
        villain = turn.table.balance("villain")
        yield r.PointsSet(
            "villain",
            "",
            balance=villain,
            delta=0,
            why=turn.words.say("gain.full", n=lost),
            by=turn.seat.id,
        )


def overflow_caution(turn: r.Turn) -> str:
    """The points of this roll without room in the party's pool, in words; or ""."""
    n = turn.here.owed["hero"] - room(turn, "hero")
    gains = r.priced(turn, r.Bag(villain=min(n, room(turn, "villain")))) or turn.words["nothing"]
    if n > 0:
        return turn.words.say("caution.spills", n=n, gains=gains)
    return ""


def room(turn: r.Turn, *accounts: str) -> int:
    """The room left in these pools, by default in both."""
    rows = [turn.system.by_account[name] for name in accounts or ("hero", "villain")]
    return sum((row.most(turn.table, "") or 0) - turn.table.balance(row.name) for row in rows)


@r.whenever(r.CheckChanged)
def owe_revealed(turn: r.Turn, event: r.CheckChanged) -> Iterator[r.Event]:
    """Give a hidden roll that is revealed in time the points of an open one."""
    check = event.check
    if turn.key == "check.reveal" and check.owed != points_owed(turn, check):
        yield turn.amend(check, owed=points_owed(turn, check))


@r.whenever(r.PeriodBegan)
def reset_villain_points(turn: r.Turn, event: r.PeriodBegan) -> Iterator[r.Event]:
    """Reset the Keeper's points at the start of a session: 2 for each player.

    The pool's maximum applies. If she gives a reason, she keeps a larger balance.
    """
    if event.kind != "session":
        return
    before = turn.table.balance("villain")
    start = _starting_points(turn)
    kept = turn.text("keep") if turn.key == begin_session.key else ""
    start = max(start, before) if kept else start
    if kept or start != before:
        if kept:
            why = turn.words.say("gain.kept", why=kept)
        else:
            why = _with_players(turn, "gain.session")
        yield r.PointsSet(
            "villain", "", balance=start, delta=start - before, why=why, by=turn.seat.id
        )


@r.whenever(r.PeriodEnded, r.PeriodBegan)
def lose_hero_point(turn: r.Turn, event: r.PeriodEnded | r.PeriodBegan) -> Iterator[r.Event]:
    """Remove a hero point at the end of the table's period: a scene, a session or a day."""
    period = turn.option("decay")
    # A day is over when the next one begins.
    over = r.PeriodBegan if event.kind == "day" else r.PeriodEnded
    gone = min(turn.table.balance("hero"), POINTS["losses"]["hero"])
    if event.kind == period and isinstance(event, over) and gone:
        yield from turn.change("hero", -gone, why=turn.words[f"gain.fades.{period}"])


def _starting_points(turn: r.Turn) -> int:
    """The Keeper's points at the start of a session."""
    most = turn.system.by_account["villain"].most(turn.table, "")
    start = int(POINTS["gains"]["player"]) * len(r.players(turn.table))
    return start if most is None else min(start, most)


def _with_players(turn: r.Turn, key: str) -> str:
    """A sentence with the names of the counted players."""
    if r.players(turn.table):
        who = r.named(turn, r.players(turn.table), each=True)
    else:
        who = turn.words["conflict.nobody"]
    return turn.words.say(
        key, who=who, points=r.priced(turn, r.Bag(villain=_starting_points(turn)))
    )


begin_session = r.replace(
    r.house.begin_session,
    caution=lambda t: _with_players(t, "caution.heads") if r.players(t.table) else "",
    asks=(
        *r.house.begin_session.asks,
        r.TextAsk("keep", "Keep the villain points? Say why", needed=False),
    ),
    rule="Villain points",
)
"""The house's move, with the reason why the Keeper's pool is not reset."""


@r.gm_move(
    "day.begin",
    when=r.between_actions,
    rule="Losing hero points",
    place=r.at("scene", 62),
)
def new_day(turn: r.Turn) -> Iterator[r.Event]:
    """Begin a new day

    Where the table lets hero points fade by the day, one is gone.
    """
    yield r.PeriodBegan("day", turn.table.periods["day"] + 1)


DIRE = (
    r.TextAsk("why", "Why? Everyone reads it"),
    r.NumberAsk("n", "How many villain points do you gain?", default=1, low=1, high=2),
)


@r.gm_move(
    "dire.situation", when=r.in_session, asks=DIRE, rule="Dire situation", place=r.at("villain")
)
def dire_situation(turn: r.Turn) -> Iterator[r.Event]:
    """Declare a dire situation

    The party has come into a threatening place: 1 or 2 villain points, and everybody hears why.
    """
    yield from _dire(turn, "")


@r.gm_move(
    "dire.circumstance",
    when=conflicts.fighting,
    asks=DIRE,
    rule="Dire situation",
    place=r.at("villain"),
)
def dire_circumstance(turn: r.Turn) -> Iterator[r.Event]:
    """Declare a dire circumstance

    The conflict has taken a dire turn: 1 or 2 villain points, and everybody hears why.
    """
    yield from _dire(turn, conflicts.current(turn.table).id)


def _dire(turn: r.Turn, at: str) -> Iterator[r.Event]:
    text = turn.text("why")
    yield turn.trait("dire", text, at=at, until="scene")
    yield from add_points(
        turn, "villain", turn.number("n", 1), turn.words.say("gain.dire", why=text)
    )
