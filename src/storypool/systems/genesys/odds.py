"""Odds of this game's pools: `Refused` for a term that is not known, and for too many dice."""

from functools import partial

from storypool.systems.genesys.dice import AXES, DICE
from storypool.systems.narrative import odds

reckon = partial(odds.reckoned, "genesys", dice=DICE, axes=AXES)
