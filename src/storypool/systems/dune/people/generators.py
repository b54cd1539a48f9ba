"""Story hooks and challenge dice. Source: seed 004, Story Hook Generator; dune.md 4.5."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.twod20.dice import AXES, CHALLENGE
from storypool.words import Words

HOOKS = r.rows("storypool.systems.dune", "hooks")
"""The entries of each column."""


def _asked(turn: r.Turn) -> list[str]:
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
        r.faces_of(lambda t: r.Bag(d20=len(_asked(t)))),
    ],
    rule="Story Hook Generator",
    place=r.at("generators", 63),
)
def roll_hook(turn: r.Turn) -> Iterator[r.Event]:
    """Roll a story hook

    A d20 for each column, seen by the GM alone; one column can be rolled again.
    """
    columns = _asked(turn)
    rolled = turn.cast(r.Bag(d20=len(columns)), turn.numbers("faces"))
    yield r.gm_only(r.DiceRolled("", turn.seat.id, rolled, turn.words["hook.rolled"]))
    for column, one in zip(columns, rolled, strict=True):
        text = hook(turn.words, column, one.face)
        text = turn.words.say("hook.told", column=turn.words[f"hook.{column}"], text=text)
        written = r.Trait(f"hook-{column}", "hook", text, by=turn.seat.id, at=column)
        yield r.gm_only(r.TraitSet(written))


_plays_with_them = r.requires(
    lambda t: t.option("challenge_dice") == "yes", "challenge.none", firm=True
)


@r.move(
    "challenge.roll",
    when=r.all_of(r.in_session, _plays_with_them),
    asks=[
        r.NumberAsk("n", "How many?", default=2, low=1, high=20),
        r.TextAsk("text", "What for?", needed=False),
        r.faces_of(lambda t: r.Bag(challenge=t.number("n", 2))),
    ],
    rule="The 2d20 family: challenge dice",
    place=r.at("actions", 75),
)
def roll_challenge(turn: r.Turn) -> Iterator[r.Event]:
    """Roll challenge dice

    Where the table plays with them: a total, and how many effects.
    """
    rolled = turn.cast(r.Bag(challenge=turn.number("n", 2)), turn.numbers("faces"))
    net = AXES.net(r.symbols(rolled, [CHALLENGE]))
    effects = turn.words.say("lies.effects", n=net["effects"])
    text = turn.words.say("challenge.told", n=net["total"], effects=effects, text=turn.text("text"))
    yield r.DiceRolled("", turn.seat.id, rolled, text.strip())
