"""Pools that are rolled without a table, in any game, and their exact odds, as texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import randbelow

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Rolled
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.story.dice_sentences import dice_in_words
from storypool.odds import question
from storypool.odds.allowance import SURFACES, allowing
from storypool.words import Phrase
from storypool.words.languages import Language

ODDS_SECONDS = 5.0
"""The most seconds that counting the odds of a pool may take, as it is estimated before."""
LONGEST_FRACTION = 24
"""The most letters of an exact chance; a longer one is shown as its percentage alone."""
FURTHER_ROLLS = 100
"""The most further rolls of all dice of a pool that explode."""


@dataclass(frozen=True, slots=True)
class AskedPool:
    """A pool of a game with its terms, as it was typed and as it is written."""

    game: str
    pool: Bag
    terms: Mapping[str, str]

    @property
    def text(self) -> str:
        """The pool in the game's notation with its terms, which `read_pool` reads again."""
        shown = systems.dice(self.game).NOTATION.show(self.pool)
        return " ".join([shown, *(f"{key}={value}" for key, value in self.terms.items())])


def games(language: Language) -> dict[str, str]:
    """The names of the games that have dice, by key; this imports all of them."""
    return {
        key: systems.get(key, language).name for key in systems.playable() if systems.dice(key).DICE
    }


def has_odds(game: str) -> bool:
    """Whether a game can say the exact odds of its pools."""
    try:
        return bool(systems.odds(game))
    except Refused:
        return False


def read_pool(game: str, text: str) -> AskedPool:
    """A pool that was typed; `Refused` with the place where it cannot be read."""
    typed, terms = question.terms_of(text.split())
    notation = systems.dice(game).NOTATION
    try:
        return AskedPool(game, notation.thrown(notation.parse(typed)), terms)
    except NotationError as wrong:
        raise Refused(Refusal.of("argument", wrong, "pool")) from None


def roll(asked: AskedPool, language: Language) -> str:
    """Roll a pool: its dice and its result in words; `Refused` for an unknown term."""
    system = systems.get(asked.game, language)
    dice, judge = systems.under(asked.game, asked.pool, asked.terms, language)
    left = FURTHER_ROLLS + len(dice)

    def once(some: Sequence[Die]) -> list[Rolled]:
        nonlocal left
        left -= len(some)
        if left < 0:
            raise Refused(Refusal.of("argument", Phrase("discord.roll.endless"), "pool"))
        return [Rolled(die.name, die.first + randbelow(die.sides)) for die in some]

    kinds, rolled = systems.thrown(asked.game, dice, once)
    faces = [(die, one.face) for die, one in zip(kinds, rolled, strict=True)]
    say, taken = language.program.say, systems.assumed(asked.game, asked.terms, asked.pool)
    head = say("discord.roll.head", pool=_with_assumed(asked, taken, language), game=system.name)
    shown = dice_in_words(system, faces)
    return "\n".join([head, shown, say("discord.roll.result", result=judge(rolled)[2])])


def exact_odds(asked: AskedPool, language: Language) -> str:
    """The chance of each outcome of a pool; `Refused` where the game or the pool has none."""
    say = language.program.say
    asking = question.Question(asked.pool, asked.terms)
    with allowing(SURFACES), question.within_limits(ODDS_SECONDS):
        found = systems.odds(asked.game).reckon(asking)
    pool = _with_assumed(asked, found.assumed, language)
    name = systems.get(asked.game, language).name
    lines = [say("discord.odds.head", pool=pool, game=name)]
    for outcome, chance in found.labelled().outcomes.items():
        fraction = question.text(chance)
        values = {"outcome": outcome, "percent": f"{float(chance):.2%}"}
        if len(fraction) > LONGEST_FRACTION:
            lines.append(say("discord.odds.rounded", **values))
        else:
            lines.append(say("discord.odds.outcome", **values, fraction=fraction))
    return "\n".join(lines)


def _with_assumed(asked: AskedPool, taken: Mapping[str, str], language: Language) -> str:
    """The text of a pool, with the terms that were not given and what was taken for them."""
    say = language.program.say
    named = [say("picture.assumed", key=key, value=value) for key, value in taken.items()]
    return ", ".join([asked.text, *named])
