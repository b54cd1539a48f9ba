"""`storypool table sit`: two people play a scene in two terminals, with one link each."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, STDOUT

import pytest

from storypool.cli import main
from tests.browsers import House, serving

WAIT = 60


class Terminal:
    """A terminal of a player at a table: typed input, and the output so far."""

    def __init__(self, link: str, name: str) -> None:
        command = [
            sys.executable,
            "-u",
            "-m",
            "storypool.cli",
            "table",
            "sit",
            link,
            "--name",
            name,
        ]
        self.process = subprocess.Popen(command, text=True, stdin=PIPE, stdout=PIPE, stderr=STDOUT)
        assert self.process.stdin
        assert self.process.stdout
        self._in, self._out = self.process.stdin, self.process.stdout
        self.output, self._listener = "", threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        while piece := self._out.read(1):
            self.output += piece

    def close(self) -> None:
        """End it, whatever it does, and close its connection."""
        self.process.kill()
        self.process.wait(WAIT)
        self._listener.join(WAIT)
        with suppress(BrokenPipeError):
            self._in.close()
        self._out.close()

    def type(self, *lines: str) -> None:
        """Type lines, each with Enter."""
        for line in lines:
            self._in.write(f"{line}\n")
        self._in.flush()

    def reads(self, words: str) -> None:
        """Wait until these words are printed."""
        end = time.monotonic() + WAIT
        while words not in self.output:
            assert time.monotonic() < end, f"{words!r} is not in:\n{self.output}"
            assert self.process.poll() is None, self.output
            time.sleep(0.02)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[House, dict[str, str]]]:
    """A running server with a Star Wars table and a link for each side."""
    with serving(tmp_path) as house:
        host = house.host()
        opened = host.post("/api/tables", system="starwars", name="Host")
        path = f"/api/tables/{opened['table']}/links"
        yield (
            house,
            {side: house.here + host.post(path, side=side)["path"] for side in ("gm", "player")},
        )


@pytest.mark.slow
def test_two_terminals_play_a_scene(table: tuple[House, dict[str, str]]) -> None:
    """From link to closed check: the asked player answers by number and sees the other."""
    _, links = table
    mona, ann = Terminal(links["gm"], "Mona"), Terminal(links["player"], "Ann")
    try:
        mona.type("make session.begin")
        ann.reads("Session 1 began.")
        ann.type("ready", "ready 1")
        ann.reads("Vessa Orn: A pilot")
        mona.reads("Vessa Orn joined the story.")
        ann.type("make")
        mona.reads("The Destiny pool is set.")
        ann.type('make check.declare title="Slip past the guards" skill=skulduggery')
        mona.reads("Slip past the guards, with")
        mona.type("show", "make", "2")
        mona.reads("Your move: Ann is waiting: set the difficulty.")
        mona.reads("  2  Easy (1 die)")
        ann.reads("Difficulty: Easy.")
        mona.type("offers")
        mona.reads("destiny.pass  ")
        mona.reads("destiny.upgrade: Success ")
        mona.type("make destiny.pass")
        ann.reads("Mona spends no point")
        ann.type("show", "make")
        ann.reads("% Success")
        ann.reads("The table has 0 light points, 1 dark point.")
        ann.reads("Vessa Orn: ")
        mona.reads("Ann rolled ")
        ann.type("nonsense", "offers nonsense", "make check.close")
        ann.reads("Type ready, show, offers")
        ann.reads("There is no move “nonsense” for this seat.")
        mona.reads("is done.")
        ann.type("say Well done.", "quit")
        mona.reads("Ann: “Well done.”")
        assert 0 == ann.process.wait(WAIT)
    finally:
        mona.close()
        ann.close()


def test_link_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """A link has an address and a secret; the refusal names the missing part, not the secret."""
    assert 2 == main(["table", "sit", "/join#link=abc", "--name", "Ann"])
    printed = capsys.readouterr().err
    assert "not a link to a table" in printed
    assert "abc" not in printed
