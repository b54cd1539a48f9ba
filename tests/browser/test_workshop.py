"""The workshop: the start of a game, marked mistakes, and the game during the edit."""

from __future__ import annotations

import base64
import re
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, expect

from storypool.gamefile.compiled import compiled
from storypool.systems import game_files
from tests.browser.guests import DESK, PHONE, Come, Guest, Serve
from tests.browser.test_screens import Camera

FILE = Path(__file__).parents[2] / "docs" / "games" / f"nightshift{game_files.ENDING}"


@pytest.fixture
def author(come: Come, serve: Serve) -> Guest:
    """The host of a server without a table, who goes on from the host's link to the workshop."""
    server = serve()
    guest = come(DESK, server)
    guest.open(server.link)
    guest.tap("Write a game")
    guest.read("The game appears here while you write.")
    return guest


def sides_are_beside_each_other(author: Guest) -> None:
    """A large screen has the text left and its game right, and the page itself does not scroll."""
    text, game = (
        author.page.locator(f"[data-side={side}]").bounding_box() for side in ("text", "game")
    )
    assert text is not None
    assert game is not None
    assert (text["x"] + text["width"], text["y"]) == (game["x"], game["y"])
    assert author.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def numbers_are_at_their_lines(author: Guest) -> None:
    """The text is as high as its lines, so only the whole box scrolls."""
    field = author.page.get_by_label("The text of the game")
    assert field.evaluate(
        "field => field.scrollHeight <= field.clientHeight && field.scrollTop === 0"
    )


@pytest.mark.exhaustive
def test_six_questions_make_a_game_file(author: Guest, shots: Path) -> None:
    """The answers show their game at once, and the file is saved under the game's key."""
    page, camera = author.page, Camera(shots, DESK, PHONE)
    camera.shoot(author, "workshop-begin")
    guide = page.get_by_role("link", name="How this works")
    expect(guide).to_have_attribute("href", "/help/a-game-on-one-page")
    for label, answer in {
        "What is the game called?": "Harbour lights",
        "What are the players' shared points called?": "luck",
        "What do they pay for? It adds a die.": "Try your luck",
        "Who can be played?": "Ilse Brandt",
    }.items():
        page.get_by_label(label).fill(answer)
    page.get_by_text("8 sides").click()
    page.get_by_text("The high ones are counted").click()
    author.tap("Write the file")
    expect(page.get_by_role("heading", name="Harbour lights")).to_be_visible()
    expect(guide).to_have_attribute("href", "/help/game-file-keys")
    expect(page.locator(".faces [role=img]")).to_have_count(8)
    camera.shoot(author, "workshop-first")
    with page.expect_download() as saved:
        author.tap("Save")
    assert "harbour_lights.game.toml" == saved.value.suggested_filename
    text = saved.value.path().read_text(encoding="utf-8")
    assert page.get_by_label("The text of the game").input_value() == text
    assert compiled(text).system.name == "Harbour lights"
    with author.context.expect_page() as opened:
        author.tap("Print")
    expect(opened.value.get_by_role("heading", name="Moves in brief")).to_be_visible()
    expect(opened.value.get_by_role("cell", name="Try your luck")).to_be_visible()


def test_questions_make_several_actions(author: Guest) -> None:
    """Titles between commas become an action each; one that is too long is refused."""
    page = author.page
    for label, answer in {
        "What is the game called?": "Harbour lights",
        "What are the players' shared points called?": "luck",
        "What do they pay for? It adds a die.": "Try your luck",
        "Who can be played?": "Ilse Brandt",
    }.items():
        page.get_by_label(label).fill(answer)
    kinds = page.get_by_label("Which kinds of rolls are there?")
    kinds.fill(f"Sneak, {'far' * 20}")
    author.tap("Write the file")
    expect(page.get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    kinds.fill("Sneak, Fight,")
    author.tap("Write the file")
    expect(page.get_by_role("heading", name="Harbour lights")).to_be_visible()
    text = page.get_by_label("The text of the game").input_value()
    assert ["Sneak", "Fight"] == [one.title for one in compiled(text).game.actions]


def test_chosen_file_is_read_as_text(author: Guest) -> None:
    """UTF-16, marks and other line ends are read; a binary file is refused without a loss."""
    page = author.page
    written = FILE.read_text(encoding="utf-8")

    def choose(data: bytes) -> None:
        file: FilePayload = {"name": FILE.name, "mimeType": "text/plain", "buffer": data}
        page.locator("input[type=file]").last.set_input_files(file)

    for wrong in ("café".encode("latin-1"), b"PK\x03\x04\x14\0\0\0", written.encode("utf-16-le")):
        choose(wrong)
        expect(page.get_by_role("alert")).to_contain_text("This is not UTF-8 text.")
    choose(b"\xef\xbb\xbf" + written.replace("\n", "\r\n").encode())
    field = page.get_by_label("The text of the game")
    expect(field).to_have_value(written)
    author.tap("New game")
    choose(f"# É\r\n{written}".encode("utf-16"))
    expect(field).to_have_value(f"# É\n{written}")


def test_existing_game_is_a_starting_point(author: Guest) -> None:
    """Another game replaces the text after a warning; a reload keeps the text."""
    author.page.get_by_label("The text of the game").fill("format = 1")
    author.tap("New game")
    author.read("This replaces the current text. Save it first if you want to keep it.")
    author.page.locator("dialog[open]").get_by_role("button", name="Nightshift").click()
    expect(author.page.get_by_role("heading", name="Nightshift")).to_be_visible()
    assert (
        FILE.read_text(encoding="utf-8")
        == author.page.get_by_label("The text of the game").input_value()
    )
    author.page.reload()
    expect(author.page.get_by_role("heading", name="Nightshift")).to_be_visible()


def test_two_tabs_ask_whose_text_goes_on(author: Guest) -> None:
    """A text that another tab changed is not overwritten before one of both is chosen."""
    field = author.page.get_by_label("The text of the game")
    field.fill("# Of both")
    tab = author.context.new_page()
    tab.goto(author.page.url)
    tab.get_by_label("The text of the game").fill("# Of the second")
    author.read("Another tab has changed the text of the workshop.")
    field.fill("# Of the first")
    stored = "JSON.parse(localStorage['storypool.workshop'])"
    assert "# Of the second" == author.page.evaluate(stored)
    author.tap("Go on with this one")
    assert "# Of the first" == author.page.evaluate(stored)
    author.tap("Bring back the earlier text")
    expect(field).to_have_value("# Of the second")
    tab.get_by_label("The text of the game").fill("# Of the second, and more")
    author.tap("Take its text")
    expect(field).to_have_value("# Of the second, and more")
    expect(author.page.get_by_role("alert")).to_have_count(0)


def test_game_travels_in_a_link(author: Guest, serve: Serve, come: Come, shots: Path) -> None:
    """The link has the file; opening it stores nothing, and the workshop keeps the earlier text."""
    page, camera = author.page, Camera(shots, DESK, PHONE)
    text = FILE.read_text(encoding="utf-8").replace('"Nightshift"', '"<b>Night</b>shift"')
    field = page.get_by_label("The text of the game")
    field.fill(text)
    author.tap("Share")
    link = page.get_by_label("The link")
    expect(link).to_have_value(re.compile("#game="))
    camera.shoot(author, "workshop-share")
    address = link.input_value()
    assert len(address) < 5_000
    author.tap("Close")
    field.fill("# Mine")
    page.goto(address)
    expect(page.get_by_role("heading", name="<b>Night</b>shift")).to_be_visible()
    camera.shoot(author, "workshop-shared")
    assert "# Mine" == page.evaluate("JSON.parse(localStorage['storypool.workshop'])")
    author.tap("Open in the workshop")
    expect(field).to_have_value(text)
    page.reload()
    author.tap("Bring back the earlier text")
    expect(field).to_have_value("# Mine")
    page.goto(f"{address[:200]}")
    author.read("There is no game in this link. Ask for the link again, or for the file.")
    # A small link with a text of 30 MB is given up early.
    squeeze = zlib.compressobj(wbits=-15)
    zeros = squeeze.compress(bytes(30_000_000)) + squeeze.flush()
    bomb = base64.urlsafe_b64encode(zeros).decode().rstrip("=")
    assert len(bomb) < 60_000
    page.goto(f"{address.partition('#')[0]}#game={bomb}")
    author.read("There is no game in this link. Ask for the link again, or for the file.")
    stranger = come(PHONE, serve())
    stranger.open("/workshop#" + address.partition("#")[2])
    stranger.read("Only the host may use the workshop of this server.")
    expect(stranger.page.get_by_role("button", name="Save")).to_be_visible()


def test_mistake_is_marked_and_corrected(author: Guest, shots: Path) -> None:
    """A wrong name is marked at its line with the nearest one; corrected, dice show at once."""
    text, page, camera = FILE.read_text(encoding="utf-8"), author.page, Camera(shots, DESK, PHONE)
    wrong = text.replace("sides = 6", "sidse = 6")
    line = wrong[: wrong.index("sidse")].count("\n") + 1
    field = page.get_by_label("The text of the game")
    field.fill(wrong)
    mistake = page.get_by_role(
        "button", name=f"Line {line}: “sidse” is not known here; did you mean “sides”?"
    )
    expect(mistake).to_be_visible()
    expect(page.locator(f".file-mark[data-line='{line}']")).to_be_visible()
    camera.shoot(author, "workshop-mistake")
    sides_are_beside_each_other(author)
    numbers_are_at_their_lines(author)
    mistake.click()
    assert "sidse = 6" == page.evaluate("getSelection().toString()")
    field.fill(text)
    expect(page.get_by_role("heading", name="Nightshift")).to_be_visible()
    assert ["1", "2", "3", "4", "5", "6, six"] == [
        one.get_attribute("aria-label") for one in page.locator(".faces [role=img]").all()
    ]
    expect(page.locator(".mistake")).to_have_count(0)
    expect(
        page.get_by_role("table", name="Best: the chance of each number or more")
    ).to_be_visible()
    # The questions of the action are those of its form, and the pool follows from the answers.
    pool = page.get_by_label("The dice of a roll")
    expect(pool).to_have_value("2 risk")
    page.get_by_label("With what?").select_option("Watch")
    expect(pool).to_have_value("1 risk")
    camera.shoot(author, "workshop-game")
    sides_are_beside_each_other(author)
    author.resize(PHONE)
    author.tap("Game")
    camera.at_the_thumb(author, "workshop-game-phone")


def test_caret_knows_what_may_stand(author: Guest, shots: Path) -> None:
    """The key, its values and the names there are listed; the keyboard or a tap writes one."""
    page, camera = author.page, Camera(shots, DESK, PHONE)
    author.resize(PHONE)
    author.tap("Text")
    author.resize(DESK)
    field = page.get_by_label("The text of the game")
    text = FILE.read_text(encoding="utf-8")
    field.fill(text)
    field.press("ControlOrMeta+End")
    page.keyboard.insert_text("\n[[move]]\nwh")
    options = page.get_by_role("listbox", name="What can stand here").get_by_role("option")
    expect(options.first).to_contain_text("who")
    camera.shoot(author, "workshop-caret")
    field.focus()
    expect(options.first).to_contain_text("who")
    field.press("Control+Space")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", "file-caret-0")
    field.press("ArrowDown")
    field.press("ArrowUp")
    field.press("Enter")
    expect(field).to_have_value(f"{text}\n[[move]]\nwho = ")
    expect(page.locator(".caret-help")).to_contain_text("who makes it")
    author.resize(PHONE)
    options.filter(has_text="anybody").click()
    expect(field).to_have_value(f'{text}\n[[move]]\nwho = "anybody"')
    field.press("ControlOrMeta+z")
    expect(field).to_have_value(f"{text}\n[[move]]\nwho = ")


@pytest.mark.exhaustive
def test_evenings_show_the_course_of_points(author: Guest, shots: Path) -> None:
    """Evenings run during the edit, can be stopped, and report a changed text."""
    page, camera = author.page, Camera(shots, DESK, PHONE)
    text = (
        (FILE.parent / f"sump{game_files.ENDING}")
        .read_text(encoding="utf-8")
        .replace("scenes = 3", "scenes = 1", 1)
    )
    page.get_by_label("The text of the game").fill(text)
    author.tap("Play the evenings")
    author.tap("Stop")
    author.tap("Play the evenings")
    expect(page.get_by_text("A usual evening: 200 evenings of 6 actions.")).to_be_visible(
        timeout=60_000
    )
    stress = page.locator("[data-account=stress]")
    expect(stress.get_by_role("img", name="Stress over the evening")).to_be_visible()
    expect(stress.get_by_role("row", name="Push on: went up")).to_be_visible()
    stress.get_by_role("button", name="After each action").click()
    expect(stress.get_by_role("row", name="6 4 to 8")).to_be_visible()
    camera.shoot(author, "workshop-evening")
    page.get_by_label("The text of the game").fill(text.replace("cap = ", "cap = 1", 1))
    author.read("The text has changed since.")


def test_gallery_plays_scenes_in_sight(come: Come, serve: Serve, shots: Path) -> None:
    """A scene goes on while it is seen, stops at a tap, and is whole with reduced motion."""
    server = serve()
    calm, camera = come(DESK, server), Camera(shots, DESK, PHONE)
    calm.open("/gallery")
    coming = calm.page.locator("[data-coming]")
    expect(calm.page.get_by_role("article", name="Nightshift")).to_be_visible()
    expect(coming).to_have_count(0)
    camera.shoot(calm, "gallery")
    guest = come(PHONE, server, reduced_motion="no-preference")
    guest.open("/gallery")
    first, last = (guest.page.get_by_role("article").nth(n) for n in (0, -1))
    expect(first.locator("li").first).to_be_visible()
    steps = first.locator("li").count()
    expect(first.locator("[data-coming]")).to_have_count(steps - 2)
    first.get_by_role("button", name="Stop").click()
    expect(first.get_by_role("button", name="Play the scene")).to_be_visible()
    # The last one is out of sight, and has not started.
    expect(last.locator("[data-coming]")).to_have_count(last.locator("li").count() - 1)
    # A stranger may open the games of the server, and has no workshop for those of the docs.
    expect(first.get_by_role("button", name="Open a table with it")).to_be_visible()
    expect(last.get_by_role("button")).to_have_count(1)


def test_gallery_draws_a_face_of_zero(come: Come) -> None:
    """A zero is a number like others on the dice of a scene."""
    guest = come(PHONE)
    games = guest.api("GET", "/api/gallery")
    (c2d10,) = (game for game in games if game["key"] == "c2d10")
    c2d10["scene"] = [{"text": "Ann rolled.", "dice": [["d10", 0]]}]
    guest.page.route("**/api/gallery", lambda route: route.fulfill(json=[c2d10]))
    guest.open("/gallery")
    expect(guest.page.locator(".scene-steps .die")).to_have_text("0")
    guest.page.unroute("**/api/gallery")


def test_game_of_the_docs_becomes_a_table(author: Guest) -> None:
    """On a narrow phone from the gallery through the workshop, and from "New table"."""
    author.resize({"width": 360, "height": 740})
    author.open("/gallery")
    card = author.page.get_by_role("article", name="Orchard House")
    card.get_by_role("button", name="Change it in the workshop").click()
    field = author.page.get_by_label("The text of the game")
    expect(field).to_have_value(re.compile('key = "orchardhouse"'))
    author.open("/gallery")
    card.get_by_role("button", name="Open a table with it").click()
    author.see("svg.qr path")
    author.open("/")
    author.tap("New table")
    author.tap("Games of one page")
    author.top.locator("label.pick").filter(has_text="Nightshift").click()
    assert author.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    author.tap("Open the table")
    author.see("svg.qr path")
    assert "Nightshift" == author.api("GET", f"/api/tables/{author.table}")["title"]


def test_host_link_lists_the_games_of_the_docs(come: Come, serve: Serve, shots: Path) -> None:
    """The first visit opens a table of one; in a game without a GM its first player is one."""
    server = serve()
    host, camera = come(PHONE, server), Camera(shots, DESK, PHONE)
    host.open(server.link)
    host.tap("Games of one page")
    name = host.page.get_by_label("And your name?")
    expect(name).to_have_attribute("placeholder", "GM")
    host.top.locator("label.pick").filter(has_text="Orchard House").click()
    expect(name).to_have_attribute("placeholder", "Player")
    camera.shoot(host, "host-games-of-the-docs")
    host.resize(PHONE)
    host.tap("Open the table")
    host.see("svg.qr path")
    found = host.api("GET", f"/api/tables/{host.table}")
    assert ("Orchard House", "player") == (found["title"], found["seat"]["side"])
    assert "Player" == found["seat"]["name"]


def test_table_is_opened_from_a_text(author: Guest) -> None:
    """One tap opens a table of the text, whose first session has the file's points."""
    text = FILE.read_text(encoding="utf-8").replace('"Nightshift"', '"Nightshift of mine"')
    author.page.get_by_label("The text of the game").fill(text)
    author.tap("Open a table with it")
    author.see("svg.qr path")
    author.tap("Close")
    author.tap("Start a session")
    expect(author.page.get_by_role("button", name="Start a session")).to_have_count(0)
    table = author.api("GET", f"/api/tables/{author.table}")
    assert ("Nightshift of mine", 2) == (table["title"], table["table"]["points"]["gambit"])
