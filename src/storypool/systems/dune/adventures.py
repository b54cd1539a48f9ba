"""The pools at the start of an adventure and after a scene.

Source: rulings.md; dune.md 4.3.
"""

from storypool.engine import rules as r
from storypool.systems.dune.people import advancement


@r.gm_move(
    "adventure.begin",
    when=r.all_of(r.in_session, r.idle),
    ends=lambda t: t.words["cut_short.adventure"] if "adventure" in t.table.running else "",
    asks=[r.TextAsk("title", "What is it called?", needed=False)],
    rule="Start values",
    place=r.at("table", 60),
)
def begin_adventure(turn: r.Turn) -> r.Events:
    """Begin an adventure

    Momentum starts at 0, Threat at 2 for each player, and each player's character has 1
    Determination.
    """
    if "adventure" in turn.table.running:
        yield r.PeriodEnded("adventure", turn.table.periods["adventure"])
    yield r.PeriodBegan("adventure", turn.table.periods["adventure"] + 1, turn.text("title"))


@r.whenever(r.PeriodBegan)
def set_start_values(turn: r.Turn, event: r.PeriodBegan) -> r.Events:
    """Whenever an adventure begins, every pool is set to what it starts with."""
    if event.kind != "adventure":
        return
    threat = len(r.players(turn.table)) * int(turn.option("threat_start"))
    why = turn.words["adventure.new"]
    yield from turn.set_balance("momentum", 0, why=why)
    yield from turn.set_balance("threat", threat, why=why)
    for who in advancement.heroes(turn):
        yield from _provided(turn, who.id)


@r.whenever(r.CharacterSet)
def provide_newcomer(turn: r.Turn, event: r.CharacterSet) -> r.Events:
    """Whenever a player's character joins an adventure, they have what the others began with."""
    if turn.key == "character.add" and event.character.seat and "adventure" in turn.table.running:
        yield from _provided(turn, event.character.id)


@r.whenever(r.MoveMade)
def provide_taken_over(turn: r.Turn, event: r.MoveMade) -> r.Events:
    """Whenever a player takes over one of the GM's characters in a running adventure, the same."""
    who = turn.character("who") if event.move == "character.give" else None
    if who and who.team is r.Team.GM and turn.text("seat") and "adventure" in turn.table.running:
        yield from _provided(turn, who.id)


def _provided(turn: r.Turn, who: str) -> r.Events:
    n = int(turn.option("determination_start"))
    most = turn.system.by_account["determination"].most(turn.table, who)
    yield from turn.set_balance(
        "determination", n if most is None else min(n, most), who, turn.words["adventure.new"]
    )


@r.whenever(r.PeriodEnded, r.PeriodBegan)
def decay_momentum(turn: r.Turn, event: r.PeriodEnded | r.PeriodBegan) -> r.Events:
    """Whenever a scene is over, or where the table says so a round, a point of Momentum is gone."""
    over = isinstance(event, r.PeriodEnded) or (event.kind == "round" and event.number > 1)
    if over and event.kind == turn.option("momentum_decay") and turn.table.balance("momentum"):
        yield from turn.change("momentum", -1, why=turn.words["momentum.decay"])
