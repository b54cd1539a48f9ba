"""The exact odds of a pool of Lantern, pushed or not."""

from __future__ import annotations

from lantern.dice import AXES, LIGHT, SHADE
from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.odds import Distribution, ge, odds
from storypool.odds.question import Question, Reckoned, chosen, within_limits

TERMS = {"push": ("no", "yes")}

# A 1 and a 6 stay; each of the other four faces is rolled once more. So a pushed die has 36 faces,
# alike in chance.
PUSHED = Die(
    "pushed",
    tuple(face for first in LIGHT.faces for face in ([first] * 6 if first else LIGHT.faces)),
)


def reckon(question: Question) -> Reckoned:
    """The odds of a pool; pushed, `dread` is what comes of the 1s."""
    pushed = chosen(question.terms, TERMS)["push"] == "yes"
    found = distribution(question.pool, pushed)
    return Reckoned("lantern", question, found, {"pass": found.p(success=ge(1))})


def distribution(pool: Bag, pushed: bool) -> Distribution:
    """The joint odds of successes and 1s."""
    with within_limits():
        return odds({PUSHED if pushed else LIGHT: pool["light"], SHADE: pool["shade"]}, AXES)
