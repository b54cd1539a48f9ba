"""Players who speak over HTTP while things go wrong, and resend unanswered moves with a token."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from tools.torture.harness import Run
from tools.torture.kills import Player
from tools.torture.serve import WAIT, Gone


class Talk:
    """One try: players speak until this many moves are acknowledged, and then `enough` is set."""

    def __init__(self, run: Run, n: int, players: Sequence[Player], moves: int) -> None:
        self.enough = threading.Event()
        self._run, self._n, self._players, self._left = run, n, players, moves
        self._over, self._answered, self._asked = threading.Event(), threading.Condition(), 0.0

    def during(self, harm: Callable[[Talk], None]) -> None:
        """Do harm while the players speak, until it is done and enough is acknowledged."""
        with ThreadPoolExecutor(len(self._players)) as threads:
            speaking = threads.map(self._speak, self._players)
            try:
                harm(self)
                if not self.enough.wait(WAIT):
                    why = f"{self._left} moves were not acknowledged within {WAIT} s"
                    self._run.fail(self._n, why)
            finally:
                self._over.set()
            list(speaking)

    def answered_since(self, moment: float) -> float:
        """Wait for the acknowledgement of a move sent after a moment; returns the delay."""
        with self._answered:
            if not self._answered.wait_for(lambda: self._asked > moment, WAIT):
                self._run.fail(self._n, f"no move was acknowledged within {WAIT} s")
        return time.monotonic() - moment

    def _speak(self, player: Player) -> None:
        while not self._over.is_set():
            if not player.asked:
                player.sent += 1
                player.asked = f"{player.seat} says {player.sent}"
            began = time.monotonic()
            with player.party.caller(player.seat) as caller:
                try:
                    text = player.asked
                    answer = player.party.ask(caller, "table.say", {"text": text}, token=text)
                except Gone:
                    # Its process was killed: the same with the same token when it is back.
                    time.sleep(0.05)
                    continue
            if answer.status == 503:
                self._run.count("unavailable")
                continue
            if answer.status != 200:
                self._run.fail(
                    self._n, f"{player.asked} was answered {answer.status} {answer.body[:200]!r}"
                )
                return
            player.known[player.asked] = int(answer.json["seq"])
            player.asked = ""
            self._run.count("moves")
            with self._answered:
                self._asked = max(self._asked, began)
                self._left -= 1
                if self._left <= 0:
                    self.enough.set()
                self._answered.notify_all()
