"""Endpoints for the pictures of a table: storing one, and reading one that a seat may see."""

import asyncio
import secrets
from base64 import b64decode
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import seen
from storypool.web.endpoint import Call, Endpoint, Reply, SeatQuery, endpoint
from storypool.web.interface.forms import Id
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.prints.decoder import Unfit
from storypool.web.prints.photographs import (
    MAX_EDGE,
    MEDIA,
    BadPicture,
    encoded_apart,
    has_decoder,
    pictures_of,
)
from storypool.web.problem import problem
from storypool.words import Phrase

EDGES = {"portrait": 256, "handout": MAX_EDGE}
"""The most pixels of an edge, by what a picture is for."""
UNFIT = {
    Unfit.KIND: "picture.kind",
    Unfit.LARGE: "picture.large",
    Unfit.MOVING: "picture.moving",
    Unfit.BROKEN: "picture.broken",
}
"""The problem for each reason against a picture."""


UNNAMED_KEPT_MS = 24 * 3600 * 1000
"""How long a picture is kept for the move that shows it."""


def _key_at(at: int) -> str:
    """How the keys of pictures begin that are stored at this moment, in milliseconds."""
    return f"{at:012x}"


class PictureBody(msgspec.Struct, forbid_unknown_fields=True):
    """The seat, a JPEG, PNG or WebP in base64, and what it is for."""

    picture: Annotated[str, Meta(max_length=480 * 1024)]
    use: Literal["portrait", "handout"] = "portrait"
    seat: Id = ""


class PictureStored(msgspec.Struct):
    """The key of a stored picture, for a move that shows it."""

    picture: str


@endpoint(
    "POST",
    "/api/tables/{table}/pictures",
    body=PictureBody,
    gives=PictureStored,
    status=(201,),
    errors=(*SEATED, "seatside", "pictures.full", *UNFIT.values(), "unknown", *QUEUED),
    large=True,
    price=8,
)
async def store_picture(call: Call) -> PictureStored:
    """Store a picture, encoded again without anything but its pixels.

    Nobody sees it until a move names its key: `character.portrait`, `paper.write` or `paper.edit`.
    One that none has named within a day is erased when the table's next picture is stored.
    """
    seat, table, store = await call.seat(), call.path("table"), call.tables.store
    if seat.side == "spectator":
        raise problem("seatside", "seat")
    if not has_decoder():
        raise Refused(Refusal.of("unknown", Phrase("web.picture.decoder")))
    now = call.tables.now()
    await asyncio.to_thread(store.drop_pictures, table, _key_at(now - UNNAMED_KEPT_MS))
    most = call.settings.limits.pictures
    if most and len(await asyncio.to_thread(store.pictures, table)) >= most:
        raise problem("pictures.full", most=most)
    try:
        brought = b64decode(call.body.picture, validate=True)
    except ValueError:  # not base64, or not ASCII
        raise problem(UNFIT[Unfit.KIND], "picture") from None
    edge = EDGES[call.body.use]
    try:
        made = await call.in_turn(call.server.large, lambda: encoded_apart(brought, edge))
    except BadPicture as bad:
        raise problem(UNFIT[bad.why], "picture") from None
    key = _key_at(now) + secrets.token_hex(10)
    await asyncio.to_thread(store.put_picture, table, key, made)
    return PictureStored(picture=key)


@endpoint(
    "GET",
    "/api/tables/{table}/pictures/{picture}",
    query=SeatQuery,
    gives=str,
    errors=SEATED,
    media=MEDIA,
)
async def show_picture(call: Call) -> Reply:
    """A picture of the table, for a seat that sees a character or a paper with it."""
    seat, id, key = await call.seat(), call.path("table"), call.path("picture")
    found = None
    if key in pictures_of(seen(await call.tables.look(id), seat)):
        found = await asyncio.to_thread(call.tables.store.picture, id, key)
    if found is None:
        raise problem("absent")
    # The readers of a handout can change, so it is asked for again after an evening.
    return Reply(found, headers={"Cache-Control": "private, max-age=14400"}, media=MEDIA)


ENDPOINTS: tuple[Endpoint, ...] = (store_picture, show_picture)
