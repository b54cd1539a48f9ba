"""Which picture shows the odds of a pool, or of two compared: the same choice for the terminal and the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from storypool.pictures import Picture, bars, curves, heat
from storypool.refusal import Refusal, Refused
from storypool.systems.answers import Reckoned, within_limits
from storypool.words import house

Kind = Literal["bar", "curve", "map", "compare"]
"""Bars of the outcomes, the curve of one axis, the map of two axes, and two pools beside each other."""

KINDS: tuple[Kind, ...] = get_args(Kind)


def shown(pools: Mapping[str, Reckoned], kind: Kind | None = None, axes: Sequence[str] = ()) -> Picture:
    """A picture of one pool, or of two by their names: bars if nothing is chosen, for two those of both.

    Two pools are compared by their outcomes, and where an axis is named by its curves. A curve shows the first axis
    unless one is named, a map the first two. `Refused` for an axis that is not there, one too many, and a second pool
    that is missing or too many.
    """
    names, reckoned = list(pools), list(pools.values())
    known = reckoned[0].distribution.axes
    kind = kind or ("compare" if len(pools) > 1 else "bar")
    if kind == "compare" and len(pools) < 2:
        raise _no("second", "compare", option="--compare")
    if kind != "compare" and len(pools) > 1:
        raise _no("alone", "picture", picture=kind)
    most = {"bar": 0, "curve": 1, "map": 2, "compare": 1}[kind]
    for axis in axes:
        if any(axis not in one.distribution.axes for one in reckoned):
            raise _no("axis", "axis", axis=axis[:40], known=", ".join(known))
    if len(axes) > most or len(set(axes)) < len(axes):
        raise _no("axis.many", "axis", picture=kind, most=most, known=", ".join(known))
    match kind:
        case "compare":
            title = house().say("picture.compared", one=names[0], other=names[1])
            if axes:
                return curves(axes[0], axes[0], {name: one.distribution for name, one in pools.items()})
            return bars(title, {name: one.outcomes for name, one in pools.items()})
        case "curve":
            return curves(names[0], axes[0] if axes else known[0], {"": reckoned[0].distribution})
        case "map":
            chosen = [*axes, *(axis for axis in known if axis not in axes)]
            if len(chosen) < 2:
                raise _no("axes", "picture")
            return heat(names[0], reckoned[0].distribution, (chosen[0], chosen[1]))
        case _:
            return bars(names[0], {"": reckoned[0].outcomes})


def _no(key: str, field: str, **values: object) -> Refused:
    said, id = house(), f"picture.{key}"
    remedy = said.say(f"{id}.remedy", **values) if f"{id}.remedy" in said else ""
    return Refused(Refusal("argument", said.say(id, **values), remedy=remedy, field=field))
