"""The application: every route, and the middleware that each request passes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from h11 import LocalProtocolError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from storypool import systems
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refused
from storypool.live.tables import Tables
from storypool.log.store import StoreError, StoreFull, StoreReadOnly
from storypool.odds.allowance import SURFACES, allowing
from storypool.web.endpoint import Endpoint, language_of, routes
from storypool.web.endpoints import (
    brought_characters,
    encounter_endpoints,
    game_endpoints,
    host_endpoints,
    joining_endpoints,
    odds_endpoints,
    odds_picture_endpoints,
    picture_endpoints,
    recap_endpoints,
    rules_endpoints,
    search_endpoints,
    sheet_endpoints,
    story_endpoints,
    table_endpoints,
    transcript_endpoints,
    workshop_endpoints,
)
from storypool.web.feeds import connections
from storypool.web.help.help_routes import Help
from storypool.web.help.help_site import Site, served
from storypool.web.interface import interface_page, openapi
from storypool.web.network.gate import Gate
from storypool.web.notices import STORAGE
from storypool.web.page.pages import Pages
from storypool.web.problem import Problem, problem, problem_for
from storypool.web.server import Server
from storypool.web.server_settings import Settings
from storypool.web.story_links import without_key
from storypool.words import Words

logger = logging.getLogger("storypool.web")

ENDPOINTS: tuple[Endpoint, ...] = (
    *table_endpoints.ENDPOINTS,
    *transcript_endpoints.ENDPOINTS,
    *rules_endpoints.ENDPOINTS,
    *search_endpoints.ENDPOINTS,
    *sheet_endpoints.ENDPOINTS,
    *encounter_endpoints.ENDPOINTS,
    *brought_characters.ENDPOINTS,
    *picture_endpoints.ENDPOINTS,
    *recap_endpoints.ENDPOINTS,
    *story_endpoints.ENDPOINTS,
    *odds_endpoints.ENDPOINTS,
    *connections.ENDPOINTS,
    *joining_endpoints.ENDPOINTS,
    *host_endpoints.ENDPOINTS,
    *game_endpoints.ENDPOINTS,
    *odds_picture_endpoints.ENDPOINTS,
    *workshop_endpoints.ENDPOINTS,
)
"""Every endpoint in the documentation's order; paths are matched in it, frequent ones first."""


def interface() -> str:
    """The help page about every endpoint, as Markdown."""
    return interface_page.text_of(openapi.document_of(ENDPOINTS))


def app(
    tables: Tables,
    settings: Settings,
    games: Callable[[], Iterable[str]] = systems.playable,
    server_class: type[Server] = Server,
) -> Starlette:
    """The web application for these tables; its endpoints share `app.state.server`."""
    server = server_class(tables, settings, games=games)
    words = tables.languages.default.program
    pages = Pages.read(settings.static, words)
    every = [
        *routes(ENDPOINTS, server),
        *routes(story_endpoints.PAGES, server),
        *openapi.routes(ENDPOINTS, server.cookie),
        *connections.routes(server),
        *pages.routes(),
        *Help(Site(served(f"static/{pages.build}"), interface)).routes(),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(work) for work in server.background()]
        yield
        server.later.close()
        for task in tasks:
            task.cancel()

    kinds = (Problem, Refused, NotationError, StoreError)
    application = Starlette(
        routes=every,
        lifespan=lifespan,
        middleware=[
            Middleware(Gate, settings=settings, words=words, pace=server.pace),
            Middleware(UnexpectedErrors, words=words),
            Middleware(OddsLimits),
        ],
        exception_handlers={**dict.fromkeys(kinds, _refused), HTTPException: _http},
    )
    application.router.redirect_slashes = False
    application.state.server = server
    return application


class OddsLimits:
    """Middleware that limits odds as the terminal does, in a request and all that it starts."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with allowing(SURFACES):
            await self.app(scope, receive, send)


class UnexpectedErrors:
    """Middleware that logs an unexpected exception and answers 500 in the one error shape."""

    def __init__(self, app: ASGIApp, words: Words) -> None:
        self.app, self.words = app, words

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def sending(message: object) -> None:
            nonlocal started
            started = True
            await send(message)  # type: ignore[arg-type]

        try:
            await self.app(scope, receive, sending)
        except (ClientDisconnect, LocalProtocolError):
            # The client left or sent garbage after the body: there is nobody to answer.
            return
        except Exception:
            # Only the path, without the key of a story: a query may hold private text.
            logger.exception("%s %s failed", scope["method"], without_key(scope["path"]))
            if not started:
                await problem("internal").response(self.words)(scope, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    refused = problem_for(error)
    assert refused is not None
    if refused.status == 503:
        path = without_key(request.url.path)
        logger.warning("%s %s failed: %s", request.method, path, error)
    if isinstance(error, StoreFull | StoreReadOnly):
        server: Server = request.app.state.server
        server.notices.show(STORAGE, refused.refusal)
    return refused.response(language_of(request).program)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _problem(request, error).response(language_of(request).program)


def _problem(request: Request, error: HTTPException) -> Problem:
    """An error of the framework in the one error shape."""
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        return problem(
            "method",
            headers={"Allow": allowed},
            method=request.method,
            allowed=allowed,
        )
    if error.status_code == 404:
        return problem("absent")
    return problem("body", why=error.detail)
