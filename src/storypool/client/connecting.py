"""The way to a seat: with a link, or with a token that a program was given before."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from storypool.client.remote_server import RemoteServer, not_served
from storypool.client.seat import ClientSeat
from storypool.words.folding import alike

CLAIM_PAUSE_S = 0.5
"""Seconds between two looks at a claim."""


@asynccontextmanager
async def connect(
    link: str,
    name: str = "",
    *,
    code: str = "",
    token: str = "",
    patience: float = 600,
    on_claim: Callable[[str], None] = lambda code: None,
) -> AsyncIterator[ClientSeat]:
    """A seat at a table: with a link that is the seat with this name, or a new one.

    With a `code`, which a game master reads out for ten minutes, the link is the address of the
    server; with a `token`, that of a table as a browser shows it. A seat that belongs
    to a person may have to be granted: then `on_claim` gets the code that their screen shows.
    `patience` is how many seconds an answer, a lost line and a restart of the server are waited
    for. `Refused` has the reason, `Unreachable` is a server that does not answer.
    """
    parts = urlsplit(link)
    name_of, _, rest = parts.fragment.partition("=")
    secret = code or (rest if name_of == "link" else "")
    if parts.scheme not in ("http", "https") or not parts.netloc or not (secret or token):
        raise not_served("argument", "link", "link", link=parts._replace(fragment="").geturl()[:60])
    server = RemoteServer(f"{parts.scheme}://{parts.netloc}", token or secret, patience)
    async with server:
        if token:
            table = parts.path.removeprefix("/t/").partition("/")[0]
            id = next(iter(parse_qs(parts.query).get("seat", ())), "")
        else:
            table, id = await _join(server, name, on_claim)
        yield await ClientSeat.at(server, table, id)


async def _join(
    server: RemoteServer, name: str, on_claim: Callable[[str], None]
) -> tuple[str, str]:
    """Take a seat, for which the server has a token from then on; the table's id, and the seat's.

    Wait if another seat has to agree.
    """
    # A server that never answered is not waited for: the link may have a mistake.
    look = await server.post("/api/join", {})
    if look["link"] == "host":
        raise not_served("argument", "host", "link")
    there = {alike(seat["name"]): seat["id"] for seat in look["seats"]}
    own = look["seat"]["id"] if look["seat"] else there.get(alike(name))
    came = await server.post(
        "/api/join", {**({"seat": own} if own else {"name": name}), "program": True}
    )
    server.token = came["token"]
    if came["claim"]:
        on_claim(came["claim"]["code"])
        await _granted(server, came["claim"])
        return str(came["claim"]["table"]), str(came["claim"]["seat"])
    return str(came["table"]), str(came["seat"]["id"])


async def _granted(server: RemoteServer, claim: dict[str, Any]) -> None:
    """Wait until a claim is answered; `Refused` where it is not granted."""
    until = time.monotonic() + server.patience
    while claim["state"] == "waiting" and time.monotonic() < until:
        await asyncio.sleep(CLAIM_PAUSE_S)
        claim = await server.get(f"/api/claims/{claim['id']}")
    if claim["state"] != "granted":
        raise not_served("identity", "refused")
