"""Presses: a button of each kind is pressed once, and something in sight changes."""

from __future__ import annotations

import json

from tests.browser.guests import Guest
from tests.browser.page_scripts import script

PRESS = script("press-all")


class Presser:
    """Presses each kind of button: moves once in a game, others in each window size."""

    def __init__(self) -> None:
        self._known: list[str] = []

    def dead(self, guest: Guest, whole: bool) -> list[str]:
        """The pressed new buttons that changed nothing in sight.

        Buttons outside the game, such as the log and the settings, are pressed on a `whole` page.
        """
        found = self.found = guest.page.evaluate(
            PRESS, {"known": json.dumps(self._known), "whole": whole}
        )
        self._known.extend(found["pressed"])
        dead: list[str] = found["dead"]
        return dead
