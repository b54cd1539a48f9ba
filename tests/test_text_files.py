"""Files of users: encodings, marks and line ends of editors, and binary files."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool import systems
from storypool.cli import main
from storypool.contract.material import material
from storypool.lab.evenings import evening
from storypool.log.export import BadFile, import_records
from storypool.play import PlayError, read
from storypool.systems import game_files
from storypool.words.languages import languages
from storypool.words.text_files import NotText, lines_of, text_of, visible

ROOT = Path(__file__).parent.parent
GAME = (ROOT / "docs/games/nightshift.game.toml").read_text(encoding="utf-8")
PLAY = (ROOT / "src/storypool/systems/starwars/demo.play").read_text(encoding="utf-8")
LOG = (ROOT / "tests/logs/events-v1.jsonl").read_text(encoding="utf-8")
EVENINGS = (ROOT / "src/storypool/systems/dune/evenings.toml").read_text(encoding="utf-8")
WORDS = 'language = "pt"\n"language.name" = "Português"\n'

FORMS: dict[str, Callable[[str], bytes]] = {
    "a mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "blank lines": lambda text: b"\n" + text.encode() + b"\n  \n\t\n",
    "all of it": lambda text: codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode() + b"\r\n \r\n",
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16, the other way": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-32": lambda text: text.encode("utf-32"),
}
WRONG: dict[str, tuple[Callable[[str], bytes], str]] = {
    "Latin-1": (lambda text: text.encode() + "caf\xe9".encode("latin-1"), "not UTF-8 text"),
    "UTF-16 without a mark": (lambda text: text.encode("utf-16-le"), "UTF-16"),
    "a NUL": (lambda text: text.encode() + b"\n\0", "not a text file"),
    "an archive": (lambda _: b"PK\x03\x04\x14\0\0\0", "archive"),
    "a PDF": (lambda _: b"%PDF-1.7\n%\xe2\xe3", "PDF"),
    "a picture": (lambda _: b"\x89PNG\r\n\x1a\n\0", "picture"),
    "nothing": (lambda _: b"", "empty|nothing"),
}
CODECS = re.compile(r"codec|byte 0x|Traceback|truncated|malformed|\.\.(?!\.)|\ufeff")


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_each_text_file_is_read(form: Callable[[str], bytes], tmp_path: Path) -> None:
    """Every editor's form of Unicode text is read as the plain text."""
    game, play, log, lab, words = (
        tmp_path / name for name in ("nightshift.game.toml", "a.play", "t", "e.toml", "w")
    )
    game.write_bytes(form(GAME))
    assert GAME.strip() == game_files.text_in(game).strip()
    play.write_bytes(form(PLAY))
    assert 0 == main(["play", "-q", str(play)])
    log.write_bytes(form(LOG))
    with log.open("rb") as lines:
        assert import_records(LOG.encode().splitlines()) == import_records(lines)
    lab.write_bytes(form(EVENINGS))
    assert evening("dune", str(lab)).deeds == evening("dune").deeds
    words.mkdir()
    (words / "program.toml").write_bytes(form(WORDS))
    assert "Português" == languages(words).default.name


@pytest.mark.parametrize(("form", "reason"), WRONG.values(), ids=WRONG)
def test_binary_file_gets_one_sentence(
    form: Callable[[str], bytes], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other encodings, archives and pictures are named with a remedy, without codec words."""
    kinds = {
        "x.game.toml": (GAME, ["check-game"]),
        "x.play": (PLAY, ["play", "-q"]),
        "x.jsonl": (LOG, ["verify"]),
    }
    for name, (text, command) in kinds.items():
        file = tmp_path / name
        file.write_bytes(form(text))
        assert 2 == main([*command, str(file), "--json"])
        sentence = json.loads(capsys.readouterr().out)["error"]["text"]
        assert (
            re.search(reason, sentence)
            or (name == "x.jsonl" and "not JSON" in sentence)
            or "not the file of" in sentence
        )
        assert not CODECS.search(sentence), sentence


def test_invisible_signs_are_named() -> None:
    """A quotation names an invisible sign, and curly quotes differ from straight ones."""
    assert "a[zero width space]b" == visible("a\u200bb")
    with pytest.raises(PlayError, match=r"“t\[zero width space\]able dune”"):
        read("t\u200bable dune")
    for line, sentence in (
        ("a\u00a0= 1", "a no-break space here"),
        ("a = “b”", "The quote “ is that of a printed"),
    ):
        with pytest.raises(ValueError, match=sentence):
            game_files.written(f"format = 1\n{line}")


def test_play_check_names_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check of a game names a play without text, and reads one with a mark."""
    (tmp_path / "nightshift.game.toml").write_bytes(GAME.encode("utf-8-sig"))
    plays = tmp_path / "nightshift" / "plays"
    plays.mkdir(parents=True)
    (plays / "a.play").write_bytes("table nightshift\nseat gm side=gm\n# caf\xe9".encode("latin-1"))
    monkeypatch.setitem(game_files.files(), "nightshift", str(tmp_path / "nightshift.game.toml"))
    systems.look_again()
    # Other tests may have checked a game with this key.
    material.cache_clear()
    assert 1 == main(["check-game", "nightshift", "--games", "0"])
    assert (
        "plays/a.play: It cannot be read: This is not UTF-8 text (line 3)."
        in capsys.readouterr().out
    )
    systems.look_again()


def test_language_names_its_file(tmp_path: Path) -> None:
    """An unreadable file of words is named with the reason."""
    (tmp_path / "program.toml").write_bytes(WORDS.encode("latin-1"))
    with pytest.raises(
        ValueError, match=r"program\.toml cannot be read: This is not UTF-8 text \(line 2\)"
    ):
        languages(tmp_path)


def test_export_is_read_despite_editor_marks() -> None:
    """A cut line of an export is named by number, including blank lines."""
    head, first, *_ = LOG.encode().splitlines(keepends=True)
    with pytest.raises(
        BadFile, match=r"Line 4 of the file cannot be imported: it is not JSON, or was cut off\.$"
    ):
        import_records([head, first, b"\r\n", b'{"seq":2,'])


@given(text=st.text(), form=st.sampled_from([*FORMS]))
def test_any_text_is_read_in_any_form(text: str, form: str) -> None:
    """Any text is read from each form, with plain line ends."""
    if "\0" in text or text.startswith("\ufeff"):
        return
    text = text.encode("utf-8", "ignore").decode().replace("\r", "\n")
    assert text.strip() == text_of(FORMS[form](text)).strip()


def answer(read: Callable[[bytes], object], data: bytes) -> str:
    """The text of these bytes, or the sentence about them."""
    try:
        return repr(read(data))
    except NotText as wrong:
        return str(wrong)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Any file is text without a NUL, or gets a sentence."""
    assert "\\x00" not in answer(text_of, data)
    assert answer(lambda data: [*lines_of(data.splitlines(keepends=True))], data)


def test_game_is_kept_in_one_form(tmp_path: Path) -> None:
    """Files with any editor's line ends are the same game to tables."""
    for form in FORMS.values():
        file = tmp_path / "nightshift.game.toml"
        file.write_bytes(form(GAME))
        assert GAME.strip() == game_files.text_in(file).strip()
