"""Questions about single dice and rolls, cold, compared with icepool and dyce.

First the ten tasks that docs/odds-cookbook.md begins with, as they are written there; icepool ends
each with the mean where ours is a chance.

Cold means that no earlier question helps: the caches of icepool for pools and evaluations are
dropped before each run, and so are our pools. Single dice are made before, by all.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from storypool.odds import (
    by_face,
    d,
    drop,
    explode,
    ge,
    keep,
    le,
    odds,
    reroll,
    rollable,
    runs,
    sets,
)
from tools import cookbook

Run = Callable[[], object]


class Verb(NamedTuple):
    """One question to us, icepool and dyce, from their modules; None where one cannot answer."""

    ours: Run
    icepool: Callable[[Any], Run] | None = None
    dyce: Callable[[Any], Run] | None = None


VERBS: Mapping[str, Verb] = {
    "4d6, keep 3": Verb(
        lambda: keep(4 @ d(6), highest=3).counts,
        lambda lib: partial(lambda a: a.highest(4, 3), lib.d(6)),
        lambda lib: partial(lambda a: (4 @ a).at(slice(-3, None)), lib.P(6)),
    ),
    "10d10, keep 3": Verb(
        lambda: keep(10 @ d(10), highest=3).counts,
        lambda lib: partial(lambda a: a.highest(10, 3), lib.d(10)),
        lambda lib: partial(lambda a: (10 @ a).at(slice(-3, None)), lib.P(10)),
    ),
    "10d10, keep the lowest 3": Verb(
        lambda: keep(10 @ d(10), lowest=3).counts,
        lambda lib: partial(lambda a: a.lowest(10, 3), lib.d(10)),
        lambda lib: partial(lambda a: (10 @ a).at(slice(3)), lib.P(10)),
    ),
    "10d10, drop the lowest": Verb(
        lambda: drop(10 @ d(10), lowest=1).counts,
        lambda lib: partial(lambda a: a.highest(10, 9), lib.d(10)),
        lambda lib: partial(lambda a: (10 @ a).at(slice(1, None)), lib.P(10)),
    ),
    "2d6 + 2d8 + d10, keep 3": Verb(
        lambda: keep(2 @ d(6) + 2 @ d(8) + d(10), highest=3).counts,
        lambda lib: partial(
            lambda *dice: lib.Pool(dice).highest(3).sum(), *map(lib.d, (6, 6, 8, 8, 10))
        ),
        lambda lib: partial(
            lambda *dice: lib.P(*dice).at(slice(-3, None)), *map(lib.H, (6, 6, 8, 8, 10))
        ),
    ),
    "the higher of 2d20": Verb(
        lambda: keep(2 @ d(20), highest=1).counts,
        lambda lib: partial(lambda a: a.highest(2), lib.d(20)),
        lambda lib: partial(lambda a: (2 @ a).at(-1), lib.P(20)),
    ),
    "the lowest of 20d20": Verb(
        lambda: keep(20 @ d(20), lowest=1).counts,
        lambda lib: partial(lambda a: a.lowest(20), lib.d(20)),
        lambda lib: partial(lambda a: (20 @ a).at(0), lib.P(20)),
    ),
    "the higher of 3d6 and 2d10": Verb(
        lambda: keep([odds(3 @ d(6)), odds(2 @ d(10))], highest=1).counts,
        lambda lib: partial(lambda a, b: lib.highest(3 @ a, 2 @ b), lib.d(6), lib.d(10)),
        lambda lib: partial(lambda a, b: lib.P(3 @ a, 2 @ b).at(-1), lib.H(6), lib.H(10)),
    ),
    "5d6, the largest set and its face": Verb(
        lambda: sets(5 @ d(6)).counts,
        lambda lib: partial(lambda a: a.pool(5).largest_count_and_outcome(), lib.d(6)),
        lambda lib: partial(
            lambda a: _survey(5 @ a, lambda best, face, n: max(best, (n, face)), (0, 0)), lib.P(6)
        ),
    ),
    "10d10, the largest set and its face": Verb(
        lambda: sets(10 @ d(10)).counts,
        lambda lib: partial(lambda a: a.pool(10).largest_count_and_outcome(), lib.d(10)),
        lambda lib: partial(
            lambda a: _survey(10 @ a, lambda best, face, n: max(best, (n, face)), (0, 0)), lib.P(10)
        ),
    ),
    "10d10, the longest run and its end": Verb(
        lambda: runs(10 @ d(10)).counts,
        lambda lib: partial(lambda a: a.pool(10).largest_straight_and_outcome(), lib.d(10)),
    ),
    "10d10, different faces": Verb(
        lambda: (
            by_face(10 @ d(10), ["different"], 0, lambda so_far, face, n: so_far + (n > 0)).counts
        ),
        lambda lib: partial(lambda a: a.pool(10).unique().size(), lib.d(10)),
        lambda lib: partial(
            lambda a: _survey(10 @ a, lambda so_far, face, n: so_far + (n > 0), 0), lib.P(10)
        ),
    ),
    "a d6 that explodes, at most 9 times": Verb(
        lambda: explode(d(6), times=9).counts,
        lambda lib: partial(lambda a: a.explode(depth=9), lib.d(6)),
        lambda lib: partial(lambda a: lib.explode_n(a, n=9), lib.H(6)),
    ),
    "10 d6 that explode, at most 3 times": Verb(
        lambda: (10 @ explode(d(6), times=3)).counts,
        lambda lib: partial(lambda a: 10 @ a.explode(depth=3), lib.d(6)),
        lambda lib: partial(lambda a: 10 @ lib.explode_n(a, n=3), lib.H(6)),
    ),
    "a d6, 1 and 2 rolled again once": Verb(
        lambda: reroll(d(6), le(2), times=1).counts,
        lambda lib: partial(lambda a: a.reroll([1, 2], depth=1), lib.d(6)),
        lambda lib: partial(
            lambda a: lib.expand(lambda one: one.h if one.outcome <= 2 else one.outcome, a),
            lib.H(6),
        ),
    ),
    "3d6 - 2d8": Verb(
        lambda: (odds(3 @ d(6)) - odds(2 @ d(8))).counts,
        lambda lib: partial(lambda a, b: 3 @ a - 2 @ b, lib.d(6), lib.d(8)),
        lambda lib: partial(lambda a, b: 3 @ a - 2 @ b, lib.H(6), lib.H(8)),
    ),
    "5 * 3d6": Verb(
        lambda: (5 * odds(3 @ d(6))).counts,
        lambda lib: partial(lambda a: 5 * (3 @ a), lib.d(6)),
        lambda lib: partial(lambda a: 5 * (3 @ a), lib.H(6)),
    ),
    "10d6, standard deviation": Verb(
        lambda: odds(10 @ d(6)).standard_deviation(),
        lambda lib: partial(lambda a: (10 @ a).standard_deviation(), lib.d(6)),
        lambda lib: partial(lambda a: (10 @ a).stdev(), lib.H(6)),
    ),
    "10d6, what comes up most often": Verb(
        lambda: odds(10 @ d(6)).mode(),
        lambda lib: partial(lambda a: (10 @ a).mode(), lib.d(6)),
    ),
    "10d6, 40 or more": Verb(
        lambda: odds(10 @ d(6)).p(ge(40)),
        lambda lib: partial(lambda a: (10 @ a).probability(">=", 40), lib.d(6)),
        lambda lib: partial(lambda a: (10 @ a).ge(40), lib.H(6)),
    ),
    "10d6, row by row": Verb(
        lambda: list(odds(10 @ d(6))),
        lambda lib: partial(lambda a: list((10 @ a).items()), lib.d(6)),
        lambda lib: partial(lambda a: list((10 @ a).probability_items()), lib.H(6)),
    ),
}


def compare_verbs(
    libraries: Mapping[str, Any], alternated: Callable[..., dict[str, float]]
) -> None:
    """Print the time of each question, in turns, and our speed relative to the fastest other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce calls some of what is asked here experimental
        _compare("The ten tasks that are asked most", most_asked(), libraries, alternated)
        _compare("Single dice and rolls, cold", VERBS, libraries, alternated)


def most_asked() -> Mapping[str, Verb]:
    """The first ten questions of the cookbook, each answered by its own text."""
    asked = {}
    for recipe in cookbook.most_asked():
        ours = _answer(recipe.ours, cookbook.our_names())
        theirs = {
            name: partial(_their_answer, recipe.others[name], isinstance(ours(), Fraction))
            for name in ("icepool", "dyce")
        }
        asked[recipe.title] = Verb(ours, **theirs)
    return asked


def _answer(text: str, names: Mapping[str, Any]) -> Run:
    answer: Run = eval(f"lambda: {text}", dict(names))
    return answer


def _their_answer(text: str, is_number: bool, library: Any) -> Run:
    names = cookbook.their_names(library)
    if is_number and hasattr(_answer(text, names)(), "items"):
        text = f"({text}).mean()"
    return _answer(text, names)


def _compare(
    heading: str,
    verbs: Mapping[str, Verb],
    libraries: Mapping[str, Any],
    alternated: Callable[..., dict[str, float]],
) -> None:
    print(f"\n{heading}")
    for title, verb in verbs.items():
        theirs = {name: getattr(verb, name) for name in ("icepool", "dyce") if name in libraries}
        runs = {"ours": _cold(verb.ours, rollable._pools.clear)}
        runs |= {
            name: _forgetting(name, libraries[name], ask) for name, ask in theirs.items() if ask
        }
        times = alternated(runs, 0.5)
        texts = ", ".join(f"{name} {seconds * 1e6:.0f} us" for name, seconds in times.items())
        fastest = min((times[name] for name in times if name != "ours"), default=None)
        ratio = (
            ""
            if fastest is None
            else f"; {fastest / times['ours']:.1f} times as fast as the fastest"
        )
        print(f"  {title}: {texts}{ratio}")


def _cold(run: Run, *forget: Run) -> Run:
    def forgetting() -> object:
        for each in forget:
            each()
        return run()

    return forgetting


def _forgetting(name: str, library: Any, ask: Callable[[Any], Run]) -> Run:
    """A run of a library without caches of the previous one."""
    run = ask(library)
    if name != "icepool":
        return run
    run()
    kind = library.MultisetEvaluator.__mro__[1]
    kept = [
        one._cache for one in gc.get_objects() if isinstance(one, kind) and hasattr(one, "_cache")
    ]
    return _cold(run, *(cache.clear for cache in kept), library.Pool.clear_cache)


def _survey(pool: Any, step: Callable[..., object], start: object) -> object:
    return pool.survey(accumulate=step, initial=start, order=sorted)
