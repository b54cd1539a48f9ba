"""The tables of a server for its host, by requests to a running server, or to one in process."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from storypool.cli.address import Address


class TableClient(ABC):
    """The tables of one server, for its host, who may act for every seat.

    `address` is "" without a running server.
    """

    def __init__(self, server: Address, host: str) -> None:
        self.address, self._server, self._host = server.address, server, host

    @abstractmethod
    def close(self) -> None:
        """Release the resources of this command."""

    @abstractmethod
    def _token(self, id: str, seat: str) -> str:
        """A token for the seat of this name or id, by default the first GM's.

        `Refused` without one.
        """

    @abstractmethod
    def _seat(self, id: str, name: str) -> str:
        """The id of the seat with this name or id; `Refused` if there is none."""

    def open(
        self, system: str, title: str, options: Mapping[str, str], name: str
    ) -> dict[str, Any]:
        """Open a table, and return its id, the first GM's seat, and a link for each side."""
        body = {"system": system, "title": title, "options": dict(options), "name": name}
        return self._opened(self._server.json("POST", "/api/tables", self._host, body))

    def bring(self, data: bytes) -> dict[str, Any]:
        """Open a table from an exported file."""
        media = "application/x-ndjson"
        opened = self._server.whole("POST", "/api/tables/import", self._host, data, media)
        return self._opened(json.loads(opened))

    def listings(self) -> list[dict[str, Any]]:
        """Every table, the last one played first."""
        tables: list[dict[str, Any]] = self._server.json("GET", "/api/tables", self._host)
        for one in tables:
            del one["seats"]
        return tables

    def delete(self, id: str, title: str) -> None:
        """Delete a table with its records, seats and links, permanently."""
        self._ask("POST", id, "/delete", body={"confirm": title})

    def link(self, id: str, side: str, seat: str) -> str:
        """Mint a link with the server's public address: for a side, or for a device of a seat."""
        body = {"side": "device", "whose": self._seat(id, seat)} if seat else {"side": side}
        token = self._host if body["side"] == "gm" else self._token(id, "")
        return self._address_of(self._server.json("POST", f"{path_of(id)}/links", token, body))

    def host_link(self, name: str) -> str:
        """Mint a lasting link of the host, in place of an earlier one of this name."""
        return self._address_of(
            self._server.json("POST", "/api/host/links", self._host, {"name": name})
        )

    def host_token(self, name: str, rights: Sequence[str]) -> dict[str, Any]:
        """Mint a lasting token with these rights; `Refused` if there is one of this name."""
        body = {"name": name, "rights": list(rights)}
        made: dict[str, Any] = self._server.json("POST", "/api/host/tokens", self._host, body)
        return made

    def credentials(self) -> list[dict[str, Any]]:
        """The host's lasting links and tokens, and the sessions that came by these links."""
        found: list[dict[str, Any]] = self._server.json("GET", "/api/host/credentials", self._host)
        return found

    def revoke_credential(self, name: str) -> None:
        """Revoke a lasting link or token; `Refused` if there is none of this name."""
        self._server.json("DELETE", f"/api/host/credentials/{quote(name, safe='')}", self._host)

    def move(
        self, id: str, seat: str, move: str, args: Mapping[str, Any], override: bool
    ) -> list[dict[str, Any]]:
        """Make a move, and return its records as the seat sees them."""
        body = {"move": move, "args": dict(args), "override": override}
        made: list[dict[str, Any]] = self._ask("POST", id, "/moves", seat, body=body)["records"]
        return made

    def offers(self, id: str, seat: str, check: str) -> dict[str, Any]:
        """A seat's choices as data: its `table`, its `offers`, and the `odds` of an action."""
        named = {"check": check} if check else {}
        offered, odds = (self._ask("GET", id, path, seat, named) for path in ("/offers", "/odds"))
        state = self._ask("GET", id, "", seat)
        shown = {"seq": offered["seq"], "seat": state["seat"]["id"], "table": state["table"]}
        return {**shown, "offers": offered["offers"], "waits": offered["waits"], "odds": odds}

    def log(self, id: str, seat: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """The log after a number as a seat reads it: records as the interface sends them."""
        more = True
        while more:
            page = self._ask("GET", id, "/log", seat, {"after": after})
            more = page["more"]
            for record in page["records"]:
                after = record["seq"]
                yield record

    def follow(self, id: str, seat: str, after: int) -> Iterator[dict[str, Any]]:
        """The log after a number, then each new record, until the server or reader stops."""
        if not self.address:
            yield from self.log(id, seat, after)
            return
        path = f"{path_of(id)}/events?{urlencode({'after': after})}"
        feed = self._server.feed(path, self._token(id, seat))
        for kind, record in feed:
            if kind == "record":
                # A message of the feed has a type, and a record has none of its own.
                del record["type"]
                yield record

    def export(self, id: str, seat: str) -> bytes:
        """The whole table as one file, or for a seat its view."""
        return self._server.whole("GET", f"{path_of(id)}/export", self._token(id, seat))

    def transcript(self, id: str, seat: str) -> str:
        """The story so far as Markdown, as a seat saw it."""
        text = self._server.whole("GET", f"{path_of(id)}/transcript.md", self._token(id, seat))
        return text.decode("utf-8")

    def _ask(
        self,
        method: str,
        id: str,
        path: str,
        seat: str = "",
        query: Mapping[str, str | int] | None = None,
        body: object = None,
    ) -> Any:
        """The response to a request about a table, made for a seat."""
        query_part = f"?{urlencode(query)}" if query else ""
        return self._server.json(
            method, f"{path_of(id)}{path}{query_part}", self._token(id, seat), body
        )

    def _opened(self, opened: dict[str, Any]) -> dict[str, Any]:
        id = opened["table"]
        links = {"gm": self._address_of(opened["link"])}
        links |= {side: self.link(id, side, "") for side in ("player", "spectator")}
        return {"table": id, "seat": opened["seat"]["id"], "links": links}

    def _address_of(self, link: Mapping[str, str]) -> str:
        return link["url"] if self.address else link["path"]


def path_of(id: str) -> str:
    """The path of a table in the HTTP interface."""
    return f"/api/tables/{quote(id, safe='')}"
