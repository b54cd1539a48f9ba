"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from collections.abc import Mapping

from storypool.engine.bag import Bag
from storypool.engine.folder import read_alone, words_of
from storypool.systems.twod20 import dice, reading
from storypool.words.languages import ENGLISH, Language

PACKAGES = ("storypool.systems.twod20", "storypool.systems.dune")

result = read_alone(dice.result, "dune", *PACKAGES)
"""What these dice show without a test: nothing passes where there is no target number."""


def under(pool: Bag, terms: Mapping[str, str], language: Language = ENGLISH) -> reading.Reading:
    """Each die that a test rolls under these terms, and what reads the roll."""
    return reading.under(pool, terms, words_of("dune", language, *PACKAGES))
