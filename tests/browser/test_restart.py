"""A server restarted under load loses nothing, and every page reconnects automatically."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.guests import WAIT, Come, Party, Serve, Server

RESTARTS, BEFORE = 2, 25
"""The number of restarts, and of further moves before each."""


class Talker:
    """A program that adds lines to a table, and repeats an unanswered line with its token."""

    def __init__(self, server: Server, table: str, token: str) -> None:
        self.address, self.token = f"{server.address}/api/tables/{table}/moves", token
        self.stored: dict[str, int] = {}
        """The record number of each answered line."""
        self.refused: list[int] = []
        self._reached, self._over = threading.Condition(), False

    @contextmanager
    def talking(self) -> Iterator[None]:
        """Talk in a separate thread."""
        thread = threading.Thread(target=self._talk)
        thread.start()
        try:
            yield
        finally:
            self._over = True
            thread.join(WAIT / 1000)

    def reach(self, n: int) -> None:
        """Wait until this many lines are answered."""
        with self._reached:
            assert self._reached.wait_for(lambda: len(self.stored) >= n, WAIT / 1000)

    def _talk(self) -> None:
        with httpx.Client(headers={"Authorization": f"Bearer {self.token}"}) as client:
            while not self._over:
                text = f"Line {len(self.stored)}."
                body = {"move": "table.say", "args": {"text": text}, "token": text}
                try:
                    answer = client.post(self.address, json=body)
                except httpx.HTTPError:
                    continue
                if answer.status_code != 200:
                    self.refused.append(answer.status_code)
                    continue
                with self._reached:
                    self.stored[text] = answer.json()["seq"]
                    self._reached.notify_all()


@pytest.mark.exhaustive
def test_restart_under_load_loses_nothing(come: Come, serve: Serve) -> None:
    """Each pending move is whole or absent, pages reconnect, and each line is there once."""
    server = serve()
    party = Party(lambda *size, **more: come(*size, to=server, **more)).sit()
    guests = (party.gm, party.ann, party.bo)
    link = party.gm.api("POST", f"/api/tables/{party.id}/links", seat="mira", side="player")
    came = httpx.post(
        f"{server.address}/api/join",
        json={"name": "Robo", "program": True},
        headers={"Authorization": f"Bearer {link['path'].partition('#link=')[2]}"},
    ).json()
    talker = Talker(server, party.id, came["token"])
    for guest in guests:
        guest.view("Log")
        guest.server_is_gone = True
    with talker.talking():
        for n in range(1, RESTARTS + 1):
            talker.reach(n * BEFORE)
            server.terminate()
            assert server.process is not None
            assert server.process.returncode == 0
            server.start()
        talker.reach((RESTARTS + 1) * BEFORE)
    assert talker.refused in ([], [503] * len(talker.refused))
    last = list(talker.stored)[-1]
    for guest in guests:
        expect(guest.page.locator(".log-entry", has_text=last)).to_be_visible()
        shown = guest.page.locator("[data-seq]").evaluate_all(
            "all => all.map(one => Number(one.dataset.seq))"
        )
        assert shown == sorted(set(shown))
    lines = [one for one in party.gm.log(party.id, "mira") if "Line " in one["text"]]
    assert [one["seq"] for one in lines] == list(talker.stored.values())
