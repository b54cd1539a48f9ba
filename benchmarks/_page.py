"""A client that sends the requests of the page when the page does: feed, odds, previews, numbers.

`tests/browser/test_pages.py` plays a check on real pages and on these, and compares the requests.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from hashlib import sha256
from secrets import token_hex
from time import perf_counter
from typing import Any, cast
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect

ODDS_SOON, FORM_SOON = 0.06, 0.14
"""Seconds after which the page asks for odds or a preview if nothing changes: `SOON` in its
scripts.
"""
MAX_ROUNDS = 4
"""The most repeated previews of a form, where an answer closes another question: as in
`move-form.js`.
"""
PLACED = ("table.", "proposal.", "seat.", "character.")
"""The prefixes of moves that are never about an action; see `PLACED` in `store.js`."""

WANTED = {"offers": True, "changes": True, "asks": False}
"""The offers come as changes, without the questions of forms; as in `feed.js`."""

Args = Mapping[str, object]


class CountedConnection(ClientConnection):
    """A connection that counts the received bytes, compressed as for a browser."""

    wire = 0

    def data_received(self, data: bytes) -> None:
        """Count and take the bytes."""
        self.wire += len(data)
        super().data_received(data)


class Page:
    """One page at a table, as one seat. `asked` counts its requests, `read` its received bytes."""

    def __init__(
        self,
        port: int,
        table: str,
        seat: str,
        token: str,
        in_brief: bool = True,
        on_feed: bool = True,
    ) -> None:
        # The pages of earlier versions asked by requests, and at first for all odds at once.
        self.in_brief, self.on_feed = in_brief, on_feed
        self.port, self.path, self.seat = port, f"/api/tables/{table}", seat
        self.token = token
        self.asked: Counter[str] = Counter()
        self.read: Counter[str] = Counter()
        self.heard: dict[int, float] = {}
        """When each record came."""
        self.tapped = 0.0
        """When its latest move was sent."""
        self.odds: list[float] = []
        """Seconds from when odds were due until they came, though they may have been asked for
        again meanwhile.
        """
        self.table: dict[str, Any] = {}
        self.offers: dict[str, Any] = {}
        self.waits: list[dict[str, Any]] = []
        self.seq = 0
        self.bound: dict[str, Any] = {}
        self._view = KeptView()
        self._lines: deque[Line] = deque()
        self._numbers: dict[str, str] = {}
        self._used: set[str] = set()
        self._announced: tuple[object, ...] | None = None
        self._weighing: asyncio.Task[None] | None = None
        self._weighed: tuple[object, ...] = ()
        self._due: float | None = None
        self._answered = -1
        """The record of the latest answer about the odds that it watches: it may come before the
        offers do.
        """
        self._watched: dict[str, Args] = {}
        self._odds_name, self._names = "", 0
        self._previews: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._menus: dict[str, Args] = {}
        """The arguments of the first row of each shown menu."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None
        self._changed = asyncio.Event()
        self._ws: CountedConnection

    # Following.

    async def come(self) -> None:
        """Follow the table; returns when the first offers have come."""
        connection = await connect(
            f"ws://127.0.0.1:{self.port}{self.path}/live?seat={self.seat}",
            additional_headers={"Authorization": f"Bearer {self.token}"},
            proxy=None,
            create_connection=CountedConnection,
            ping_interval=None,
            max_queue=None,
            max_size=None,
        )
        self._ws = cast(CountedConnection, connection)
        hello = json.loads(await self._ws.recv())
        self.seq = hello["seq"]
        await self._ws.send(json.dumps({"type": "follow", "after": self.seq, **WANTED}))
        self.asked["follow"] += 1
        self._start(self._listen())
        await self.until(lambda: bool(self.table))

    async def leave(self) -> None:
        """Hang up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._ws.close()
        for line in self._lines:
            line.close()
        # The event loop closes them in its next turn.
        await asyncio.sleep(0)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until this is true of the page; raises errors of the page meanwhile."""
        while not true():
            if self._failed:
                raise self._failed
            self._changed.clear()
            await self._changed.wait()

    async def shows(self, seq: int) -> None:
        """Wait for the offers after this record."""
        await self.until(lambda: self.table["seq"] >= seq)

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            self._failed = task.exception()
            self._changed.set()

    async def _listen(self) -> None:
        async for text in self._ws:
            now = perf_counter()
            self.read["feed"], self._ws.wire = self.read["feed"] + self._ws.wire, 0
            message = json.loads(text)
            if message["type"] == "record":
                self._take_record(message, now)
            elif message["type"] in ("offers", "changes"):
                self._take_offers(
                    self._view.whole(message) if message["type"] == "changes" else message
                )
            elif message["type"] == "answer":
                self._take_answer(message)
            elif message["type"] == "ping":
                await self._ws.send('{"type":"pong"}')
            self._changed.set()

    def _take_record(self, record: dict[str, Any], now: float) -> None:
        self.heard.setdefault(record["seq"], now)
        if record["event"] and record["event"]["type"] == "dice.bound":
            self.bound = record["event"]
            self._used.update(self.bound["sealed"])
            self._tell_numbers()

    def _take_offers(self, message: dict[str, Any]) -> None:
        self.table, self.waits = message["table"], message["waits"]
        self.offers = {offer["key"]: offer for offer in message["offers"]}
        self._tell_numbers()
        self._weigh()
        self._look_ahead()

    # Automatic requests.

    @property
    def actions(self) -> list[dict[str, Any]]:
        """The open actions: the latest public one, then the latest hidden one."""
        found = self.table.get("checks", {}).values()
        lanes = (
            [one for one in found if not one["seen_by"]][-1:],
            [one for one in found if one["seen_by"]][-1:],
        )
        return [*lanes[0], *lanes[1]]

    def _look_ahead(self) -> None:
        """Preview the first row of each menu that appears, unless it is closed (`menus.js`)."""
        shown = {}
        if self.actions and self.actions[0].get("phase") == "rolled":
            shown = {key: row for key, row in map(_first_row, self.offers.values()) if row}
        for key, row in shown.items():
            if key not in self._menus and self.on_feed:
                self._start(self._preview_row(key, row))
        self._menus = shown

    async def _preview_row(self, move: str, row: Args) -> None:
        await self._preview(move, row)

    def _weigh(self) -> None:
        """Ask for the odds again after a change, with a short delay; drop the previous question."""
        now = (self.table["seq"], self.actions[0]["id"] if self.actions else "")
        before: tuple[Any, ...] = self._weighed or (0, "")
        if now == self._weighed:
            return
        self._weighed = now
        if self.on_feed:
            self._watch_odds(before[1], now[1])
            return
        if self._weighing:
            self._weighing.cancel()
            self._weighing = None
        if self.actions:
            self._due = self._due or perf_counter() + ODDS_SOON
            self._weighing = self._start(self._ask_odds(self.actions[0]["id"]))
        else:
            self._due = None

    def _watch_odds(self, was: str, action: str) -> None:
        """Watch the odds of another action, or of none."""
        if was != action:
            self._watched.pop(self._odds_name, None)
            self._answered = -1
            if action:
                self._odds_name = self._watch(
                    "odds", {"brief": True, "check": self._naming_one(action)}
                )
            else:
                self._say()
        self._due = (self._due or perf_counter()) if action else None
        self._note_odds()

    def _naming_one(self, action: str) -> str:
        return action if len(self.actions) > 1 else ""

    def _watch(self, kind: str, question: Args) -> str:
        self._names += 1
        name = f"q{self._names}"
        self._watched[name] = question
        self.asked[f"watch {kind}"] += 1
        self._say()
        return name

    def _say(self) -> None:
        text = json.dumps({"type": "watch", "questions": self._watched})
        self._start(self._ws.send(text))

    def _take_answer(self, message: dict[str, Any]) -> None:
        name, preview = message["name"], self._previews.pop(message["name"], None)
        if preview:
            self._watched.pop(name, None)
            preview.set_result(message["preview"])
        elif name == self._odds_name:
            self._answered = message["seq"]
            self._note_odds()

    def _note_odds(self) -> None:
        """Note the delay of odds that were due, once they have come."""
        if self._due is not None and self._answered >= self.table["seq"]:
            self.odds.append(perf_counter() - self._due)
            self._due = None

    async def _ask_odds(self, action: str) -> None:
        await asyncio.sleep(ODDS_SOON)
        await self._odds(action, **({"brief": "true"} if self.in_brief else {}))
        assert self._due is not None
        self.odds.append(perf_counter() - self._due)
        self._due = None
        self._changed.set()

    async def _odds(self, action: str, **about: str) -> None:
        named = {"check": action} if len(self.actions) > 1 else {}
        with suppress(Refused):
            await self._call("GET", f"odds?{urlencode({'seat': self.seat, **named, **about})}")

    @property
    def weighed(self) -> bool:
        """Whether the odds of the shown action have come, or there is none."""
        return self._due is None

    @property
    def previewing(self) -> bool:
        """Whether a preview has no answer yet."""
        return bool(self._previews)

    def _tell_numbers(self) -> None:
        """Open the sealed number of the next roll, and seal one for the next (`fair-dice.js`)."""
        meant = (self.bound.get("row"), self.bound.get("place"))
        if (
            not self.table
            or self._announced == meant
            or self.table["seats"][self.seat]["side"] == "spectator"
        ):
            return
        self._announced = meant
        start = f"{self.seat}="
        own = [
            one.removeprefix(start) for one in self.bound.get("sealed", ()) if one.startswith(start)
        ]
        opening = [self._numbers[hash] for hash in own if hash in self._numbers]
        spare = [hash for hash in self._numbers if start + hash not in self._used][-1:]
        if not spare:
            number = token_hex(32)
            spare = [sha256(bytes.fromhex(number)).hexdigest()]
            self._numbers[spare[0]] = number
        body = {"seat": self.seat, "numbers": opening, "sealed": spare[0]}
        self._start(self._ask_again(body))

    async def _ask_again(self, body: Args) -> None:
        with suppress(Refused):
            await self._call("POST", "numbers", body)

    # Actions of its reader.

    async def make(self, move: str, args: Args | None = None) -> int:
        """Make a move with one tap, and return the number of its last record."""
        command = {
            "move": move,
            "args": self._naming(move, args or {}),
            "token": token_hex(16),
            "override": False,
        }
        self.tapped = perf_counter()
        made = await self._call("POST", "moves", {"seat": self.seat, **command})
        for record in made["records"]:
            if record["seq"] not in self.heard:
                self._take_record(record, perf_counter())
        seq: int = made["seq"]
        return seq

    async def choose(self, move: str, given: Args) -> int:
        """Make a move with one of the answers in the dock, after a preview."""
        await self._preview(move, given)
        return await self.make(move, given)

    async def fill(self, move: str, *answers: Args) -> int:
        """Fill in the form of a move, answer by answer, and send it."""
        offer, args, sent = self.offers[move], dict[str, object](), dict[str, object]()
        worth, is_known = "", False
        if "asks" not in offer:
            # Its questions come as it opens, and with them what the move would do without answers.
            offer = (await self._preview(move, {}))["offer"]
            is_known = not _fitting(offer, {})
        if (
            self.in_brief
            and self.actions
            and any(ask["kind"] in ("choice", "number") for ask in offer["asks"])
        ):
            # What each answer is worth.
            if self.on_feed:
                check = self._naming_one(self.actions[0]["id"])
                worth = self._watch("odds of a move", {"move": move, "check": check})
            else:
                self._start(self._odds(self.actions[0]["id"], move=move))
        for answer in answers if is_known else ({}, *answers):
            args |= answer
            await asyncio.sleep(FORM_SOON)
            sent = _fitting(offer, args)
            for _ in range(MAX_ROUNDS):
                offer = (await self._preview(move, sent))["offer"]
                again = _fitting(offer, args)
                if again == sent:
                    break
                sent = again
        made = await self.make(move, sent)
        if worth:
            self._watched.pop(worth, None)
            self._say()
        return made

    async def _preview(self, move: str, args: Args) -> dict[str, Any]:
        asked = {"move": move, "args": self._naming(move, args), "override": False}
        if self.on_feed:
            name = self._watch("preview", {"preview": asked, "once": True})
            coming = self._previews[name] = asyncio.get_running_loop().create_future()
            seen: dict[str, Any] = await coming
            return seen
        asked["seat"] = self.seat
        return await self._call("POST", "preview", asked)

    def _naming(self, move: str, args: Args) -> Args:
        if len(self.actions) < 2 or move.startswith(PLACED) or "check" in args:
            return args
        return {**args, "check": self.actions[0]["id"]}

    # Requests.

    async def _call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """The answer to a request; a dropped one closes its connection, as in a browser."""
        kind = kind_of(method, path)
        self.asked[kind] += 1
        line = self._lines.pop() if self._lines else Line(self.port)
        try:
            status, content = await line.ask(method, f"{self.path}/{path}", self.token, body)
        except BaseException:
            line.close()
            raise
        self._lines.append(line)
        self.read[kind] += len(content)
        answer: dict[str, Any] = json.loads(content)
        if status != 200:
            raise Refused(f"{self.seat} {kind}: {status} {answer['error']['text']}")
        return answer


def answer(pages: Iterable[Page], moves: Sequence[str]) -> tuple[Page, str, Args]:
    """The first move, and its page, that answers what the table waits for, with its arguments.

    Where no move answers, a seat that may make the last of the moves does.
    """
    asked = [(page, wait) for page in pages for wait in page.waits if wait["yours"]]
    for page, wait in asked:
        for move in moves:
            if move in wait["moves"]:
                return page, move, wait["args"]
    for page in pages:
        if moves[-1] in page.offers and page.offers[moves[-1]]["closed"] is None:
            return page, moves[-1], {}
    raise RuntimeError(f"Nobody answers what is waited for: {[wait['id'] for _, wait in asked]}")


def kind_of(method: str, path: str) -> str:
    """The kind under which a request is counted: odds of a form apart from odds of all buttons."""
    place, _, query = path.partition("?")
    return f"{method} {place}{' of a move' if 'move=' in query else ''}"


def _first_row(offer: Mapping[str, Any]) -> tuple[str, Args]:
    """The move of a menu, and the arguments of its first row, if both are open."""
    rows = offer["rows"]
    if offer["closed"] is not None or not rows or not rows["choices"] or rows["name"] == "with":
        return offer["key"], {}
    first = rows["choices"][0]
    return offer["key"], {} if first["closed"] else {rows["name"]: first["value"]}


def _fitting(offer: Mapping[str, Any], args: Args) -> dict[str, object]:
    """The answers to the questions, with the presets of a form."""
    asks = {ask["name"]: ask for ask in offer["asks"]}
    presets = {
        name: ask["preset"]
        for name, ask in asks.items()
        if name not in args and ask["preset"] is not None
    }
    return {**presets, **{name: value for name, value in args.items() if name in asks}}


EMPTY_OFFER: Mapping[str, object] = {
    "key": "",
    "title": "",
    "group": "",
    "price": {},
    "asked": [],
    "empty": "",
    "usual": {},
    "rows": None,
    "real_dice": False,
    "among": {},
    "closed": None,
    "all_closed": [],
    "caution": "",
    "approval": False,
    "rule": "",
    "ends": "",
    "loss": False,
    "agrees": "",
}


class KeptView:
    """What a seat is shown, kept up to date by changes as in `feed-changes.js`."""

    def __init__(self) -> None:
        self.shown: dict[str, Any] = {}

    def whole(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The message that says the same whole."""
        if message["whole"]:
            self.shown = {}
        self.shown |= message["fields"]
        for name, ids in message["gone"].items():
            for id in ids:
                del self.shown[name][id]
        for name, new in message["entries"].items():
            self.shown.setdefault(name, {}).update(new)
        about = {name: self.shown[name] for name in ("waits", "notes", "first_scene")}
        table = {name: one for name, one in self.shown.items() if name not in (*about, "offers")}
        return {
            "type": "offers",
            "seq": message["seq"],
            "offers": [_filled(one) for one in self.shown["offers"].values()],
            "table": {**deepcopy(table), "seq": message["seq"]},
            **about,
        }


def _filled(offer: Mapping[str, Any]) -> dict[str, Any]:
    closed = [offer["closed"]] if "closed" in offer else []
    return {**EMPTY_OFFER, "all_closed": closed, **offer}


class Refused(Exception):
    """The server refused."""


class Line:
    """One connection for sequential requests."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, token: str, body: object = None
    ) -> tuple[int, bytes]:
        """Send a request, and return the status and the content of its answer."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        request, kept = head.encode() + b"\r\n" + data, self._streams is not None
        try:
            return await self._answer(request)
        except (asyncio.IncompleteReadError, ConnectionError):
            # A server closes a line that was silent for long: a browser, too, asks on a new one
            # then.
            if not kept:
                raise
            self.close()
            return await self._answer(request)

    async def _answer(self, request: bytes) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        size = next(int(one[15:]) for one in head if one.lower().startswith("content-length:"))
        return int(head[0].split()[1]), await reader.readexactly(size)

    def close(self) -> None:
        """Close the connection."""
        if self._streams:
            self._streams[1].close()
            self._streams = None
