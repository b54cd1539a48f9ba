"""The words of the code and its sentences: readers of English need not guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import glossary

# Words are checked before a commit; what the code does is not in here.
pytestmark = pytest.mark.slow
FILES = glossary.files()


def test_code_keeps_the_glossary() -> None:
    """No name, docstring, comment or player's sentence has a foreign word."""
    assert len(FILES) > 600
    assert {".py", ".js", ".toml"} == {path.suffix for path in FILES}
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
def test_foreign_word_is_found(word: str, code: str, tmp_path: Path) -> None:
    """Each word is found in a docstring, a comment and a name, with its line and replacement."""
    (tmp_path / "a.py").write_text(
        f"x = 1\n{code.format(word.title() if 'class' in code else word)}\n", encoding="utf-8"
    )
    assert [f"a.py:2: {word}; write {glossary.WORDS[word]}"] == glossary.findings(tmp_path / "a.py")


@pytest.mark.parametrize("word", glossary.WORDS)
@pytest.mark.parametrize(
    "code", ["// Words: {}.", "/** {}\n * of words. */", "const {} = 1;", "const {}Of = (n) => n;"]
)
def test_foreign_word_of_a_script_is_found(word: str, code: str, tmp_path: Path) -> None:
    """Each word is found in a comment and a name of a script too."""
    (tmp_path / "a.js").write_text(f"const x = 1;\n{code.format(word)}\n", encoding="utf-8")
    assert [f"a.js:2: {word}; write {glossary.WORDS[word]}"] == glossary.findings(tmp_path / "a.js")


def test_sentences_and_fields_are_not_read(tmp_path: Path) -> None:
    """Ids of sentences, message fields and addresses are not the script's own words."""
    code = (
        'say("story.told", { said: event.said, at: "https://told.example" });  // It is written.\n'
    )
    (tmp_path / "a.js").write_text(code, encoding="utf-8")
    assert [] == glossary.findings(tmp_path / "a.js")


@pytest.mark.parametrize("word", sorted(glossary.WORDS.keys() - glossary.SPOKEN))
def test_foreign_word_of_a_sentence_is_found(word: str, tmp_path: Path) -> None:
    """Each word is found in a TOML text, also in a list, with its sentence id."""
    path = tmp_path / "words.toml"
    path.write_text(
        f'[no]\n"a.{word}" = "{word.title()} {{{word}}}."\nb = ["Fine.", "Not {word}."]\n',
        encoding="utf-8",
    )
    better = glossary.WORDS[word]
    assert [
        f"words.toml: no.{key}: {word}; write {better}" for key in (f"a.{word}", "b")
    ] == glossary.findings(path)


def test_everyday_phrase_is_no_finding(tmp_path: Path) -> None:
    """Allowed phrases, blanks, ids, comments, code and single words are not read."""
    texts = [*glossary.PHRASES, "{told} {who}", "`said`", "somebody", "It has begun"]
    path = tmp_path / "words.toml"
    path.write_text(
        "# told\n" + "".join(f'told{n} = "{text}"\n' for n, text in enumerate(texts)),
        encoding="utf-8",
    )
    assert [] == glossary.findings(path)


def test_every_phrase_is_needed() -> None:
    """Each allowed phrase is still in a sentence."""
    texts = "\n".join(path.read_text(encoding="utf-8") for path in FILES if path.suffix == ".toml")
    assert [] == [phrase for phrase in glossary.PHRASES if phrase not in texts]


@pytest.mark.parametrize("name", glossary.NAMES)
def test_foreign_name_is_found(name: str, tmp_path: Path) -> None:
    """Each name is found where it is defined, with an example of a better one."""
    (tmp_path / "a.py").write_text(f"{name} = 1\n", encoding="utf-8")
    assert [f"a.py:1: {name}; write {glossary.NAMES[name]}"] == glossary.findings(tmp_path / "a.py")


def test_players_words_and_keys_are_not_read(tmp_path: Path) -> None:
    """Sentences, their keys and foreign names are skipped: only the code's own text is read."""
    code = 'words["story.told"] = say("What was told", said=event.said)  # see `told`\n'
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    assert [] == glossary.findings(tmp_path / "a.py")


@pytest.mark.parametrize("pattern", glossary.PATTERNS, ids=lambda pattern: pattern.example)
def test_foreign_syntax_is_found(pattern: glossary.Pattern) -> None:
    """Each pattern matches its example, across the lines of a docstring or a comment too."""
    assert pattern in [found for _, found in glossary.matches(pattern.example)]


@pytest.mark.parametrize(
    "prose",
    [
        "The open offers.",
        "Whether the seat may act.",
        "Return the executor; None if there is no such row.",
        "The host, who may act for every seat.",
        "There are so many that a page is slow; it is no longer shown.",
        'The code `what is asked is` and the label "beside" are not read.',
    ],
)
def test_plain_syntax_is_no_finding(prose: str) -> None:
    """Nouns, relative clauses and code are left alone."""
    assert [] == [found for found, _ in glossary.matches(prose)]


@pytest.mark.parametrize(
    "code", ['"""It is\nby itself."""', "x = 1  # It is by itself.", "# It is by\n# itself."]
)
def test_foreign_syntax_is_found_in_clean_files_only(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Docstrings and comments of the listed files are read, also across lines."""
    path = tmp_path / "a.py"
    path.write_text(f"{code}\n", encoding="utf-8")
    assert [] == glossary.findings(path)
    monkeypatch.setattr(glossary, "CLEAN", ("a.py",))
    assert ["a.py:1: by itself; write automatically, alone"] == glossary.findings(path)


def test_texts_of_moves_are_left_to_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of a move, which has a title without a full stop, is not searched for patterns."""
    path = tmp_path / "a.py"
    monkeypatch.setattr(glossary, "CLEAN", ("a.py",))
    path.write_text('"""Next turn\n\nIt ends by itself.\n"""\n', encoding="utf-8")
    assert [] == glossary.findings(path)
    path.write_text('"""The next turn.\n\nIt ends by itself.\n"""\n', encoding="utf-8")
    assert ["a.py:1: by itself; write automatically, alone"] == glossary.findings(path)


def test_clean_files_exist() -> None:
    """Each entry of the list is a folder or a file."""
    assert [] == [one for one in glossary.CLEAN if not (glossary.ROOT / one).exists()]


def test_every_allowance_is_needed() -> None:
    """A file with an allowance uses the word."""
    for file, words in glossary.ALLOWED.items():
        text = (glossary.ROOT / file).read_text(encoding="utf-8").lower()
        assert all(word in text for word in words), file
