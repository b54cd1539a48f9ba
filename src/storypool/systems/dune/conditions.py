"""Conditions that many moves of a test share: its owner, its terms, and its result."""

from functools import partial

from storypool.engine import rules as r
from storypool.systems.dune.payment import pool_of
from storypool.systems.dune.skill_test_terms import SkillTest, of_test, opposed


def plays(turn: r.Turn, who: r.Character) -> bool:
    return turn.is_gm if who.team is r.Team.GM else who.seat == turn.seat.id


def own(turn: r.Turn) -> r.Refusal | None:
    """The test is this seat's own, so this seat pays what it costs."""
    check, first = turn.here, opposed(turn.table, turn.here)
    if r.acts_in(turn, check):
        return None
    if first is not None and r.acts_in(turn, first):
        # A contest has two tests, and this seat's waits.
        return turn.no("own.first", who=turn.table.characters[check.actor].name, title=first.title)
    return turn.no("own")


def own_or_left(turn: r.Turn) -> r.Refusal | None:
    """The test is this seat's own; or nobody who is here plays it, and the GM answers for them."""
    return None if turn.seat.id in r.actor_of(turn.table, turn.here) else own(turn)


def own_or_won(turn: r.Turn) -> r.Refusal | None:
    """The test is this seat's own; or it was lost, and its opponent is this seat's."""
    opponent = turn.table.target(turn.here)
    if opponent is None or not turn.here.failed:
        return own(turn)
    return None if plays(turn, opponent) else turn.no("failed")


def _held_out(turn: r.Turn) -> tuple[str, ...]:
    opponent = turn.table.target(turn.here)
    return r.player_of(turn.table, opponent.id) if opponent and turn.here.failed else ()


def winners(turn: r.Turn) -> tuple[str, ...]:
    """The seats that may spend their character's gain from this lost test, until it is spent."""
    opponent, seats = turn.table.target(turn.here), _held_out(turn)
    return seats if opponent and turn.here.owed[pool_of(opponent.team)] else ()


def accepts_loss(turn: r.Turn) -> bool:
    """Whether ending this test accepts first that it was lost, so that the opponent spends."""
    return (
        bool(winners(turn))
        and turn.seat.id not in winners(turn)
        and not SkillTest.of(turn.here).answered
    )


def nothing_won(turn: r.Turn) -> r.Refusal | None:
    """A loss is accepted by its player, and what it brought the opponent is spent or saved."""
    if turn.check is None:
        return None
    theirs, check = _held_out(turn), turn.here
    if turn.seat.id in theirs:
        # A player who is here accepts it first, as long as nothing of it is spent.
        lost = winners(turn) and not SkillTest.of(check).answered
        early = turn.is_gm and lost and turn.seat.id not in r.actor_of(turn.table, check)
        return turn.no("lost.first", who=turn.table.characters[check.actor].name) if early else None
    proposed = any(
        one.check == check.id for one in turn.table.proposals.values() if one.seat in theirs
    )
    waits = proposed or (theirs and winners(turn) and SkillTest.of(check).answered)
    return turn.no("won.first", who=turn.table.characters[check.against].name) if waits else None


def may_end(turn: r.Turn) -> r.Refusal | None:
    """The test is this seat's own, or was lost to it and that is accepted; or it is a GM's."""
    won = (
        turn.check is not None
        and turn.seat.id in _held_out(turn)
        and SkillTest.of(turn.here).answered
    )
    return None if won else r.yours(turn)


known = r.of_check(
    lambda check: (
        SkillTest.of(check).difficulty is not None or check.against or SkillTest.of(check).opposes
    ),
    "difficulty",
)
"""The Difficulty is known, or comes from an opponent: before that, points and dice wait."""

has_difficulty = of_test(
    lambda test: not test.opposes or test.contest.both_test, "opposing", firm=True
)
"""The test has a Difficulty, or will have one: a roll that opposes another has none."""


def untouched(turn: r.Turn) -> r.Refusal | None:
    """Nothing has come of the roll yet, and no proposal holds anything of it."""
    if SkillTest.of(turn.here).touched:
        return turn.no("touched")
    return turn.no("touched.held") if holds_any(turn.table, turn.here) else None


def holds_any(table: r.Table, check: r.Check) -> bool:
    return any((one.owed or one.left) and one.check == check.id for one in table.proposals.values())


no_offer = of_test(lambda test: not test.offer, "offer.made")
"""No point of Determination was offered for this test."""


in_full = of_test(lambda test: not test.at_cost, "at_cost.further")
"""The success was not bought at a cost, so more can come of it."""


def succeeded(turn: r.Turn) -> r.Refusal | None:
    """The test was passed, and not at a cost, or it was lost to this side."""
    check, outcome = turn.here, turn.here.outcome
    if SkillTest.of(check).at_cost:
        return turn.no("at_cost.spend")
    if outcome is not None and outcome.passed is None:
        return turn.no("opposes.spend")
    won = outcome is None or outcome.passed or check.owed[pool_of(turn.team)]
    return None if won else turn.no("failed")


MAY_SPEND = (own_or_won, r.in_the_open, succeeded)
"""Momentum that the roll brought can be spent by this seat."""

in_play = partial(r.gm_move, when=r.in_session)
"""A move of the GM while a session is going on."""
before_roll = partial(r.move, when=r.building)
"""A move that changes a test before its roll."""
spend = partial(r.move, when=r.rolled, group="spend")
"""A move that makes something of the roll."""


def overflowing(turn: r.Turn) -> str:
    """What closing the test would lose, because the pool has no room for it, or ""."""
    for account, n in () if accepts_loss(turn) else turn.here.owed.items():
        most = turn.system.by_account[account].most(turn.table, "")
        if most is not None and (lost := turn.table.balance(account) + n - most) > 0:
            return turn.words.say("momentum.overflows", n=lost)
    return ""
