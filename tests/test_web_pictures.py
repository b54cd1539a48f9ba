"""The picture of odds by its address: what it shows, who may show it, what it refuses."""

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
    """The answer to a client that asks for a picture."""
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
def test_it_is_the_terminal_s_picture(
    house: House, asked: dict[str, str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The server draws what the terminal draws, letter for letter."""
    answer = draw(house, **asked)
    assert (200, "image/svg+xml") == (
        answer.status_code,
        answer.headers["content-type"].partition(";")[0],
    )
    assert 0 == main(["odds", "starwars", "2A1P/2D", "--svg", "-", *words])
    assert capsys.readouterr().out == answer.text


def test_terms_stand_behind_the_pool(house: House) -> None:
    """What a game counts with besides is written as in the terminal."""
    answer = draw(house, system="dune", pool="2d20 target=12", compare="target=15")
    assert 200 == answer.status_code
    assert "pass 84.0 % against 93.8 %" in (ElementTree.fromstring(answer.text)[1].text or "")


def test_a_theme_can_be_chosen(house: House) -> None:
    """Dark and light are drawn without any style, for what draws pictures and knows no
    preference.
    """
    auto, dark, light = (draw(house, theme=theme).text for theme in ("auto", "dark", "light"))
    assert ["<style>" in text for text in (auto, dark, light)] == [True, False, False]
    assert dark != light
    assert draw(house).text == auto


def test_it_may_be_shown_elsewhere_and_kept(house: House) -> None:
    """The picture says nothing of a table, so other sites may show it and caches keep it; every
    other header stays.
    """
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
def test_what_it_refuses(house: House, asked: dict[str, str], status: int, field: str) -> None:
    """What is not there, cannot be read or is too much gets the one error shape, before anything is
    reckoned.
    """
    error = error_of(draw(house, **asked), status)
    assert field == error["field"]


@pytest.mark.slow
def test_the_largest_pool_is_drawn(tmp_path: Path) -> None:
    """As many dice as can be written are drawn in every kind of picture, whatever their joint odds
    would take.
    """
    # However busy the machine is.
    with serving(tmp_path, limits=replace(Limits(), odds=60)) as house:
        for asked in ({}, {"picture": "curve"}, {"picture": "map"}, {"compare": "2A"}):
            assert 200 == draw(house, pool="20P10B/20C10S", **asked).status_code


def test_what_takes_too_long_is_refused(tmp_path: Path) -> None:
    """When the time for odds is over, the answer says that there are too many dice."""
    with serving(tmp_path, limits=replace(Limits(), odds=0.0)) as house:
        assert "pool" == error_of(draw(house), 413)["field"]
