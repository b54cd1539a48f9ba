"""The commands that Discord shows, and their registration."""

from __future__ import annotations

import hikari

from storypool.words import Words

LONGEST_POOL = 200
"""The most letters of a pool that is typed."""


def commands(words: Words) -> list[hikari.api.CommandBuilder]:
    """Every command with its options, described in a language."""
    text = hikari.OptionType.STRING
    roll = hikari.impl.SlashCommandBuilder("roll", words["discord.command.roll"])
    roll.add_option(
        hikari.CommandOption(
            type=text,
            name="pool",
            description=words["discord.command.roll.pool"],
            is_required=True,
            max_length=LONGEST_POOL,
        )
    )
    roll.add_option(
        hikari.CommandOption(
            type=text,
            name="game",
            description=words["discord.command.roll.game"],
            autocomplete=True,
        )
    )
    return [roll]


async def register(rest: hikari.api.RESTClient, application: int, words: Words) -> list[str]:
    """Register the commands in place of those before, for all servers; return their names."""
    found = await rest.set_application_commands(application, commands(words))
    return [f"/{one.name}" for one in found]
