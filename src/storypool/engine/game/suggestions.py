"""A player's answers in the GM's place: suggestions, until the GM agrees."""

from collections.abc import Iterable

from storypool.engine.game.asks import Ask, decided_before, worded
from storypool.engine.game.turn import Turn
from storypool.engine.table import Value


def suggestions(turn: Turn, asks: Iterable[Ask]) -> dict[str, str]:
    """This seat's suggested answers to the GM's questions, in words, by question.

    The GM's own earlier decisions are not suggestions.
    """
    found = {}
    for ask in asks:
        value = turn.args.get(ask.name)
        # A number may be 0, which is an answer.
        if (
            value is not None
            and value is not False
            and ask.suggests(turn)
            and value != decided_before(turn, ask)
        ):
            found[ask.name] = named(turn, ask, value)
    return found


def named(turn: Turn, ask: Ask, value: Value) -> str:
    """An answer with its question, in words; a game may define `suggestion.answer.NAME`."""
    name, key = worded(turn, ask), f"suggestion.answer.{ask.name}"
    if key not in turn.words:
        key = "suggestion.asked" if name.endswith("?") else "suggestion.answer"
    return turn.words.say(key, name=name, answer=answer(turn, ask, value))


def answer(turn: Turn, ask: Ask, value: Value) -> str:
    """An answer in words: the label of a choice, or the value itself."""
    labels = {choice.value: choice.label for choice in ask.offered(turn.as_read())}
    several = value if isinstance(value, tuple) else (value,)
    return turn.words["list.comma"].join(labels.get(str(one), str(one)) for one in several)
