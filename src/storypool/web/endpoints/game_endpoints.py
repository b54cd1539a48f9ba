"""Endpoints without a table or a seat: games, their words and notation, and the server itself."""

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal

from msgspec import Meta

from storypool import __version__, systems
from storypool.engine.bag import Bag
from storypool.engine.game.kit import Account, Option
from storypool.engine.game.system import System
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal
from storypool.log.store import StoreError
from storypool.systems.newer_rules import whose
from storypool.web.endpoint import Call, Endpoint, Reply, endpoint
from storypool.web.interface.forms import Body, Id, ResponsePart, Text, shown
from storypool.web.interface.game_forms import (
    AccountShown,
    DieShown,
    GameListed,
    GameShown,
    NotationShown,
    OptionShown,
    Own,
    PanelShown,
    listed,
)
from storypool.web.notices import STORAGE
from storypool.web.prints.printed_reference import printable_page
from storypool.web.problem import Problem, problem
from storypool.web.wire import encode
from storypool.words.languages import LANGUAGE, Language

MAX_KEPT = 256
"""The most games, references and catalogues that are cached."""


class About(ResponsePart):
    """This server, its default `language`, and the `languages` of its tables with their names."""

    name: str
    version: str
    epoch: str
    language: str
    languages: dict[str, str]


class Health(ResponsePart):
    """Whether this server is alive, and ready: its store answers and takes moves."""

    alive: bool
    ready: bool


class LanguageQuery(Body):
    """The key of the language of the answer; by default, or if unknown, the server's own."""

    language: Id = ""


class NotationBody(Body):
    """A pool as text, and its scheme of letters."""

    system: Id
    text: Text
    scheme: Annotated[str, Meta(max_length=40)] = ""


class NotationState(ResponsePart):
    """A pool, and its standard notation."""

    pool: dict[str, int]
    text: str


@endpoint("GET", "/api", gives=About, tag="answers")
async def about(call: Call) -> About:
    """The name and version of this server, and its languages."""
    spoken = call.tables.languages
    return About(
        name="storypool",
        version=__version__,
        epoch=call.tables.store.epoch,
        language=spoken.default.key,
        languages={key: language.name for key, language in spoken.by_key.items()},
    )


@endpoint("GET", "/api/health", gives=Health, errors=("unready",), tag="answers")
async def health(call: Call) -> Health:
    """Whether this server is ready: 503 if its store does not answer, or takes no moves."""
    try:
        async with asyncio.timeout(call.settings.limits.stuck):
            await asyncio.to_thread(call.tables.store.grants, table="")
    except (StoreError, TimeoutError):
        raise problem("unready") from None
    if call.server.notices.holds(STORAGE):
        raise problem("unready")
    return Health(alive=True, ready=True)


def _language(call: Call) -> Language:
    query: LanguageQuery = call.query
    return call.tables.languages.of({LANGUAGE: query.language})


@endpoint("GET", "/api/systems", query=LanguageQuery, gives=list[GameListed], tag="answers")
async def list_systems(call: Call) -> list[GameListed]:
    """The games that can be played here."""
    games = [call.tables.find(key, _language(call)) for key in call.server.games()]
    return [listed(game) for game in games]


@endpoint(
    "GET",
    "/api/systems/{system}",
    query=LanguageQuery,
    gives=GameShown,
    errors=("system",),
    tag="answers",
)
async def one_system(call: Call) -> Reply:
    """A game as the page shows it.

    It has dice, looks, panels, moves, sheet, options, accounts, notation and characters.
    """
    system = game(call, call.path("system"), _language(call))
    own = await asyncio.to_thread(whose, system.key)
    return _kept(call, f"game {own}", system.key, lambda: encode(game_shown(system, own=own)))


@endpoint(
    "GET",
    "/api/systems/{system}/reference",
    query=LanguageQuery,
    gives=str,
    errors=("system",),
    tag="answers",
    media="text/html",
)
async def print_reference(call: Call) -> Reply:
    """The reference of a game as a plain page to print: its dice, face by face, and its notes."""
    language = _language(call)
    system = game(call, call.path("system"), language)
    page = _kept(call, "reference", system.key, lambda: printable_page(system, language).encode())
    return replace(page, media="text/html; charset=utf-8")


class WordsQuery(LanguageQuery, forbid_unknown_fields=True):
    """The language; with `of`, only what that page shows, and the language's own name."""

    of: Literal["", "page", "workshop", "papers", "making", "stories"] = ""


@endpoint("GET", "/api/words", query=WordsQuery, gives=dict[str, str], tag="answers")
async def all_words(call: Call) -> Reply:
    """Every sentence of the catalogue by its id, or those that one page shows."""
    return _kept(
        call, "words", call.query.of, lambda: encode(words_of(_language(call), call.query.of))
    )


LATE = {
    "papers": ("page.papers.", "page.encounters."),
    "making": ("page.making.",),
    "stories": ("page.stories.",),
}
"""The parts of the page whose sentences are loaded with them, and how the ids of these begin."""


def words_of(language: Language, page: str) -> dict[str, str]:
    """The sentences that a page shows; all of them without a page.

    Those of the workshop are left out for players, and those of `LATE` come with their part.
    """
    late = tuple(begin for begins in LATE.values() for begin in begins)
    without = {"page": ("page.workshop.", *late), "workshop": late}.get(page, ())
    found = LATE.get(page, ("language", "page.") if page else ("",))
    words = language.program.items()
    return {id: text for id, text in words if id.startswith(found) and not id.startswith(without)}


def _kept(call: Call, what: str, key: str, made: Callable[[], bytes]) -> Reply:
    """A game's constant answer in a language, cached and compressed.

    Tables bring games of their own, so the oldest answers are removed when there are too many.
    """
    of = what, key, _language(call).key
    kept = call.server.kept
    if of not in kept:
        while len(kept) >= MAX_KEPT:
            del kept[next(iter(kept))]
        whole = made()
        kept[of] = whole, gzip.compress(whole, mtime=0)
    whole, squeezed = kept[of]
    if "gzip" not in call.request.headers.get("accept-encoding", ""):
        return Reply(whole, headers={"Vary": "Accept-Encoding"})
    return Reply(squeezed, headers={"Vary": "Accept-Encoding", "Content-Encoding": "gzip"})


@endpoint(
    "POST",
    "/api/notation",
    body=NotationBody,
    gives=NotationState,
    errors=("system", "argument"),
    tag="answers",
)
async def read_notation(call: Call) -> NotationState:
    """Read a pool from text, and write it in standard notation."""
    body: NotationBody = call.body
    system = game(call, body.system)
    pool = system.notation.parse(body.text, body.scheme or None)
    return NotationState(pool=dict(pool), text=system.notation.show(pool))


def game(call: Call, key: str, language: Language | None = None) -> System:
    """The game with this key, by default in the language of the request; 404 lists the games."""
    try:
        return call.tables.find(key, language or call.language)
    except LookupError:
        known = ", ".join(call.server.games())
        raise problem("system", "system", system=key[:40], known=known) from None


def pool_of(system: System, text: str, field: str = "pool") -> Bag:
    """The pool that a text describes; 400 with the field, the position, and the expected text."""
    try:
        return system.notation.thrown(system.notation.parse(text))
    except NotationError as wrong:
        raise Problem(400, Refusal.of("argument", wrong, field)) from None


def game_shown(system: System, first_scene: bool | None = None, own: Own = "") -> GameShown:
    """A game as it is sent; pass `first_scene` for a game that is not installed.

    `own` is the result of `whose`.
    """
    if first_scene is None:
        first_scene = systems.first_scene(system.key) is not None
    return shown(
        GameShown,
        system,
        dice=[shown(DieShown, die) for die in system.dice],
        panels=[shown(PanelShown, panel) for panel in system.panels],
        titles={move.key: system.title(move.key) for move in system.moves},
        groups={entry.group: system.group(entry.group) for entry in system.sheet},
        terms={
            id.removeprefix("term."): text
            for id, text in system.words.items()
            if id.startswith("term.")
        },
        options=[_option(system, option) for option in system.options],
        accounts=[_account(account) for account in system.accounts],
        axes=system.axes,
        notation=shown(NotationShown, system.notation, upgrades=system.upgrades),
        master={"gm": system.words["wait.gm"], "gm_name": system.words["wait.gm_name"]},
        first_scene=first_scene,
        own=own,
    )


def _option(system: System, option: Option) -> OptionShown:
    sentence = system.words.get(f"option.{option.key}", "")
    words = {value: system.choice(option.key, value) for value in option.values}
    return shown(OptionShown, option, sentence=sentence, words=words)


def _account(account: Account) -> AccountShown:
    return shown(AccountShown, account, most=None if callable(account.cap) else account.cap)


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
