"""Coins with heads and tails, sparks that flash, and weights that pull down."""

from __future__ import annotations

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.engine.notation import Notation

COIN = Die("coin", (Bag(heads=1), Bag(tails=1)))
SPARK = Die("spark", (Bag(), Bag(heads=1), Bag(heads=1, flash=1)))
WEIGHT = Die("weight", (Bag(), Bag(tails=1), Bag(tails=2)))
DICE = (COIN, SPARK, WEIGHT)
AXES = Axes(
    {"heads": Bag(heads=1), "tails": Bag(heads=-1), "flash": Bag(flash=1)}, {"heads": "tails"}
)
NOTATION = Notation(
    ("coin", "spark"),
    ("weight",),
    {"letters": {"C": "coin", "S": "spark", "W": "weight"}},
    empty=Bag(weight=1),
)
