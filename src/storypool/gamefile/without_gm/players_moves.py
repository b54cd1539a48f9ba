"""The moves of a table without a GM: those of a GM are the players', and nothing is hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from storypool.engine import rules as r
from storypool.engine.copies import replace

__all__ = ["OPTIONS", "players_moves", "players_words"]

GONE = frozenset(
    {
        *("character.show", "character.give", "trait.show", "check.reveal"),
        *("try.add", "try.call", "try.decline", "check.agree", "check.standing"),
        *("proposal.accept", "proposal.decline"),
    }
)
"""The moves that only a GM needs: for what is hidden, suggested, or asked of players."""
AGREED = frozenset({"points.correct", "trait.remove", "table.undo", "choice.reveal"})
"""The moves to which another player agrees, if there is one."""
OPTIONS = frozenset({"enforcement", "look"})
"""The options of every table that do not divide a GM from the players."""
NAMES = (
    ("The GM's", "Another player's"),
    ("the GM's", "another player's"),
    ("The GM", "Another player"),
    ("the GM", "another player"),
    ("a GM", "a player"),
    ("GMs", "players"),
    ("GM", "player"),
)
"""What a sentence calls a GM, and what it says in a game without one."""
HIDING = "secret"
"""The question whether something is hidden from the players."""


def players_moves(moves: Iterable[r.Move]) -> Iterator[r.Move]:
    """The moves of a game, each for players in a GM's place."""
    for move in moves:
        if move.key in GONE:
            continue
        by = (*(side for side in move.by if side not in ("gm", "player")), "player")
        asks = tuple(ask for ask in move.asks if ask.name != HIDING)
        approval: Callable[[r.Turn], bool | str] | None = move.approval
        if move.key in AGREED or approval is r.proposes:
            approval = _with_another
        elif move.key == "zone.place":
            approval = _placed_already(move)
        yield replace(move, by=by, asks=asks, approval=approval)


def players_words(words: Mapping[str, str]) -> dict[str, str]:
    """These sentences, of another player where they are of a GM."""
    found = {}
    for id, text in words.items():
        for gm, player in NAMES:
            text = text.replace(gm, player)
        found[id] = text
    return found


def _placed_already(placing: r.Move) -> Callable[[r.Turn], bool | str]:
    """Whether another player is there to agree to a new place of one who has one already."""
    again = placing.approval
    return lambda turn: _with_another(turn) and again is not None and again(turn)


def _with_another(turn: r.Turn) -> bool:
    """Whether another player is there to agree."""
    return len(r.players(turn.table)) > 1
