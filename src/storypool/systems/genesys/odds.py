"""Odds of this game's pools; `Refused` for an unknown term, and for too many dice."""

from functools import partial

from storypool.systems.genesys.dice import AXES, DICE
from storypool.systems.narrative import odds

reckon = partial(odds.reckoned, "genesys", dice=DICE, axes=AXES)
