"""An action of a game file as its form asks for it: questions, and dice for some answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.gamefile.action_stakes import FileStakes
from storypool.odds.question import Question
from storypool.play.local import LocalTable

if TYPE_CHECKING:  # The compiler is imported with the first file, to start the server faster.
    from storypool.gamefile.compiled import CompiledGame

DECLARE, FURTHER = "check.declare", "action"
"""The move of the first action of a file, and the group of the moves of the others."""
UNASKED = frozenset({"title"})
"""Questions that change no dice."""
MOST_QUESTIONS = 24
PLAYED = 2
"""The most ready characters that try the action."""


@dataclass
class PreviewedAction:
    """The action, its questions with these `answers`, and the question about its odds.

    Without a question `refused` says why; both are None for an action without dice.
    """

    action: str
    asks: tuple[AskView, ...] = ()
    answers: dict[str, Any] = field(default_factory=dict)
    question: Question | None = None
    refused: Refused | None = None


def declared(system: System) -> list[str]:
    """The moves that declare the actions of a game, in the order of its file."""
    return [one.key for one in system.moves if DECLARE == one.key or FURTHER == one.group]


def preview(game: CompiledGame, action: str, answers: Mapping[str, Any]) -> PreviewedAction:
    """The action declared by a player at a table in memory.

    A question that is needed and has no usual answer gets its first open one.
    """
    moves = declared(game.system)
    if not moves:
        return PreviewedAction("")  # A draft that has no action yet.
    found = PreviewedAction(action if action in moves else moves[0])
    table = LocalTable(game.system, lambda low, high: low)
    try:
        seat = _seated(table)
        for _ in range(MOST_QUESTIONS):
            found.asks = tuple(
                one
                for one in table.offer(seat, found.action, found.answers).asks
                if one.name not in UNASKED
            )
            added = _next_answer(found, answers)
            if not added:
                break
            found.answers |= added
        table.make(seat, found.action, found.answers)
    except Refused as refused:
        found.refused = refused
        return found
    stakes = game.modules.get("stakes")
    if not isinstance(stakes, FileStakes):
        return found  # A game without dice.
    found.question = stakes.question(table.state, list(table.state.checks.values())[-1])
    return found


def _seated(table: LocalTable) -> str:
    """A player with some ready characters, or a nameless one, in a session."""
    seat = table.sit("Player")
    try:
        begins = table.sit("GM", "gm")
    except Refused:
        begins = seat  # A game without a GM.
    for one in table.system.ready[:PLAYED] or ({"name": "?", "sheet": {}},):
        table.make(seat, "character.add", {"name": one["name"], "sheet": one["sheet"]})
    table.make(begins, "session.begin")
    return seat


def _next_answer(found: PreviewedAction, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to the first question without one, which may bring further questions."""
    for ask in found.asks:
        if ask.name in found.answers:
            continue
        if answers.get(ask.name) is not None:
            return {ask.name: answers[ask.name]}
        if ask.needed and ask.default is None:
            open_now = [one.value for one in ask.choices if not one.closed]
            if ask.kind == "number":
                return {ask.name: ask.low}
            if ask.kind == "several":
                return {ask.name: open_now[: ask.low]}
            if open_now:
                return {ask.name: open_now[0]}
    return {}
