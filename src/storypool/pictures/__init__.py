"""Pictures of odds as SVG text, each with its numbers as a table: bars, curves, a map of two axes, a map of a grid.

>>> from fractions import Fraction
>>> picture = bars("A coin", {"": {"heads": Fraction(1, 3), "tails": Fraction(2, 3)}})
>>> picture.about
'heads 33.3 %; tails 66.7 %'
>>> picture.table.rows
(('heads', Fraction(1, 3)), ('tails', Fraction(2, 3)))
>>> picture.svg("dark").startswith('<svg xmlns="http://www.w3.org/2000/svg" width="360"')
True
"""

from __future__ import annotations

from storypool.pictures.charts import Picture, bars, curves
from storypool.pictures.drawing import Theme
from storypool.pictures.maps import grid, heat
from storypool.pictures.rows import Table, percent

__all__ = ["Picture", "Table", "Theme", "bars", "curves", "grid", "heat", "percent"]
