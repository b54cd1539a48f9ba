"""Links to stories: pages about a session or a campaign, for people without a seat.

There is no link until a seat makes it, and each story has one at a time. Its key is in
the address, because programs that show a preview of a page never get what is behind a `#`. So the
key opens that page and nothing else: it lets nobody in, and what it shows is what everybody at the
table saw. The store keeps its hash, as with other links; the key can be shown again because it is
computed from the secret of the store.
"""

import asyncio
import hmac
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from storypool.log.store import Grant
from storypool.web.access import STORY, Access, hashed

PATH = "/recap/"
"""The start of the paths of stories, before the key, which no log may hold."""
CAMPAIGN = 0
"""In place of the number of a session: all of them."""


@dataclass(frozen=True, slots=True)
class StoryLink:
    """A link to the story of a session, or of all of them if `session` is 0."""

    table: str
    session: int
    key: str
    hash: str
    by: str

    @property
    def path(self) -> str:
        """The path of its page."""
        return f"{PATH}{self.key}"


def without_key(path: str) -> str:
    """A path as a log may hold it.

    >>> without_key("/recap/0123/picture.png"), without_key("/api/tables")
    ('/recap/…', '/api/tables')
    """
    return f"{PATH}…" if path.startswith(PATH) else path


class StoryLinks:
    """The links to the stories of all tables."""

    def __init__(self, access: Access) -> None:
        self.access, self.store = access, access.store

    async def of_table(self, table: str) -> dict[int, StoryLink]:
        """The working links of a table, by session."""
        grants = await asyncio.to_thread(self.store.grants, table=table)
        return {link.session: link for link in self._links(grants)}

    async def open(self, table: str, session: int, by: str) -> StoryLink:
        """The link to a story, made by a seat if there is none yet."""
        found = (await self.of_table(table)).get(session)
        if found is None:
            note = f"{secrets.token_hex(8)} {by}"
            hash = hashed(self._key(table, session, note))
            grant = Grant(hash, STORY, table, side=str(session), note=note, made=self.access.now())
            await asyncio.to_thread(self.store.grant, grant)
            found = self._link(grant)
        return found

    async def story(self, key: str) -> StoryLink | None:
        """The link with this key; None if it was revoked, or there never was one."""
        grants = await asyncio.to_thread(self.store.grants, hash=hashed(key))
        return next(self._links(grants), None)

    async def revoke(self, link: StoryLink) -> None:
        """End a link: its page is gone, also for those who have it."""
        await self.access.revoke(hash=link.hash)

    def _links(self, grants: Iterable[Grant]) -> Iterator[StoryLink]:
        for grant in grants:
            if grant.kind == STORY and not grant.revoked:
                yield self._link(grant)

    def _link(self, grant: Grant) -> StoryLink:
        session, (_, _, by) = int(grant.side), grant.note.partition(" ")
        key = self._key(grant.table, session, grant.note)
        return StoryLink(grant.table, session, key, hash=grant.hash, by=by)

    def _key(self, table: str, session: int, note: str) -> str:
        """The key of a link: a new one each time, since its note begins with a random number."""
        text = f"story {table} {session} {note}"
        return hmac.new(self.store.secret.encode(), text.encode(), "sha256").hexdigest()[:32]
