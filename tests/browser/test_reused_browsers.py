"""A reused browser of these tests is as good as a new one."""

from __future__ import annotations

from tests.browser.guests import EMPTY, PHONE, Browsers, Come
from tools.visits import House


def test_reused_browser_has_kept_nothing(come: Come, browsers: Browsers, house: House) -> None:
    """Storage and history are empty, and an unfinished step back leads nowhere."""
    guest = browsers.lend(house, PHONE)
    for step in ("", "history.pushState({}, ''); history.back()"):
        guest.open("/")
        guest.see("#primary")
        guest.page.evaluate(f"localStorage.setItem('kept', 'yes'); {step}")
        assert guest.leave()
        assert EMPTY == guest.page.url
        assert step or 1 == guest.page.evaluate("history.length")
        guest.arrive(house)
    guest.open("/")
    assert guest.page.evaluate("localStorage.getItem('kept')") is None
    browsers.take_back(guest)
