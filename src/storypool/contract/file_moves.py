"""What the checks know of the moves of a game file."""

from storypool import systems
from storypool.engine.game.system import System
from storypool.gamefile.doing import REFUNDED
from storypool.gamefile.file_format.schema import MoveRow

__all__ = ["changes_the_action_alone", "reads_its_price"]


def changes_the_action_alone(system: System, key: str) -> bool:
    """Whether all effects of a move from a game file end with a cancelled action."""
    row = _row(system, key)
    return row is not None and all(do.verb in REFUNDED for do in row.do)


def reads_its_price(system: System, key: str) -> bool:
    """Whether the condition of a move from a game file reads points that the move costs."""
    row = _row(system, key)
    if row is None or row.only is None:
        return False
    return any(row.only.names & price.keys() for price in row.price)


def _row(system: System, key: str) -> MoveRow | None:
    """The row of a move in the file behind a game; None if there is none."""
    file = systems.file_behind(system.key)
    rows = file.game.move if file is not None else ()
    return next((row for row in rows if key == f"move.{row.key}"), None)
