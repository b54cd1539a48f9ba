"""The words of the code: none that a reader of English or of the field has to guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import glossary

FILES = glossary.files()


def test_the_code_keeps_the_glossary() -> None:
    """No name, docstring or comment of the code has a foreign word."""
    assert len(FILES) > 300
    assert [] == [one for path in FILES for one in glossary.findings(path)]


@pytest.mark.parametrize("word", glossary.WORDS)
@pytest.mark.parametrize(
    "code",
    [
        '"""Words: {}."""',
        "x = 1  # {}",
        "def {}_of(n): ...",
        "is_{} = 1",
        "{}: int = 1",
        "class Not{}: ...",
        "def f({}): ...",
    ],
)
def test_a_foreign_word_is_found(word: str, code: str, tmp_path: Path) -> None:
    """Each word is found in a docstring, a comment and a name, with its line and what to write."""
    (tmp_path / "a.py").write_text(
        f"x = 1\n{code.format(word.title() if 'class' in code else word)}\n", encoding="utf-8"
    )
    assert [f"a.py:2: {word}; write {glossary.WORDS[word]}"] == glossary.findings(tmp_path / "a.py")


@pytest.mark.parametrize("name", glossary.NAMES)
def test_a_foreign_name_is_found(name: str, tmp_path: Path) -> None:
    """Each name is found where it is defined, with an example of a better one."""
    (tmp_path / "a.py").write_text(f"{name} = 1\n", encoding="utf-8")
    assert [f"a.py:1: {name}; write {glossary.NAMES[name]}"] == glossary.findings(tmp_path / "a.py")


def test_words_for_players_and_keys_are_their_own(tmp_path: Path) -> None:
    """Sentences, keys of sentences and names of others are not read: only what the code itself says."""
    code = 'words["story.told"] = say("What was told", said=event.said)  # see `told`\n'
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    assert [] == glossary.findings(tmp_path / "a.py")


def test_every_allowance_is_needed() -> None:
    """A file that may use a word does use it."""
    for file, words in glossary.ALLOWED.items():
        text = (glossary.ROOT / file).read_text(encoding="utf-8").lower()
        assert all(word in text for word in words), file
