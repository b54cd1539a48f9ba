"""Samples of a pool drawn in bulk, compared with those of Python's `random`.

Both draw from odds computed before, with the same number of draws in each run; runs alternate.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from itertools import accumulate
from random import choices
from time import perf_counter

from benchmarks import brief
from benchmarks.odds import BY_NAME, SMALLER, Run, alternated, in_units
from storypool.odds import odds
from storypool.systems.narrative.symbol_dice import AXES

DRAWS = brief(200_000, 100)


def main() -> None:
    """Print the figures."""
    np, sampling = (import_module(name) for name in ("numpy", "storypool.odds.sampling"))
    print(f"numpy {np.__version__}, {DRAWS:,} draws in each run")
    for label in SMALLER:
        dice = {BY_NAME[name]: n for name, n in SMALLER[label].items()}
        for axes in (("success",), ("success", "advantage"), AXES.names):
            of, rng = odds(dice, AXES).on(*axes), np.random.default_rng(1)
            start = perf_counter()
            sampling.sample(of, 1, rng)
            laid_out = perf_counter() - start
            runs: dict[str, Run] = {
                "ours": partial(sampling.sample, of, DRAWS, rng),
                "random.choices": partial(
                    choices,
                    [*of.row_counts],
                    cum_weights=[*accumulate(of.row_counts.values())],
                    k=DRAWS,
                ),
            }
            times = alternated(runs, 2.0)
            rates = ", ".join(f"{name} {DRAWS / taken / 1e6:.1f}" for name, taken in times.items())
            print(
                f"  {label}  {len(of):,} rows on {len(axes)} axes: million draws a second: {rates}"
            )
            faster = times["random.choices"] / times["ours"]
            print(f"      times as fast: {faster:.1f}; laid out once in {in_units(laid_out)}")
        thrown = alternated(
            {"faces": partial(sampling.faces, dice, DRAWS, np.random.default_rng(1))}, 0.5
        )["faces"]
        print(
            f"  {label}  real faces of {SMALLER[label].total} dice: {DRAWS / thrown / 1e6:.1f}"
            " million rolls a second"
        )
