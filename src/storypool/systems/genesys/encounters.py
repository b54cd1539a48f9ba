"""The people of this game for encounters, and their chances in a fight."""

from storypool.systems.genesys.game import HERE
from storypool.systems.narrative.fight.balance import attacks, hits
from storypool.systems.narrative.fight.castings import casting_of

CASTING = casting_of(HERE)

__all__ = ["CASTING", "attacks", "hits"]
