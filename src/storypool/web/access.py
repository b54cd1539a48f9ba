"""The right to speak for a seat: links, sessions, tokens, and claims that wait for an answer.

The store keeps only the SHA-256 of a secret, so a link cannot be shown again, only replaced.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from hashlib import sha256
from typing import Literal, Protocol

from storypool.engine.table import Seat
from storypool.log.store import Grant, Store
from storypool.web.interface import joining_forms
from storypool.web.interface.forms import LIMITS, shown

CACHED = 20_000
CLAIM_LIFE_MS = round(LIMITS.claim_life * 1000)
"""Milliseconds after which a claim expires."""
CODE_LIFE_MS = round(LIMITS.code_life * 1000)
"""Milliseconds after which the code of a link expires."""
CODE = "code"
"""The kind of grant that stores the code of a link, with the id of that as its side."""
LETTERS, CODE_LENGTH = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ", 8
"""What a code is made of: 40 bits, without letters that are taken for others."""
CLAIMS_AT_ONCE = LIMITS.claims
CLAIM = "claim"
"""The kind of grant that stores a claim."""
LINKS = ("host", "link", "device")
"""The kinds of grants that are passed on as links; the others stay with their first holder."""
STORY = "story"
"""The kind of grant that is a link to a story: it lets its holder read that, and nothing else."""
LASTING = "lasting"
"""The side of a host's link that works until it is revoked; its note is its name."""
NAMED_TOKEN, LINKED = "token", "linked"
"""The kinds of a lasting token, and of a session that came by a lasting link; both have its name.
"""

ALL = "host"
"""The side of a grant with every right of the host."""

Right = Literal["open", "watch", "all"]
"""A right of the host that a token may have.

`open` is for opening tables; `watch` for the titles of all tables, the host's notices and the
figures; `all` for everything that the host may do.
"""

State = Literal["waiting", "granted", "refused", "gone"]


@dataclass(frozen=True, slots=True)
class Session:
    """The rights of one browser or program: its seats as (table, seat), and those of a host.

    A token may have only some rights of a host, which `rights` lists.
    """

    hash: str
    seats: frozenset[tuple[str, str]] = frozenset()
    host: bool = False
    rights: frozenset[str] = frozenset()

    def may(self, right: Right) -> bool:
        """Whether it has this right of a host."""
        return self.host or right in self.rights

    def seats_at(self, table: str) -> list[str]:
        """The ids of its seats at one table, in order."""
        return sorted(seat for at, seat in self.seats if at == table)


@dataclass(slots=True)
class Claim:
    """A request to speak for an existing seat.

    Both sides see the same `code`, which shows that the right device is admitted.
    """

    id: str
    table: str
    seat: str
    _: KW_ONLY
    session: str
    kind: str
    code: str
    made: int
    state: State = "waiting"


def hashed(secret: str) -> str:
    """The SHA-256 of a secret, in the form that the store keeps."""
    return sha256(secret.encode()).hexdigest()


def link_id(hash: str) -> str:
    """The id of a link in lists: a part of its hash, which cannot be used to join."""
    return hash[:16]


def code_in(text: str) -> str:
    """A typed code without spaces and dashes, in capitals; "" for a text that is none."""
    found = "".join(text.split()).replace("-", "").upper()
    return found if len(found) == CODE_LENGTH and not set(found) - set(LETTERS) else ""


def mint(
    store: Store,
    kind: str,
    *,
    table: str = "",
    side: str = "",
    seat: str = "",
    note: str = "",
    at: int | None = None,
) -> str:
    """Mint a secret and store its grant.

    `kind` is a link ("link", "device", "host") or a token ("program", "terminal"). It works without
    a server, for a process that holds the lock of the store.
    """
    secret = secrets.token_urlsafe(24)
    made = time.time_ns() // 1_000_000 if at is None else at
    store.grant(
        Grant(hashed(secret), kind, table=table, seat=seat, side=side, note=note, made=made)
    )
    return secret


def is_lasting(grant: Grant) -> bool:
    """Whether a grant is a working lasting credential of the host, or a session that used one."""
    is_link = (grant.kind, grant.side) == ("host", LASTING)
    return (is_link or grant.kind in (NAMED_TOKEN, LINKED)) and not (grant.table or grant.revoked)


def claim_state(claim: Claim) -> joining_forms.ClaimState:
    """A claim as both sides see it."""
    return shown(joining_forms.ClaimState, claim)


def may_agree(seat: Seat, leads: bool, claim: Claim) -> bool:
    """Whether a seat may answer a claim, as those that lead a table and the claimed seat may."""
    return leads or seat.id == claim.seat


def _of_claims(session: str) -> str:
    """The key of a session's claims among the grants: no session has this hash."""
    return f"claim {session}"


class GrantSubscriber(Protocol):
    """A subscriber to changes of grants and claims."""

    def revoked(self, session: str | None, table_id: str | None, seat_id: str | None) -> None:
        """Take note of revoked grants: of this session, table and seat, each None for any."""
        ...

    def claimed(self, table_id: str, waiting: Sequence[Claim]) -> None:
        """Take note of a claim that was made, answered or expired; these wait for an answer now."""
        ...


class Access:
    """Links, sessions and claims of one server."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self.store, self.now = store, now
        self._subscribers: list[GrantSubscriber] = []
        self._sessions: OrderedDict[str, Session | None] = OrderedDict()
        self._tasks, self._life = set[asyncio.Task[None]](), 0

    def subscribe(self, subscriber: GrantSubscriber) -> None:
        """Notify a subscriber of every revoked grant and every claim from now on."""
        self._subscribers.append(subscriber)

    async def mint(
        self, kind: str, *, table: str = "", side: str = "", seat: str = "", note: str = ""
    ) -> str:
        """Mint a secret and store its grant."""
        minted = partial(
            mint, self.store, kind, table=table, side=side, seat=seat, note=note, at=self.now()
        )
        return await asyncio.to_thread(minted)

    async def link(self, secret: str) -> Grant | None:
        """The grant of the link with this secret or this code; None if it no longer works."""
        code = code_in(secret)
        grants = await asyncio.to_thread(self.store.grants, hash=hashed(code or secret))
        for grant in grants:
            if grant.kind in LINKS and not grant.revoked:
                return grant
            if grant.kind == CODE and not grant.revoked and self._is_fresh(grant):
                links = await self.links(grant.table)
                return next((one for one in links if link_id(one.hash) == grant.side), None)
        return None

    def _is_fresh(self, code: Grant) -> bool:
        return self.now() - code.made <= CODE_LIFE_MS

    async def code(self, link: Grant) -> tuple[str, int]:
        """A short code that stands for a link, in place of an earlier one; and when it expires.

        It can be read out and typed: a link goes to a phone, a code to a chat or a terminal.
        """
        id, made = link_id(link.hash), self.now()
        for grant in await asyncio.to_thread(self.store.grants, table=link.table):
            if grant.kind == CODE and (grant.side == id or not self._is_fresh(grant)):
                await asyncio.to_thread(self.store.revoke, made, hash=grant.hash)
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        await self._keep(Grant(hashed(code), CODE, table=link.table, side=id, made=made))
        return f"{code[:4]}-{code[4:]}", made + CODE_LIFE_MS

    async def session(self, secret: str) -> Session | None:
        """The session with this secret; None if it has no grants."""
        return await self.session_of(hashed(secret))

    async def starting_session(self, secret: str) -> Session:
        """The session of a page or program that starts; without grants it holds no seats."""
        return (await self.session(secret) if secret else None) or Session("")

    async def session_of(self, hash: str) -> Session | None:
        """The session whose secret has this hash; None if it has no grants."""
        if hash in self._sessions:
            self._sessions.move_to_end(hash)
            return self._sessions[hash]
        life = self._life
        grants = await asyncio.to_thread(self.store.grants, hash=hash)
        passed_on = (*LINKS, STORY)
        held = [grant for grant in grants if grant.kind not in passed_on and not grant.revoked]
        seats = frozenset((grant.table, grant.seat) for grant in held if grant.seat)
        found = None
        if held:
            rights = frozenset(" ".join(grant.side for grant in held).split())
            found = Session(hash, seats, ALL in rights, rights)
        if life == self._life:
            self._sessions[hash] = found
            while len(self._sessions) > CACHED:
                self._sessions.popitem(last=False)
        return found

    async def sit(
        self, hash: str, table: str, seat: str, kind: str = "session", note: str = ""
    ) -> None:
        """Grant a seat to a session."""
        await self._keep(
            Grant(hash, kind, table=table, seat=seat, side="", note=note, made=self.now())
        )

    async def make_host(self, hash: str, kind: str = "session", note: str = "") -> None:
        """Grant the host's rights to a session: to open tables and recover links."""
        await self._keep(
            Grant(hash, kind, table="", seat="", side="host", note=note, made=self.now())
        )

    async def credentials(self) -> list[Grant]:
        """The lasting links and tokens of the host, and the sessions that came by these links."""
        grants = await asyncio.to_thread(self.store.grants, table="")
        return [grant for grant in grants if is_lasting(grant)]

    async def links(self, table: str) -> list[Grant]:
        """The links of a table that still work, without their secrets."""
        grants = await asyncio.to_thread(self.store.grants, table=table)
        return [grant for grant in grants if grant.kind in LINKS and not grant.revoked]

    async def revoke(
        self, *, hash: str | None = None, table: str | None = None, seat: str | None = None
    ) -> int:
        """Revoke the grants that match, and return their number.

        A link is named by its hash, as is a session; a table and a seat name all of their grants.
        """
        revoked = partial(self.store.revoke, self.now(), hash=hash, table=table, seat=seat)
        count = await asyncio.to_thread(revoked)
        self.forget()
        for subscriber in self._subscribers:
            subscriber.revoked(hash, table, seat)
        return count

    # Claims. They are stored as grants without rights.

    async def claim(self, table: str, seat: str, session: str, kind: str) -> Claim | None:
        """Make a claim in place of an earlier one of this session; None if too many wait."""
        others = [
            claim
            for claim in await self.claims(table)
            if (claim.session, claim.seat) != (session, seat)
        ]
        if len(others) >= CLAIMS_AT_ONCE:
            return None
        claim = Claim(
            secrets.token_hex(8),
            table,
            seat,
            session=session,
            kind=kind,
            code=f"{secrets.randbelow(10_000):04}",
            made=self.now(),
        )
        await self._keep_claim(claim)
        expired = (CLAIM_LIFE_MS + 100) / 1000
        asyncio.get_running_loop().call_later(expired, lambda: self._begin(self._tell(table)))
        return claim

    async def claims(self, table: str) -> list[Claim]:
        """The claims at a table that wait for an answer."""
        grants = await asyncio.to_thread(self.store.grants, table=table)
        return [claim for claim in self._claims(grants) if claim.state == "waiting"]

    async def claim_of(self, id: str, session: str) -> Claim | None:
        """The claim with this id that the session made; None if there is none."""
        grants = await asyncio.to_thread(self.store.grants, hash=_of_claims(session))
        return next((claim for claim in self._claims(grants) if claim.id == id), None)

    async def waits(self, session: str) -> bool:
        """Whether this session has made a claim, answered or not."""
        grants = await asyncio.to_thread(self.store.grants, hash=_of_claims(session))
        return bool(self._claims(grants))

    async def settle(self, claim: Claim, agree: bool) -> None:
        """Answer a claim; a granted one lets its session speak for the seat."""
        if agree:
            await self.sit(claim.session, claim.table, claim.seat, claim.kind)
        claim.state = "granted" if agree else "refused"
        await self._keep_claim(claim)

    async def _keep_claim(self, claim: Claim) -> None:
        note = f"{claim.id} {claim.code} {claim.kind}"
        grant = Grant(
            _of_claims(claim.session),
            CLAIM,
            table=claim.table,
            seat=claim.seat,
            side=claim.state,
            note=note,
            made=claim.made,
        )
        await asyncio.to_thread(self.store.grant, grant)
        await self._tell(claim.table)

    def _claims(self, grants: Sequence[Grant]) -> list[Claim]:
        """The claims among these grants; revoked ones are gone, and old ones are left out."""
        now, found = self.now(), []
        for grant in grants:
            if grant.kind == CLAIM and now - grant.made <= 2 * CLAIM_LIFE_MS:
                id, code, kind = grant.note.split(" ")
                gone = grant.side == "waiting" and (
                    grant.revoked or now - grant.made > CLAIM_LIFE_MS
                )
                state: State = "gone" if gone else grant.side  # type: ignore[assignment]
                session = grant.hash.removeprefix(_of_claims(""))
                found.append(
                    Claim(
                        id,
                        grant.table,
                        grant.seat,
                        session=session,
                        kind=kind,
                        code=code,
                        made=grant.made,
                        state=state,
                    )
                )
        return found

    async def _tell(self, table: str) -> None:
        waiting = await self.claims(table)
        for subscriber in self._subscribers:
            subscriber.claimed(table, waiting)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _keep(self, grant: Grant) -> None:
        await asyncio.to_thread(self.store.grant, grant)
        self.forget()

    def forget(self) -> None:
        # Do not cache a session that is being read right now either: it may be out of date.
        self._life += 1
        self._sessions.clear()
