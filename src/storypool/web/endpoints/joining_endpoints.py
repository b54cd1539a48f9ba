"""Endpoints for joining: links, sessions, seats, claims."""

import secrets

import segno

from storypool.engine import house
from storypool.engine.table import Seat, Side, Table
from storypool.log.store import Grant
from storypool.web.access import LASTING, LINKED, Session, claim_state, hashed, link_id, may_agree
from storypool.web.endpoint import Call, Endpoint, Reply, SeatQuery, endpoint
from storypool.web.interface import forms, joining_forms
from storypool.web.interface.problems import QUEUED, SEATED
from storypool.web.network.gate import bearer, client, too_often
from storypool.web.problem import problem
from storypool.words.languages import Language


@endpoint(
    "POST",
    "/api/join",
    body=joining_forms.Join,
    gives=joining_forms.LinkLook | joining_forms.Joined,
    status=(200, 202),
    errors=("link", "link.other", "gone", "seatside", "claims", "absent", "argument", "when"),
    tag="joining",
    by_link=True,
)
async def join(call: Call) -> object:
    """Look at a link, or join by it: take a new seat, or an existing one."""
    wait = await call.server.wait_to_join(client(call.request.scope))
    if wait:
        raise too_often(wait)
    body: joining_forms.Join = call.body
    link = await call.access.link(body.secret or bearer(call.request.headers))
    if link is None:
        raise problem("link", "secret")
    if link.kind == "host":
        return await _come_as_host(call, link) if body.host else await _look_as_host(call)
    table = await call.tables.look(link.table)
    await call.speak_as_at(link.table)
    if body.host:
        raise problem("link.other", "host")
    if body.name is None and body.seat is None:
        return _look(link, table, call.language)
    if body.name is not None and link.kind == "device":
        raise problem("link.other", "name")
    if body.name is not None:
        return await _take_new_seat(call, link, body.name)
    return await _take_seat_there(call, link, table, body.seat or link.seat)


async def _look_as_host(call: Call) -> joining_forms.LinkLook:
    first = not await call.tables.listings()
    return joining_forms.LinkLook(
        link="host", table=None, side=None, seats=[], seat=None, first=first
    )


async def _come_as_host(call: Call, link: Grant) -> Reply:
    came = await arrival(call)
    if link.side == LASTING:
        await call.access.make_host(hashed(came.secret), LINKED, link.note)
    else:
        await call.access.make_host(hashed(came.secret), came.kind, call.body.note)
    return came.answer(joining_forms.Joined(joined=True, host=True))


async def _take_new_seat(call: Call, link: Grant, name: str) -> Reply:
    side: Side = link.side  # type: ignore[assignment]
    seat = await call.tables.take_seat(link.table, name, side)
    return await _seated(call, link.table, seat)


async def _take_seat_there(call: Call, link: Grant, table: Table, seat_id: str) -> Reply:
    seat = table.seats.get(seat_id)
    free = seat in house.free_seats(table)
    if seat is None or not (seat.here or free) or (link.kind == "device" and seat_id != link.seat):
        raise problem("gone", "seat")
    if link.kind == "link" and seat.side != link.side:
        raise problem("seatside", "seat")
    if not _must_be_confirmed(link):
        return await _seated(call, link.table, seat)
    came = await arrival(call)
    claim = await call.access.claim(link.table, seat_id, hashed(came.secret), came.kind)
    if claim is None:
        raise problem("claims", headers={"Retry-After": "60"})
    return came.answer(
        joining_forms.Joined(joined=False, table=link.table, claim=claim_state(claim)), 202
    )


async def _seated(call: Call, table: str, seat: Seat) -> Reply:
    if not seat.here:
        await call.tables.return_to_seat(table, seat.id)
    came = await arrival(call)
    await call.access.sit(hashed(came.secret), table, seat.id, came.kind, call.body.note)
    return came.answer(joining_forms.Joined(joined=True, table=table, seat=seat))


def _must_be_confirmed(link: Grant) -> bool:
    """Whether a claim by this link needs an answer; links for a GM or a device are proof enough."""
    return link.kind == "link" and link.side != "gm"


class Arrival:
    """The session of a request to join: its own or a new one; a program gets its own token."""

    def __init__(self, secret: str, program: bool) -> None:
        self.secret, self.program = secret, program
        self.kind = "program" if program else "session"

    def answer(self, joined: joining_forms.Joined, status: int = 200) -> Reply:
        """The response, with the token or the cookie."""
        if self.program:
            joined.token = self.secret
        return Reply(joined, status, cookie="" if self.program else self.secret)


async def arrival(call: Call) -> Arrival:
    own = call.secret
    if getattr(call.body, "program", False):
        return Arrival(secrets.token_urlsafe(24), True)
    known = own and (
        await call.access.session(own) is not None or await call.access.waits(hashed(own))
    )
    program = bool(bearer(call.request.headers))
    return Arrival(own, program) if known else Arrival(secrets.token_urlsafe(24), False)


def _look(link: Grant, table: Table, language: Language) -> joining_forms.LinkLook:
    confirm = _must_be_confirmed(link)
    here = [seat for seat in table.seats.values() if seat.here]

    def leads_to(seat: Seat) -> bool:
        return seat.id == link.seat if link.kind == "device" else seat.side == link.side

    seats = [
        forms.shown(joining_forms.SeatToTake, seat, confirm=confirm)
        for seat in (*here, *house.free_seats(table))
        if leads_to(seat)
    ]
    look = joining_forms.LinkLook(
        link=_side(link),  # type: ignore[arg-type]
        table=joining_forms.TableName(
            id=link.table, title=table.title, system=table.system, language=language.key
        ),
        side=link.side or None,  # type: ignore[arg-type]
        seats=seats,
        seat=None,
    )
    if link.kind == "device" and seats:
        look.seat = seats[0]
        look.side = seats[0].side
    return look


@endpoint("GET", "/api/session", gives=joining_forms.SessionState, tag="joining")
async def session_state(call: Call) -> joining_forms.SessionState:
    """The rights of this browser or program, and its seats."""
    session = await call.access.starting_session(call.secret)
    seats = []
    for table_id, table in (await tables_of(call, session)).items():
        here = [
            table.seats[id]
            for id in session.seats_at(table_id)
            if id in table.seats and table.seats[id].here
        ]
        for seat in here:
            of = {"table": table_id, "title": table.title, "system": table.system, "seat": seat.id}
            seats.append(forms.shown(joining_forms.SeatHere, seat, **of))
    may_open = session.may("open") or call.settings.anybody_opens
    notices = call.server.notices.texts(call.language.program, session.may("watch"))
    workshop = session.host or call.settings.workshop
    return joining_forms.SessionState(
        host=session.host, may_open=may_open, workshop=workshop, seats=seats, notices=notices
    )


async def tables_of(call: Call, session: Session) -> dict[str, Table]:
    """The tables where a session has seats, without deleted ones."""
    there = {listing.id for listing in await call.tables.listings()}
    return await call.tables.look_at(sorted({table for table, _ in session.seats} & there))


@endpoint("DELETE", "/api/session", gives=forms.Done, tag="joining")
async def forget(call: Call) -> Reply:
    """Sign this browser or token out: it no longer speaks for any seat."""
    session = await call.session()
    if session is not None:
        await call.access.revoke(hash=session.hash)
    gone = f"{call.server.cookie}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
    return Reply(forms.Done(done=True), headers={"Set-Cookie": gone})


@endpoint(
    "GET", "/api/claims/{claim}", gives=joining_forms.ClaimState, errors=("absent",), tag="joining"
)
async def own_claim(call: Call) -> joining_forms.ClaimState:
    """The state of a claim that this session made."""
    claim = (
        await call.access.claim_of(call.path("claim"), hashed(call.secret)) if call.secret else None
    )
    if claim is None:
        raise problem("absent")
    return claim_state(claim)


@endpoint(
    "GET",
    "/api/tables/{table}/claims",
    query=SeatQuery,
    gives=list[joining_forms.ClaimState],
    errors=SEATED,
    tag="joining",
)
async def claims(call: Call) -> list[joining_forms.ClaimState]:
    """The waiting claims that this seat may answer."""
    seat = await call.seat()
    leads = await call.leads(seat)
    return [
        claim_state(claim)
        for claim in await call.access.claims(call.path("table"))
        if may_agree(seat, leads, claim)
    ]


@endpoint(
    "POST",
    "/api/tables/{table}/claims/{claim}",
    body=joining_forms.ClaimAnswer,
    gives=joining_forms.ClaimState,
    errors=(*SEATED, "when"),
    tag="joining",
)
async def answer_claim(call: Call) -> joining_forms.ClaimState:
    """Answer a claim: grant it or refuse it."""
    seat = await call.seat()
    leads = await call.leads(seat)
    waiting = await call.access.claims(call.path("table"))
    ours = (one for one in waiting if may_agree(seat, leads, one))
    claim = next((one for one in ours if one.id == call.path("claim")), None)
    if claim is None:
        raise problem("absent")
    left = {seat.id for seat in house.free_seats(await call.tables.look(claim.table))}
    if call.body.agree and claim.seat in left:
        await call.tables.return_to_seat(claim.table, claim.seat)
    await call.access.settle(claim, call.body.agree)
    return claim_state(claim)


# Links.


@endpoint(
    "GET",
    "/api/tables/{table}/links",
    query=SeatQuery,
    gives=list[joining_forms.LinkState],
    errors=SEATED,
    tag="joining",
)
async def links(call: Call) -> list[joining_forms.LinkState]:
    """The working links without secrets: all for a game master, for others those of their seat."""
    seat = await call.seat()
    leads = await call.leads(seat)
    return [
        forms.shown(joining_forms.LinkState, one, id=link_id(one.hash), side=_side(one))
        for one in await call.access.links(call.path("table"))
        if leads or one.seat == seat.id
    ]


@endpoint(
    "POST",
    "/api/tables/{table}/links",
    body=joining_forms.NewLink,
    gives=joining_forms.Link,
    status=(201,),
    errors=(*SEATED, "gm", "links.full"),
    tag="joining",
    price=8,
)
async def invite(call: Call) -> joining_forms.Link:
    """Mint a link, which is shown once.

    The number of working links is limited, for new seats and for the devices of each seat.
    """
    body: joining_forms.NewLink = call.body
    table = call.path("table")
    session = await call.signed_in()
    if body.side == "gm" and session.host and not body.seat:
        await call.tables.look(table)
        return await new_link(call, table, side="gm", note=body.note)
    seat = await call.seat()
    if body.side == "device":
        whose = body.whose or seat.id
        if whose != seat.id and seat.side != "gm":
            raise problem("gm", "whose")
        other = (await call.tables.look(table)).seats.get(whose)
        if other is None or not other.here:
            raise problem("gone", "whose")
        await _have_room(call, table, whose)
        return await new_link(call, table, seat=whose, note=body.note)
    if not await call.leads(seat):
        raise problem("gm", "side")
    await _have_room(call, table, "")
    side = "player" if body.side == "gm" and seat.side != "gm" else body.side
    return await new_link(call, table, side=side, note=body.note)


@endpoint(
    "DELETE",
    "/api/tables/{table}/links/{link}",
    query=SeatQuery,
    gives=forms.Done,
    errors=SEATED,
    tag="joining",
    price=8,
)
async def revoke(call: Call) -> forms.Done:
    """Revoke a link. Those who joined by it keep their seats."""
    await call.access.revoke(hash=(await _own_link(call)).hash)
    return forms.Done(done=True)


@endpoint(
    "POST",
    "/api/tables/{table}/links/{link}/code",
    body=joining_forms.Speaking,
    gives=joining_forms.LinkCode,
    status=(201,),
    errors=SEATED,
    tag="joining",
    price=8,
)
async def code_of_link(call: Call) -> joining_forms.LinkCode:
    """A short code that joins as the link does, for ten minutes, in place of an earlier one.

    It is typed where a link cannot be tapped, and sent to `POST /api/join` as the secret.
    """
    code, until = await call.access.code(await _own_link(call))
    return joining_forms.LinkCode(code=code, until=until)


async def _own_link(call: Call) -> Grant:
    """The link of a request, if its seat leads the table or the link is for that seat."""
    seat = await call.seat()
    leads = await call.leads(seat)
    for one in await call.access.links(call.path("table")):
        if link_id(one.hash) == call.path("link") and (leads or one.seat == seat.id):
            return one
    raise problem("absent")


@endpoint(
    "POST",
    "/api/tables/{table}/seats/{of}/replace",
    body=joining_forms.Speaking,
    gives=joining_forms.Link,
    status=(201,),
    errors=(*SEATED, "gm"),
    tag="joining",
    price=8,
)
async def replace_seat(call: Call) -> joining_forms.Link:
    """Give a seat to another person: sign out its devices, revoke its links, mint a new one."""
    master = await call.master()
    of, table = call.path("of"), call.path("table")
    seat = (await call.tables.look(table)).seats.get(of)
    if seat is None or not seat.here:
        raise problem("absent")
    if seat.id != master.id:
        await call.access.revoke(table=table, seat=of)
    return await new_link(call, table, seat=of)


async def _have_room(call: Call, table: str, seat: str) -> None:
    most = call.settings.limits.links
    if sum(one.seat == seat for one in await call.access.links(table)) >= most:
        raise problem("links.full", most=most)


async def new_link(
    call: Call, table: str, *, side: str = "", seat: str = "", note: str = ""
) -> joining_forms.Link:
    """Mint a link, and return it with its address, which is shown only once."""
    secret = await call.access.mint(
        "device" if seat else "link", table=table, side=side, seat=seat, note=note
    )
    path = f"/join#link={secret}"
    return joining_forms.Link(
        id=link_id(hashed(secret)), side=side or "device", path=path, url=call.settings.base + path
    )


def _side(link: Grant) -> str:
    return link.side if link.kind == "link" else link.kind


@endpoint(
    "POST",
    "/api/qr",
    body=joining_forms.QrText,
    gives=joining_forms.QrRows,
    errors=("qr", *QUEUED),
    tag="joining",
)
async def qr(call: Call) -> joining_forms.QrRows:
    """A QR code of an address.

    It is a POST to keep secrets out of the request's own address.
    """
    text: str = call.body.text
    try:
        rows = await call.queued(
            call.server.small, lambda: segno.make(text, error="m", micro=False).matrix
        )
    except segno.DataOverflowError:
        raise problem("qr", "text") from None
    return joining_forms.QrRows(size=len(rows), rows=[list(map(int, row)) for row in rows])


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
