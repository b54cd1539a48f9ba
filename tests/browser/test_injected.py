"""Scripts in names, titles, notes, files and translations are text, with and without the policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.guests import PHONE, Come, Guest, Party, Serve
from tests.browser.page_scripts import script

MARKUP = "<img src=x onerror=window.ran=1>"
BROKEN_OUT = "\"'><svg onload=window.ran=1>"
ADDRESS = "javascript:window.ran=1"
FOUND = script("injected")


@pytest.mark.parametrize(
    "policy",
    [pytest.param(False, id="none"), pytest.param(True, id="policy", marks=pytest.mark.exhaustive)],
)
def test_text_never_becomes_markup(come: Come, policy: bool) -> None:
    """A typed text is shown as it is, and neither runs nor becomes an element."""
    party = Party(come, size=PHONE, bypass_csp=not policy)
    wrong: dict[str, list[str]] = {}

    def look(guest: Guest, state: str) -> None:
        guest.still()
        if found := guest.page.evaluate(FOUND):
            wrong[state] = found

    party.make("mira", "table.rename", title=BROKEN_OUT)
    path = f"/api/tables/{party.id}/moves"
    party.ann.api(
        "POST", path, seat="ann", move="seat.rename", args={"seat": "ann", "name": MARKUP}
    )
    party.bo.api(
        "POST", path, seat="bo", move="seat.rename", args={"seat": "bo", "name": BROKEN_OUT}
    )
    party.make("ann", "character.set", who="pash", name=MARKUP)
    party.make("bo", "character.set", who="oska", name=ADDRESS)
    party.make("mira", "scene.begin", title=MARKUP)
    party.make("mira", "trait.set", text=BROKEN_OUT, about="pash")
    party.make("mira", "character.set", who="captain-rusk", name=BROKEN_OUT)
    party.make("ann", "table.say", text=MARKUP)
    party.make("bo", "table.say", text=ADDRESS)
    gm, ann = party.sit("mira", "ann").gm, party.ann
    party.make(
        "ann",
        "check.declare",
        title=MARKUP,
        skill="skulduggery",
        difficulty="average",
        against="captain-rusk",
    )
    for guest, who in ((gm, "gm"), (ann, "ann")):
        guest.see(".action-title")
        look(guest, f"an action, {who}")
        for view in ("Log", "Characters", "Table"):
            guest.view(view)
            look(guest, f"{view}, {who}")
    gm.view("Characters")
    gm.page.locator(".person-card button[aria-label^='Edit ']").first.click()
    look(gm, "a form")
    gm.tap("Close")
    log = gm.context.request.get(
        f"{gm.server.address}/api/tables/{party.id}/export?seat=mira"
    ).body()
    assert MARKUP.encode() in log
    gm.open("/")
    gm.see(".table-card")
    look(gm, "home")
    for name, content in ((f"{MARKUP}.jsonl", b"no log"), ("log.jsonl", log)):
        gm.page.locator("input[type=file]").set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": content}
        )
        gm.see(".because, .table")
        look(gm, f"{name} is brought")
    link = gm.api("POST", f"/api/tables/{party.id}/links", seat="mira", side="player")
    new = come(PHONE)
    new.open(link["path"])
    new.see("form")
    look(new, "joining")
    assert {} == wrong


def test_translation_never_becomes_markup(
    come: Come, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Translated words and their values are text."""
    words = tmp_path / "words"
    words.mkdir()
    (words / "program.toml").write_text(
        f"page.new.title = {MARKUP!r}\npage.home.tables = {MARKUP!r}\n", encoding="utf-8"
    )
    (words / "starwars.toml").write_text(f"title.session.begin = {MARKUP!r}\n", encoding="utf-8")
    monkeypatch.setenv("STORYPOOL_WORDS", str(words))
    server = serve()
    gm = come(to=server, bypass_csp=True)
    gm.open(server.link)
    gm.page.get_by_text("Star Wars").first.click()
    gm.page.get_by_label("And your name?").fill("Mira")
    assert [] == gm.page.evaluate(FOUND)
    gm.tap("Open the table")
    gm.see("svg.qr path")
    gm.tap("Close")
    gm.live()
    gm.read(MARKUP)
    assert [] == gm.page.evaluate(FOUND)
