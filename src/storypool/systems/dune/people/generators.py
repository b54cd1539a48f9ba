"""Story hooks. Source: seed 004, Story Hook Generator."""

from storypool.engine import rules as r
from storypool.words import Words

HOOKS = r.rows("storypool.systems.dune", "hooks")
"""The entries of each column."""


def _columns(turn: r.Turn) -> list[str]:
    return [*HOOKS] if turn.text("column") in ("", "all") else [turn.text("column")]


def hook(words: Words, column: str, face: int) -> str:
    """The entry of a column under a face of a d20: four faces to a row.

    >>> words = Words({}).also(HOOKS, "hook")
    >>> hook(words, "location", 1), hook(words, "location", 20)
    ('A warehouse', 'The desert')
    """
    return words[f"hook.{column}.{(face - 1) // 4 + 1}"]


@r.gm_move(
    "hook.roll",
    asks=[
        r.ChoiceAsk("column", "Which column?", r.answers("hook", "all", *HOOKS), default="all"),
        r.faces_of(lambda t: r.Bag(d20=len(_columns(t)))),
    ],
    rule="Story Hook Generator",
    place=r.at("generators", 63),
)
def roll_hook(turn: r.Turn) -> r.Events:
    """Roll a story hook

    A d20 for each column, seen by the GM alone; one column can be rolled again.
    """
    columns = _columns(turn)
    rolled = turn.cast(r.Bag(d20=len(columns)), turn.numbers("faces"))
    yield r.gm_only(r.DiceRolled("", turn.seat.id, rolled, turn.words["hook.rolled"]))
    for column, one in zip(columns, rolled, strict=True):
        text = hook(turn.words, column, one.face)
        text = turn.words.say("hook.told", column=turn.words[f"hook.{column}"], text=text)
        written = r.Trait(f"hook-{column}", "hook", text, by=turn.seat.id, at=column)
        yield r.gm_only(r.TraitSet(written))
