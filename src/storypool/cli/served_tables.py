"""The tables of a running server, over HTTP with the host's token from the data folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from storypool.cli.address import Address
from storypool.cli.data_folder import TOKEN
from storypool.cli.refusals import denied
from storypool.words.languages import Language


class ServedTables:
    """The tables of a running server. To act for a seat, the host mints a token for it and revokes it at the end."""

    def __init__(self, address: str, folder: Path, language: Language) -> None:
        self.address, self.language = address, language
        self._server = Address(address)
        self._host = _token(folder)
        self._speaking: dict[tuple[str, str], str] = {}

    def close(self) -> None:
        """Revoke the tokens of this command."""
        for token in set(self._speaking.values()):
            self._server.json("DELETE", "/api/session", token)
        self._speaking = {}

    def open(self, system: str, title: str, options: Mapping[str, str], name: str) -> dict[str, Any]:
        """Open a table, and return its id, the first game master's seat, and a link for each side."""
        body = {"system": system, "title": title, "options": dict(options), "name": name}
        return self._opened(self._server.json("POST", "/api/tables", self._host, body))

    def bring(self, data: bytes, name: str) -> dict[str, Any]:
        """Open a table from an exported file."""
        opened = self._server.whole("POST", "/api/tables/import", self._host, data, "application/x-ndjson")
        return self._opened(json.loads(opened))

    def listings(self) -> list[dict[str, Any]]:
        """Return every table, the one last played first."""
        tables: list[dict[str, Any]] = self._server.json("GET", "/api/tables", self._host)
        return [{key: value for key, value in one.items() if key != "seats"} for one in tables]

    def delete(self, id: str, title: str) -> None:
        """Delete a table with its records, seats and links, for good."""
        self._server.json("POST", f"{_path(id)}/delete", self._speak(id, ""), {"confirm": title})
        # Whoever spoke there has gone with it.
        self._speaking = {(table, seat): token for (table, seat), token in self._speaking.items() if table != id}

    def link(self, id: str, side: str, seat: str) -> str:
        """Mint a link with the public address of the server: for a side, or for one more device of a seat."""
        if side == "gm" and not seat:
            return str(self._mint(id, self._host, {"side": "gm"})["url"])
        master = self._speak(id, "")
        body = {"side": "device", "whose": self._seat(id, seat)} if seat else {"side": side}
        return str(self._mint(id, master, body)["url"])

    def move(self, id: str, seat: str, move: str, args: Mapping[str, str], override: bool) -> list[dict[str, Any]]:
        """Make a move, and return its records as the seat sees them."""
        body = {"move": move, "args": dict(args), "override": override}
        result = self._server.json("POST", f"{_path(id)}/moves", self._speak(id, seat), body)
        return [_line(record) for record in result["records"]]

    def offers(self, id: str, seat: str, check: str) -> dict[str, Any]:
        """Return what a seat may do as plain data: `table` as it sees it, `offers`, and the `odds` of an action."""
        token, named = self._speak(id, seat), f"?{urlencode({'check': check})}" if check else ""
        offered = self._server.json("GET", f"{_path(id)}/offers{named}", token)
        state = self._server.json("GET", _path(id), token)
        odds = self._server.json("GET", f"{_path(id)}/odds{named}", token)
        shown = {"seq": offered["seq"], "seat": state["seat"]["id"], "table": state["table"]}
        return {**shown, "offers": offered["offers"], "waits": offered["waits"], "odds": odds}

    def log(self, id: str, seat: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the log after a number as a seat reads it: number, time, seat, and the sentence."""
        token, more = self._speak(id, seat), True
        while more:
            page = self._server.json("GET", f"{_path(id)}/log?{urlencode({'after': after})}", token)
            more = page["more"]
            for record in page["records"]:
                after = record["seq"]
                yield _line(record)

    def follow(self, id: str, seat: str, after: int) -> Iterator[dict[str, Any]]:
        """Yield the log after a number, and then each new record, until the server or the reader stops."""
        path = f"{_path(id)}/events?{urlencode({'after': after})}"
        feed = self._server.feed(path, self._speak(id, seat))
        yield from (_line(told) for kind, told in feed if kind == "record")

    def export(self, id: str, seat: str) -> bytes:
        """Return the whole table as one file, or for a seat what that seat saw."""
        return self._server.whole("GET", f"{_path(id)}/export", self._speak(id, seat))

    def transcript(self, id: str, seat: str) -> str:
        """Return the story so far as Markdown, as a seat saw it."""
        return self._server.whole("GET", f"{_path(id)}/transcript.md", self._speak(id, seat)).decode("utf-8")

    # Acting for a seat.

    def _opened(self, opened: dict[str, Any]) -> dict[str, Any]:
        id = opened["table"]
        links = {"gm": opened["link"]["url"]}
        links |= {side: self.link(id, side, "") for side in ("player", "spectator")}
        return {"table": id, "seat": opened["seat"]["id"], "links": links}

    def _speak(self, id: str, seat: str) -> str:
        """Return a token for a seat of a table, by default the first game master's."""
        if (id, seat) in self._speaking:
            return self._speaking[id, seat]
        if seat:
            link = self._mint(id, self._speak(id, ""), {"side": "device", "whose": self._seat(id, seat)})
            whose = self._seat(id, seat)
        else:
            link = self._mint(id, self._host, {"side": "gm"})
            there = self._server.json("POST", "/api/join", _secret(link), {"program": True})["seats"]
            if not there:
                raise denied("unknown", "master")
            whose = there[0]["id"]
        body = {"seat": whose, "program": True, "note": self.language.program["web.note.terminal"]}
        token = str(self._server.json("POST", "/api/join", _secret(link), body)["token"])
        self._speaking[id, seat] = token
        self._server.json("DELETE", f"{_path(id)}/links/{link['id']}", self._speak(id, ""))
        return token

    def _seat(self, id: str, name: str) -> str:
        """Return the id of the seat with this name or id."""
        table = self._server.json("GET", _path(id), self._speak(id, ""))["table"]
        seats = [seat for seat in table["seats"].values() if seat["here"]]
        for seat in seats:
            if name.casefold() in (seat["id"], seat["name"].casefold()):
                return str(seat["id"])
        here = ", ".join(seat["name"] for seat in seats)
        raise denied("unknown", "seat", name=name, here=here)

    def _mint(self, id: str, token: str, body: dict[str, str]) -> dict[str, Any]:
        link: dict[str, Any] = self._server.json("POST", f"{_path(id)}/links", token, body)
        return link


def _token(folder: Path) -> str:
    try:
        return (folder / TOKEN).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise denied("identity", "token", folder=folder, why=error.strerror) from None


def _path(id: str) -> str:
    return f"/api/tables/{quote(id, safe='')}"


def _secret(link: Mapping[str, Any]) -> str:
    return str(link["path"]).partition("#link=")[2]


def _line(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in ("seq", "at", "seat", "text")}
