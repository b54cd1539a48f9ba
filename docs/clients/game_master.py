"""A game master that is a program: it begins the session, and decides what the players ask of it.

`python game_master.py LINK NAME`, with a link for a game master. Where several answers are possible
it takes the middle one, so that an action is neither easy nor hopeless.
"""

import asyncio
import sys

from storypool.client import Ask, MissingAnswers, News, Refused, connect, usual


def decided(ask: Ask) -> object:
    """The middle of the answers that a game master decides, else the usual one, or some words."""
    choices = [choice.value for choice in ask.choices if not choice.closed]
    found = choices[len(choices) // 2] if ask.decides and choices else usual(ask)
    return "So be it" if found is None else found


async def answer(news: News) -> bool:
    """Do the first thing that is asked of the game master; False if it was done meanwhile."""
    wait, answers = news.mine[0], dict[str, object]()
    while True:
        try:
            await news.answer(wait, answers)
        except MissingAnswers as open:
            ask = open.missing[0]
            answers[ask.name] = decided(ask)
        except Refused:
            return False
        else:
            return True


async def lead(link: str, name: str) -> None:
    """Begin a session and lead it, until the program ends."""
    async with connect(link, name) as seat:
        news = await seat.look()
        if news.offers["session.begin"].is_open:
            await news.offers["session.begin"]()
        async for news in seat.follow():
            if news.mine:
                await answer(news)


if __name__ == "__main__":
    asyncio.run(lead(sys.argv[1], sys.argv[2]))
