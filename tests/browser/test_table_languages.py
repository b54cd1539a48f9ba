"""Tables in their own languages on one page: words, plurals, and return to the server's."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool.words.plurals import rule
from tests.browser.guests import Come, Serve, Server
from tests.browser.page_scripts import script

POLISH = """
language.name = "polski"
page.home.tables = "Twoje stoły"
page.new.title = "Nowy stół"
page.view.log = "Dziennik"
page.left.of.one = "{n} jeden"
page.left.of.few = "{n} kilka"
page.left.of.many = "{n} wiele"
"""
GAME = """
title.session.begin = "Zacznij sesję"
look.light = {plural = "punkty", many = "punktów"}
"""
COUNTED = script("counted")


@pytest.fixture
def polish(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server in English, with Polish where a table wants it."""
    (tmp_path / "words" / "pl").mkdir(parents=True)
    (tmp_path / "words" / "pl" / "program.toml").write_text(POLISH, encoding="utf-8")
    (tmp_path / "words" / "pl" / "starwars.toml").write_text(GAME, encoding="utf-8")
    monkeypatch.setenv("STORYPOOL_WORDS", str(tmp_path / "words"))
    return serve()


def test_page_speaks_the_tables_language(come: Come, polish: Server) -> None:
    """At a Polish table the page, moves and counts are Polish; at home they are English."""
    gm = come(to=polish)
    gm.open(polish.link)
    gm.page.get_by_text("Star Wars").first.click()
    gm.page.get_by_label("Which language?").select_option("polski")
    gm.page.get_by_label("And your name?").fill("Mira")
    gm.tap("Open the table")
    gm.see("svg.qr path")
    gm.tap("Close")
    gm.live()
    gm.read("Zacznij sesję")
    expect(gm.page.locator("html")).to_have_attribute("lang", "pl")
    found = gm.page.evaluate(COUNTED, [1, 3, 5])
    assert [
        ["1 jeden", "1 light point"],
        ["3 kilka", "3 punkty"],
        ["5 wiele", "5 punktów"],
    ] == found
    gm.page.goto(polish.address)
    gm.read("Your tables")
    expect(gm.page.locator("html")).to_have_attribute("lang", "en")


NUMBERS = [*range(130), 1000, 1_000_000]


LANGUAGES = ["en", "pt-BR", "pl", "ru", "cs", "sl", "lt", "lv", "ro", "ar", "he", "ga", "cy", "ja"]


def test_server_counts_like_browsers(come: Come) -> None:
    """A number has the same plural category in the server and a browser, in each language."""
    guest = come()
    guest.open("/")
    counts = "([language, numbers]) => numbers.map((n) => new Intl.PluralRules(language).select(n))"
    for language in LANGUAGES:
        assert [rule(language)(n) for n in NUMBERS] == guest.page.evaluate(
            counts, [language, NUMBERS]
        ), language
