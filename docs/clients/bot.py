"""A bot that plays any game: it buys what is worth it, answers what the table waits for, and else
tries something.

`python bot.py LINK NAME` plays one seat until nothing has been left to do for a while. It knows no
game: moves, questions and worth all come from the server.
"""

import asyncio
import sys
from collections.abc import Mapping
from fractions import Fraction

from storypool.client import Ask, ClientSeat, MissingAnswers, News, Refused, connect, usual
from storypool.odds.question import Worth


class Bot:
    """A player or a game master at one seat; `begins` are the moves that begin something."""

    def __init__(self, seat: ClientSeat) -> None:
        self.seat, self.begins = seat, list[str]()

    async def arrive(self) -> None:
        """Learn with what the game's actions begin; a player takes a ready character."""
        game = await self.seat.game()
        primary = [one for one in game["panels"] if one["kind"] == "primary"]
        self.begins = [move for one in primary for move in one["binds"]["moves"]]
        if self.seat.me.side == "player":
            ready = game["ready"][0]
            await self.make("character.add", {"name": ready["name"], "sheet": ready["sheet"]})

    async def turn(self, news: News) -> str:
        """Make one move and return its key, or "" where there is nothing to do."""
        rows = (await self.seat.odds()).worth
        worth = [row for row in rows if row.price and not (row.approval or row.texts)]
        bought = [row for row in worth if row.of == "chance" and gain(row) >= Fraction(1, 10)]
        wanted: list[tuple[str, Mapping[str, object]]] = [
            (row.move, row.args) for row in sorted(bought, key=gain, reverse=True)
        ]
        for wait in news.mine:
            wanted += [(move, {**wait.args, "check": wait.check}) for move in wait.moves]
        wanted += [(move, {}) for move in self.begins if not news.waits]
        for move, args in wanted:
            if await self.make(move, args):
                return move
        return ""

    async def make(self, move: str, args: Mapping[str, object]) -> bool:
        """Make a move, and answer the questions that it still asks; False where it is refused."""
        given = {name: value for name, value in args.items() if value != ""}
        while True:
            try:
                await self.seat.make(move, given)
            except MissingAnswers as open:
                # An answer may change what is asked next, so the first question is answered alone.
                if (ask := open.missing[0]).name in given:
                    return False
                given[ask.name] = answer(ask)
            except Refused:
                return False
            else:
                return True


def answer(ask: Ask) -> object:
    """The usual answer, where the game master decides the middle one; else some words."""
    values = [choice.value for choice in ask.choices if not choice.closed]
    found = values[len(values) // 2] if ask.decides and values else usual(ask)
    return "So be it" if found is None else found


def gain(row: Worth) -> Fraction:
    """How much of a chance a row moves, after the other side's answer."""
    return abs((row.answered or row.after)[row.goal] - row.before[row.goal])


async def play(link: str, name: str, patience: float = 15) -> None:
    """Play at a seat until nothing has been left to do for `patience` seconds."""
    async with connect(link, name) as seat:
        bot = Bot(seat)
        await bot.arrive()
        idle = 0.0
        while idle < patience:
            idle = 0 if await bot.turn(await seat.look()) else idle + 0.5
            await asyncio.sleep(0.5)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], sys.argv[2]))
