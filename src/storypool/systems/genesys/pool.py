"""The Story Points that a session begins with. Source: starwars.md 1.9."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.points import is_newcomer, unchanged_note


@r.whenever(r.PeriodBegan)
def new_session(turn: r.Turn, event: r.PeriodBegan) -> Iterator[r.Event]:
    """Give each player and the GM a point at the start of a session; nothing is rolled.

    Source: starwars.md 1.9; options `gm_start` and `carry_over` of rulings.md.
    """
    if event.kind != "session" or (turn.option("carry_over") == "yes" and event.number > 1):
        return
    for account, n in _starting_points(turn).items():
        yield from turn.set_balance(account, n, why=turn.words["story_points.new"])


def _starting_points(turn: r.Turn) -> dict[str, int]:
    """The points at the start of a session of these players."""
    players = len(r.players(turn.table))
    return {"players": players, "gm": players if turn.option("gm_start") == "per_player" else 1}


@r.whenever(r.CharacterSet)
def record_late_player(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Record that a late player brings no point."""
    if turn.option("carry_over") == "yes" or not is_newcomer(turn, event.character):
        return
    table, start = turn.table, _starting_points(turn)
    under_way = [check.owed.total for check in table.checks.values()]
    under_way += [proposal.price.total for proposal in table.proposals.values()]
    if sum(map(table.balance, start)) + sum(under_way) < sum(start.values()):
        why = turn.words.say("story_points.late", who=event.character.name)
        yield unchanged_note(turn, "players", why)
