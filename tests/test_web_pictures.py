"""The picture of odds by its address: contents, permissions and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest

from storypool.cli import main
from storypool.web.network.gate import HEADERS
from storypool.web.server_settings import Limits
from tests.browsers import House, error_of, serving


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running server."""
    with serving(tmp_path_factory.mktemp("pictures"), limits=Limits()) as found:
        yield found


def draw(house: House, **asked: str) -> httpx.Response:
    """The answer to a request for a picture."""
    return house.client.get(
        "/api/odds.svg", params={"system": "starwars", "pool": "2A1P/2D", **asked}
    )


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, []),
        ({"picture": "curve", "axis": "triumph"}, ["--picture", "curve", "--axis", "triumph"]),
        (
            {"picture": "map", "axis": "advantage, success"},
            ["--picture", "map", "--axis", "advantage", "--axis", "success"],
        ),
        ({"compare": "2P/2D"}, ["--compare", "2P/2D"]),
        ({"against": "2P/2D"}, ["--against", "2P/2D"]),
        (
            {"against": "2P/2D", "compare": "competitive_tiebreak=none"},
            ["--against", "2P/2D", "--compare", "competitive_tiebreak=none"],
        ),
    ],
)
def test_picture_is_the_terminals(
    house: House, asked: dict[str, str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The server draws exactly the terminal's picture."""
    answer = draw(house, **asked)
    assert (200, "image/svg+xml") == (
        answer.status_code,
        answer.headers["content-type"].partition(";")[0],
    )
    assert 0 == main(["odds", "starwars", "2A1P/2D", "--svg", "-", *words])
    assert capsys.readouterr().out == answer.text


def test_terms_follow_the_pool(house: House) -> None:
    """Further terms of a game are written as in the terminal."""
    answer = draw(house, system="dune", pool="2d20 target=12", compare="target=15")
    assert 200 == answer.status_code
    assert "pass 84.0 % against 93.8 %" in (ElementTree.fromstring(answer.text)[1].text or "")


def test_theme_can_be_chosen(house: House) -> None:
    """Dark and light need no style, for renderers without a preference."""
    auto, dark, light = (draw(house, theme=theme).text for theme in ("auto", "dark", "light"))
    assert ["<style>" in text for text in (auto, dark, light)] == [True, False, False]
    assert dark != light
    assert draw(house).text == auto


def test_picture_may_be_embedded_and_cached(house: House) -> None:
    """It has nothing about a table, so other sites and caches may have it; headers stay."""
    answer = draw(house)
    assert "public, max-age=86400" == answer.headers["cache-control"]
    assert HEADERS | {"Cross-Origin-Resource-Policy": "cross-origin"} == {
        k: answer.headers.get(k) for k in HEADERS
    }
    assert "set-cookie" not in answer.headers
    refused = draw(house, pool="2Q")
    assert HEADERS | {"Cache-Control": "no-store"} == {
        k: refused.headers.get(k) for k in [*HEADERS, "Cache-Control"]
    }
    assert (
        200
        == house.client.head(
            "/api/odds.svg", params={"system": "starwars", "pool": "2A"}
        ).status_code
    )


@pytest.mark.parametrize(
    ("asked", "status", "field"),
    [
        ({"system": "chess"}, 404, "system"),
        ({"pool": "2Q"}, 400, "pool"),
        ({"pool": ""}, 400, "pool"),
        ({"pool": "luck=2"}, 400, "pool"),
        ({"pool": "2A luck=2"}, 400, "luck"),
        ({"pool": "2A luck=2 luck=3"}, 400, "luck"),
        ({"pool": "2A" * 300}, 400, "pool"),
        ({"compare": "2Q"}, 400, "compare"),
        ({"against": "2Q"}, 400, "against"),
        ({"picture": "pie"}, 400, "picture"),
        ({"picture": "compare"}, 400, "picture"),
        ({"picture": "curve", "axis": "luck"}, 400, "axis"),
        ({"axis": "success"}, 400, "axis"),
        ({"theme": "sepia"}, 400, "theme"),
        ({"luck": "3"}, 400, "luck"),
        ({"pool": "60A1B"}, 400, "pool"),
        ({"pool": "30P/30C", "against": "1P"}, 413, "pool"),
    ],
)
def test_invalid_pictures_are_refused(
    house: House, asked: dict[str, str], status: int, field: str
) -> None:
    """Missing, unreadable or excessive input gets the error shape before computation."""
    error = error_of(draw(house, **asked), status)
    assert field == error["field"]


@pytest.mark.slow
def test_largest_pool_is_drawn(tmp_path: Path) -> None:
    """The maximum of dice is drawn in every picture, whatever their joint odds take."""
    # However busy the machine is.
    with serving(tmp_path, limits=replace(Limits(), odds=60)) as house:
        for asked in ({}, {"picture": "curve"}, {"picture": "map"}, {"compare": "2A"}):
            assert 200 == draw(house, pool="20P10B/20C10S", **asked).status_code


def test_slow_picture_is_refused(tmp_path: Path) -> None:
    """After the time limit the answer is that there are too many dice."""
    with serving(tmp_path, limits=replace(Limits(), odds=0.0)) as house:
        assert "pool" == error_of(draw(house), 413)["field"]
