"""The endpoint for pictures of odds, for chat programs and other sites.

Its query names everything, so the same address always gives the same picture.
"""

from typing import Annotated, Literal

from msgspec import Meta

from storypool import systems
from storypool.engine.game.system import System
from storypool.odds.question import Question, Reckoned, terms_of
from storypool.pictures import Theme
from storypool.web.endpoint import Call, Endpoint, Reply, endpoint
from storypool.web.endpoints.game_endpoints import game, pool_of
from storypool.web.interface.forms import Body, Id, Text
from storypool.web.interface.problems import POOL, QUEUED
from storypool.web.problem import problem
from storypool.worth.showing import Kind, picture

HEADERS = {
    # The same address gives the same picture until the program changes.
    "Cache-Control": "public, max-age=86400",
    "Cross-Origin-Resource-Policy": "cross-origin",
}

Pool = Annotated[
    str, Meta(min_length=1, max_length=500, description="A pool, and key=value terms behind it.")
]


class PictureQuery(Body):
    """The content of a picture: a pool of a game, alone, against another, or compared with one.

    `axis` names the axis of a curve, or the two axes of a map with a comma between them.
    """

    system: Id
    pool: Pool
    against: Text = ""
    compare: Text = ""
    picture: Literal["", "bar", "curve", "map", "compare"] = ""
    axis: Annotated[str, Meta(max_length=80)] = ""
    theme: Theme = "auto"


@endpoint(
    "GET",
    "/api/odds.svg",
    query=PictureQuery,
    gives=str,
    errors=(*POOL, "system", *QUEUED),
    media="image/svg+xml",
    tag="answers",
)
async def draw_odds(call: Call) -> Reply:
    """The odds of a pool as a picture, the same as `storypool odds --svg` draws.

    `pool` and `compare` are written as in the terminal, terms included: `2d20 target=12`. A pool to
    compare with may be terms alone. Without `theme` it is dark, or light for viewers who prefer
    that.
    """
    asked: PictureQuery = call.query
    system = game(call, asked.system)
    question = read(system, asked.pool, against=asked.against)
    second = read(system, asked.compare, question) if asked.compare.strip() else None
    kind: Kind | None = asked.picture or None
    axes = [axis.strip() for axis in asked.axis.split(",")] if asked.axis else []

    def drawn() -> str:
        reckon = systems.odds(system.key).reckon
        other: Reckoned | None = reckon(second) if second else None
        return picture(reckon(question), other, kind, axes, call.language).svg(asked.theme)

    try:
        return Reply(
            await call.server.answers.reckoned(call.whose, drawn),
            headers=HEADERS,
            media="image/svg+xml",
        )
    except TimeoutError:
        raise problem("pool.slow", "pool") from None


def read(system: System, text: str, beside: Question | None = None, against: str = "") -> Question:
    """Read a pool with its terms as a question; `beside` supplies the missing parts.

    `Problem` for a pool that cannot be read, `Refused` for bad terms.
    """
    dice, terms = terms_of(text.split())
    if beside is None:
        other = pool_of(system, against, "against") if against.strip() else None
        return Question(pool_of(system, dice), terms, other)
    pool = pool_of(system, dice, "compare") if dice else beside.pool
    return Question(pool, {**beside.terms, **terms}, beside.against)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
