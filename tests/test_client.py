"""`storypool.client`: a typed seat at a table of a real server, over lost lines and restarts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any

import pytest

from storypool.client import MissingAnswers, Unreachable, connect
from storypool.engine.refusal import Refused
from storypool.log.memory import MemoryStore
from storypool.web.access import Access, mint
from tests.browsers import House, serving


class Table:
    """A table of Star Wars on a server, with a link for each side."""

    def __init__(self, house: House) -> None:
        self.house, self.host = house, house.host()
        opened = self.host.post("/api/tables", system="starwars", name="Host")
        self.id = opened["table"]
        path = f"/api/tables/{self.id}/links"
        self.links = {
            side: house.here + self.host.post(path, side=side)["path"]
            for side in ("gm", "player", "spectator")
        }


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table on a running server."""
    with serving(tmp_path) as house:
        yield Table(house)


def test_two_programs_play_an_action(table: Table) -> None:
    """Offers are called, waits are answered, records come in order, each once, to both."""

    async def play() -> None:
        async with (
            connect(table.links["gm"], "Mona") as mona,
            connect(table.links["player"], "Ann") as ann,
        ):
            assert ("gm", "player") == (mona.me.side, ann.me.side)
            feed = ann.follow(0)
            news = await anext(feed)
            assert "The table" in news.records[0].text
            assert not news.offers["check.declare"].is_open
            await (await mona.look()).offers["session.begin"]()
            ready = (await ann.game())["ready"][0]
            await ann.make("character.add", name=ready["name"], sheet=ready["sheet"])
            for seat in (ann, mona, ann):
                now = await seat.look()
                if now.mine:
                    await now.answer(now.mine[0])
            with pytest.raises(MissingAnswers) as asked:
                await ann.make("character.add")
            assert "name" in [ask.name for ask in asked.value.missing]
            made = await ann.make(
                "check.declare", title="Past the guards", skill="skulduggery", difficulty="easy"
            )
            assert any("Past the guards" in line.text for line in made)
            now = await mona.look()
            await now.answer(now.mine[0])
            weighing = await ann.odds()
            assert weighing.odds
            assert weighing.worth
            texts = [line.record.seq for line in news.records]
            while texts[-1] < made[-1].record.seq:
                texts += [line.record.seq for line in (await anext(feed)).records]
            assert texts == [*range(1, texts[-1] + 1)]
            await feed.aclose()
            with pytest.raises(Refused) as no:
                await ann.make("session.begin")
            assert no.value.refusal.text

    asyncio.run(play())


def test_restart_is_nothing_that_a_follower_sees(tmp_path: Path) -> None:
    """Records go on where they were, each once, and a move waits for the server to be back."""
    store = MemoryStore()

    async def play(servers: ExitStack) -> None:
        house = servers.enter_context(serving(tmp_path, store))
        table = Table(house)
        async with connect(table.links["gm"], "Mona") as mona:
            feed = mona.follow(0)
            seqs = [line.record.seq for line in (await anext(feed)).records]
            await asyncio.to_thread(servers.close)
            made = asyncio.create_task(mona.make("session.begin"))
            heard = asyncio.ensure_future(anext(feed))
            await asyncio.sleep(0.3)
            assert not made.done()
            servers.enter_context(serving(tmp_path, store, port=house.port))
            last = (await made)[-1].record.seq
            seqs += [line.record.seq for line in (await heard).records]
            while seqs[-1] < last:
                seqs += [line.record.seq for line in (await anext(feed)).records]
            assert seqs == [*range(1, last + 1)]
            await feed.aclose()
        # Its token is good for another program, whose follower knows records that never were.
        link, token = f"{house.here}/t/{table.id}?seat={mona.me.id}", mona.server.token
        async with connect(link, token=token) as again, aclosing(again.follow(10**6)) as feed:
            news = await anext(feed)
            assert news.again
            assert seqs == [line.record.seq for line in news.records]

    with ExitStack() as servers:
        asyncio.run(play(servers))


def test_seat_of_a_person_is_granted_by_them(table: Table) -> None:
    """A taken name waits for its owner, who sees the code; without an answer it is refused."""
    codes = list[str]()

    async def play() -> None:
        async with connect(table.links["player"], "Ann") as ann:
            second = connect(table.links["player"], "ann", on_claim=codes.append)
            coming = asyncio.create_task(second.__aenter__())
            claims = list[Any]()
            while not claims:
                await asyncio.sleep(0.05)
                claims = await ann.server.get(f"{ann.path}/claims", seat=ann.me.id)
            assert codes == [claims[0]["code"]]
            path = f"{ann.path}/claims/{claims[0]['id']}"
            await ann.server.post(path, {"seat": ann.me.id, "agree": True})
            other = await coming
            assert other.me.id == ann.me.id
            await second.__aexit__(None, None, None)
            with pytest.raises(Refused, match="Nobody has agreed"):
                async with connect(table.links["player"], "Ann", patience=0):
                    pass

    asyncio.run(play())


def test_code_stands_for_its_link(table: Table) -> None:
    """It is typed in any form; a later one replaces it, and it ends with its link."""
    path = f"/api/tables/{table.id}/links"
    link = table.host.post(path, side="player")
    codes = [table.host.post(f"{path}/{link['id']}/code")["code"] for _ in range(2)]

    async def come(name: str, code: str) -> str:
        async with connect(table.house.here, name, code=code) as seat:
            return seat.me.side

    assert "player" == asyncio.run(come("Ann", codes[1]))
    assert "player" == asyncio.run(come("Bo", f" {codes[1].replace('-', ' ').lower()}"))
    with pytest.raises(Refused):
        asyncio.run(come("Cy", codes[0]))
    assert table.host.ask("DELETE", f"{path}/{link['id']}").status_code == 200
    with pytest.raises(Refused):
        asyncio.run(come("Dee", codes[1]))


def test_code_expires() -> None:
    """After ten minutes it joins nobody any more, while its link works."""
    clock = [1]
    access = Access(MemoryStore(), lambda: clock[0])

    async def tried() -> list[bool]:
        link = await access.link(await access.mint("link", table="t", side="player"))
        assert link
        code, until = await access.code(link)
        found = list[bool]()
        for clock[0] in (1, until, until + 1):
            found.append(await access.link(code) is not None)
        return found

    assert [True, True, False] == asyncio.run(tried())


def test_host_link_takes_no_seat(table: Table) -> None:
    """The host's link opens tables, and is not for sitting down."""

    async def come() -> None:
        async with connect(f"{table.house.here}/#link={mint(table.house.store, 'host')}", "Ann"):
            pass

    with pytest.raises(Refused, match="host's link"):
        asyncio.run(come())


@pytest.mark.parametrize(
    "link", ["", "http://127.0.0.1:1/join", "/join#link=abc", "ftp://x/join#link=abc"]
)
def test_invalid_link_is_refused(link: str) -> None:
    """A link has an address and a secret; the refusal repeats the address alone."""

    async def come() -> None:
        async with connect(link, "Ann"):
            pass

    with pytest.raises(Refused, match="not a link to a table") as refused:
        asyncio.run(come())
    assert "abc" not in str(refused.value)


def test_server_that_is_not_there_is_unreachable() -> None:
    """At once, with its address, where it has never answered."""

    async def come() -> None:
        async with connect("http://127.0.0.1:9/join#link=secret", "Ann"):
            pass

    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9 does not answer"):
        asyncio.run(come())
