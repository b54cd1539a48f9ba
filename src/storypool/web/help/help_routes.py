"""The help at a running server: each page is made on its first request, and cached."""

import asyncio
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from storypool.web.help.contents import at
from storypool.web.help.help_site import INDEX, PICTURES, SEARCH, Site
from storypool.web.page.pages import NO_CACHE, Pages, file_of
from storypool.web.problem import problem


@dataclass(frozen=True, slots=True)
class Help:
    """The pages of a site, cached once they were requested."""

    site: Site
    made: Pages = field(default_factory=lambda: Pages({}, ""))
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[Route]:
        """The routes of the list of pages, and of everything below it."""
        return [
            Route("/help", self._page, methods=["GET"]),
            Route("/help/at/{place}", self._at, methods=["GET"]),
            # Beside the pages, for its relative links.
            Route("/help/paragraph", self._paragraph, methods=["GET"]),
            Route("/help/{key:path}", self._page, methods=["GET"]),
        ]

    async def _at(self, request: Request) -> Response:
        return RedirectResponse(f"/help/{_fitting(request, request.path_params['place'])}")

    async def _paragraph(self, request: Request) -> Response:
        page, _, anchor = _fitting(request, request.query_params.get("place", "")).partition("#")
        return await self._sent(request, f"{page}#{anchor}")

    async def _page(self, request: Request) -> Response:
        key = str(request.path_params.get("key", INDEX))
        if request.url.path == "/help/":
            return RedirectResponse("/help")
        return await self._sent(request, key)

    async def _sent(self, request: Request, key: str) -> Response:
        if key not in self.made.files:
            await self._make(key)
        return await self.made.sent(request, key, NO_CACHE)

    async def _make(self, key: str) -> None:
        """Make a page, one at a time and off the event loop: a long one takes 0.25 s."""
        async with self._making:
            if key not in self.made.files:
                try:
                    content = await asyncio.to_thread(self.site.content, key)
                except LookupError:
                    raise problem("absent") from None
                self.made.files[key] = file_of(
                    key if key.endswith((*PICTURES, SEARCH)) else "page.html", content
                )


def _fitting(request: Request, place: str) -> str:
    """The page of the help and the anchor for a place, a side and a game."""
    return at(place, request.query_params.get("side", ""), request.query_params.get("game", ""))
