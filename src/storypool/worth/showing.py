"""The choice of a picture for the odds of a pool or two, for the terminal and the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from storypool import systems
from storypool.engine.refusal import Refusal, Refused
from storypool.odds.question import Reckoned, within_limits
from storypool.words import Phrase, Words
from storypool.words.languages import ENGLISH, Language

if TYPE_CHECKING:
    from storypool.pictures.charts import Picture

Kind = Literal["bar", "curve", "map", "compare"]
"""Bars of the outcomes, the curve of an axis, the map of two axes, or two pools compared."""

KINDS: tuple[Kind, ...] = get_args(Kind)
AXES = {"bar": 0, "curve": 1, "map": 2, "compare": 1}
"""The most axes that can be named for a picture."""


def picture(
    of: Reckoned,
    other: Reckoned | None = None,
    kind: Kind | None = None,
    axes: Sequence[str] = (),
    language: Language = ENGLISH,
) -> Picture:
    """A picture of one pool, or of two compared; bars by default.

    Two pools are compared by their outcomes, or by their curves when an axis is named. A curve
    shows the first axis unless one is named, and a map the first two. `Refused` for an unknown
    axis, for too many axes or dice, and for a second pool that is missing or cannot be shown.
    """
    kind = kind or ("bar" if other is None else "compare")
    if (kind == "compare") != (other is not None):
        raise _no("second" if other is None else "alone", "picture", picture=kind)
    known = of.distribution.axes
    for axis in axes:
        if any(axis not in one.distribution.axes for one in (of, other) if one is not None):
            raise _no("axis", "axis", axis=axis[:40], known=", ".join(known))
    if len(axes) > AXES[kind] or len(set(axes)) < len(axes):
        raise _no("axis.most", "axis", picture=kind, most=AXES[kind], known=", ".join(known))
    # Imported late: a terminal that prints only numbers does not need them.
    from storypool.pictures.charts import bars, curves
    from storypool.pictures.maps import heat

    with within_limits():
        if other is not None:
            return _compared(of, other, axes, language)
        heading, shown = title(of, language), of.labelled()
        if kind == "map":
            chosen = [*axes, *(axis for axis in known if axis not in axes)]
            if len(chosen) < 2:
                raise _no("axes", "picture")
            down, across = map(of.called, chosen[:2])
            return heat(heading, shown.distribution, (down, across), language)
        if kind == "curve":
            axis = of.called(axes[0] if axes else known[0])
            return curves(heading, axis, {"": shown.distribution}, language)
        return bars(heading, {"": shown.outcomes}, language)


def title(of: Reckoned, language: Language = ENGLISH) -> str:
    """The title: the pool in the notation of the game, then the terms."""
    asked, show = of.question, systems.dice(of.system).NOTATION.show
    pool = show(asked.pool)
    if asked.against is not None:
        pool = language.program.say("picture.against", pool=pool, against=show(asked.against))
    terms = (of.in_words.get(key, f"{key}={value}") for key, value in asked.terms.items())
    assumed = (_assumed(of, key, language.program) for key in of.assumed)
    without = [language.program[f"picture.without.{of.without}"]] if of.without else []
    return ", ".join([pool, *terms, *assumed, *without])


def _assumed(of: Reckoned, key: str, words: Words) -> str:
    """A term that was not given, and the value used for it."""
    if key in of.in_words:
        return words.say("picture.assumed.named", term=of.in_words[key])
    return words.say("picture.assumed", key=key, value=of.assumed[key])


def _compared(of: Reckoned, other: Reckoned, axes: Sequence[str], language: Language) -> Picture:
    from storypool.pictures.charts import bars, curves

    words, one, two = language.program, title(of, language), title(other, language)
    # A pool may be compared with itself, and then it needs two names.
    two = two if two != one else words.say("picture.again", pool=two)
    shown = {one: of.labelled(), two: other.labelled()}
    if axes:
        axis = of.called(axes[0])
        heading = words.say("picture.compared.axis", axis=axis)
        lines = {name: each.distribution for name, each in shown.items()}
        return curves(heading, axis, lines, language)
    both = {name: each.outcomes for name, each in shown.items()}
    return bars(words["picture.compared"], both, language)


def _no(key: str, field: str, **values: object) -> Refused:
    return Refused(Refusal.of("argument", Phrase(f"picture.{key}", **values), field))
