"""Pictures of odds as SVG text, each with its numbers as a table.

>>> from fractions import Fraction
>>> from storypool.pictures.charts import bars
>>> picture = bars("A coin", {"": {"heads": Fraction(1, 3), "tails": Fraction(2, 3)}})
>>> picture.about
'heads 33.3 %; tails 66.7 %'
>>> picture.table.rows
(('heads', Fraction(1, 3)), ('tails', Fraction(2, 3)))
>>> picture.svg("dark").startswith('<svg xmlns="http://www.w3.org/2000/svg" width="360"')
True

No module of pictures is imported here, so that nobody waits for more than what one picture needs.
"""

from typing import Literal

Theme = Literal["auto", "dark", "light"]
"""The colours of a picture: dark, light, or dark unless the viewer's system prefers light."""
