"""Nightshift put together: what its file says, and a move that looks at the stress of two
characters.
"""

from __future__ import annotations

from collections.abc import Iterator

from nightshift import BASE
from storypool.engine import rules as r
from storypool.gamefile.compiled import Additions


def crew(turn: r.Turn) -> Iterator[r.Choice]:
    """Yield those of the crew who have more or less stress than the character who acts."""
    check, stress = turn.check, turn.table.balance
    if check is not None and check.team is r.Team.PLAYERS and not check.hidden:
        for one in r.characters("players")(turn):
            if abs(stress("stress", one.value) - stress("stress", check.actor)) > 1:
                yield one


@r.move(
    "stress.share",
    when=r.rolled,
    limit=r.Limit("share", ("check",)),
    only_if=[r.yours, r.any_of(crew, "stress.even")],
    asks=[r.ChoiceAsk("with", "With whom?", crew)],
    rule="Sharing the stress",
    place=r.at("actions"),
)
def share(turn: r.Turn) -> Iterator[r.Event]:
    """Share the stress

    Once an action two of the crew carry it together: each has half of what both had, and the odd
    one stays with the character who acts.
    """
    actor, other = turn.here.actor, turn.text("with")
    both = turn.table.balance("stress", actor) + turn.table.balance("stress", other)
    for who, n in ((other, both // 2), (actor, both - both // 2)):
        yield from turn.change("stress", n - turn.table.balance("stress", who), who)


SYSTEM = BASE.grown(Additions(moves=(share,), words=("nightshift",)))
