"""Where tables are kept: a folder, or a PostgreSQL database."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from storypool.log.store import StoreError
from storypool.words import Phrase

if TYPE_CHECKING:
    from storypool.log.shared.postgres import PostgresStore

SCHEMES = ("postgresql://", "postgres://")


@dataclass(frozen=True, slots=True)
class DatabaseUrl:
    """The address of a PostgreSQL database. Its printed form hides user and password."""

    whole: str = field(repr=False)

    @property
    def password(self) -> str:
        """The password in the address, "" if there is none."""
        parts = urlsplit(self.whole)
        return parts.password or "".join(parse_qs(parts.query).get("password", ()))

    def __str__(self) -> str:
        scheme, _, rest = self.whole.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


Data = Path | DatabaseUrl
"""A data folder, or a database."""


def place(text: str) -> Data:
    """The place that a text names."""
    return DatabaseUrl(text) if text.startswith(SCHEMES) else Path(text)


def database_store(url: DatabaseUrl, makes: bool = True) -> PostgresStore:
    """Open the store in a PostgreSQL database or raise `StoreError`; `makes`: it may be empty."""
    try:
        from storypool.log.shared.postgres import PostgresStore
    except ImportError as error:
        raise StoreError(Phrase("log.postgres.missing")) from error
    return PostgresStore(url.whole, makes)
