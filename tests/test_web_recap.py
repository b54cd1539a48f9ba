"""The recap over the web: each seat's own view as data, Markdown and one picture."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from storypool.live.tables import Tables
from storypool.play import perform, read
from storypool.web.access import mint
from tests.browsers import Browser, House, serving

PLAY = """
table {options}
seat gm side=gm
seat ann mira: systems=3 logic=3
points hero=3 villain=2
ann check.declare as=mira pool='4 d10' dc=2 title='Open the door'
ann dice.buy
ann check.roll dice 7 8 1 1 1
ann check.close
gm npc.add name=Zyxwv dice=3 secret=yes
gm check.declare as=zyxwv dc=1 title=Zyxwv secret=yes
gm check.roll dice 9 9 9
gm check.close
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server."""
    with serving(tmp_path_factory.mktemp("recap")) as house:
        yield house


def seated(house: House, *seats: str, **options: str) -> tuple[str, list[Browser]]:
    """A table with this history, and the browsers of these seats."""
    words = " ".join(
        ["c2d10", "trust=players_set", *(f"{name}={value}" for name, value in options.items())]
    )
    table = asyncio.run(
        Tables(house.store).begin(perform(read(PLAY.format(options=words))).records)
    )
    browsers = []
    for seat in seats:
        browsers.append(house.browser())
        browsers[-1].post(
            "/api/join", secret=mint(house.store, "device", table=table, seat=seat), seat=seat
        )
    return f"/api/tables/{table}/recap", browsers


def test_each_seat_reads_its_own_recap(house: House) -> None:
    """Hidden things are only in the GM's recap, in every form."""
    path, [gm, ann] = seated(house, "gm", "ann")
    ours, theirs = gm.get(f"{path}/whole"), ann.get(f"{path}/whole")
    assert (2, 1) == (len(ours["rolls"]), len(theirs["rolls"]))
    assert [("ann", "Open the door", {"hero": 1})] == [
        (one["who"], one["action"], one["points"]) for one in theirs["spends"]
    ]
    assert [
        "mira, Open the door: success. The chance of success was 59\N{NO-BREAK SPACE}%, and 1 point"
        " was spent on it."
    ] == [one["text"] for one in theirs["hinges"]]
    for form in ("/whole", ".md", ".svg"):
        assert "Zyxwv" in gm.ask("GET", f"{path}{form}").text
        assert "Zyxwv" not in ann.ask("GET", f"{path}{form}").text


def test_players_get_no_private_odds(house: House) -> None:
    """Their spends have no gains and there is no luck; the GM gets everything."""
    path, [gm, ann] = seated(house, "gm", "ann", odds="gm")
    ours, theirs = gm.get(f"{path}/whole"), ann.get(f"{path}/whole")
    assert ([None], [], [], []) == (
        [one["gained"] for one in theirs["spends"]],
        theirs["rolls"],
        theirs["luck"],
        theirs["hinges"],
    )
    assert ours["rolls"]
    assert "%" not in ann.ask("GET", f"{path}.md").text


def test_recap_is_a_file_and_a_picture(house: House) -> None:
    """Markdown, themed SVG, and PNG of triple width have the table's name."""
    path, [ann] = seated(house, "ann")
    written = ann.ask("GET", f"{path}.md")
    assert "text/markdown; charset=utf-8" == written.headers["content-type"]
    assert "| ann | Buy dice | Open the door | 1 hero point | +11 % |" in written.text
    assert '.md"' in written.headers["content-disposition"]
    drawn = {theme: ann.ask("GET", f"{path}.svg?theme={theme}").text for theme in ("dark", "light")}
    assert drawn["dark"] != drawn["light"]
    width, height = (
        int(ElementTree.fromstring(drawn["dark"]).attrib[name]) for name in ("width", "height")
    )
    painted = ann.ask("GET", f"{path}.png?theme=light")
    assert "image/png" == painted.headers["content-type"]
    assert (3 * width, 3 * height) == struct.unpack(">II", painted.content[16:24])
    ann.refused(400, "GET", f"{path}.svg?theme=sepia")


def test_png_needs_the_extra(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence names the extra, and the rest of the recap is there."""
    path, [ann] = seated(house, "ann")
    monkeypatch.setattr("storypool.web.prints.raster.find_spec", lambda name: None)
    assert "install storypool[pictures]" in ann.refused(400, "GET", f"{path}.png")["text"]
    assert "<svg" in ann.ask("GET", f"{path}.svg").text


def test_recap_is_for_seats(house: House) -> None:
    """Nobody else gets it in any form."""
    path, _ = seated(house)
    for form in ("/whole", ".md", ".svg", ".png"):
        house.browser().refused(401, "GET", f"{path}{form}")
        house.host().refused(404, "GET", f"{path}{form}")


def test_previous_session_has_a_recap(house: House) -> None:
    """A new session leaves the recap of the last one as it was."""
    path, [gm] = seated(house, "gm")
    table = path.split("/")[3]
    gm.move(table, "session.end")
    first = gm.get(path)
    gm.move(table, "session.begin")
    assert gm.get(path)["session"] == first["session"] + 1
    previous = gm.get(f"{path}?previous=true")
    assert (first["session"], first["lines"]) == (previous["session"], previous["lines"])
