"""The limits of the server: documented with their numbers, and announced in headers."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path

import pytest

from storypool.web.network.limits import COUNTED, Buckets, rate_headers
from storypool.web.server_settings import Limits, Rate
from tests.browsers import serving
from tools import limits


def test_page_has_the_present_limits() -> None:
    """Each is in the docs with its number; `python -m tools.limits` writes them again."""
    page = limits.PAGE.read_text(encoding="utf-8")
    assert limits.page(page) == page
    names = [row.split("`")[1] for row in limits.table().splitlines()[2:]]
    assert [field.name for field in dataclasses.fields(Limits)] == names
    assert "| `session` | 150, then 40 a second |" in page
    assert "| `texts_kept` | 30, then one each 120 seconds |" in page
    assert "| `body` | 65,536 | bytes of a body |" in page


def test_headers_say_what_is_left() -> None:
    """Each rate that counted the request has its quota and the time until there is more."""
    now = 0.0
    buckets = Buckets("session", Rate(2, 0.1), lambda: now)
    token = COUNTED.set({})
    try:
        for left, seconds in ((1, 10), (0, 10), (0, 10)):
            buckets.wait("ann")
            assert {
                "RateLimit-Policy": '"session";q=2;w=20',
                "RateLimit": f'"session";r={left};t={seconds}',
            } == rate_headers(COUNTED.get())
        now = 4.0
        assert 6 == pytest.approx(buckets.wait("ann"))
        assert '"session";r=0;t=6' == rate_headers(COUNTED.get())["RateLimit"]
    finally:
        COUNTED.reset(token)
    assert {} == rate_headers({})


def test_answers_announce_the_limits(tmp_path: Path) -> None:
    """A program sees its address's rate, its session's and that of links; a cache sees none."""
    joins = Rate(4, 0.05)
    with serving(tmp_path, limits=replace(Limits(), joins=joins, session=Rate(20, 0.05))) as house:
        party = house.table()
        answer = house.browser().ask("GET", "/api")
        assert '"client";q=600;w=3' == answer.headers["ratelimit-policy"]
        tries = [house.browser().ask("POST", "/api/join", {"secret": "x"}) for _ in range(3)]
        assert all('"joins";q=4;w=80' in one.headers["ratelimit-policy"] for one in tries)
        late = tries[-1]
        assert late.headers["ratelimit"].endswith(f'"joins";r=0;t={late.headers["retry-after"]}')
        answer = party.bo.ask("GET", party.path)
        assert '"session";q=20;w=400' in answer.headers["ratelimit-policy"]
        drawn = house.browser().ask("GET", "/api/odds.svg?system=starwars&pool=1A")
        assert drawn.headers["cache-control"].startswith("public")
        assert "ratelimit" not in drawn.headers
