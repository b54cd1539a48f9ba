"""The tables of a running server, over HTTP with the host's token from the data folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from storypool.cli.address import Address
from storypool.cli.data_folder import TOKEN
from storypool.cli.refusals import denied
from storypool.cli.table_client import TableClient, path_of
from storypool.words.folding import alike
from storypool.words.languages import Language


class ServedTables(TableClient):
    """A running server's tables.

    To act for a seat, the host mints a token and revokes it at the end.
    """

    def __init__(self, address: str, folder: Path, language: Language) -> None:
        super().__init__(Address(address), _host_token(folder))
        self._language = language
        self._tokens: dict[tuple[str, str], str] = {}

    def close(self) -> None:
        """Revoke the tokens of this command."""
        for token in self._tokens.values():
            self._server.json("DELETE", "/api/session", token)
        self._tokens = {}

    def delete(self, id: str, title: str) -> None:
        """Delete a table with its records, seats, links and tokens, permanently."""
        super().delete(id, title)
        self._tokens = {
            (table, seat): token for (table, seat), token in self._tokens.items() if table != id
        }

    def _token(self, id: str, seat: str) -> str:
        if (id, seat) in self._tokens:
            return self._tokens[id, seat]
        if seat:
            whose = self._seat(id, seat)
            link = self._mint(id, self._token(id, ""), {"side": "device", "whose": whose})
        else:
            link = self._mint(id, self._host, {"side": "gm"})
            there = self._server.json("POST", "/api/join", _secret(link), {"program": True})[
                "seats"
            ]
            if not there:
                raise denied("unknown", "master")
            whose = there[0]["id"]
        body = {"seat": whose, "program": True, "note": self._language.program["web.note.terminal"]}
        token = str(self._server.json("POST", "/api/join", _secret(link), body)["token"])
        self._tokens[id, seat] = token
        self._server.json("DELETE", f"{path_of(id)}/links/{link['id']}", self._token(id, ""))
        return token

    def _seat(self, id: str, name: str) -> str:
        table = self._ask("GET", id, "")["table"]
        seats = [seat for seat in table["seats"].values() if seat["here"]]
        for seat in seats:
            if alike(name) in (seat["id"], alike(seat["name"])):
                return str(seat["id"])
        here = ", ".join(seat["name"] for seat in seats)
        raise denied("unknown", "seat", name=name, here=here)

    def _mint(self, id: str, token: str, body: dict[str, str]) -> dict[str, Any]:
        link: dict[str, Any] = self._server.json("POST", f"{path_of(id)}/links", token, body)
        return link


def _secret(link: Mapping[str, Any]) -> str:
    return str(link["path"]).partition("#link=")[2]


def _host_token(folder: Path) -> str:
    try:
        return (folder / TOKEN).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise denied("identity", "token", folder=folder, why=error.strerror) from None
