"""The live feed: every visible record once in order, and a clear end."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks._page import KeptView
from storypool import systems
from storypool.engine.events import CharacterSet, Said
from storypool.engine.fold import fold
from storypool.engine.sight import records_of, view
from storypool.live.tables import Tables
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.log.store import Append
from storypool.web import access
from storypool.web.app import app
from storypool.web.endpoints.odds_endpoints import weigh
from storypool.web.endpoints.table_endpoints import preview
from storypool.web.feeds import feed
from storypool.web.feeds.connections import events
from storypool.web.feeds.feed import AT_ONCE, PRICE, Dropped, Feed, Feeds
from storypool.web.interface.live_forms import MAX_QUESTIONS
from storypool.web.server import Server
from storypool.web.server_settings import Limits, Rate, Settings
from storypool.web.wire import Message
from tests.browsers import NOW, PLAIN, WAIT, Browser, House, Party, Socket, page, secret_of, serving

pytestmark = pytest.mark.slow

SERVER = """
import sys
from pathlib import Path
from storypool import systems
from storypool.live.tables import Tables
from storypool.log.disk.sqlite import SqliteStore
from storypool.web.serving.listener import listen
from storypool.web.serving.serve import Serving, configure
from storypool.web.server_settings import Settings
from tests.browsers import page

sys.path.append("tests/games")
folder = Path(sys.argv[1])
listener = listen("127.0.0.1", int(sys.argv[2]))
port = listener.getsockname()[1]
settings = Settings(port, lan="127.0.0.1", static=page(folder / "static"))
config = configure(Tables(SqliteStore(folder / "data"), systems.get), settings, lambda: ("tiny",))
print(port, flush=True)
Serving(config).run(sockets=[listener])
"""
"""A separate server process, on a folder and a port."""
GENEROUS = replace(Limits(), client=Rate(1e9, 1e9), session=Rate(1e9, 1e9))


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Party]:
    """A table with people at it."""
    with serving(tmp_path, limits=GENEROUS) as house:
        yield house.table()


def closing(socket: Socket) -> int:
    """The server's closing code of a connection."""
    end = time.monotonic() + WAIT
    try:
        while True:
            # A running feed repeats that it is there, which does not end it.
            socket.connection.recv(max(0, end - time.monotonic()))
    except ConnectionClosed as closed:
        # 1006 means that the server hung up without a close frame.
        return closed.rcvd.code if closed.rcvd else 1006


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for an event in the server."""
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def sse(
    house: House, browser: Browser, path: str, want: int, **headers: str
) -> list[dict[str, str]]:
    """The first server-sent events of a feed."""
    events: list[dict[str, str]] = []
    with house.client.stream("GET", path, headers={**browser._cookie(), **headers}) as answer:
        assert 200 == answer.status_code
        assert answer.headers["content-type"].startswith("text/event-stream")
        event: dict[str, str] = {}
        for line in answer.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
            elif event:
                events.append(event)
                event = {}
                if len(events) == want:
                    break
    return events


def test_messages_are_compressed(party: Party) -> None:
    """A client that offers compression gets it, and others equal plain messages."""
    heard = []
    for offered, agreed in (("deflate", "permessage-deflate"), (None, None)):
        with party.ann.live(party.id, compression=offered) as socket:
            assert socket.connection.response is not None
            answer = socket.connection.response.headers.get("Sec-WebSocket-Extensions", "").split(
                "; "
            )
            assert agreed == (answer[0] or None)
            hello = socket.follow(0)
            heard.append([hello, *socket.records(hello["seq"])])
    assert heard[0] == heard[1]


def test_compressed_message_has_a_size_limit(party: Party) -> None:
    """A kilobyte that expands to a megabyte is refused like the megabyte."""
    with party.ann.live(party.id, compression="deflate") as socket:
        socket.hear("hello")
        socket.send(type="x" * 1_000_000)
        assert 1009 == closing(socket)


def test_feed_starts_with_hello(party: Party) -> None:
    """Hello has version, epoch, seq and seat; following from 0 gives all and new records."""
    with party.ann.live(party.id) as socket:
        hello = socket.follow(0)
        assert (1, "memory", "ann") == (hello["v"], hello["epoch"], hello["seat"])
        assert list(range(1, hello["seq"] + 1)) == [
            record["seq"] for record in socket.records(hello["seq"])
        ]
        party.bo.move(party.id, "table.say", text="Good evening")
        written = socket.records(hello["seq"] + 2)[-1]
        assert ("words.said", "Good evening") == (
            written["event"]["type"],
            written["event"]["text"],
        )
        assert "Good evening" in written["text"]
        reader = ["text", "paid", "moments"]
        assert ["type", "seq", "at", "seat", "seen_by", "event", *reader] == list(written)


def test_feed_matches_the_log(party: Party) -> None:
    """Feed, events, log, search, export and a move's answer give a record in the same shape."""
    party.gm.move(party.id, "table.say", text="for her", secret=True)
    made = party.ann.move(party.id, "table.say", text="the same")
    seq = made["seq"]
    with party.ann.live(party.id) as socket:
        socket.follow(seq - 2)
        fed = [{k: v for k, v in record.items() if k != "type"} for record in socket.records(seq)]
    logged = party.ann.get(f"{party.path}/log?after={seq - 2}")["records"]
    sent = sse(party.house, party.ann, f"{party.path}/events?after={seq - 2}", 3)[1:]
    assert made["records"] == fed == logged
    assert fed == [
        {k: v for k, v in json.loads(event["data"]).items() if k != "type"} for event in sent
    ]
    whole = party.ann.get(f"{party.path}/log")["records"]
    exported = party.house.client.get(f"{party.path}/export", headers=party.ann._cookie())
    lines = [json.loads(line) for line in exported.text.splitlines()[1:]]
    of_readers = ("text", "paid", "moments")
    assert lines == [{k: v for k, v in one.items() if k not in of_readers} for one in whole]
    assert {None} < {one["event"] and one["event"]["type"] for one in lines}
    found = party.ann.get(f"{party.path}/log/search?words=the+same&before=0")["records"]
    assert made["records"][-1:] == [one for one in found if one["seq"] > seq - 2]


def test_resumed_feed_has_no_gap_or_duplicate(party: Party) -> None:
    """Readers who come and go during moves have every record exactly once."""
    moving = threading.Event()

    def move(browser: Browser) -> None:
        for n in range(25):
            browser.move(party.id, "table.say", text=str(n))

    start = party.gm.get(party.path)["seq"]
    end = start + 2 * 2 * 25
    movers = [threading.Thread(target=move, args=(browser,)) for browser in (party.ann, party.bo)]
    heard: list[list[int]] = [[], []]

    def read(mine: list[int], at_once: int) -> None:
        while not mine or mine[-1] < end:
            with party.vera.live(party.id) as socket:
                socket.follow(mine[-1] if mine else 0)
                moving.set()
                for _ in range(min(at_once, end - (mine[-1] if mine else 0))):
                    mine.append(socket.hear("record")["seq"])

    readers = [
        threading.Thread(target=read, args=(mine, n))
        for mine, n in zip(heard, (3, 17), strict=True)
    ]
    for thread in readers:
        thread.start()
    moving.wait(WAIT)
    for thread in movers:
        thread.start()
    for thread in (*movers, *readers):
        thread.join(WAIT)
    assert [list(range(1, end + 1))] * 2 == heard


def test_lost_notifications_leave_no_trace(tmp_path: Path) -> None:
    """Repeated or missing notifications still send each record once in order."""

    async def scene() -> list[int]:
        tables = Tables(MemoryStore(), systems.get, lambda sides: 0)
        server: Server = app(tables, Settings(static=page(tmp_path))).state.server
        id = await tables.open("tiny", "Coins")
        seat = await tables.take_seat(id, "Mona", "gm")
        await server.access.sit("session", id, seat.id)
        sent, came = list[int](), asyncio.Event()

        async def send(news: Message) -> None:
            if news.type == "record" and news.seq:
                sent.append(news.seq)
                came.set()

        async def until(seq: int) -> None:
            while seq not in sent:
                came.clear()
                await asyncio.wait_for(came.wait(), WAIT)

        feed = Feed(server.feeds, id, seat, session="session", address="somewhere", send=send)
        task = asyncio.create_task(feed.run(0, False))
        await until(2)
        feed.stored(await tables.steps(id, 1))
        made = await tables.make(id, seat.id, "table.say", {"text": "One"})
        await until(made.seq)
        notified, lost = feed.stored, list[object]()
        feed.stored = lost.append  # type: ignore[method-assign,assignment]
        await tables.make(id, seat.id, "table.say", {"text": "Two"})
        made = await tables.make(id, seat.id, "table.say", {"text": "Three"})
        while len(lost) < 2:
            await asyncio.sleep(0)
        notified(lost[1])  # type: ignore[arg-type]
        await until(made.seq)
        feed.end(1012, "over")
        with suppress(Dropped):
            await task
        return sent

    sent = asyncio.run(scene())
    assert list(range(1, len(sent) + 1)) == sent
    assert len(sent) > 4


def test_catching_up_has_its_price(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeatedly opening feeds of a long log is limited by the address's pace."""
    asked: list[tuple[str, float]] = []

    async def scene() -> int:
        tables = Tables(MemoryStore(), systems.get, lambda sides: 0)
        server: Server = app(tables, Settings(static=page(tmp_path))).state.server
        id = await tables.open("tiny", "Coins")
        seat = await tables.take_seat(id, "Mona", "gm")
        await server.access.sit("session", id, seat.id)
        for n in range(20):
            await tables.make(id, seat.id, "table.say", {"text": f"{n}"})
        last, caught_up = (await tables.look(id)).seq, asyncio.Event()

        def waits(who: str, price: float) -> float:
            asked.append((who, price))
            return 0.0

        monkeypatch.setattr(server.pace, "wait", waits)

        async def send(news: Message) -> None:
            if news.seq == last:
                caught_up.set()

        feed = Feed(server.feeds, id, seat, session="session", address="somewhere", send=send)
        task = asyncio.create_task(feed.run(0, False))
        await asyncio.wait_for(caught_up.wait(), WAIT)
        feed.end(1012, "over")
        with suppress(Dropped):
            await task
        return last

    last = asyncio.run(scene())
    assert asked == [("somewhere", PRICE)] * (last // AT_ONCE)
    assert len(asked) >= 2


def test_question_price_ignores_grouping(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """New questions of a message cost as much as requests, and so do repetitions."""
    prices = list[float]()

    def waits(who: str, price: float = 1) -> float:
        prices.append(price)
        return 0.0

    monkeypatch.setattr(party.house.app.state.server.pace, "wait", waits)

    def costs(live: Socket, **message: Any) -> list[float]:
        prices.clear()
        live.send(**message)
        live.send(type="ping")
        live.hear("pong")
        # What the records of a feed cost is another matter.
        return [price for price in list(prices) if price >= 1][:1]

    saying = [
        {"preview": {"move": "table.say", "args": {"text": f"{n}"}}} for n in range(MAX_QUESTIONS)
    ]
    previews = {f"q{n}": question for n, question in enumerate(saying)}
    with party.ann.live(party.id) as socket:
        socket.hear("hello")
        assert [events.price] == costs(socket, type="follow", after=0)
        assert [MAX_QUESTIONS * preview.price] == costs(socket, type="watch", questions=previews)
        assert [1] == costs(socket, type="watch", questions=previews)
        assert [weigh.price] == costs(
            socket, type="watch", questions={**previews, "q1": {"brief": True}}
        )
        again = (MAX_QUESTIONS - 1) * preview.price + weigh.price
        assert [events.price + again] == costs(socket, type="follow", after=0)


def test_foreign_client_is_reset(party: Party) -> None:
    """After a restore, numbers may differ: a client gets a message and follows from 0."""
    for wrong in ({"after": 9999}, {"after": 3, "epoch": "another"}):
        with party.ann.live(party.id) as socket:
            hello = socket.hear("hello")
            socket.send(type="follow", **wrong)
            assert {"type": "reset", "epoch": "memory", "seq": hello["seq"]} == socket.hear()
            socket.send(type="follow", after=0, epoch="memory")
            assert 1 == socket.hear("record")["seq"]


def test_unknown_types_are_ignored(party: Party) -> None:
    """Types and fields of a later version do no harm."""
    with party.ann.live(party.id) as socket:
        socket.send(type="dance", with_whom="anybody")
        socket.send(type="pong")
        socket.send(type="follow", after=0, colour="blue")
        assert 1 == socket.hear("record")["seq"]


def test_invalid_message_ends_the_connection(party: Party) -> None:
    """Invalid JSON, another table and an oversized frame have their own codes."""
    cases = (
        ("nonsense", 1007),
        (json.dumps({"type": "follow", "table": "elsewhere"}), 1008),
        ("x" * 9000, 1009),
    )
    for text, code in cases:
        with party.ann.live(party.id) as socket:
            socket.connection.send(text)
            assert code == closing(socket)


def test_too_many_messages_end_the_connection(tmp_path: Path) -> None:
    """The limit of messages is that of requests."""
    with serving(tmp_path, limits=replace(GENEROUS, session=Rate(30, 0.001))) as house:
        party = house.table()
        with party.ann.live(party.id) as socket:
            # The server may cut it off before the last of them is on its way.
            with suppress(ConnectionClosed):
                for _ in range(40):
                    socket.send(type="pong")
            assert 4029 == closing(socket)


def test_offers_come_on_request(party: Party) -> None:
    """They come with the seat's newest table, only for clients that want them."""
    with party.ann.live(party.id) as socket, party.bo.live(party.id) as quiet:
        quiet.follow(0)
        hello = socket.follow(0, offers=True)
        offers = socket.hear("offers")
        assert hello["seq"] == offers["seq"]
        declare = next(offer for offer in offers["offers"] if offer["key"] == "check.declare")
        assert (None, "Declare an action") == (declare["closed"], declare["title"])
        ilse = {"value": "ilse", "label": "Ilse", "note": "", "closed": "", "remedy": ""}
        assert [ilse] == declare["asks"][0]["choices"]
        roll = next(offer for offer in offers["offers"] if offer["key"] == "check.roll")
        assert {"code", "text", "rule", "remedy", "field", "overridable"} == roll["closed"].keys()
        assert {"luck": 3} == offers["table"]["points"]
        party.ann.move(party.id, "check.declare", **{"as": "ilse", "pool": "2 coin"})
        seq = party.ann.get(party.path)["seq"]
        latest = socket.hear("offers")
        while latest["seq"] < seq:
            latest = socket.hear("offers")
        assert (
            None
            is next(offer for offer in latest["offers"] if offer["key"] == "check.roll")["closed"]
        )
        assert "record" == quiet.hear("record", "offers")["type"]
        seen = {quiet.hear()["type"] for _ in range(seq - 1)}
        assert "offers" not in seen


def test_offers_come_as_changes_on_request(party: Party) -> None:
    """They have the same content on both feeds; following again sends everything."""
    seq = party.ann.get(party.path)["seq"]
    with party.ann.live(party.id) as socket, party.ann.live(party.id) as brief:
        socket.follow(seq, offers=True)
        brief.follow(seq, offers=True, changes=True)
        takes, first = KeptView(), brief.hear("changes")
        assert socket.hear("offers")["table"] == takes.whole(first)["table"]
        seq = party.ann.move(party.id, "check.declare", **{"as": "ilse", "pool": "2 coin"})["seq"]
        whole, message = upto(socket, "offers", seq), upto(brief, "changes", seq)
        assert len(message["entries"]["offers"]) < len(first["entries"]["offers"])
        found = takes.whole(message)
        assert {**whole, "offers": []} == {**found, "offers": []}
        for full, short in zip(whole["offers"], found["offers"], strict=True):
            same = full.keys() - {"asks", "all_closed"}
            assert {name: full[name] for name in same} == {name: short[name] for name in same}
            assert full["closed"] or full["asks"] == short["asks"]
        brief.send(type="follow", after=seq, offers=True, changes=True)
        assert found == KeptView().whole(brief.hear("changes"))
        brief.send(type="follow", after=seq, offers=True, changes=True, asks=False)
        page = brief.hear("changes")["entries"]["offers"]
        assert not any("asks" in page[key] for key in ("table.say", "character.set"))
        assert "asks" in page["check.roll"]
        assert page == party.ann.get(f"{party.path}/offers?brief=true")["brief"]
    address = f"{party.path}/events?after={seq}&offers=true"
    events = sse(party.house, party.ann, f"{address}&changes=true", 3)
    assert ["hello", "presence", "changes"] == [event["event"] for event in events]
    # What an earlier version's page asks for changes nothing.
    events = sse(party.house, party.ann, f"{address}&parts=true", 3)
    assert ["hello", "presence", "offers"] == [event["event"] for event in events]


def upto(socket: Socket, kind: str, seq: int) -> dict[str, Any]:
    """The first message of this kind about this record."""
    found = socket.hear(kind)
    while found["seq"] < seq:
        found = socket.hear(kind)
    return found


def test_presence(party: Party) -> None:
    """It lists each seat with live connections once, and is sent on changes."""
    with party.gm.live(party.id) as watching:
        watching.follow(9)
        assert ["mona"] == watching.hear("presence")["seats"]
        with party.ann.live(party.id) as one:
            one.follow(9)
            assert ["ann", "mona"] == watching.hear("presence")["seats"]
            with party.ann.live(party.id) as two:
                two.follow(9)
                assert ["ann", "mona"] == two.hear("presence")["seats"]
        assert ["mona"] == watching.hear("presence")["seats"]


def test_claims_reach_only_their_deciders(party: Party) -> None:
    """Only GMs and the seat's devices hear of a claim and its end, at once."""
    with (
        party.gm.live(party.id) as gm,
        party.ann.live(party.id) as ann,
        party.bo.live(party.id) as bo,
    ):
        for one in (gm, ann, bo):
            one.follow(9)
        secret = party.secret("player")
        claim = party.house.browser().post("/api/join", secret=secret, seat="ann")["claim"]
        for one in (gm, ann):
            assert [claim["code"]] == [
                notified["code"] for notified in one.hear("claims")["claims"]
            ]
        party.ann.post(f"{party.path}/claims/{claim['id']}", agree=False)
        for one in (gm, ann):
            assert [] == one.hear("claims")["claims"]
        party.gm.move(party.id, "table.say", text="Still here")
        notified = [bo.hear()]
        while "Still here" not in notified[-1].get("text", ""):
            notified.append(bo.hear())
        assert "claims" not in {one["type"] for one in notified}


def test_expired_claim_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unanswered claim automatically disappears from every screen it was on."""
    monkeypatch.setattr(access, "CLAIM_LIFE_MS", 400)
    with serving(tmp_path, limits=GENEROUS) as house:
        house.app.state.server.access.now = lambda: time.time_ns() // 1_000_000
        party = house.table()
        with party.gm.live(party.id) as gm:
            gm.follow(9)
            secret = party.secret("player")
            claim = house.browser().post("/api/join", secret=secret, seat="ann")["claim"]
            assert [claim["id"]] == [notified["id"] for notified in gm.hear("claims")["claims"]]
            assert [] == gm.hear("claims")["claims"]


def test_feed_needs_a_seat_and_its_own_page(party: Party) -> None:
    """Without a session, for another's seat or from elsewhere a WebSocket is refused."""
    stranger = party.house.browser()
    cases: list[tuple[Browser, dict[str, Any], int]] = [
        (stranger, {}, 401),
        (party.ann, {"query": "?seat=mona"}, 403),
        (party.ann, {"headers": {"Origin": "https://evil.example"}}, 403),
        (party.ann, {"headers": {"Origin": party.house.here, "Sec-Fetch-Site": "cross-site"}}, 403),
    ]
    for browser, options, status in cases:
        with pytest.raises(InvalidStatus) as refused, browser.live(party.id, **options):
            pass
        response = refused.value.response
        assert status == response.status_code
        assert {"error"} == json.loads(response.body).keys()
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


def test_program_follows_with_its_token(party: Party) -> None:
    """Its token needs no Origin."""
    token = party.token("spectator", "Overlay")
    program = party.house.browser()
    with program.live(
        party.id, headers={"Authorization": f"Bearer {token}", "Origin": "null"}
    ) as socket:
        assert "overlay" == socket.follow(0)["seat"]
        assert 1 == socket.hear("record")["seq"]


def test_signed_out_client_hears_no_more(party: Party) -> None:
    """Freed or transferred seats, sign-outs and deletion end their feeds at once."""
    with party.ann.live(party.id) as socket:
        socket.follow(9)
        socket.hear("presence")
        party.gm.post(f"{party.path}/seats/ann/replace")
        assert 4001 == closing(socket)
    with party.bo.live(party.id) as socket:
        socket.follow(9)
        socket.hear("presence")
        party.bo.ask("DELETE", "/api/session")
        assert 4001 == closing(socket)
    with party.vera.live(party.id) as socket:
        socket.follow(9)
        socket.hear("presence")
        party.gm.move(party.id, "seat.remove", seat="vera")
        assert 4001 == closing(socket)
    with party.gm.live(party.id) as socket:
        socket.follow(9)
        socket.hear("presence")
        party.gm.post(f"{party.path}/delete", confirm="Coins")
        assert 4004 == closing(socket)


def test_early_sign_out_ends_the_feed(party: Party) -> None:
    """An open connection that follows after its revocation ends with the same code."""
    with party.ann.live(party.id) as socket:
        socket.hear("hello")
        party.gm.post(f"{party.path}/seats/ann/replace")
        socket.send(type="follow", after=0)
        assert 4001 == closing(socket)


def test_sign_out_ends_only_its_devices_feeds(party: Party) -> None:
    """Others of the seat and other seats go on, without checks while nothing changes."""
    other = party.house.browser()
    other.post(
        "/api/join",
        secret=secret_of(party.ann.post(f"{party.path}/links", side="device")),
        seat="ann",
    )
    with (
        party.ann.live(party.id) as one,
        other.live(party.id) as two,
        party.bo.live(party.id) as bo,
    ):
        for socket in (one, two, bo):
            socket.follow(9)
            socket.hear("presence")
        party.ann.ask("DELETE", "/api/session")
        assert 4001 == closing(one)
        party.gm.move(party.id, "table.say", text="Who is left?")
        for socket in (two, bo):
            heard = socket.hear("record")
            while "Who is left?" not in heard["text"]:
                heard = socket.hear("record")


def test_renamed_seat_keeps_its_feed(party: Party) -> None:
    """The rename's record arrives, and so do later ones."""
    with party.ann.live(party.id) as socket:
        socket.follow(9)
        seq = party.gm.move(party.id, "seat.rename", seat="ann", name="Anna")["seq"]
        assert "Anna" == socket.records(seq)[-1]["event"]["seat"]["name"]
        seq = party.bo.move(party.id, "table.say", text="Welcome")["seq"]
        assert "Welcome" == socket.records(seq)[-1]["event"]["text"]


def test_quiet_feed_is_pinged(tmp_path: Path) -> None:
    """A ping shows an otherwise idle page that its connection lives."""
    with serving(tmp_path, limits=replace(GENEROUS, ping=0.05, ping_events=0.05)) as house:
        party = house.table()
        with party.ann.live(party.id) as socket:
            socket.follow(0)
            assert {"type": "ping"} == socket.hear("ping")
        after = party.ann.get(party.path)["seq"]
        events = sse(house, party.ann, f"{party.path}/events?after={after}", 3)
        assert ["hello", "presence", "ping"] == [event["event"] for event in events]


def test_idle_table_uses_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its computed answers are dropped once, and computed again on the next event."""
    rests, rest = list[str](), Tables.rest

    def rested(tables: Tables, table_id: str) -> None:
        rests.append(table_id)
        rest(tables, table_id)
        assert not tables._offered

    monkeypatch.setattr(Tables, "rest", rested)
    monkeypatch.setattr(feed, "REST_S", 0.2)
    with serving(tmp_path, limits=replace(GENEROUS, ping=0.1)) as house:
        party = house.table()
        with party.ann.live(party.id) as socket:
            socket.follow(0, offers=True)
            for times in (1, 2):
                wait_until(lambda times=times: len(rests) >= times)  # type: ignore[misc]
                for _ in range(3):
                    socket.hear("ping")
                assert times == len(rests)
                seq = party.bo.move(party.id, "table.say", text="Is anybody there?")["seq"]
                while (shown := socket.hear("offers"))["seq"] < seq:
                    pass
                assert party.ann.get(f"{party.path}/offers")["offers"] == shown["offers"]


def test_client_may_ping(party: Party) -> None:
    """The answer shows a page that its line is not silently dead."""
    with party.ann.live(party.id) as socket:
        socket.send(type="follow", after=0)
        assert 1 == socket.hear("record")["seq"]
        socket.send(type="ping")
        assert {"type": "pong"} == socket.hear("pong")


@pytest.mark.slow
def test_slow_client_gets_the_reason(tmp_path: Path) -> None:
    """A reader that takes nothing of a long log finds the code when it reads again."""
    with serving(tmp_path, limits=replace(GENEROUS, stuck=0.3)) as house:
        party = house.table()
        seq = party.gm.get(party.path)["seq"]
        house.store.append(
            Append(party.id, seq, records_of([Said("bo", "x" * 400)] * 8000, "bo", seq, NOW))
        )
        party.bo.move(party.id, "table.say", text="the end")
        feeds: Feeds = house.app.state.server.feeds
        wire = socket.create_connection(("127.0.0.1", house.port))
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        with party.ann.live(party.id, sock=wire, max_queue=1) as slow:
            slow.follow(0)
            slow.hear("record")
            wait_until(lambda: not feeds.count)
            assert 4008 == closing(slow)


@pytest.mark.slow
def test_unread_events_end(tmp_path: Path) -> None:
    """A reader of server-sent events that takes nothing of a long log is dropped too."""
    with serving(tmp_path, limits=replace(GENEROUS, stuck=0.3)) as house:
        party = house.table()
        seq = party.gm.get(party.path)["seq"]
        house.store.append(
            Append(party.id, seq, records_of([Said("bo", "x" * 400)] * 8000, "bo", seq, NOW))
        )
        party.bo.move(party.id, "table.say", text="the end")
        feeds: Feeds = house.app.state.server.feeds
        with socket.create_connection(("127.0.0.1", house.port)) as wire:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            head = [f"GET {party.path}/events?after=0 HTTP/1.1", f"Host: 127.0.0.1:{house.port}"]
            head += [f"{name}: {value}" for name, value in party.ann._cookie().items()]
            wire.sendall("\r\n".join([*head, "", ""]).encode())
            wait_until(lambda: bool(feeds.count))
            wait_until(lambda: not feeds.count)


def test_lagging_client_gets_the_reason(tmp_path: Path) -> None:
    """Too many records at once end a reader's feed with the same code."""
    with serving(tmp_path, limits=replace(GENEROUS, behind=20)) as house:
        party = house.table()
        seq = party.gm.get(party.path)["seq"]
        with party.ann.live(party.id) as slow:
            slow.follow(0)
            slow.records(seq)
            house.store.append(
                Append(party.id, seq, records_of([Said("bo", "so much")] * 30, "bo", seq, NOW))
            )
            party.bo.move(party.id, "table.say", text="the end")
            assert 4008 == closing(slow)


def test_long_log_is_read_in_pieces(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record comes once in order, even new ones, and then the other parts."""
    monkeypatch.setattr(feed, "LOG_PIECE", 3)
    asked: list[int] = []
    steps = Tables.steps

    async def counted(house: Tables, table: str, after: int, upto: int | None = None) -> Any:
        if upto is not None:
            asked.append(upto - after)
        if upto is not None and len(asked) == 2:
            await house.make(party.id, "ann", "table.say", {"text": "meanwhile"})
        return await steps(house, table, after, upto)

    monkeypatch.setattr(Tables, "steps", counted)
    seq = party.gm.get(party.path)["seq"]
    with party.bo.live(party.id) as live:
        live.follow(0, offers=True)
        heard = [live.hear("record", "offers") for _ in range(seq + 3)]
    assert [*range(1, seq + 3)] == [one["seq"] for one in heard if one["type"] == "record"]
    assert "offers" == heard[-1]["type"]
    assert {3} == set(asked)


def test_new_client_may_ask_for_the_end(party: Party) -> None:
    """It gets this many of the newest records; others get all they lack."""
    seq = party.gm.get(party.path)["seq"]
    for after, newest, first in ((0, 4, seq - 3), (2, 4, 3), (0, 10**6, 1), (0, 0, 1), (0, -4, 1)):
        with party.bo.live(party.id) as live:
            live.follow(after, newest=newest)
            assert [*range(first, seq + 1)] == [one["seq"] for one in live.records(seq)]
    events = sse(party.house, party.bo, f"{party.path}/events?newest=2", 3)
    assert [str(seq - 1), str(seq)] == [one["id"] for one in events if one["event"] == "record"]


def test_connections_of_a_browser_are_limited(tmp_path: Path) -> None:
    """Beyond the limit it must close some, which makes room."""
    with serving(tmp_path, limits=replace(GENEROUS, feeds_of_session=2)) as house:
        party = house.table()
        with party.ann.live(party.id) as first, party.ann.live(party.id):
            first.hear("hello")
            with pytest.raises(InvalidStatus) as refused, party.ann.live(party.id):
                pass
            assert 429 == refused.value.response.status_code
            error = party.ann.refused(429, "GET", f"{party.path}/events")
            assert "live connections" in error["text"]
        with party.bo.live(party.id) as other:
            other.hear("hello")


def test_events_resume_by_number(party: Party) -> None:
    """Records have their seq as id, and `Last-Event-ID` overrides `after`."""
    events = sse(party.house, party.vera, f"{party.path}/events?after=2", 4)
    assert ["hello", "record", "record", "record"] == [event["event"] for event in events]
    assert [None, "3", "4", "5"] == [event.get("id") for event in events]
    more = sse(party.house, party.vera, f"{party.path}/events?after=2", 2, **{"Last-Event-ID": "5"})
    assert ["6"] == [event["id"] for event in more[1:]]
    reset = sse(party.house, party.vera, f"{party.path}/events?after=999", 3)
    assert ["hello", "reset", "record"] == [event["event"] for event in reset]
    assert "1" == reset[2]["id"]


def test_events_have_offers_and_presence(party: Party) -> None:
    """The feed as events has the messages of the WebSocket."""
    seq = party.vera.get(party.path)["seq"]
    events = sse(party.house, party.vera, f"{party.path}/events?after={seq}&offers=true", 3)
    assert ["hello", "presence", "offers"] == [event["event"] for event in events]
    assert ["vera"] == json.loads(events[1]["data"])["seats"]


def test_no_feed_has_a_hidden_word(party: Party) -> None:
    """Secret text, moves and undos are in no message, log, state, export or transcript."""
    chance = random.Random(4)
    hidden: list[str] = []
    own: dict[str, list[str]] = {"ann": [], "bo": [], "vera": []}

    def word() -> str:
        hidden.append("Zq" + "".join(chance.choice("bcdfgkmpt") for _ in range(12)))
        return hidden[-1]

    sockets = {}
    with (
        party.ann.live(party.id) as sockets["ann"],
        party.bo.live(party.id) as sockets["bo"],
        party.vera.live(party.id) as sockets["vera"],
    ):
        for one in sockets.values():
            one.follow(0, offers=True)
        villains: list[str] = []
        for _ in range(40):
            match chance.randrange(8):
                case 0:
                    party.gm.move(party.id, "character.add", name=word(), secret=True)
                    characters = party.gm.get(party.path)["table"]["characters"]
                    villains = [id for id, one in characters.items() if one["seen_by"]]
                case 1:
                    party.gm.move(party.id, "trait.set", text=word(), secret=True)
                case 2:
                    party.gm.move(party.id, "table.say", text=word(), secret=True)
                case 3:
                    secret = word()
                    own["ann"].append(secret)
                    party.ann.move(party.id, "table.say", text=secret, secret=True)
                case 4 if villains:
                    party.gm.move(party.id, "character.set", who=villains[-1], name=word())
                case 5 if villains and not party.gm.get(party.path)["table"]["checks"]:
                    party.gm.move(
                        party.id, "check.declare", **{"as": villains[-1], "pool": "2 coin"}
                    )
                    party.gm.move(party.id, "check.roll")
                    party.gm.move(party.id, "check.close")
                case 6:
                    party.gm.ask("POST", f"{party.path}/moves", {"move": "table.undo"})
                case _:
                    party.bo.move(party.id, "table.say", text="in the open")
        end = party.bo.move(party.id, "table.say", text="the end")["seq"]
        heard = {name: [] for name in sockets}  # type: dict[str, list[str]]
        for name, one in sockets.items():
            last: dict[str, Any] = {"type": "", "seq": 0}
            while not (last["type"] == "offers" and last["seq"] == end):
                heard[name].append(str(one.connection.recv(WAIT)))
                last = json.loads(heard[name][-1])
    # The game master hid a character, and a player something, so there was something to give away.
    assert villains
    assert set() < set(own["ann"]) < set(hidden)
    for name, browser in (("ann", party.ann), ("bo", party.bo), ("vera", party.vera)):
        paths = (
            "",
            "/log?limit=1000",
            "/offers",
            "/economy",
            "/recap",
            "/transcript.md",
            "/export",
        )
        everything = "".join(
            [*heard[name], *(browser.ask("GET", party.path + path).text for path in paths)]
        )
        leaked = [secret for secret in hidden if secret in everything and secret not in own[name]]
        slugs = [
            secret
            for secret in hidden
            if secret.lower() in everything.lower() and secret not in own[name]
        ]
        assert ([], []) == (leaked, slugs)
        assert "the end" in everything
    assert all(secret in party.gm.ask("GET", f"{party.path}/export").text for secret in hidden)


def test_seats_feed_gives_its_table(party: Party) -> None:
    """It is the seat's view of the log, with equal length and empty hidden records."""
    party.gm.move(party.id, "character.add", name="Nemesis", secret=True)
    party.gm.move(party.id, "table.say", text="hush", secret=True)
    party.ann.move(party.id, "table.say", text="hello")
    records = party.house.store.read(party.id)
    seat = fold(records).seats["ann"]
    with party.ann.live(party.id) as socket:
        fed = socket.records(socket.follow(0)["seq"])
    assert [record.event is None for record in view(records, seat)] == [
        record["event"] is None for record in fed
    ]
    blank = [record for record in fed if record["event"] is None]
    assert 4 == len(blank)
    assert {("", "")} == {(record["seat"], record["text"]) for record in blank}
    assert any(
        isinstance(record.event, (CharacterSet, Said)) and record.seen_by for record in records
    )


def test_stopping_server_closes_every_feed(tmp_path: Path) -> None:
    """WebSockets end with 1012 and server-sent events with the same code, at once."""
    with ExitStack() as stack:
        with serving(tmp_path, limits=GENEROUS) as house:
            party = house.table()
            socket = stack.enter_context(party.ann.live(party.id))
            socket.follow(0)
            socket.hear("presence")
            path = f"{party.path}/events?after=9"
            wire = stack.enter_context(
                httpx.Client(base_url=house.here, timeout=WAIT, trust_env=False, verify=PLAIN)
            )
            events = stack.enter_context(wire.stream("GET", path, headers=party.bo._cookie()))
            lines = events.iter_lines()
            assert "event: hello" == next(lines)
        assert 1012 == closing(socket)
        last = [line for line in lines if line][-2:]
        assert ["event: closed", 1012] == [
            last[0],
            json.loads(last[1].removeprefix("data: "))["code"],
        ]


@pytest.mark.slow
def test_killed_server_has_every_answered_move(tmp_path: Path) -> None:
    """After a restart each answered move is there exactly once."""

    def start(port: int) -> tuple[Any, int]:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(tmp_path), str(port)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        return server, int(server.stdout.readline())

    server, port = start(0)
    answered: dict[str, int] = {}
    try:
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=WAIT, trust_env=False, verify=PLAIN
        ) as client:
            here = {"Sec-Fetch-Site": "same-origin"}
            table = client.post(
                "/api/tables", json={"system": "tiny", "name": "Mona"}, headers=here
            ).json()["table"]
            gone = threading.Event()
            cookie = {
                "Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            }

            def play(name: str) -> None:
                with httpx.Client(
                    base_url=client.base_url, timeout=WAIT, trust_env=False, verify=PLAIN
                ) as mine:
                    for n in range(1000):
                        token = f"{name}{n}"
                        body = {"move": "table.say", "args": {"text": token}, "token": token}
                        path = f"/api/tables/{table}/moves"
                        try:
                            answer = mine.post(path, json=body, headers={**here, **cookie})
                        except httpx.HTTPError:
                            gone.set()
                            return
                        if answer.status_code == 200:
                            answered[token] = answer.json()["seq"]
                        else:
                            time.sleep(0.01)

            players = [threading.Thread(target=play, args=(name,)) for name in "abc"]
            for player in players:
                player.start()
            while len(answered) < 60:
                time.sleep(0.002)
            server.kill()
            for player in players:
                player.join(WAIT)
        server.wait(WAIT)
        assert gone.is_set()
        server.stdout.close()
        server, port = start(port)
        with httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=WAIT, trust_env=False, verify=PLAIN
        ) as client:
            page = client.get(f"/api/tables/{table}/log?limit=1000", headers=cookie).json()
        assert page["more"] is False
        events = [record["event"] for record in page["records"]]
        written = [event["text"] for event in events if event["type"] == "words.said"]
        assert len(written) == len(set(written))
        assert answered.keys() <= set(written)
        # Each player may have had one more on its way.
        assert len(written) - len(answered) <= 3
        assert list(range(1, len(events) + 1)) == [record["seq"] for record in page["records"]]
    finally:
        server.kill()
        server.wait(WAIT)
        server.stdout.close()


def test_repeated_request_survives_a_restart(tmp_path: Path) -> None:
    """A move sent again to the restarted server gets its original answer."""
    store = SqliteStore(tmp_path / "data")
    with serving(tmp_path, store) as house:
        party = house.table()
        body = {"move": "fact.add", "args": {"text": "It rains"}, "token": "one"}
        first = party.ann.post(f"{party.path}/moves", **body)
        cookies, table = list(party.ann.cookies.values()), party.id
    store.close()
    store = SqliteStore(tmp_path / "data")
    with serving(tmp_path, store) as house:
        browser = house.browser()
        browser.cookies = {f"storypool-{house.port}": cookies[0]}
        assert first == browser.post(f"/api/tables/{table}/moves", **body)
        error = browser.refused(
            409, "POST", f"/api/tables/{table}/moves", **{**body, "args": {"text": "It snows"}}
        )
        assert "token" == error["code"]
    store.close()
