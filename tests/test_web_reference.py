"""The printable reference: a page of each game from its data, with the common headers."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine.game.kit import Note
from storypool.engine.table import Character, Points, Purse, Seat, Side, Table
from storypool.systems.dune.pools import dice_price
from storypool.web.network.gate import HEADERS
from storypool.web.prints.printed_reference import OPTION, printable_page
from storypool.web.prints.printed_sheets import paper_page
from tests.browsers import serving
from tests.games.tiny import game as tiny

STATIC = Path(__file__).resolve().parent.parent / "src" / "storypool" / "web" / "static"


def test_reference_is_public_with_strict_headers(tmp_path: Path) -> None:
    """It is HTML without a session, and an unknown game has none."""
    with serving(tmp_path) as house:
        page = house.client.get("/api/systems/tiny/reference")
        assert 200 == page.status_code
        assert "text/html; charset=utf-8" == page.headers["content-type"]
        assert HEADERS == {name: page.headers.get(name) for name in HEADERS}
        assert printable_page(tiny.SYSTEM) == page.text
        missing = house.client.get("/api/systems/nothing/reference")
        assert (404, "unknown") == (missing.status_code, missing.json()["error"]["code"])


@pytest.mark.parametrize("key", systems.names())
def test_reference_has_faces_and_notes(key: str) -> None:
    """Each face of a symbol die has number and symbols, and each note title and cells."""
    game = systems.get(key)
    page = printable_page(game)
    dice = re.findall(r'<div class="one-die[ a-z]*">.*?</div>', page)
    # A die that has only numbers printed on it has nothing to tell.
    shown = [die for die in game.dice if any(die.faces)]
    for die, drawn in zip(shown, dice, strict=True):
        assert f"{escape(game.look[die.name].word)}</h3>" in drawn
        faces = re.findall(r'<li><span class="number">(\d+)(?:–(\d+))?</span> (.*?)</li>', drawn)
        printed = {
            n: sorted(_read(signs))
            for low, high, signs in faces
            for n in range(int(low), int(high or low) + 1)
        }
        for n, face in enumerate(die.faces, die.first):
            words = sorted(
                game.look[name].word for name, count in face.items() for _ in range(count)
            )
            assert (words or ["blank"]) == printed.pop(n)
        assert {} == printed
    for note in game.notes:
        assert f"<h2>{escape(note.title)}</h2>" in page
        for cell in (*note.head, *(cell for row in note.rows for cell in row)):
            assert f">{escape(OPTION.sub('', cell))}</t" in page
    assert not re.search(r"\w_\w", re.sub("<[^>]*>", "", page)), "it shows a key"


def _read(signs: str) -> list[str]:
    """The text of a face: the words of its drawings, and its letters."""
    return [
        drawn or written
        for drawn, written in re.findall(r'alt="([^"]+)"|<span[^>]*>([^<]+)', signs)
    ]


@pytest.mark.parametrize("key", systems.names())
def test_reference_has_files_and_no_code(key: str) -> None:
    """Its styles and drawings are static files; it has no script, style or handler."""
    game = systems.get(key)
    page = printable_page(game)
    assert [] == re.findall(r"<script|<style|\sstyle=|\son\w+=|javascript:", page)
    named = re.findall(r'(?:src|href)="/static/([^"]+)"', page)
    symbols = {symbol for die in game.dice for face in die.faces for symbol in face}
    drawn = {
        f"glyphs/{game.look[symbol].glyph}.svg" for symbol in symbols if game.look[symbol].glyph
    }
    assert {"css/print.css", *drawn} <= set(named)
    assert [] == [path for path in named if not (STATIC / path).is_file()]


def test_game_text_is_no_markup() -> None:
    """Names are text everywhere, while lists and typed words are marked up."""
    note = Note("A <b>", "- one & `two`\n- three\n\nAnd <i>more</i>.", ("<u>",), (("<s>",),))
    page = printable_page(replace(tiny.SYSTEM, name="<em>Coins", pages=lambda _: (note,)))
    assert [] == re.findall(r"<(?:b|i|u|s|em)>", page)
    assert (
        "<ul><li>one &amp; <code>two</code></li><li>three</li></ul><p>And"
        " &lt;i&gt;more&lt;/i&gt;.</p>" in page
    )


def test_paper_prices_match_the_rules() -> None:
    """Dune's sheet has the real prices of dice."""
    dice = next(
        note
        for note in systems.get("dune").notes
        if note.head == ("dice", "the next costs", "in all")
    )
    costs = [(f"{2 + n}d20", str(dice_price(n - 1, 1)), str(dice_price(0, n))) for n in range(1, 4)]
    assert costs == list(dice.rows)


def test_paper_uses_the_games_word_for_gm() -> None:
    """A Keeper's game has the Keeper on a table's sheets too."""
    people = {
        one.id: one for one in (Character("odo", "Odo", "players"), Character("thug", "Thug", "gm"))
    }
    pages = {
        key: paper_page(systems.get(key), Table(system=key, characters=people))
        for key in ("c2d10", "dune")
    }
    assert "Played by the Keeper" in pages["c2d10"]
    assert "GM" not in re.sub(r"<[^>]*>", "", pages["c2d10"])
    assert "Played by the GM" in pages["dune"]


def test_player_prints_no_adversaries() -> None:
    """The GM's paper has everybody's numbers, a player's those of their side and characters."""
    people = {
        one.id: one
        for one in (
            Character("odo", "Odo", "players", "ann"),
            Character("thug", "Thug", "gm"),
            Character("hound", "Hound", "gm", "ann"),
        )
    }
    sides: tuple[tuple[str, Side], ...] = (("mona", "gm"), ("ann", "player"), ("vera", "spectator"))
    seats = {side: Seat(id, side, side) for id, side in sides}
    table = Table(
        system="genesys", characters=people, seats={seat.id: seat for seat in seats.values()}
    )

    def printed(seat: Seat | None) -> list[str]:
        page = paper_page(systems.get("genesys"), table, seat)
        return [one.name for one in people.values() if f"<bdi>{one.name}</bdi>" in page]

    assert ["Odo", "Thug", "Hound"] == printed(seats["gm"]) == printed(None)
    assert ["Odo", "Hound"] == printed(seats["player"])
    assert ["Odo"] == printed(seats["spectator"])


def test_disabled_points_are_on_no_sheet() -> None:
    """Conflict is on paper if the table uses it, or a character already has some."""
    kes = Character("kes", "Kes", "players")
    table = Table(system="starwars", characters={"kes": kes}, options={"conflict": "no"})
    kept = replace(table, options={"conflict": "yes"})
    earlier = replace(table, points=Points({Purse("conflict", "kes"): 2}))
    pages = [paper_page(systems.get("starwars"), one) for one in (table, kept, earlier)]
    assert [False, True, True] == ["Conflict" in page for page in pages]


def test_sheet_has_a_box_for_each_point() -> None:
    """Fate points beyond the initial number are all on paper."""
    bram = Character("bram", "Bram", "players", sheet={"refresh": 3})
    table = Table(
        system="destinydice", characters={"bram": bram}, points=Points({Purse("fate", "bram"): 4})
    )
    assert 4 == paper_page(systems.get("destinydice"), table).count('<span class="mark">×</span>')
