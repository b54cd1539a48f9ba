"""The dice of the 2d20 family: a d20 with a target number, a die fixed at 1, challenge dice.

Source: dune.md 4.1, 4.5 and 4.6. A roll without a table reads this alone,
so it imports neither the table nor the rules.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die, Rolled
from storypool.engine.notation import Notation
from storypool.words import Words

SIDES = 20
BASE = 2
"""How many dice every test has. Source: seed 004, Skill Test Procedure."""
MOST = 5
"""The most dice of a test, without those of helpers. Source: seed 004, Skill Test Procedure."""

D20 = Die("d20", (Bag(),) * SIDES)
"""Its faces mean nothing without a target number."""
ONE = Die("automatic", (Bag(success=2),))
"""A die that Determination sets to 1; it is not rolled."""
HELPER = Die("helper", (Bag(),) * SIDES)
CHALLENGE = Die(
    "challenge", (Bag(harm=1), Bag(harm=2), Bag(), Bag(), *(Bag(harm=1, special=1),) * 2)
)

DICE = (D20, ONE, HELPER, CHALLENGE)

AXES = Axes(
    {
        "success": Bag(successes=1),
        "complication": Bag(complications=1),
        "harm": Bag(total=1),
        "special": Bag(effects=1),
    },
    {},
)

NOTATION = Notation(
    ("d20", "automatic", "helper", "challenge"),
    (),
    {"letters": {"D": "d20", "A": "automatic", "H": "helper", "C": "challenge"}},
    words={"one": "automatic", "ones": "automatic", "helpers": "helper", "challenges": "challenge"},
    goal="target",
)


@cache
def bound(name: str, target: int, critical: int = 1, complications: int = 1) -> Die:
    """A d20 with this name, whose faces are worth successes against a target number.

    A face up to the target is a success; a 1, or such a face up to `critical`, is two. The
    `complications` highest faces are also complications. Source: seed 004, Skill Test Procedure and
    Complications; dune.md 4.1.

    >>> die = bound("d20", 13, 6)
    >>> die.face(6), die.face(13), die.face(14), die.face(20)
    (Bag(success=2), Bag(success=1), Bag(), Bag(complication=1))
    """
    return Die(name, tuple(_face(n, target, critical, complications) for n in range(1, SIDES + 1)))


def _face(n: int, target: int, critical: int, complications: int) -> Bag:
    is_critical = n == 1 or n <= min(critical, target)
    successes = 2 if is_critical else int(n <= target)
    return Bag(success=successes, complication=int(n > SIDES - complications))


def counted(rolled: Iterable[Rolled], dice: Sequence[Die]) -> Bag:
    """The successes and complications of a test, each rolled die bound as the next of its name.

    Helpers' successes only count if the leader has one; their complications always do. Source:
    dune.md 4.1.
    """
    leader, helpers, bound_dice = Bag(), Bag(), list(dice)
    for one in rolled:
        die = next((die for die in bound_dice if die.name == one.die), None)
        if die is None:
            continue
        bound_dice.remove(die)
        if one.die == HELPER.name:
            helpers += die.face(one.face)
        else:
            leader += die.face(one.face)
    total = leader + (helpers if leader["success"] else helpers.only(["complication"]))
    return AXES.net(total)


def result(rolled: Sequence[Rolled], words: Words) -> tuple[bool | None, Bag, str]:
    """The result of dice without a test: total and effects of challenge dice, else the numbers."""
    net = AXES.net(
        sum((CHALLENGE.face(one.face) for one in rolled if one.die == CHALLENGE.name), Bag())
    )
    numbers = ", ".join(str(one.face) for one in rolled if one.die != CHALLENGE.name)
    parts = []
    if any(one.die == CHALLENGE.name for one in rolled):
        parts.append(
            words.say(
                "lies.total", n=net["total"], effects=words.say("lies.effects", n=net["effects"])
            )
        )
    if numbers:
        parts.append(words.say("lies.numbers", numbers=numbers))
    return None, net, " ".join(parts)
