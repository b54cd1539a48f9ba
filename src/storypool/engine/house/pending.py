"""The waits of every table: for answers to suggestions, proposals and calls, and for a session."""

from collections.abc import Iterator

from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import Wait, asked_for, gms, players
from storypool.engine.house.conditions import idle, in_session
from storypool.engine.house.scene import called
from storypool.engine.offers import listed
from storypool.engine.table import Proposal, Table


def answers(turn: Turn) -> Iterator[Wait]:
    """Yield a wait for suggestions for an action, then one for each proposal, oldest first."""
    table = turn.table
    for check in table.checks.values():
        if check.suggested:
            values = {"what": listed(check.suggested), "by": _name(turn, check.by)}
            yield Wait("suggested", gms(table), ("check.agree",), check.id, values=values)
    for one in table.proposals.values():
        by = turn.words["wait.you"] if turn.seat.id == one.seat else _name(turn, one.seat)
        values = {"what": _described(turn, one), "by": by}
        whom, also = asked_for(table, one), _other_actions(table, one.check)
        by_gm = any(table.seats[id].side == "gm" for id in whom)
        answered = (
            ("proposal.accept", "proposal.decline") if by_gm else ("consent.give", "consent.refuse")
        )
        yield Wait("proposal", whom, answered, one.check, {"id": one.id}, values=values, also=also)


def session(turn: Turn) -> Iterator[Wait]:
    """Yield the wait for a session, while none is running and no public action is open."""
    if in_session(turn) is not None and idle(turn) is None:
        first = "session" if players(turn.table) else "session.alone"
        id = "session.next" if turn.table.periods["session"] else first
        yield Wait(id, gms(turn.table), ("session.begin",))


def _described(turn: Turn, proposal: Proposal) -> str:
    """The proposal in words, without a full stop; a game may word it itself."""
    key, what = f"wait.proposal.{proposal.move}", proposal.text.rstrip(".")
    return turn.words.say(key, what=what) if key in turn.words else what


def _other_actions(table: Table, id: str) -> tuple[str, ...]:
    """The other open actions that are hidden like this one: they go on after it."""
    check = table.checks.get(id)
    return tuple(
        one.id
        for one in table.checks.values()
        if check and one is not check and one.hidden == check.hidden
    )


def _name(turn: Turn, seat: str) -> str:
    found = turn.table.seats.get(seat)
    return found.name if found else seat


WAITS = (answers, session, called)
"""The waits of every table."""
