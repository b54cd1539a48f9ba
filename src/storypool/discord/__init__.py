"""Storypool in the channels of Discord: a program of its own, which connects outwards only.

`run` answers commands in channels through Discord's gateway, so it needs no public address, no
certificate and no open port; `set_up` looks at each step until it can. No rule is known here: pools
are read and rolled by the engine. It needs the extra `discord`, which is hikari.
"""

from storypool.discord.channel_bot import run
from storypool.discord.setting_up import set_up

__all__ = ["run", "set_up"]
