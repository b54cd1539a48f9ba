"""Characters from files of other programs: those that come in, and the refused ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from storypool.brought.characters import MOST_BYTES, MOST_CHARACTERS, BroughtCharacter, NoCharacter
from storypool.brought.fitting import Fitted, fit, games_of, guessed_game, template
from storypool.brought.formats import FORMATS as READ
from storypool.brought.formats import NotText, characters_in, characters_of
from storypool.brought.leaving import as_csv, as_json, characters_leaving
from storypool.cli import main
from storypool.engine.events import CharacterSet
from storypool.engine.sight import seen
from storypool.play.local import LocalTable
from storypool.systems import get, playable
from tests import brought_samples
from tests.brought_samples import FORMATS, OGGDUDE, actor, oggdude, sheet, valued


def fitted(game: str, data: bytes) -> Fitted:
    """The only character of a file, in a game."""
    [one] = fit(get(game), characters_in(data))
    return one


def test_twenty_files_of_each_format_come_in() -> None:
    """Each has its name, exactly its sheet, and its texts by moves that its table accepts."""
    counts: Counter[str] = Counter()
    tables = {game: LocalTable(game, lambda low, high: low) for game, _ in FORMATS.values()}
    seats = {game: table.sit("Ann") for game, table in tables.items()}
    for one in brought_samples.samples():
        found, table, seat = fitted(one.game, one.data), tables[one.game], seats[one.game]
        counts[one.title.split()[0]] += 1
        moves = tuple(move.move for move in found.written)
        got = (one.title, found.name, found.sheet, moves)
        assert (one.title, one.name, one.sheet, one.moves) == got
        called = f"{found.name} {counts.total()}"
        records = table.make(seat, "character.add", {"name": called, "sheet": found.sheet})
        [who] = [one.event.character.id for one in records if isinstance(one.event, CharacterSet)]
        for move in found.written:
            table.make(seat, move.move, {**move.args, move.who: who})
        here = table.state.characters[who].sheet
        assert found.sheet == {key: here[key] for key in found.sheet}, one.title
    assert dict.fromkeys(READ, 20) == counts


def test_note_has_whatever_has_no_place() -> None:
    """Nothing of a file is lost, and each part says why it is only in the note."""
    found = fitted("starwars", OGGDUDE[0][1].encode())
    for text in ("GRIT", "BLASTHVY", "3 STIM", "Pilot", "Left home."):
        assert text in found.note
    assert "UNBOUGHT" not in found.note
    assert "QUJDREVGRw" not in str(found)
    misspelt = fitted("starwars", sheet(("Name", "Agilty", "Brawn"), ("Zoe", 4, 99)).encode())
    assert [("Agilty", "near")] == [(one.name, one.how) for one in misspelt.understood]
    [left] = misspelt.left_out
    assert ("Brawn 99", "The sheet takes 1 to 10; the note has it.") == (left.what, str(left.why))
    unlike = fitted("starwars", sheet(("Name", "Ranged", "Cool"), ("Zoe", 4, 1)).encode())
    assert "Ranged (light)" in str(unlike.left_out[0].why)
    both = fitted("genesys", json.dumps(brought_samples.GENESYS[4][1]).encode())
    assert {"highest"} == {one.how for one in both.understood if one.label == "Melee"}


BOMB = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><Character>&b;</Character>'
OUTSIDE = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><Character/>'
WHOLE = OGGDUDE[0][1]
ACTOR = actor("A", "character", {"characteristics": valued(Brawn=2)})

BROKEN: dict[str, dict[str, object]] = {
    "xml": {
        "an entity bomb": BOMB,
        "a file from outside": OUTSIDE,
        "a document type without entities": "<!DOCTYPE Character><Character/>",
        "a parameter entity": '<!DOCTYPE a [<!ENTITY % x SYSTEM "x">%x;]><Character/>',
        "an unknown entity": oggdude("&boom;"),
        "deep": "<Character>" * 5000,
        "deep and whole": "<a>" * 50 + "</a>" * 50,
        "many elements": "<Character>" + "<a/>" * 61_000 + "</Character>",
        "cut in the middle": WHOLE[: len(WHOLE) // 2],
        "cut at the end": WHOLE[:-3],
        "two roots": "<Character/><Character/>",
        "another root": "<html><body>Character</body></html>",
        "a bare sign": oggdude("Tom & Jerry"),
        "a wrong end": "<Character></Caracter>",
        "a control sign": oggdude("a\x01b"),
        "an attribute twice": '<Character a="1" a="2"/>',
        "nothing in it": "<Character/>",
        "names alone": oggdude("Ann"),
        "a lone surrogate": b"<Character>\xed\xa0\x80</Character>",
        "another encoding": oggdude("Žofie").encode("iso-8859-2"),
    },
    "json": {
        "cut in the middle": json.dumps(ACTOR)[:60],
        "deep lists": "[" * 100_000,
        "deep and whole": "[" * 80 + "]" * 80,
        "deep objects": '{"a":' * 80 + "1" + "}" * 80,
        "a number that is none": '{"name": "a", "sheet": {"brawn": NaN}}',
        "a number without end": '{"name": "a", "sheet": {"brawn": 1' + "0" * 5000 + "}}",
        "infinity": '{"name": "a", "sheet": {"brawn": -Infinity}}',
        "a list of numbers": "[1, 2, 3]",
        "an empty list": "[]",
        "an empty object": "{}",
        "too many": json.dumps([ACTOR] * (MOST_CHARACTERS + 1)),
        "too many lines": "\n".join([json.dumps(ACTOR)] * (MOST_CHARACTERS + 1)),
        "a vehicle": json.dumps({**ACTOR, "type": "vehicle"}),
        "a house": json.dumps({**ACTOR, "type": "House"}),
        "another system": json.dumps({**ACTOR, "_stats": {"systemId": "dnd5e"}}),
        "an unknown shape": json.dumps(actor("A", "npc", {"attributes": {"hp": 3}})),
        "a pack": '{"storypool": "pack", "version": 1}',
        "a later version": '{"storypool": "character", "version": 2, "name": "a"}',
        "a version in words": '{"storypool": "character", "version": "x", "name": "a"}',
        "single quotes": "{'name': 'a'}",
    },
    "csv and bytes": {
        "nothing": "",
        "spaces": " \n \t ",
        "prose": "Ann was born by the sea, and left.",
        "no name": sheet(("Brawn", "Agility"), (1, 2)),
        "a quotation mark": 'Name,Brawn\n"Ann,3',
        "many columns": sheet(("Name", *range(300)), ("Ann", *range(300))),
        "a long cell": sheet(("Name", "Notes"), ("Ann", "x" * 30_000)),
        "many rows": sheet(("Name", "Brawn"), *[("Ann", 1)] * 101),
        "headings alone": "Name,Brawn",
        "names alone": sheet(("Name", "Brawn"), ("Ann", "")),
        "an archive": b"PK\x03\x04 and more",
        "a PDF": b"%PDF-1.7",
        "a picture": b"\x89PNG\r\n",
        "a database": b"SQLite format 3\x00",
        "zeros": b"Name\x00Brawn",
        "UTF-16 without a mark": "Name,Brawn\nAnn,3".encode("utf-16-le"),
        "Latin 1": b"Name,Brawn\nJos\xe9,3",
        "half a letter": b"Name,Brawn\nAnn\xc3",
        "a large file": b"Name,Brawn\n" + b"x" * MOST_BYTES,
        "gzip": b"\x1f\x8b\x08",
    },
}


def broken() -> Iterator[tuple[str, bytes]]:
    """Yield the broken files with what they are."""
    for kind, files in BROKEN.items():
        for title, file in files.items():
            yield f"{kind}: {title}", file if isinstance(file, bytes) else str(file).encode()


def test_broken_files_are_refused_in_a_sentence() -> None:
    """Twenty of each kind: one reason, with something to do, and nothing of what is around them."""
    assert {20} == {len(files) for files in BROKEN.values()}
    for title, data in broken():
        with pytest.raises((NoCharacter, NotText)) as refused:
            characters_in(data)
        text = str(refused.value)
        assert text.endswith("."), title
        assert len(text) < 260, title
        assert "/etc" not in text, title


def test_each_game_takes_its_formats() -> None:
    """A format goes to one game, a spreadsheet to all; another game refuses it by its name."""
    assert ["starwars"] == games_of("oggdude")
    assert {*playable()} == {*games_of("csv")}
    one = BroughtCharacter("oggdude", "Ann", numbers={"BR": 2})
    with pytest.raises(NoCharacter, match="not one of Genesys"):
        fit(get("genesys"), [one])
    assert "dune" == guessed_game(characters_of(sheet(("Name", "Battle", "Duty"), ("A", 5, 5))))
    with pytest.raises(NoCharacter, match="genesys"):
        guessed_game(characters_of(sheet(("Name", "Brawn"), ("A", 5))))


def test_templates_come_in_again() -> None:
    """The columns of each game's template are all understood, in the game that it is for."""
    for game in playable():
        system = get(game)
        heads = next(iter(template(system).splitlines()))
        if not system.sheet:
            continue
        row = ",".join(["Ann", *(str(max(one.low, 1)) for one in system.sheet if not one.text)])
        [found] = fit(system, characters_of(f"{heads}\n{row}"))
        assert [] == found.left_out, game
        assert len(found.sheet) >= len([one for one in system.sheet if not one.text]) - 1, game


def test_command_shows_and_adds_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file of the folder; GMs get hidden NPCs, a seat gets its own, a bad file is named."""
    folder, data = tmp_path / "people", tmp_path / "data"
    folder.mkdir()
    for n, (_name, content, _, _) in enumerate(brought_samples.FATE[:3]):
        folder.joinpath(f"{n}.json").write_text(json.dumps(content), encoding="utf-8")
    assert 0 == main(["character", str(folder), "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert ["Tomas", "Old Tomas", "Core"] == [one["name"] for one in shown["characters"]]
    assert 0 == main(["table", "new", "destinydice", "--data", str(data), "--json"])
    id = json.loads(capsys.readouterr().out)["table"]
    assert 0 == main(["character", str(folder), "--table", id, "--data", str(data)])
    assert f"3 characters were added to the table {id}." in capsys.readouterr().out
    assert 0 == main(["table", "offers", id, "--data", str(data), "--json"])
    state = json.loads(capsys.readouterr().out)["table"]
    hidden = [one["name"] for one in state["characters"].values() if one["seen_by"] == ["@gm"]]
    assert ["Core", "Old Tomas", "Tomas"] == sorted(hidden)
    folder.joinpath("z.xml").write_text(BOMB, encoding="utf-8")
    assert 2 == main(["character", str(folder)])
    assert "z.xml: This XML file declares a document type" in capsys.readouterr().err


def texts_of(one: Fitted) -> list[str]:
    """The moves that write texts on a sheet, in any order."""
    return sorted(str(move) for move in one.written if move.move != "paper.write")


def test_characters_go_and_come_back() -> None:
    """As our own file and as a spreadsheet: the same sheet and the same texts, in each game."""
    for format in ("foundry-starwarsffg", "foundry-genesys", "foundry-dune2d20", "foundry-fate"):
        game, contents = FORMATS[format]
        [came] = fit(get(game), characters_of(json.dumps(contents[0][1])))
        table = LocalTable(game, lambda low, high: low)
        mona, ann, bo = table.sit("Mona", "gm"), table.sit("Ann"), table.sit("Bo")
        table.make(ann, "character.add", {"name": "=Ann's", "sheet": came.sheet})
        [who] = table.state.characters
        for move in came.written:
            table.make(ann, move.move, {**move.args, move.who: who})
        table.make(mona, "character.add", {"name": "Thimble", "secret": True})
        table.make(mona, "paper.write", {"text": "Quillon", "about": who})
        for seat in (ann, bo):
            own = seen(table.state, table.state.seats[seat])
            found = characters_leaving(table.system, own, own.characters.values(), seat)
            for text in (as_json(table.system, found), as_csv(table.system, found)):
                assert "Thimble" not in text
                assert "Quillon" not in text
                [back] = fit(table.system, characters_of(text))
                assert "=Ann's" == back.name
                assert came.sheet.items() <= back.sheet.items(), format
                assert texts_of(came) == texts_of(back), text
                assert (seat == ann) == bool(back.note), format
