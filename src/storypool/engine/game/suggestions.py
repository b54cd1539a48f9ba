"""What a player answers in the GM's place: a suggestion, until the GM agrees."""

from collections.abc import Iterable

from storypool.engine.game.asks import Ask, decided_before, worded
from storypool.engine.game.turn import Turn
from storypool.engine.table import Value


def suggestions(turn: Turn, asks: Iterable[Ask]) -> dict[str, str]:
    """This seat's suggested answers to the GM's questions, in words, by question.

    What the GM decided beforehand in the same way is no suggestion.
    """
    found = {}
    for ask in asks:
        value = turn.args.get(ask.name)
        # A number may be 0, which is not the same as no answer.
        if (
            value is not None
            and value is not False
            and ask.suggests(turn)
            and value != decided_before(turn, ask)
        ):
            found[ask.name] = named(turn, ask, value)
    return found


def named(turn: Turn, ask: Ask, value: Value) -> str:
    """Return an answer with its question, in words; a game may have its own,
    `suggestion.answer.NAME`.
    """
    name, own = worded(turn, ask), f"suggestion.answer.{ask.name}"
    key = (
        own
        if own in turn.words
        else "suggestion.asked"
        if name.endswith("?")
        else "suggestion.answer"
    )
    return turn.words.say(key, name=name, answer=answer(turn, ask, value))


def answer(turn: Turn, ask: Ask, value: Value) -> str:
    """Return an answer in words: the label of a choice, or the value itself."""
    labels = {choice.value: choice.label for choice in ask.offered(turn)}
    return labels.get(str(value), str(value))
