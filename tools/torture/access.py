"""Every route for every kind of caller: let in exactly where access.toml says so.

Planted and found: `answer_claim` without `may_agree`, `invite` without its check of the side (each
named by route and caller).
"""

from __future__ import annotations

import http.client
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tools.documented import Documented
from tools.torture.harness import Harness, Run
from tools.torture.serve import HERE, WAIT, Caller, Process, opened, serving

SPECK = (
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGNk"
    "aGhgYGBgYmBgYGBgAAALqgEE5z0TngAAAABJRU5ErkJggg=="
)
"""A small PNG in base64."""

TABLE = Path(__file__).with_suffix(".toml")
LIVE = {
    "get": {"operationId": "live", "parameters": [{"name": "seat", "in": "query"}], "responses": {}}
}
"""The one route that is not in the document, since it is not HTTP."""

SEATLESS = ("anybody", "whoever_has_the_link", "nobody", "host")
"""Rules that are not about a seat."""


@dataclass(frozen=True)
class Cell:
    """One request of one kind of caller, and its expected status."""

    method: str
    path: str
    caller: str
    status: int
    asked: Mapping[str, Any]
    seat: bool = False
    """Whether it names the game master's seat."""


@dataclass
class Place:
    """A table with every kind of caller, the values for the requests, and the possible refusals."""

    tokens: dict[str, str]
    words: dict[str, str]
    documented: Documented


def matrix(document: Mapping[str, Any]) -> Iterator[Cell]:
    """Every cell; raises `ValueError` for a route missing from the table or from the server."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    routes, callers = dict(table["routes"]), table["callers"]
    for path, operations in {**document["paths"], "/api/tables/{table}/live": LIVE}.items():
        for method, operation in operations.items():
            for asked in routes.pop(name := operation["operationId"], ()):
                rules = [(asked["rule"], False)]
                if asked["rule"] not in SEATLESS and _names_a_seat(operation, document):
                    rules.append(("masters_seat", True))
                for rule, seat in rules:
                    letting, others = (
                        table["rules"][rule]["allowed"],
                        table["rules"][rule]["others"],
                    )
                    for caller in callers:
                        status = asked.get("gives", 200) if caller in letting else others[caller]
                        yield Cell(
                            method.upper(), path, caller, status=status, asked=asked, seat=seat
                        )
            if name not in table["routes"]:
                raise ValueError(
                    f"{method.upper()} {path} ({name}) is not in access.toml: say there who may"
                )
    if routes:
        raise ValueError(f"access.toml has routes that are not there: {', '.join(routes)}")


def _names_a_seat(operation: Mapping[str, Any], document: Mapping[str, Any]) -> bool:
    if any(
        one["name"] == "seat" and one["in"] == "query" for one in operation.get("parameters", ())
    ):
        return True
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return "seat" in document["components"]["schemas"].get(name, {}).get("properties", {})


def asked(run: Run) -> None:
    """Try this many cells of the matrix, in random order."""
    with serving(run.folder / "data", internet=True) as server:
        with Caller(server.port) as anybody:
            document = anybody.get("/api/openapi.json")
        cells, documented = list(matrix(document)), Documented(document)
        order = list(range(len(cells)))
        run.chance("order").shuffle(order)
        run.notes.append(f"The matrix has {len(cells):,} requests.")
        shared = _place(server, documented)
        for n in run.numbers:
            if n < len(cells):
                cell = cells[order[n]]
                spoils = cell.asked.get("spoils")
                _ask(run, n, server, cell, _place(server, documented) if spoils else shared)


def _place(server: Process, documented: Documented) -> Place:
    """Open a table with every kind of caller."""
    party, other = opened(server, "starwars"), opened(server, "starwars")
    seats = {name: party.join("player", name) for name in ("player", "other", "left", "revoked")}
    seats |= {"spectator": party.join("spectator", "Vera"), "gm": party.join("gm", "Gia")}
    elsewhere = other.join("player", "Eli")
    tokens = {name: party.seats[seat] for name, seat in seats.items()}
    tokens |= {
        "nobody": "",
        "stranger": "a-token-that-nobody-gave",
        "elsewhere": other.seats[elsewhere],
    }
    party.move("seat.remove", seat=seats["left"])
    words = {
        "table": party.id,
        "title": "Torture",
        "system": "starwars",
        "player": seats["player"],
        "gm": seats["gm"],
        "name": "unknown",
    }
    words |= {
        "player_link": party.link("player"),
        "device_link": party.link("device", whose=seats["player"]),
    }
    words["of"] = seats["other"]
    with party.caller() as gm:
        gm.post(f"{party.path}/seats/{seats['revoked']}/replace")
        words["link"] = gm.post(f"{party.path}/links", side="player")["id"]
        # There is no page of this session, and no such roll.
        words["session"], words["seq"], words["speck"] = "9", "1", SPECK
        words["picture"] = gm.post(f"{party.path}/pictures", picture=SPECK)["picture"]
        party.move("character.add", name="Vey")
        party.move("character.portrait", who="vey", picture=words["picture"])
        words["export"] = gm.ask("GET", f"{party.path}/export").body.decode()
    with Caller(server.port, words["player_link"]) as claimant:
        came = claimant.post(
            "/api/join", secret=words["player_link"], seat=seats["player"], program=True
        )
    tokens["claimant"], words["claim"] = came["token"], came["claim"]["id"]
    with Caller(server.port, server.host) as host:
        tokens["host"] = host.post("/api/join", secret=server.host, host=True, program=True)[
            "token"
        ]
    return Place(tokens, words, documented)


def _ask(run: Run, n: int, server: Process, cell: Cell, place: Place) -> None:
    path, query = cell.path.format_map(place.words), cell.asked.get("query", "")
    body = _filled(
        cell.asked["raw"].encode() if "raw" in cell.asked else cell.asked.get("body"), place.words
    )
    if cell.seat and isinstance(body, dict):
        body = {**body, "seat": place.words["gm"]}
    elif cell.seat:
        query = f"seat={place.words['gm']}"
    address = f"{path}?{query}" if query else path
    token = place.tokens[cell.caller]
    if path.endswith(("/live", "/events")):
        status = _opened_feed(server, address, token)
    else:
        with Caller(server.port, token) as caller:
            answer = caller.ask(cell.method, address, body)
        status = answer.status
        if fault := place.documented.fault(cell.method, path, status, answer.body):
            run.fail(n, fault)
    run.count("requests")
    if status != cell.status:
        whose = " for the game master's seat" if cell.seat else ""
        what = f"{cell.method} {cell.path} {cell.asked.get('body', '')} by {cell.caller}{whose}"
        run.fail(n, f"{what}: {status} instead of {cell.status}")


def _filled(what: Any, words: Mapping[str, str]) -> Any:
    match what:
        case bytes():
            return what.decode().format_map(words).encode()
        case str():
            return what.format_map(words)
        case dict():
            return {name: _filled(value, words) for name, value in what.items()}
    return what


def _opened_feed(server: Process, address: str, token: str) -> int:
    """The status of a new feed."""
    bearer = {"Authorization": f"Bearer {token}"} if token else {"Sec-Fetch-Site": "same-origin"}
    if "/events" in address:
        wire = http.client.HTTPConnection(HERE, server.port, timeout=WAIT)
        try:
            wire.request("GET", address, headers=bearer)
            with wire.getresponse() as answer:
                return answer.status
        finally:
            wire.close()
    try:
        with connect(
            f"ws://{HERE}:{server.port}{address}",
            additional_headers=bearer,
            proxy=None,
            open_timeout=WAIT,
        ):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


HARNESS = Harness(
    "access",
    "Every route lets in exactly those whom a written table lets in, of every kind of caller, also"
    " where they name a seat that is not theirs.",
    "{requests} requests",
    quick=250,
    long=900,
    run=asked,
)
