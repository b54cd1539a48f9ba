"""Challenge dice, at a table that plays with them. Source: dune.md 4.5."""

from storypool.engine import rules as r
from storypool.systems.twod20.dice import AXES, CHALLENGE

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
def roll_challenge(turn: r.Turn) -> r.Events:
    """Roll challenge dice

    Where the table plays with them: a total, and how many effects.
    """
    rolled = turn.cast(r.Bag(challenge=turn.number("n", 2)), turn.numbers("faces"))
    net = AXES.net(r.symbols(rolled, [CHALLENGE]))
    effects = turn.words.say("lies.effects", n=net["effects"])
    text = turn.words.say("challenge.told", n=net["total"], effects=effects, text=turn.text("text"))
    yield r.DiceRolled("", turn.seat.id, rolled, text.strip())
