"""Setting the program up: what to click and copy, step by step, and whether it is done."""

from __future__ import annotations

from collections.abc import Callable

import hikari

from storypool.discord.channel_bot import not_taken
from storypool.discord.registered import register
from storypool.words import Words

RIGHTS = {
    "view": hikari.Permissions.VIEW_CHANNEL,
    "send": hikari.Permissions.SEND_MESSAGES,
    "threads": hikari.Permissions.SEND_MESSAGES_IN_THREADS,
    "attach": hikari.Permissions.ATTACH_FILES,
}
"""What the bot needs in a server, by the ids of its words."""


class Steps:
    """The steps as they are written: numbered, and the one that is to do with what follows it."""

    def __init__(self, say: Callable[[str], None], words: Words) -> None:
        self.say, self.words, self.n = say, words, 0

    def done(self, what: str) -> None:
        """A step that is done, or that nothing can be seen of."""
        self.n += 1
        self.say(f"{self.n}. {what}")

    def to_do(self, *whats: str) -> bool:
        """The steps that come next; others wait for them."""
        for what in whats:
            self.done(what)
        self.say(self.words["discord.setup.again"])
        return False


async def set_up(
    token: str, words: Words, say: Callable[[str], None], rest_url: str | None = None
) -> bool:
    """Look at each step in order, and tell the first that is to do; whether all are done.

    Without a token it says how to come by one. `Refused` if Discord does not know the token, or
    does not answer. The commands are registered as the last step.
    """
    steps = Steps(say, words)
    if not token:
        made, copied = words["discord.setup.application"], words["discord.setup.application.token"]
        return steps.to_do(made, copied)
    app = hikari.RESTApp(url=rest_url)
    await app.start()
    try:
        async with app.acquire(token, hikari.TokenType.BOT) as rest:
            return await _look(rest, steps)
    except hikari.HikariError as error:
        raise not_taken(error) from None
    finally:
        await app.close()


async def _look(rest: hikari.impl.RESTClientImpl, steps: Steps) -> bool:
    say = steps.words.say
    me, application = await rest.fetch_my_user(), await rest.fetch_application()
    named = {"bot": me.username, "application": application.name, "id": application.id}
    steps.done(say("discord.setup.token", **named))
    link = invitation(application.id)
    guilds = [guild async for guild in rest.fetch_my_guilds()]
    if not guilds:
        return steps.to_do(say("discord.setup.invite", link=link))
    names = steps.words.joined(guild.name for guild in guilds[:10])
    steps.done(say("discord.setup.guilds", n=len(guilds), names=names))
    for guild in guilds:
        if not_there := lacking(guild.my_permissions):
            listed = steps.words.joined(steps.words[f"discord.right.{one}"] for one in not_there)
            values = {"guild": guild.name, "bot": me.username, "link": link}
            return steps.to_do(say("discord.setup.lacking", lacking=listed, **values))
    steps.done(steps.words["discord.setup.permissions"])
    registered = await register(rest, application.id, steps.words)
    steps.done(say("discord.setup.commands", names=", ".join(registered)))
    steps.say(steps.words["discord.setup.ready"])
    return True


def invitation(application: int) -> str:
    """The link that invites the bot of an application, with what it needs."""
    needed = sum(RIGHTS.values(), hikari.Permissions.NONE)
    scopes = "bot%20applications.commands"
    address = "https://discord.com/oauth2/authorize"
    return f"{address}?client_id={application}&scope={scopes}&permissions={int(needed)}"


def lacking(have: hikari.Permissions) -> list[str]:
    """The ids of what the bot may not do; an administrator may do everything."""
    if have & hikari.Permissions.ADMINISTRATOR:
        return []
    return [id for id, right in RIGHTS.items() if not have & right]
