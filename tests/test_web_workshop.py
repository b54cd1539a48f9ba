"""The workshop's endpoint: a text's mistakes or its game, with permissions and limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from storypool import systems
from storypool.gamefile import LARGEST
from storypool.gamefile.authoring.written_games import written_games
from storypool.gamefile.compiled import compiled
from storypool.systems import game_files
from storypool.web.gallery_scenes import scene_of
from tests.browsers import House, error_of, serving

TEXT = (Path(__file__).parents[1] / "docs" / "games" / f"nightshift{game_files.ENDING}").read_text(
    encoding="utf-8"
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running server with a public workshop."""
    with serving(tmp_path_factory.mktemp("workshop"), workshop=True) as found:
        yield found


def show(house: House, text: str, pool: str = "") -> httpx.Response:
    """The answer to an author's text."""
    headers = {"Origin": house.here}
    return house.client.post("/api/workshop", json={"text": text, "pool": pool}, headers=headers)


def test_mistakes_are_at_their_lines(house: House) -> None:
    """Each has its line and one sentence with the nearest name, without a game."""
    wrong = TEXT.replace('word = "risk die"', 'wrod = "risk die"', 1)
    line = wrong[: wrong.index("wrod")].count("\n") + 1
    shown = show(house, wrong).json()
    expected = [{"line": line, "text": "“wrod” is not known here; did you mean “word”?"}]
    assert (expected, None) == (shown["mistakes"], shown["game"])


def test_valid_text_is_a_game(house: House) -> None:
    """The page gets dice with faces, odds of an example pool, and prices of moves."""
    shown = show(house, TEXT).json()
    assert [] == shown["mistakes"]
    assert ("Nightshift", False) == (shown["game"]["name"], shown["game"]["first_scene"])
    assert [{}, {}, {}, {}, {}, {"sixes": 1}] == shown["game"]["dice"][0]["faces"]
    assert ("2 risk", "3/4") == (shown["pool"], shown["odds"]["outcomes"]["pass"])
    push = next(move for move in shown["moves"] if move["key"] == "move.push")
    assert ("Push yourself", "2 stress") == (push["title"], push["price"])
    assert "once for each action" == push["limit"]
    assert "nightshift" not in systems.names(), "a text that is shown is no game of this server"


def test_odds_of_a_typed_pool(house: House) -> None:
    """The game's notation is used; an invalid pool has a reason and the game still shows."""
    assert "1/6" == show(house, TEXT, "1 risk").json()["odds"]["outcomes"]["clean"]
    shown = show(house, TEXT, "2 rsik").json()
    assert (None, "Nightshift") == (shown["odds"], shown["game"]["name"])
    assert "is not a die of this game" in shown["no_odds"]


def test_odds_of_each_of_several_actions(house: House) -> None:
    """Each action has a pool to tap; a typed one is that of the first which rolls its dice."""
    text = written_games()["kelpwater"]
    shown = show(house, text).json()
    pools = {one["title"]: one["pool"] for one in shown["actions"]}
    assert ["Do something", "Withstand it", "Fulfil an oath"] == list(pools)
    assert "strong" in shown["outcomes"]
    for pool in (pools["Withstand it"], "1 d20"):
        shown = show(house, text, pool).json()
        assert "You withstand it, with {target}." == shown["outcomes"]["safe"], pool
        assert "1/2" == shown["odds"]["outcomes"]["safe"], pool
    assert [] == show(house, TEXT).json()["actions"]


def test_preview_asks_the_questions_of_an_action(house: House) -> None:
    """Each action has the questions of its form, and the pool follows from the answers."""

    def ask(text: str, **asked: object) -> Any:
        headers = {"Origin": house.here}
        body = {"text": text, **asked}
        return house.client.post("/api/workshop", json=body, headers=headers).json()

    shown = ask(TEXT, answers={"as": "old-marek", "action": "talk", "position": "safe"})
    assert ["as", "action", "position", "effect"] == [one["name"] for one in shown["asks"]]
    assert ("3 risk", "7/8") == (shown["pool"], shown["odds"]["outcomes"]["pass"])
    wrong = ask(TEXT, answers={"action": "swim"})
    assert "cannot be “swim”" in wrong["no_odds"]
    text = written_games()["kelpwater"]
    shown = ask(text, action="action.save", answers={"with": "wits"})
    assert ("action.save", "wits") == (shown["action"], shown["answers"]["with"])
    assert "You withstand it, with {target}." == shown["outcomes"]["safe"]
    # Nobody has sworn an oath yet, so its dice are those of a new character.
    assert ask(text, action="action.oath")["odds"]["pool"]


def test_text_has_a_size_limit(house: House) -> None:
    """The largest text is accepted, a larger text or body refused."""
    assert 200 == show(house, TEXT + "#" * (LARGEST - len(TEXT.encode()))).status_code
    assert 400 == show(house, "#" * (LARGEST + 1)).status_code
    assert 413 == show(house, "#" * 600_000).status_code
    # Quotes and line ends take two bytes each on the way, and a text of them is let through.
    assert [1] == [one["line"] for one in show(house, '"\n' * (LARGEST // 2)).json()["mistakes"]]


def test_sheet_is_printed(house: House) -> None:
    """It has faces, outcomes, moves in words and sheets; the file's text is never markup."""
    text = TEXT.replace('title = "Push yourself"', 'title = "<script>alert(1)</script>"')
    sheet = house.client.post(
        "/api/workshop/sheet", data={"text": text}, headers={"Origin": house.here}
    )
    assert "text/html; charset=utf-8" == sheet.headers["content-type"]
    for part in (
        "risk die",
        "Costly: you do it",
        "How dangerous is it?",
        "What follows automatically",
        "the players&#x27;",
        "2 stress",
        "&lt;script&gt;alert(1)",
        "The moves in words",
        "There is no harm to resist.",
        "Ilse Brandt",
        "Name:",
    ):
        assert part in sheet.text, part
    assert "<script" not in sheet.text
    wrong = house.client.post(
        "/api/workshop/sheet", data={"text": "format = 2"}, headers={"Origin": house.here}
    )
    assert error_of(wrong, 400)["text"].startswith(
        "Line 1 of the text: The file begins with format = 1"
    )


def test_initial_texts(house: House) -> None:
    """Games of the docs have their texts, and six answers make a valid file."""
    games = {one["key"]: one for one in house.client.get("/api/workshop/games").json()}
    assert ("Nightshift", TEXT) == (games["nightshift"]["name"], games["nightshift"]["text"])
    assert {"risk", "gambit", "heat", "stress"} == games["nightshift"]["look"].keys()
    for one in games.values():
        answer = show(house, one["text"]).json()
        if answer["game"]["dice"]:
            assert answer["odds"]["pool"], one["key"]
        else:
            assert "no dice" in answer["no_odds"], one["key"]
    answers = {
        "name": "Harbour",
        "sides": 6,
        "reading": "sum",
        "points": "luck",
        "move": "Push on",
        "character": "Ilse",
    }
    draft = house.client.post(
        "/api/workshop/draft", json=answers, headers={"Origin": house.here}
    ).json()["text"]
    shown = show(house, draft).json()
    assert ([], "Harbour", "luck") == (
        shown["mistakes"],
        shown["game"]["name"],
        shown["game"]["accounts"][0]["name"],
    )
    more = house.client.post(
        "/api/workshop/draft", json={**answers, "sides": 7}, headers={"Origin": house.here}
    )
    assert "sides" == error_of(more, 400)["field"]


def test_gallery_has_a_scene_of_each_game(house: House) -> None:
    """Everybody gets each game of one page with its look, and a scene in which dice fall."""
    games = {one["key"]: one for one in house.client.get("/api/gallery").json()}
    assert written_games().keys() <= games.keys()
    for key in written_games():
        assert games[key]["look"], key
        assert 4 <= len(games[key]["scene"]) <= 9, key
    assert any(step["dice"] for step in games["nightshift"]["scene"])
    first = {key: one["scene"][0]["text"] for key, one in games.items()}
    setting_up = re.compile("was opened|joined the story|set-up|at the beginning|is over")
    assert [] == [text for text in first.values() if setting_up.search(text)]
    # The facts of the scene come before its action, and a duel in secret is revealed.
    assert "Clock: The watch grows suspicious, 0 of 6." == first["nightshift"]
    assert any("Tisse: " in one["text"] for one in games["foilwater"]["scene"])
    assert [] == scene_of(compiled(TEXT).system, "table nightshift\nann check.roll")


@pytest.mark.parametrize("public", ["", "https://table.example"])
def test_workshop_is_private_by_default(tmp_path: Path, public: str) -> None:
    """Only the host may use it, on a local network and on the internet."""
    with serving(tmp_path, public_url=public) as house:
        assert "identity" == error_of(show(house, TEXT), 403)["code"]
        assert house.host().post("/api/workshop", text=TEXT)["game"]["name"] == "Nightshift"
        assert [False, True] == [
            one.get("/api/session")["workshop"] for one in (house.browser(), house.host())
        ]
