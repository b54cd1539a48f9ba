"""A stand-in for Discord over real sockets: REST and gateway as in its public documents.

It knows one application with one bot, whose token is `TOKEN`. A test does what a person does:
`use` a command, `type` into an option, `press` a button; each waits for what the bot answers.
"""

from __future__ import annotations

import asyncio
import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from typing import Any

from aiohttp import web

TOKEN = "MTAw.G-stand.in-for-a-secret"
APPLICATION = "1000"
WAIT_S = 60
EPHEMERAL = 64
ALL_RIGHTS = (1 << 10) | (1 << 11) | (1 << 38) | (1 << 15)
BOT = {
    "id": APPLICATION,
    "username": "Dicey",
    "discriminator": "0",
    "avatar": None,
    "bot": True,
    "mfa_enabled": False,
    "flags": 0,
}
PERSON = BOT | {"id": "7", "username": "Ann", "bot": False}


class Discord:
    """The stand-in: its address, what it knows, and all that was sent to it."""

    def __init__(self) -> None:
        self.guilds = [self.guild("The Cellar")]
        self.commands: list[dict[str, Any]] = []
        self.sent: Queue[tuple[str, str, Any]] = Queue()
        self.requests = list[str]()
        self.sockets = list[web.WebSocketResponse]()
        self.connected = threading.Event()
        self.loop, self._ids = asyncio.new_event_loop(), 5000
        self.port, self.too_many = 0, 0

    @property
    def url(self) -> str:
        """The address of its REST interface."""
        return f"http://127.0.0.1:{self.port}/api/v10"

    @staticmethod
    def guild(name: str, rights: int = ALL_RIGHTS) -> dict[str, Any]:
        """A server that the bot is in, with what it may do there."""
        counts = {"approximate_member_count": 4, "approximate_presence_count": 2}
        more: dict[str, Any] = {
            "icon": None,
            "features": [],
            "owner": False,
            "permissions": str(rights),
        }
        return {"id": str(abs(hash(name)) % 10**9), "name": name, **more, **counts}

    # What a person does.

    def use(self, name: str, channel: str = "50", /, **options: str) -> Answer:
        """Use a command, and wait for its answer."""
        given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        data = {"id": "1", "name": name, "type": 1, "options": given}
        return self._interact(2, data, channel)

    def type(self, name: str, option: str, text: str) -> list[dict[str, str]]:
        """Type into an option of a command: the choices that are shown."""
        given = [{"name": option, "type": 3, "value": text, "focused": True}]
        answer = self._interact(4, {"id": "1", "name": name, "type": 1, "options": given}, "50")
        return answer.data["choices"]  # type: ignore[no-any-return]

    def press(self, id: str) -> Answer:
        """Press a button of a message."""
        message = {"id": "9", "channel_id": "50", "author": BOT, "content": "", "type": 20}
        message |= {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None}
        message |= {"tts": False, "attachments": [], "embeds": [], "pinned": False, "flags": 0}
        data = {"custom_id": id, "component_type": 2}
        return self._interact(3, data, "50", message=message)

    def _interact(self, kind: int, data: dict[str, Any], channel: str, **more: Any) -> Answer:
        self._ids += 1
        joined = "2026-01-01T00:00:00+00:00"
        member = {"user": PERSON, "roles": [], "joined_at": joined, "permissions": "0"}
        made = {
            "id": str(self._ids),
            "application_id": APPLICATION,
            "type": kind,
            "data": data,
            "guild_id": "40",
            "channel": {"id": channel, "type": 0, "permissions": "0"},
            "member": member | {"deaf": False, "mute": False},
            "token": f"interaction-{self._ids}",
            "version": 1,
            "locale": "en-GB",
            "app_permissions": str(ALL_RIGHTS),
            "entitlements": [],
            "authorizing_integration_owners": {"0": "40"},
            "context": 0,
            "attachment_size_limit": 10_000_000,
        }
        self.dispatch("INTERACTION_CREATE", made | more)
        return self.next()

    def next(self) -> Answer:
        """The next thing that the bot sends about an interaction."""
        return Answer(*self.sent.get(timeout=WAIT_S))

    def dispatch(self, name: str, data: Any) -> None:
        """Send an event through the gateway."""
        work = self._send({"op": 0, "t": name, "s": self._ids, "d": data})
        asyncio.run_coroutine_threadsafe(work, self.loop).result(WAIT_S)

    def hang_up(self, code: int) -> None:
        """End the connection to the gateway with this code."""
        self.connected.clear()
        ending = self.sockets[-1].close(code=code)
        asyncio.run_coroutine_threadsafe(ending, self.loop).result(WAIT_S)

    async def _send(self, payload: dict[str, Any]) -> None:
        socket = self.sockets[-1]
        await socket.send_bytes(socket["deflate"](json.dumps(payload).encode()))

    # What Discord answers.

    async def rest(self, request: web.Request) -> web.Response:
        """A request to the REST interface."""
        path = request.path.removeprefix("/api/v10")
        self.requests.append(f"{request.method} {path}")
        body = await request.json() if request.can_read_body else None
        if self.too_many:
            self.too_many -= 1
            waiting = {"message": "You are being rate limited.", "retry_after": 0.01}
            return web.json_response(waiting | {"global": False}, status=429)
        if path.startswith(("/interactions/", "/webhooks/")):
            self.sent.put((request.method, path, body))
            if "with_response" in request.query:
                return web.json_response(_called_back(path, body))
            if request.method == "DELETE" or path.endswith("/callback"):
                return web.Response(status=204)
            return web.json_response(_message(body))
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)
        match request.method, path:
            case "GET", "/users/@me":
                return web.json_response(BOT)
            case "GET", "/oauth2/applications/@me":
                return web.json_response(_application())
            case "GET", "/users/@me/guilds":
                return web.json_response([] if int(request.query["after"]) else self.guilds)
            case "GET", "/gateway/bot":
                limit = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
                url = f"ws://127.0.0.1:{self.port}/gateway"
                shown = {"url": url, "shards": 1, "session_start_limit": limit}
                return web.json_response(shown)
            case "PUT", "/applications/1000/commands":
                self.commands = list(body or ())
                registered = [_command(one) for one in self.commands]
                return web.json_response(registered)
        return web.json_response({"message": "404: Not Found", "code": 0}, status=404)

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        """A connection to the gateway."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        deflating = zlib.compressobj()
        assert {"v": "10", "encoding": "json", "compress": "zlib-stream"} == dict(request.query)
        socket["deflate"] = lambda data: (
            deflating.compress(data) + deflating.flush(zlib.Z_SYNC_FLUSH)
        )
        self.sockets.append(socket)
        await self._send({"op": 10, "d": {"heartbeat_interval": 45_000}})
        async for frame in socket:
            payload = json.loads(frame.data)
            if payload["op"] == 1:
                await self._send({"op": 11})
            elif payload["op"] == 2:
                await self._identified(payload["d"])
            elif payload["op"] == 6:
                assert (TOKEN, "session") == (payload["d"]["token"], payload["d"]["session_id"])
                await self._send({"op": 0, "t": "RESUMED", "s": self._ids, "d": {}})
                self.connected.set()
        return socket

    async def _identified(self, data: dict[str, Any]) -> None:
        assert TOKEN == data["token"]
        ready = {
            "v": 10,
            "user": BOT,
            "guilds": [],
            "session_id": "session",
            "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway",
            "application": {"id": APPLICATION, "flags": 0},
        }
        await self._send({"op": 0, "t": "READY", "s": 1, "d": ready})
        self.connected.set()


class Answer:
    """What the bot sent about an interaction: a callback, an edit, a deletion or a new message."""

    def __init__(self, method: str, path: str, body: Any) -> None:
        self.method, self.path, body = method, path, body or {}
        self.kind = body.get("type")
        self.data = body if self.kind is None else body.get("data", {})

    @property
    def text(self) -> str:
        """The text of the message."""
        return str(self.data["content"])

    @property
    def private(self) -> bool:
        """Whether only the person who asked sees it."""
        return bool(self.data.get("flags", 0) & EPHEMERAL)

    @property
    def buttons(self) -> list[str]:
        """What the buttons of the message say when pressed."""
        rows = self.data.get("components", [])
        return [one["custom_id"] for row in rows for one in row["components"]]


def _application() -> dict[str, Any]:
    shown = {"id": APPLICATION, "name": "Dicey", "description": "", "bot_public": True}
    shown |= {"bot_require_code_grant": False, "owner": PERSON, "verify_key": "00", "flags": 0}
    return shown | {"approximate_guild_count": 1, "approximate_user_install_count": 0}


def _command(registered: dict[str, Any]) -> dict[str, Any]:
    more = {"id": "1", "application_id": APPLICATION, "version": "1"}
    return {"default_member_permissions": None, **more, **registered}


def _called_back(path: str, body: Any) -> dict[str, Any]:
    about = {"id": path.split("/")[2], "type": 2, "response_message_id": "9"}
    made = {"type": body["type"], "message": _message(body.get("data", {}))}
    return {"interaction": about, "resource": made}


def _message(body: Any) -> dict[str, Any]:
    shown = {"id": "9", "channel_id": "50", "author": BOT, "content": body.get("content")}
    shown |= {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "tts": False}
    return shown | {"attachments": [], "embeds": [], "pinned": False, "type": 20, "flags": 0}


@contextmanager
def standing_in() -> Iterator[Discord]:
    """A stand-in for Discord that listens on a free port of this computer."""
    discord, ready = Discord(), threading.Event()

    async def serve() -> web.AppRunner:
        app = web.Application()
        app.router.add_get("/gateway", discord.gateway)
        app.router.add_route("*", "/api/v10/{rest:.*}", discord.rest)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        discord.port = runner.addresses[0][1]
        return runner

    def work() -> None:
        asyncio.set_event_loop(discord.loop)
        runner = discord.loop.run_until_complete(serve())
        ready.set()
        discord.loop.run_forever()
        discord.loop.run_until_complete(runner.cleanup())
        discord.loop.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert ready.wait(WAIT_S)
        yield discord
    finally:
        discord.loop.call_soon_threadsafe(discord.loop.stop)
        thread.join(WAIT_S)
