"""Results without a table, in words: all that a roll needs besides the dice."""

from storypool.engine.folder import read_alone
from storypool.systems.narrative.reading import came_to

result = read_alone(
    came_to, "genesys", "storypool.systems.narrative.reading", "storypool.systems.genesys"
)
