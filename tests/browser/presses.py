"""Presses: a button of each kind is pressed once, and something in sight changes."""

from __future__ import annotations

import json

from tests.browser.guests import Guest
from tests.browser.page_scripts import script

PRESS = script("press-all")


class Presser:
    """Presses a button of each kind: those that make a move once in a game, all others in each size
    of the window.
    """

    def __init__(self) -> None:
        self._known: list[str] = []

    def dead(self, guest: Guest, whole: bool) -> list[str]:
        """Press what no page before had, and return the buttons that changed nothing in sight.

        What is beside the game, such as the log and the settings, is pressed where the `whole` page
        is.
        """
        found = self.found = guest.page.evaluate(
            PRESS, {"known": json.dumps(self._known), "whole": whole}
        )
        self._known.extend(found["pressed"])
        dead: list[str] = found["dead"]
        return dead
