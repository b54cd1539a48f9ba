"""The Story Points that a session begins with. Source: starwars.md 1.9."""

from collections.abc import Iterator

from storypool.engine import rules as r


@r.whenever(r.PeriodBegan)
def new_session(turn: r.Turn, event: r.PeriodBegan) -> Iterator[r.Event]:
    """Whenever a session begins, the players start with a point each and the GM with one; nothing is rolled.

    Source: starwars.md 1.9; options `gm_start` and `carry_over` of rulings.md.
    """
    if event.kind != "session" or (turn.option("carry_over") == "yes" and event.number > 1):
        return
    players = len(r.players(turn.table))
    start = {"players": players, "gm": players if turn.option("gm_start") == "per_player" else 1}
    for account, n in start.items():
        before = turn.table.balance(account)
        if n != before:
            yield r.PointsSet(account, "", n, n - before, turn.system.words["story_points.new"])
