"""What dice come to without a table, in words: all that a roll needs besides the dice."""

from functools import partial

from storypool.systems.narrative import reading

result = partial(reading.result, "genesys")
