"""`storypool discord`: rolls in channels, and setting up, against a stand-in for Discord."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import hikari
import pytest

from storypool import discord, systems
from storypool.cli import main
from storypool.cli.commands import discord_command
from storypool.discord import channel_bot, pool_rolls, replies
from storypool.engine.refusal import Refused
from storypool.words.languages import ENGLISH
from tests.stand_in_discord import TOKEN, Discord, standing_in

WAIT_S = 60
POOLS = {
    "starwars": "2 yellow 1 green vs 2 purple",
    "genesys": "2A1P/2D",
    "dune": "2d20 target=14",
    "c2d10": "4d10",
    "destinydice": "2 green vs 1 purple",
}
"""Pools as people type them; of other games two dice are rolled."""


@pytest.fixture(scope="module")
def channel() -> Iterator[Discord]:
    """A stand-in for Discord, to which the bot is connected."""
    lines = list[str]()
    with standing_in() as here:
        loop = asyncio.new_event_loop()
        task = loop.create_task(discord.run(TOKEN, ENGLISH, lines.append, here.url))

        def work() -> None:
            with suppress(asyncio.CancelledError):
                loop.run_until_complete(task)
            loop.close()

        thread = threading.Thread(target=work)
        thread.start()
        try:
            assert here.connected.wait(WAIT_S)
            yield here
        finally:
            loop.call_soon_threadsafe(task.cancel)
            thread.join(WAIT_S)
    assert ["Dicey is in 1 server of Discord, and answers /roll there. Ctrl+C ends it."] == lines


@pytest.mark.parametrize("game", systems.playable())
def test_every_game_is_rolled(game: str, channel: Discord) -> None:
    """Any channel rolls a pool of any game, with its result in words and its odds on a button."""
    pool = POOLS.get(game, f"2 {systems.get(game).dice[0].name}")
    rolled = channel.use("roll", pool=pool, game=game)
    head, dice, result = rolled.text.split("\n")
    assert systems.get(game).name in head
    assert dice
    assert re.fullmatch(r"\*\*.+\*\*", result)
    assert (4, False) == (rolled.kind, rolled.private)
    assert {"parse": []} == rolled.data["allowed_mentions"]
    if not pool_rolls.has_odds(game):
        assert [] == rolled.buttons
        return
    odds = channel.press(rolled.buttons[0])
    assert odds.private
    first, *outcomes = odds.text.split("\n")
    assert "Exact odds of" in first
    assert re.search(r": \d+\.\d\d% \(\d+/\d+\)$", outcomes[0])


def test_channel_remembers_its_game(channel: Discord) -> None:
    """The game is given once; a channel without one, and a bad pool, are answered to one person."""
    for given, reason in (
        ({}, "Which game is this pool of? Give `game` once, and this channel remembers it."),
        ({"game": "tarot"}, "There is no game “tarot” here. Choose one of"),
    ):
        refused = channel.use("roll", "51", pool="2 yellow", **given)
        assert refused.private
        assert reason in refused.text
    named = channel.use("roll", "51", pool="2 yellow", game=systems.get("starwars").name.upper())
    again = channel.use("roll", "51", pool="3 green")
    for rolled in (named, again):
        assert not rolled.private
        assert systems.get("starwars").name in rolled.text
    wrong = channel.use("roll", "51", pool="2 yellwo")
    assert wrong.private
    assert "yellow" in wrong.text
    assert channel.use("roll", "52", pool="2 yellow").private


def test_games_are_suggested(channel: Discord) -> None:
    """Part of a name or a key finds the game."""
    every = channel.type("roll", "game", "")
    assert {*systems.playable()} == {one["value"] for one in every}
    (found,) = channel.type("roll", "game", "2D20")
    assert {"name": systems.get("dune").name, "value": "dune"} == found


def test_long_work_is_announced(channel: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply that takes a while is announced in time; its refusal is still for one person."""
    monkeypatch.setattr(replies, "SOON_S", 0)
    announced = channel.use("roll", pool="2d20", game="dune")
    assert (5, False) == (announced.kind, announced.private)
    edited = channel.next()
    assert ("PATCH", 1) == (edited.method, len(edited.buttons))
    assert 5 == channel.use("roll", pool="nonsense", game="dune").kind
    assert "DELETE" == channel.next().method
    answer = channel.next()
    assert ("POST", True) == (answer.method, answer.private)
    announced = channel.press("odds dune 2d20 target=9")
    assert (5, True) == (announced.kind, announced.private)
    assert "Exact odds" in channel.next().text


def test_odd_buttons_and_failures_get_a_sentence(
    channel: Discord, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever a button says, and whatever fails, one person gets a sentence."""
    for id in ("odds tarot 2", "spend 1", "odds dune " + "x" * 80):
        assert channel.press(id).private

    def fails(*given: object) -> str:
        raise RuntimeError("a fault of the program")

    monkeypatch.setattr(pool_rolls, "roll", fails)
    answer = channel.use("roll", pool="2d20", game="dune")
    assert answer.private
    assert "Something went wrong" in answer.text
    assert "a fault of the program" in caplog.text


def test_crowd_is_asked_to_wait(channel: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more replies are worked out at once than this computer can take."""
    monkeypatch.setattr(replies, "MOST_AT_ONCE", 0)
    answer = channel.use("roll", pool="2d20", game="dune")
    assert (True, "Many ask at once here. Try again in a moment.") == (answer.private, answer.text)


def test_messages_fit() -> None:
    """A long text ends after a whole line, and nothing is mentioned by a name in it."""
    long = "\n".join(["@everyone " * 20] * 30)
    shown = replies.ChannelReply(long).arguments()
    assert len(shown["content"]) <= replies.LONGEST
    assert shown["content"].endswith("@everyone \n…")
    assert "x" * 1998 + "\n…" == replies.shortened("x" * 2001)


def test_odds_of_large_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chance whose fraction is long is rounded; one that would take long is refused."""
    assert "success: about 61.70%" in odds_of("starwars", "9A9P9B/9D9C9S")
    monkeypatch.setattr(pool_rolls, "ODDS_SECONDS", 1e-6)
    with pytest.raises(Refused, match="seconds"):
        odds_of("c2d10", "30d10 vs 30 rival")


def odds_of(game: str, pool: str) -> str:
    """The odds of a pool as a button shows them."""
    return pool_rolls.exact_odds(pool_rolls.read_pool(game, pool), ENGLISH)


def test_dice_that_go_on_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool whose dice are rolled again without end is refused."""
    monkeypatch.setattr(systems, "rolls_on", lambda key: lambda rolls: True)
    asked = pool_rolls.read_pool("dune", "2d20")
    with pytest.raises(Refused, match="go on and on"):
        pool_rolls.roll(asked, ENGLISH)


def test_setting_up_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first step that is not done is described with what to click and copy."""
    file = tmp_path / "token"
    monkeypatch.delenv(discord_command.VARIABLE, raising=False)
    with standing_in() as here:
        whole = discord.set_up
        monkeypatch.setattr(discord, "set_up", partial(whole, rest_url=here.url))

        def steps(text: str, code: int) -> list[str]:
            file.write_text(text)
            given = ["--token-file", str(file)] if text else []
            assert code == main(["discord", "setup", *given])
            out, err = capsys.readouterr()
            assert TOKEN not in out + err
            return (out + err).splitlines()

        made, copied, again = steps("", 1)
        assert "New Application" in made
        assert "Reset Token" in copied
        assert "Then run this again" in again
        assert "This is not the token of a bot" in steps("hello", 2)[0]
        assert "Discord does not know this token." in steps("a.wrong.one", 2)[0]
        here.guilds = []
        valid, invite, _ = steps(f"{TOKEN}\n", 1)
        assert "the bot is Dicey" in valid
        assert "client_id=1000&scope=bot%20applications.commands&permissions=" in invite
        here.guilds = [here.guild("The Cellar"), here.guild("The Attic", 1 << 10)]
        *_, there, lacking, _ = steps(TOKEN, 1)
        assert "2 servers: The Cellar and The Attic." in there
        assert "In The Attic the bot may not: Send Messages, Send Messages in" in lacking
        here.guilds = [here.guild("The Cellar"), here.guild("The Attic", 1 << 3)]
        assert [] == here.commands
        numbered = steps(TOKEN, 0)
        assert ["1", "2", "3", "4", "A"] == [line[0] for line in numbered]
        assert "/roll" in numbered[3]
        assert ["roll"] == [one["name"] for one in here.commands]
        monkeypatch.setenv(discord_command.VARIABLE, TOKEN)
        assert numbered == steps("", 0)
        assert 0 == main(["discord", "setup", "--json"])
        assert {"ready": True, "steps": numbered} == json.loads(capsys.readouterr().out)


def test_running_needs_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a token, with an unreadable file or a wrong one the reason is one sentence."""
    monkeypatch.delenv(discord_command.VARIABLE, raising=False)
    assert 2 == main(["discord"])
    assert "There is no token of a bot." in capsys.readouterr().err
    assert 2 == main(["discord", "--token-file", str(tmp_path / "none")])
    assert "cannot be read" in capsys.readouterr().err
    with standing_in() as here:
        whole = discord.run
        monkeypatch.setattr(discord, "run", partial(whole, rest_url=here.url))
        for token in ("a.wrong.one", "MTAw.wrong.one"):
            monkeypatch.setenv(discord_command.VARIABLE, token)
            assert 2 == main(["discord"])
    first, second = capsys.readouterr().err.splitlines()
    assert "This is not the token of a bot" in first
    assert "Discord does not know this token." in second


def test_program_stays_quiet_about_secrets(
    channel: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    """The token and what an interaction is answered with are in no line of the log."""
    with caplog.at_level(logging.DEBUG):
        channel.use("roll", pool="2d20", game="dune")
        channel.dispatch(
            "INTERACTION_CREATE", {"id": "1", "token": "interaction-secret", "type": 2}
        )
        channel.use("roll", pool="2d20", game="dune")
    assert TOKEN not in caplog.text


def test_limits_and_lost_lines_are_waited_for(channel: Discord) -> None:
    """Discord asks to wait, and the connection to it is lost: the next roll is answered."""
    channel.too_many = 1
    assert "dune" in channel.use("roll", pool="2d20", game="dune").buttons[0]
    assert 0 == channel.too_many
    channel.hang_up(4000)
    assert channel.connected.wait(WAIT_S)
    assert 2 == len(channel.sockets)
    assert not channel.use("roll", pool="2d20", game="dune").private


def test_reset_token_ends_the_program() -> None:
    """A token that is reset while the program runs, and a missing line, are one sentence each."""
    lines = list[str]()
    with standing_in() as here:

        async def until_reset() -> None:
            running = asyncio.create_task(discord.run(TOKEN, ENGLISH, lines.append, here.url))
            await asyncio.to_thread(here.connected.wait, WAIT_S)
            while not lines:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(here.hang_up, 4004)
            await running

        with pytest.raises(Refused, match="Discord does not know this token"):
            asyncio.run(until_reset())
    gone = channel_bot.not_taken(hikari.HTTPError("Cannot connect to host"))
    assert "Discord does not answer: Cannot connect to host." == gone.refusal.text
