"""Hidden actions of the GM: opening one during the players' action, and revealing it."""

from collections.abc import Iterator

from storypool.engine.events import CharacterSet, DiceRolled, Event, Said
from storypool.engine.game.asks import FlagAsk
from storypool.engine.game.moves import move, whenever
from storypool.engine.game.turn import Turn
from storypool.engine.house.conditions import none_open
from storypool.engine.refusal import Refusal

__all__ = ["HIDE_ACTION", "may_open", "only_hidden", "opens_hidden"]


def may_open(turn: Turn) -> Refusal | None:
    """No public action is open; a GM may open one hidden action in addition to it."""
    checks = turn.table.checks.values()
    hidden = [check for check in checks if check.hidden]
    open_to_all = [check for check in checks if not check.hidden]
    if not open_to_all or (turn.is_gm and not hidden):
        return None
    return turn.firm("busy", title=open_to_all[-1].title)


def only_hidden(turn: Turn) -> bool:
    """Whether an action of this seat can only be a hidden one, because a public one is open."""
    return turn.is_gm and not all(check.hidden for check in turn.table.checks.values())


HIDE_ACTION = FlagAsk(
    "secret",
    "Hidden from the players?",
    default=only_hidden,
    needed=False,
    shown=lambda turn: turn.is_gm,
)
"""Whether the declared action is hidden; yes by default while a public one is open."""


def opens_hidden(turn: Turn) -> bool:
    """Whether the action being declared is hidden, by the answer to `HIDE_ACTION` or its default.

    For a move whose price depends on it: the price is due before there is an action.
    """
    return bool(turn.args["secret"]) if "secret" in turn.args else only_hidden(turn)


def _may_reveal(turn: Turn) -> Refusal | None:
    """The action is hidden, and no public one is open."""
    if turn.check is None or not turn.check.hidden:
        return turn.firm("reveal.none")
    return none_open(turn)


@move("check.reveal", by=["gm"], when=_may_reveal)
def reveal(turn: Turn) -> Iterator[Event]:
    """Reveal a hidden action

    From now on the players see it as it is, with its character and any dice that were rolled.
    """
    check = turn.here
    for id in (check.actor, check.against):
        one = turn.table.characters.get(id)
        if one is not None and one.hidden:
            yield CharacterSet(one.revealed())
    yield turn.amend(check, turn.words.say("amend.revealed", title=check.title), seen_by=None)


@whenever(DiceRolled)
def _announce(turn: Turn, event: DiceRolled) -> Iterator[Event]:
    """At tables that announce `hidden_rolls`, say that the GM has rolled something hidden.

    Once a move: more would tell the players what the dice did.
    """
    check = turn.table.checks.get(event.check)
    if check is None or not check.hidden or turn.hidden_roll_announced:
        return
    if turn.option("hidden_rolls") == "announced":
        turn.hidden_roll_announced = True
        yield Said(turn.seat.id, turn.words["hidden.announced"])
