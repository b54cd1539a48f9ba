"""Links for the host of a server, and the token for programs of the same user."""

import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from storypool.live.clock import system_time_ms
from storypool.log.disk.lock import cannot_write, keep_owner
from storypool.log.disk.reading import ReadingStore
from storypool.log.store import Grant, Store, StoreReadOnly
from storypool.web.access import ALL, NAMED_TOKEN, hashed, is_lasting, mint
from storypool.words import Phrase
from storypool.words.languages import ENGLISH, Language

TOKEN = "host.token"
"""The file of the host's token in the data folder, for programs of the same user."""


GIVEN = "--host-token-file"
"""The name of the host's token that a server is started with."""


class StartLink(NamedTuple):
    """A link to show at the start: a label, and a path with its secret."""

    label: str
    path: str


def begin_host(store: Store, folder: Path, language: Language = ENGLISH) -> None:
    """Write a token for programs of this user into the data folder, and end that of the last start.

    The link of the last start ends too: programs that came by it keep their seats, and may open no
    more tables. Lasting links and tokens stay.
    """
    for grant in store.grants(table=""):
        if grant.revoked or is_lasting(grant):
            continue
        if grant.kind in ("host", "terminal"):
            store.revoke(system_time_ms(), hash=grant.hash)
        elif (grant.kind, grant.side) == ("program", ALL):
            store.revoke(system_time_ms(), hash=grant.hash, table="")
    write_token(store, folder, language)


def host_link(
    store: Store, folder: Path, label: str = "serve.master", language: Language = ENGLISH
) -> StartLink:
    """A new link of the host for this start, after `begin_host`; `label` is the id of its label."""
    begin_host(store, folder, language)
    return StartLink(language.program[label], f"/#host={mint(store, 'host')}")


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
    words, note = language.program, end_shared_link(store, address)
    return StartLink(words[label], f"/#host={mint(store, 'host', note=note)}")


def end_shared_link(store: Store, address: str) -> str:
    """Revoke the link of the last start of this server of a shared store, and return its note."""
    note = f"{socket.gethostname()} {address}"
    for grant in store.grants(table=""):
        if not (grant.revoked or is_lasting(grant)) and (grant.kind, grant.note) == ("host", note):
            store.revoke(system_time_ms(), hash=grant.hash)
    return note


def set_host_token(store: Store, token: str) -> None:
    """Let the token that a server is started with work, "" for none, and an earlier one no more."""
    at = system_time_ms()
    for grant in store.grants(table=""):
        is_given = (grant.kind, grant.note) == (NAMED_TOKEN, GIVEN) and not grant.revoked
        if is_given and grant.hash != hashed(token):
            store.revoke(at, hash=grant.hash)
    if token:
        store.grant(Grant(hashed(token), NAMED_TOKEN, table="", side=ALL, note=GIVEN, made=at))
