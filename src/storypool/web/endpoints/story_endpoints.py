"""Endpoints for stories: links to the page of a session or a campaign, and these pages.

The pages are for people without a seat. They hold what everybody at the table saw, and no more.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from storypool.engine.events import Record
from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import seen, view
from storypool.engine.table import Seat, Table
from storypool.log.store import NoTable
from storypool.web.endpoint import Call, Endpoint, Reply, SeatQuery, endpoint
from storypool.web.endpoints.table_endpoints import of_log
from storypool.web.interface import forms
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.interface.story_forms import NewStory, StoryQuery, StoryState
from storypool.web.network.gate import OVERRIDABLE_HEADER
from storypool.web.prints.moving_roll import MEDIA as MOVING
from storypool.web.prints.moving_roll import moving_apart
from storypool.web.prints.photographs import MEDIA, has_decoder
from storypool.web.prints.raster import has_renderer, png_apart
from storypool.web.problem import problem
from storypool.web.story_links import CAMPAIGN, StoryLink, StoryLinks
from storypool.words import Phrase

if TYPE_CHECKING:
    from storypool.web.prints.story_page import Dress
    from storypool.worth.session_story import SessionLine, Story, Throw

T = TypeVar("T")
HTML = "text/html; charset=utf-8"
SHOWN = {OVERRIDABLE_HEADER: "cross-origin"}
"""The header of pictures that chats show on pages of their own."""
MAX_KEPT = 64
"""The most pages and pictures that the server keeps in memory."""


@endpoint(
    "GET",
    "/api/tables/{table}/stories",
    query=SeatQuery,
    gives=list[StoryState],
    errors=(*SEATED, *QUEUED),
    price=4,
)
async def list_stories(call: Call) -> list[StoryState]:
    """The campaign and its sessions, the latest first, with the pages that have a link.

    They hold what everybody at the table saw.
    """
    seat = await call.seat()
    return await _stories(call, seat)


async def _stories(call: Call, seat: Seat) -> list[StoryState]:
    table = call.path("table")
    links, leads = await StoryLinks(call.access).of_table(table), await call.leads(seat)
    lines = await _sessions(call, table)
    found = [StoryState(session=CAMPAIGN)]
    found += [forms.shown(StoryState, line, path="", url="", may_end=False) for line in lines]
    for one in found:
        if link := links.get(one.session):
            one.path, one.url = link.path, call.settings.base + link.path
            one.may_end = leads or link.by == seat.id
    return found


@endpoint(
    "POST",
    "/api/tables/{table}/stories",
    body=NewStory,
    gives=StoryState,
    status=(201,),
    errors=(*SEATED, "seatside", "absent", *QUEUED),
    price=8,
)
async def open_story(call: Call) -> StoryState:
    """Make the link to the page of a session or the campaign; the same one if there is one.

    People with the link read what everybody at the table saw, without a seat.
    """
    seat, table, session = await call.seat(), call.path("table"), call.body.session
    if seat.side == "spectator":
        raise problem("seatside", "seat")
    if session not in (CAMPAIGN, *(line.session for line in await _sessions(call, table))):
        raise problem("absent")
    await StoryLinks(call.access).open(table, session, seat.id)
    stories = await _stories(call, seat)
    return next(one for one in stories if one.session == session)


@endpoint(
    "DELETE",
    "/api/tables/{table}/stories/{session}",
    query=SeatQuery,
    gives=forms.Done,
    errors=(*SEATED, "gm"),
    price=8,
)
async def end_story(call: Call) -> forms.Done:
    """Revoke the link to a story: its page is gone at once, for everybody who has it."""
    seat, links = await call.seat(), StoryLinks(call.access)
    found = await links.of_table(call.path("table"))
    link = next((link for n, link in found.items() if str(n) == call.path("session")), None)
    if link is None:
        raise problem("absent")
    if not (await call.leads(seat) or link.by == seat.id):
        raise problem("gm")
    await links.revoke(link)
    return forms.Done(done=True)


# The pages.


@endpoint(
    "GET",
    "/recap/{key}",
    query=StoryQuery,
    price=4,
)
async def read_story(call: Call) -> Reply:
    """The page of a session or a campaign as HTML, for people with the link; it needs no scripts.

    A link that was revoked answers 404, with a page that says so.
    """
    try:
        link, session = await _linked(call)
        return Reply(await _page(call, link, session), media=HTML)
    except _Gone:
        from storypool.web.prints.story_page import gone_page

        return Reply(gone_page(call.language.program), 404, media=HTML)


class _Gone(Exception):
    """Raised for a link that is not there, or a session that its table does not have."""


async def _linked(call: Call) -> tuple[StoryLink, int]:
    """The link of a request, and the session that is asked for."""
    link = await StoryLinks(call.access).story(call.path("key"))
    if link is None:
        raise _Gone
    try:
        await call.speak_as_at(link.table)
    except NoTable:
        raise _Gone from None
    session = call.query.session
    if link.session != CAMPAIGN and session not in (0, link.session):
        raise _Gone
    return link, session or link.session


async def _page(call: Call, link: StoryLink, session: int) -> bytes:
    from storypool.web.prints.story_page import campaign_page, story_page

    table, system = await call.tables.look(link.table), await call.tables.system(link.table)
    dress = await _dress(call, link, session, system)
    if session == CAMPAIGN:
        lines = await _sessions(call, link.table)
        return campaign_page(table.title, lines, dress, game=system.name).encode()
    story = await _story(call, link.table, session)
    return story_page(story, system, dress).encode()


async def _dress(call: Call, link: StoryLink, session: int, system: System) -> Dress:
    from storypool.web.prints.story_page import Dress

    table = seen(await call.tables.look(link.table), None)
    world, hues = _world(table, system)
    return Dress(
        call.language.program,
        link.path,
        call.settings.base,
        query=f"?session={session}" if session != link.session else "",
        world=world,
        hues=hues,
        draws=_draws(),
        pictures=_portraits(table),
    )


def _world(table: Table, system: System) -> tuple[str, Mapping[str, int]]:
    """The world of a table's page, "" for none, and the numbers that its game has changed."""
    look = table.options.get("look", "game")
    world = system.world if look == "game" else str(look)
    return "" if world == "tide" else world, system.hues if look == "game" else {}


def _draws() -> bool:
    return has_renderer() and has_decoder()


def _portraits(table: Table) -> frozenset[str]:
    """The portraits that everybody sees, of a table as everybody sees it."""
    return frozenset(one.picture for one in table.characters.values() if one.picture)


async def _sessions(call: Call, table: str) -> list[SessionLine]:
    """A line for each session of a table, as everybody saw it."""

    async def none() -> dict[int, SessionLine]:
        return {}

    known = await kept(call, ("lines", table), none)

    def made(records: list[Record], system: System) -> list[SessionLine]:
        from storypool.worth.session_story import campaign_of

        return campaign_of(view(records, None), system, known)

    return await _made(call, table, "sessions", CAMPAIGN, made)


async def _story(call: Call, table: str, session: int) -> Story:
    """The story of a session as everybody at its table saw it."""
    chances = (await call.tables.look(table)).options.get("odds") != "gm"
    seconds = call.settings.limits.odds

    def made(records: list[Record], system: System) -> Story | None:
        from storypool.worth.session_story import story_of

        public = view(records, None)
        story = story_of(public, system, session, chances=chances, seconds=seconds)
        return story and _proved(story, public)

    story = await _made(call, table, "story", session, made)
    if story is None:
        raise _Gone
    return story


def _proved(story: Story, public: list[Record]) -> Story:
    """A story with the findings on its rolls: each is as good as the worst of its records."""
    from storypool.log.verified import verified

    found = {one.seq: one.verdict for one in verified(public)}
    throws = []
    for throw in story.throws:
        verdicts = {found.get(seq, "unbound") for seq in throw.seqs}
        known = "false" if "false" in verdicts else "".join(verdicts & {"fair", "hand"})
        proof = known if known == "false" or len(verdicts) == 1 else ""
        throws.append(replace(throw, proof=proof))
    return replace(story, throws=throws)


async def _made(
    call: Call, table: str, what: str, n: int, work: Callable[[list[Record], System], T]
) -> T:
    """What `work` makes of a log, off the event loop; kept until the log goes on."""
    system, seq = await call.tables.system(table), (await call.tables.look(table)).seq
    store = call.tables.store

    async def make() -> T:
        return await call.queued(
            call.server.large, lambda: work(store.read(table, upto=seq), system)
        )

    return await kept(call, (what, table, n, seq), make)


async def kept(call: Call, key: tuple[object, ...], make: Callable[[], Awaitable[T]]) -> T:
    """The result of `make`, from memory if it was made before, in this language."""
    known, of = call.server.stories, (*key, call.language.key)
    if of not in known:
        made = await make()
        while len(known) >= MAX_KEPT:
            del known[next(iter(known))]
        known[of] = made
    found: T = known[of]
    return found


@endpoint(
    "GET",
    "/recap/{key}/portraits/{picture}",
    query=StoryQuery,
)
async def show_portrait(call: Call) -> Reply:
    """A portrait on the page of a story: one that everybody at the table sees now."""
    link, _ = await _of_part(call)
    key, table = call.path("picture"), seen(await call.tables.look(link.table), None)
    found = None
    if key in _portraits(table):
        found = await asyncio.to_thread(call.tables.store.picture, link.table, key)
    if found is None:
        raise problem("absent")
    return Reply(found, media=MEDIA)


@endpoint("GET", "/recap/{key}/picture.png", query=StoryQuery, price=4)
async def paint_story(call: Call) -> Reply:
    """The picture that chats show of a story: 1200 by 630 pixels."""
    link, session = await _of_part(call)
    if not _draws():
        raise Refused(Refusal.of("unknown", Phrase("web.png")))
    svg = await _chat_picture(call, link, session)
    return Reply(await _kept_picture(call, svg, png_apart), headers=SHOWN, media="image/png")


async def _chat_picture(call: Call, link: StoryLink, session: int) -> str:
    """The picture of a session or a campaign as SVG."""
    from storypool.web.prints.story_page import DRAWN_NAME, about_session
    from storypool.web.prints.story_picture import MAX_FACES, chat_picture

    table, system = await call.tables.look(link.table), await call.tables.system(link.table)
    dress, words = await _dress(call, link, session, system), call.language.program
    line, throw = words["recap_page.campaign"], None
    keys = sorted(dress.pictures)
    if session != CAMPAIGN:
        story = await _story(call, link.table, session)
        line, throw = about_session(story, words), next(iter(story.throws), None)
        keys = [one.picture for one in story.people if one.picture in dress.pictures]
    store, portraits = call.tables.store, list[bytes | str]()
    for key in keys[:MAX_FACES]:
        stored = await asyncio.to_thread(store.picture, link.table, key)
        if stored or len(key) < DRAWN_NAME:
            portraits.append(stored or key)
    return chat_picture(
        table.title,
        line,
        throw,
        system=system,
        words=words,
        world=dress.world,
        hues=dress.hues,
        portraits=portraits,
    )


@endpoint("GET", "/recap/{key}/throws/{seq}.gif", query=StoryQuery, price=4)
async def move_throw(call: Call) -> Reply:
    """A roll on the page of a story as a short moving picture."""
    link, session = await _of_part(call)
    throws = [] if session == CAMPAIGN else (await _story_of_part(call, link, session)).throws
    throw = next((one for one in throws if str(one.seq) == call.path("seq")), None)
    if throw is None:
        raise problem("absent")
    return await _moving(call, link.table, throw, SHOWN)


@endpoint(
    "GET",
    "/api/tables/{table}/rolls/{seq}/moving.gif",
    query=SeatQuery,
    gives=bytes,
    errors=(*SEATED, "unknown", *QUEUED),
    media=MOVING,
    price=8,
)
async def move_roll(call: Call) -> Reply:
    """The roll of a record as a short moving picture, at most 500 kB, to send or to keep.

    It holds what everybody at the table sees of the roll; a hidden roll is only for seats that see
    it, as they see it.
    """
    seat, table = await call.seat(), call.path("table")

    def found(records: list[Record], system: System) -> Throw | None:
        from storypool.worth.session_story import throw_at

        seq = int(call.path("seq")) if call.path("seq").isdecimal() else 0
        for reader in (None, seat):
            if throw := throw_at(view(records, reader), system, seq):
                return throw
        return None

    throw = await of_log(call, found, call.server.large)
    if throw is None:
        raise problem("absent")
    return await _moving(call, table, throw)


async def _moving(
    call: Call, table: str, throw: Throw, headers: Mapping[str, str] | None = None
) -> Reply:
    """The moving picture of a roll, which is made once."""
    from storypool.web.prints.story_picture import roll_parts

    if not _draws():
        raise Refused(Refusal.of("unknown", Phrase("web.moving")))
    system, folded = await call.tables.system(table), await call.tables.look(table)
    world, hues = _world(folded, system)
    parts = roll_parts(
        throw,
        f"{folded.title} · {system.name}",
        system=system,
        words=call.language.program,
        world=world,
        hues=hues,
    )
    picture = await _kept_picture(call, json.dumps(parts), moving_apart)
    return Reply(picture, headers=headers, media=MOVING)


async def _kept_picture(
    call: Call, drawing: str, paint: Callable[[str], Awaitable[bytes]]
) -> bytes:
    """The picture that a process of its own paints; from memory if it was painted before."""
    of = ("picture", sha256(drawing.encode()).hexdigest())
    return await kept(call, of, lambda: call.in_turn(call.server.large, lambda: paint(drawing)))


async def _story_of_part(call: Call, link: StoryLink, session: int) -> Story:
    try:
        return await _story(call, link.table, session)
    except _Gone:
        raise problem("absent") from None


async def _of_part(call: Call) -> tuple[StoryLink, int]:
    """The link of a request for a part of a page, which is refused as any other."""
    try:
        return await _linked(call)
    except _Gone:
        raise problem("absent") from None


ENDPOINTS: tuple[Endpoint, ...] = (list_stories, open_story, end_story, move_roll)
PAGES: tuple[Endpoint, ...] = (read_story, show_portrait, paint_story, move_throw)
"""What a link opens, with its parts: for people, and so no part of the documented interface."""
