"""Links for the host of a server, and the token for programs of the same user."""

import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from storypool.live.clock import system_time_ms
from storypool.log.disk.lock import cannot_write, keep_owner
from storypool.log.disk.reading import ReadingStore
from storypool.log.store import Store, StoreReadOnly
from storypool.web.access import mint
from storypool.words import Phrase
from storypool.words.languages import ENGLISH, Language

TOKEN = "host.token"
"""The file of the host's token in the data folder, for programs of the same user."""


class StartLink(NamedTuple):
    """A link to show at the start: a label, and a path with its secret."""

    label: str
    path: str


def host_link(
    store: Store, folder: Path, label: str = "serve.master", language: Language = ENGLISH
) -> StartLink:
    """Mint a new host's link, and a token for programs of this user in the data folder.

    Earlier ones are revoked: their programs keep their seats, and may open no more tables. `label`
    is the id of the link's label.
    """
    for grant in store.grants(table=""):
        if not grant.revoked and grant.kind in ("host", "terminal"):
            store.revoke(system_time_ms(), hash=grant.hash)
        elif not grant.revoked and (grant.kind, grant.side) == ("program", "host"):
            store.revoke(system_time_ms(), hash=grant.hash, table="")
    write_token(store, folder, language)
    return StartLink(language.program[label], f"/#host={mint(store, 'host')}")


def has_host_link(store: Store) -> bool:
    """Whether a host's link works, as for a server that replaces another."""
    return any(grant.kind == "host" and not grant.revoked for grant in store.grants(table=""))


def write_token(store: Store, folder: Path, language: Language = ENGLISH) -> None:
    """Mint a token for programs of this user, and write it into the data folder."""
    token = mint(store, "terminal", side="host", note=language.program["web.note.terminal"])
    draft = folder / f"{TOKEN}.draft"
    try:
        draft.unlink(missing_ok=True)
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as out:
            out.write(token)
        keep_owner(draft)
        draft.replace(folder / TOKEN)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        if isinstance(cannot := cannot_write(folder, error), StoreReadOnly):
            cannot = StoreReadOnly(Phrase("serve.token", folder=folder, why=error.strerror))
        # A folder that is only read has no token for programs.
        if not isinstance(store, ReadingStore):
            raise cannot from error


def shared_link(
    store: Store, address: str, label: str = "serve.master", language: Language = ENGLISH
) -> StartLink:
    """Mint a host's link for one server of a shared store, and revoke its last one."""
    words, note = language.program, f"{socket.gethostname()} {address}"
    for grant in store.grants(table=""):
        if not grant.revoked and (grant.kind, grant.note) == ("host", note):
            store.revoke(system_time_ms(), hash=grant.hash)
    return StartLink(words[label], f"/#host={mint(store, 'host', note=note)}")
