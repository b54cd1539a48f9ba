"""The files of the page: the shell for every address that a person opens, and its static files.

They are read and joined once, at the start, and compressed on the first request. Starlette's
`StaticFiles` behind its `GZipMiddleware` would read and compress them again for every new browser,
on the event loop, and could send a file of a later version under the hash of this one.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from storypool.web.page.bundles import bundled
from storypool.web.problem import problem
from storypool.words import Words

SHELLS = {
    "/": "index.html",
    "/join": "index.html",
    "/t/{table}": "index.html",
    "/workshop": "workshop.html",
    "/gallery": "workshop.html",
}
"""The page for each address that a person opens. The workshop is apart, so players never load it.
"""
OF_THE_WORKSHOP = {
    b'src="/static/js/app.js"': b'src="/static/js/workshop/workshop-app.js"',
    b'href="/static/css/moments.css"': b'href="/static/css/workshop.css"',
}
"""The files of its page in place of those of the other."""
LOCALIZED: Mapping[str, Callable[[str], str]] = {
    "index.html": escape,
    "manifest.webmanifest": lambda text: json.dumps(text)[1:-1],
}
"""Files with ids of sentences in double braces, which are filled in, and how to quote them."""
FOR_EVER = "public, max-age=31536000, immutable"
NO_CACHE = "no-cache"
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
}
TYPES |= {".webmanifest": "application/manifest+json", ".css": "text/css", ".html": "text/html"}
TYPES |= {".txt": "text/plain", ".png": "image/png", ".json": "application/json"}
COMPRESSED_TYPES = frozenset({"text/javascript", "text/css", "text/html", "image/svg+xml"})
COMPRESSED_TYPES |= {"application/manifest+json", "application/json"}


class File(NamedTuple):
    """A static file, ready to be sent."""

    data: bytes
    squeezes: bool
    media: str
    etag: str


@dataclass(frozen=True, slots=True)
class Pages:
    """Every static file, read once.

    `build` is the hash of all, `squeezed` has those compressed so far. Under `/static/BUILD/` a
    file never changes, so browsers may cache it for ever; the shell names files there.
    """

    files: dict[str, File]
    build: str
    squeezed: dict[str, bytes] = field(default_factory=dict)
    _squeezing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def read(cls, folder: Path, words: Words) -> Pages:
        """Read the files of a folder, those of `SHELLS` as pages, and fill in these sentences."""
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        data = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        data |= {
            name: _localized(data[name], quoted, words)
            for name, quoted in LOCALIZED.items()
            if name in data
        }
        data["workshop.html"] = of_the_workshop(data["index.html"])
        shells = sorted({*SHELLS.values()} & data.keys())
        for shell in shells:
            data |= bundled(data, shell)
        build = sha256(
            b"".join(sha256(part).digest() for name in data for part in (name.encode(), data[name]))
        )
        digest = build.hexdigest()[:12]
        for shell in shells:
            data[shell] = data[shell].replace(b'"/static/', f'"/static/{digest}/'.encode())
        return cls({name: file_of(name, content) for name, content in data.items()}, digest)

    def routes(self) -> list[Route]:
        """The routes of the shell and of the files."""
        shells = [
            Route(path, partial(self._shell, shell), methods=["GET"])
            for path, shell in SHELLS.items()
        ]
        return [*shells, Route("/static/{path:path}", self._static, methods=["GET"])]

    async def _shell(self, shell: str, request: Request) -> Response:
        return await self.sent(request, shell, NO_CACHE)

    async def _static(self, request: Request) -> Response:
        build, _, path = str(request.path_params["path"]).partition("/")
        if build == self.build:
            return await self.sent(request, path, FOR_EVER)
        return await self.sent(request, str(request.path_params["path"]), NO_CACHE)

    async def sent(self, request: Request, name: str, keep: str) -> Response:
        """The response with a file, cached by browsers as `keep` says; 404 for an unknown one."""
        file = self.files.get(name)
        if file is None:
            raise problem("absent")
        headers = {"ETag": file.etag, "Cache-Control": keep, "Vary": "Accept-Encoding"}
        if file.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        data = file.data
        if file.squeezes and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            data = self.squeezed.get(name) or await self._squeeze(name)
        return Response(data, headers=headers, media_type=file.media)

    async def _squeeze(self, name: str) -> bytes:
        """A file compressed, off the event loop, once for all simultaneous requests."""
        async with self._squeezing:
            if name not in self.squeezed:
                self.squeezed[name] = await asyncio.to_thread(
                    gzip.compress, self.files[name].data, mtime=0
                )
        return self.squeezed[name]


def _localized(data: bytes, quoted: Callable[[str], str], words: Words) -> bytes:
    return re.sub(
        r"\{\{([\w.]+)\}\}", lambda id: quoted(words[id[1]]), data.decode("utf-8")
    ).encode()


def of_the_workshop(shell: bytes) -> bytes:
    """The page of the workshop: the other one with a different script and sheet."""
    for other, own in OF_THE_WORKSHOP.items():
        shell = shell.replace(other, own)
    return shell


def file_of(name: str, data: bytes) -> File:
    """A file as it is sent, with the media type of its ending."""
    # `mimetypes` reads the machine's own lists, which differ.
    media = TYPES.get(posixpath.splitext(name)[1], "application/octet-stream")
    squeezes = media in COMPRESSED_TYPES and len(data) > 500
    if media.startswith("text/"):
        media += "; charset=utf-8"
    return File(data, squeezes, media, f'"{sha256(data).hexdigest()[:24]}"')
