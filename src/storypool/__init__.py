"""A live table for role-playing games whose dice carry symbols and whose stories run on shared
points.

As a library it is one namespace: the odds of any dice, the games, and a table in memory.

>>> import storypool
>>> (2 @ storypool.d6).p(storypool.ge(7))
Fraction(7, 12)

`d6` is the roll of a six-sided die, `odds(d(6))`, and so is `d` with any other number.

A name is imported with its module when it is first used; `import storypool` alone imports nothing.
"""

__version__ = "0.1.0"

__all__ = [
    "Allowance",
    "Axes",
    "BadFile",
    "BadValue",
    "Bag",
    "Condition",
    "Die",
    "Distribution",
    "LocalTable",
    "Misused",
    "NotationError",
    "PlayError",
    "Record",
    "Refusal",
    "Refused",
    "StorypoolError",
    "TooManyDice",
    "UnknownAxis",
    "UnknownSystem",
    "allowing",
    "bars",
    "between",
    "by_face",
    "curves",
    "d",
    "decide",
    "die",
    "drop",
    "eq",
    "events",
    "evolve",
    "explode",
    "fold",
    "ge",
    "get",
    "grid",
    "gt",
    "heat",
    "keep",
    "languages",
    "le",
    "load",
    "lt",
    "names",
    "odds",
    "offers",
    "parse",
    "perform",
    "reroll",
    "rerolls",
    "runs",
    "seen",
    "sentences",
    "sets",
    "transcript",
    "verified",
    "view",
    "waiting",
]

TYPE_CHECKING = False  # Type checkers know it by its name, and importing it would take too long.
if TYPE_CHECKING:
    from storypool.engine import events
    from storypool.engine.bag import Bag
    from storypool.engine.decisions import decide
    from storypool.engine.dice import Axes, Die, Misused, d
    from storypool.engine.events import Record
    from storypool.engine.fold import evolve, fold
    from storypool.engine.notation import NotationError
    from storypool.engine.offers import offers
    from storypool.engine.refusal import Refusal, Refused
    from storypool.engine.sight import seen, view
    from storypool.engine.story import sentences, transcript
    from storypool.engine.waiting import waiting
    from storypool.log.export import BadFile, load
    from storypool.log.verified import verified
    from storypool.odds import (
        Allowance,
        Condition,
        Distribution,
        TooManyDice,
        UnknownAxis,
        allowing,
        between,
        by_face,
        die,
        drop,
        eq,
        explode,
        ge,
        gt,
        keep,
        le,
        lt,
        odds,
        parse,
        reroll,
        rerolls,
        runs,
        sets,
    )
    from storypool.pictures.charts import bars, curves
    from storypool.pictures.maps import grid, heat
    from storypool.play import LocalTable, PlayError, perform
    from storypool.systems import UnknownSystem, get, names
    from storypool.words import BadValue, StorypoolError
    from storypool.words.languages import languages

    d4 = d6 = d8 = d10 = d12 = d20 = d100 = odds(d(6))

_MODULES = {
    "storypool.engine.bag": "Bag",
    "storypool.engine.decisions": "decide",
    "storypool.engine.dice": "Axes Die Misused d",
    "storypool.engine.events": "Record",
    "storypool.engine.fold": "evolve fold",
    "storypool.engine.notation": "NotationError",
    "storypool.engine.offers": "offers",
    "storypool.engine.refusal": "Refusal Refused",
    "storypool.engine.sight": "seen view",
    "storypool.engine.story": "sentences transcript",
    "storypool.engine.waiting": "waiting",
    "storypool.log.export": "BadFile load",
    "storypool.log.verified": "verified",
    "storypool.odds": "Allowance Condition Distribution TooManyDice UnknownAxis allowing between"
    " by_face die drop eq explode ge gt keep le lt odds parse reroll runs sets",
    "storypool.pictures.charts": "bars curves",
    "storypool.pictures.maps": "grid heat",
    "storypool.play": "LocalTable PlayError perform",
    "storypool.systems": "UnknownSystem get names",
    "storypool.words": "BadValue StorypoolError",
    "storypool.words.languages": "languages",
}
"""The names by their modules."""

_PARTS = {
    "events": "storypool.engine.events",
    "odds": "storypool.odds",
    "rerolls": "storypool.odds.rerolls",
}
"""The names that are modules. `odds` is one that can be called: see there."""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:  # A type checker would take any name for one of its names.

    def __getattr__(name):
        """The object of this name, imported on first use; `d6` is `odds(d(6))`."""
        from importlib import import_module

        homes = (module for module, names in _MODULES.items() if name in names.split())
        if name in _PARTS:
            found = import_module(_PARTS[name])
        elif module := next(homes, ""):
            found = getattr(import_module(module), name)
        elif import_module("re").fullmatch("d[1-9][0-9]{0,4}", name):
            room = import_module("storypool.odds")
            found = room.odds(room.d(int(name[1:])))
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        globals()[name] = found
        return found
