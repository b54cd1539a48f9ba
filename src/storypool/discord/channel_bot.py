"""The program in Discord: it connects outwards, and answers commands and buttons in channels."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from storypool.engine.refusal import Refusal, Refused
from storypool.words import NotInstalled, Phrase
from storypool.words.folding import folded
from storypool.words.languages import Language

try:
    import hikari
except ImportError:
    raise NotInstalled(Phrase("discord.extra")) from None

from storypool.discord import pool_rolls
from storypool.discord.registered import register
from storypool.discord.replies import LOG, LONGEST_ID, ChannelReply, reply

MOST_CHANNELS = 10_000
"""The most channels whose game is remembered; the one used least recently is forgotten."""
MOST_CHOICES = 25
"""The most choices that Discord shows while a person types."""
LONGEST_CHOICE = 100
ODDS = "odds"


class ChannelBot:
    """What the program knows while it runs, and its answers."""

    def __init__(self, language: Language) -> None:
        self.language, self.words = language, language.program
        self.games = pool_rolls.games(language)
        self._chosen: OrderedDict[int, str] = OrderedDict()
        self._choosing = Lock()

    async def on_interaction(self, event: hikari.InteractionCreateEvent) -> None:
        """Answer a command or a button; an answer that Discord refuses is logged."""
        try:
            match event.interaction:
                case hikari.AutocompleteInteraction() as typing:
                    await self.suggest(typing)
                case hikari.CommandInteraction(command_name="roll") as asked:
                    await reply(asked, self.rolling(asked), self.words)
                case hikari.ComponentInteraction() as pressed:
                    await reply(pressed, self.pressing(pressed), self.words, private=True)
        except hikari.HikariError as error:
            # Its text may have the address of the interaction, which is a secret for a while.
            LOG.warning("Discord took no answer: %s", type(error).__name__)

    async def suggest(self, typing: hikari.AutocompleteInteraction) -> None:
        """The games whose name or key has what was typed so far."""
        typed = folded(str(next((one.value for one in typing.options if one.is_focused), "")))
        near = [
            hikari.impl.AutocompleteChoiceBuilder(name[:LONGEST_CHOICE], key)
            for key, name in self.games.items()
            if typed in folded(name) or typed in folded(key)
        ]
        await typing.create_response(near[:MOST_CHOICES])

    def rolling(self, asked: hikari.CommandInteraction) -> Callable[[], ChannelReply]:
        """The work of /roll: a roll with a button for its odds, or a refusal."""
        given = {one.name: str(one.value) for one in asked.options or ()}
        channel = int(asked.channel.id)

        def work() -> ChannelReply:
            game = self._game(channel, given.get("game", ""))
            pool = pool_rolls.read_pool(game, given.get("pool", ""))
            text = pool_rolls.roll(pool, self.language)
            pressed = f"{ODDS} {game} {pool.text}"
            if len(pressed) > LONGEST_ID or not pool_rolls.has_odds(game):
                return ChannelReply(text)
            return ChannelReply(text, [(pressed, self.words["discord.roll.odds"])])

        return work

    def _game(self, channel: int, given: str) -> str:
        """The game for a channel: the one that was given, or else the one before."""
        key = self._named(given) if given else ""
        with self._choosing:
            key = key or self._chosen.pop(channel, "")
            if not key:
                raise Refused(Refusal.of("argument", Phrase("discord.game.none"), "game"))
            self._chosen[channel] = key
            self._chosen.move_to_end(channel)
            if len(self._chosen) > MOST_CHANNELS:
                self._chosen.popitem(last=False)
        return key

    def _named(self, given: str) -> str:
        """The key of a game from its key or its name."""
        typed = folded(given)
        for key, name in self.games.items():
            if typed in (key, folded(name)):
                return key
        unknown = Phrase("discord.game.unknown", game=given[:LONGEST_CHOICE])
        raise Refused(Refusal.of("argument", unknown, "game"))

    def pressing(self, pressed: hikari.ComponentInteraction) -> Callable[[], ChannelReply]:
        """The work of a button; what it says is taken for nothing but a pool."""
        kind, _, asked = pressed.custom_id.partition(" ")
        game, _, text = asked.partition(" ")

        def work() -> ChannelReply:
            if kind != ODDS or game not in self.games:
                raise Refused(Refusal.of("unknown", Phrase("discord.odds.old")))
            pool = pool_rolls.read_pool(game, text)
            return ChannelReply(pool_rolls.exact_odds(pool, self.language), private=True)

        return work


async def run(
    token: str, language: Language, say: Callable[[str], None], rest_url: str | None = None
) -> None:
    """Answer in channels until this is cancelled; `Refused` if Discord takes no such bot.

    The gateway's address comes from Discord, or from what is at `rest_url` in its place.
    """
    gateway, bot = _gateway(token, rest_url), ChannelBot(language)
    gateway.subscribe(hikari.InteractionCreateEvent, bot.on_interaction)
    try:
        await gateway.start(check_for_updates=False)
        application, me = await gateway.rest.fetch_application(), gateway.get_me()
        await register(gateway.rest, application.id, language.program)
        n = await gateway.rest.fetch_my_guilds().count()
        name = me.username if me else application.name
        say(language.program.say("discord.running", name=name, n=n))
        await gateway.join()
    except hikari.HikariError as error:
        raise not_taken(error) from None
    finally:
        if gateway.is_alive:
            await gateway.close()


def _gateway(token: str, rest_url: str | None) -> hikari.GatewayBot:
    """The connection that is not yet made; `Refused` for a text that is no token at all."""
    try:
        return hikari.GatewayBot(
            token,
            banner=None,
            logs=None,
            intents=hikari.Intents.NONE,
            auto_chunk_members=False,
            suppress_optimization_warning=True,
            rest_url=rest_url,
        )
    except ValueError:
        raise Refused(Refusal.of("argument", Phrase("discord.token.odd"))) from None


def not_taken(error: hikari.HikariError) -> Refused:
    """Why Discord took no such bot, as a refusal: its token, or the line."""
    closed = getattr(error, "code", None) == hikari.ShardCloseCode.AUTHENTICATION_FAILED
    if isinstance(error, hikari.UnauthorizedError) or closed:
        return Refused(Refusal.of("argument", Phrase("discord.token.wrong")))
    why = error.message if type(error) is hikari.HTTPError else type(error).__name__
    return Refused(Refusal.of("storage", Phrase("discord.gone", why=why)))
