"""The odds of an open action, and what spending points does to them: what a game says in its module
`stakes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from storypool import systems
from storypool.systems.game_files import is_one_page

if TYPE_CHECKING:
    from storypool.engine.table import Check, Table
    from storypool.odds.question import Question, Worth
    from storypool.systems.game_parts import Stakes


def stakes(key: str) -> Stakes | None:
    """Return the module `stakes` of a game, or None for a game that has none."""
    if not systems.is_known(key):
        return None
    return cast("Stakes | None", systems.part(key, "stakes"))


def further(key: str, table: Table, check: Check) -> Iterable[Worth]:
    """Return the worth of moves of a game that do not change the pool of an action, such as rolling
    again.

    They are what `further` in its module `stakes` returns; none for a game that does not say.
    """
    found = getattr(stakes(key), "further", None)
    return cast("Iterable[Worth]", found(table, check)) if found else ()


def scene(key: str, question: Question) -> str | None:
    """Return a play of a game that ends with a player's open action for this question, or None if
    it has none.

    `Refused` if there can be no such action.
    """
    found = getattr(stakes(key), "scene", None)
    return cast(str, found(question)) if found else None


def tried(key: str) -> frozenset[str] | None:
    """Return the moves of a game that can change what an open action rolls, so that only these are
    tried for odds.

    They are `TRIED` in its module `stakes`; None for a game that does not say, as the file that is
    the base of one cannot know the moves that Python adds.
    """
    found, game = stakes(key), systems.file_behind(key) if key in systems.names() else None
    if game is not None and not is_one_page(key) and found is game.modules["stakes"]:
        return None
    return cast("frozenset[str] | None", getattr(found, "TRIED", None))
