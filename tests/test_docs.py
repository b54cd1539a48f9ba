"""`dev.py docs`: the help as files, whose links, anchors and pictures all exist."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from storypool.web.help.contents import HelpPage
from tests.browsers import serving
from tools import docs
from tools.sentences import files, laid_out


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    """The whole site."""
    return docs.files(docs.whole_site())


@pytest.mark.slow
def test_docs_have_no_mistakes(made: dict[str, bytes]) -> None:
    """Pages have a group, one title, unique headings and valid links, anchors and pictures."""
    assert [] == [*docs.misplaced(), *docs.problems(made)]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_markdown_line_is_a_sentence(path: Path) -> None:
    """Each sentence of a paragraph has its own line; `python -m tools.sentences` sees to it."""
    text = path.read_text(encoding="utf-8")
    assert text == laid_out(text)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("One. Two\nthree! (Four. Five.) Six?", ["One.", "Two three!", "(Four. Five.)", "Six?"]),
        (
            "- One.\n  Two.\n  - `a. B` is `C.` One.",
            ["- One.", "  Two.", "  - `a. B` is `C.` One."],
        ),
        ("> One. **Two.** Three.", ["> One.", "> **Two.**", "> Three."]),
        ("| One. Two. |\n|---|", ["| One. Two. |", "|---|"]),
        (
            "See [one. Two](three.md), e.g. Four. 5. is six.",
            ["See [one. Two](three.md), e.g. Four. 5. is six."],
        ),
    ],
)
def test_sentences_are_split(text: str, lines: list[str]) -> None:
    """A full stop in code, a link, a table, brackets or an abbreviation ends no sentence.

    No line begins as a list does.
    """
    assert lines == laid_out(text).split("\n")


def test_broken_links_are_named() -> None:
    """A missing page, a missing anchor and a picture without words get a sentence each."""
    one = (
        b'<h1 id="one"></h1><a href="two.html#two"></a><a href="#one"></a><a href="#"></a><a'
        b' href="https://example.org">'
    )
    two = (
        b'<h1 id="two"></h1><a href="three.html"></a><a href="one.html#two"></a><img src="a/b.svg"'
        b' alt="">'
    )
    two += b'<img src="c.svg" alt="c">'
    assert [
        "two.html shows a/b.svg, and no words stand for it.",
        "two.html leads to three.html, and nothing is there.",
        "two.html leads to one.html#two, and no heading there has this anchor.",
        "two.html leads to c.svg, and nothing is there.",
    ] == docs.problems({"one.html": one, "two.html": two, "a/b.svg": b""})


def test_page_is_in_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ungrouped or missing pages, second titles, repeated headings and dead links are found."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(
        "# Two\n\n## A\n\n### B\n\n## C\n\n### B\n\n### B\n\n# Titles\n\n[on](x.py)\n"
    )
    (tmp_path / "docs" / "new.md").write_text("# New\n")
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    monkeypatch.setattr(docs, "located", lambda path: tmp_path / path)
    monkeypatch.setattr(
        docs, "pages", lambda: {"gone": HelpPage("gone", "docs/gone.md", "It is not there.")}
    )
    assert [
        "docs/new.md is in no group: add it to src/storypool/web/help/contents.toml.",
        "docs/gone.md is in contents.toml and is not there.",
        "README.md leads to x.py, and nothing is there.",
        "README.md has 2 titles, and needs one.",
        "README.md has the heading Two / C / B 2 times.",
    ] == [*docs.misplaced()]


def test_external_links_are_requested(tmp_path: Path) -> None:
    """A dead one is named with its site's answer; no network at all is one sentence."""
    made = {
        "one.html": (
            b'<a href="https://example.org/a"></a><a href="two.html"></a><img'
            b' src="http://b.example/c.svg">'
        )
    }
    assert ["http://b.example/c.svg", "https://example.org/a"] == docs.outside(made)
    with serving(tmp_path) as house:
        there, gone = f"{house.here}/help", f"{house.here}/help/gone"
        assert [f"{gone} does not answer: HTTP Error 404: Not Found."] == docs.unanswered(
            [there, gone]
        )
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionError, match="so no link to one was looked at"):
            docs.unanswered([f"http://127.0.0.1:{closed.getsockname()[1]}/"])
    assert [] == docs.unanswered([])


@pytest.mark.exhaustive
def test_external_links_work(made: dict[str, bytes]) -> None:
    """Every link of the docs to another site answers."""
    try:
        assert [] == docs.unanswered(docs.outside(made))
    except ConnectionError as reason:
        pytest.skip(str(reason))


def test_site_replaces_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Obsolete files of an older site go, and a folder with anything else is left alone."""
    folder = tmp_path / "site"
    docs.write({"search.json": b"[]", "old/page.html": b""}, folder)
    docs.write({"search.json": b"[]", "new/page.html": b"new"}, folder)
    assert ["new", "search.json"] == sorted(path.name for path in folder.iterdir())
    monkeypatch.setattr(docs, "files", lambda site: {"one.html": b'<a href="two.html"></a>'})
    monkeypatch.setattr(docs, "misplaced", lambda: iter(()))
    assert 1 == docs.main(["--to", str(folder)])
    assert "one.html leads to two.html, and nothing is there.\n" == capsys.readouterr().out
    monkeypatch.setattr(docs, "files", lambda site: {"one.html": b""})
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "novel.txt").write_text("once")
    assert 1 == docs.main(["--to", str(tmp_path / "mine")])
    assert (
        f"{tmp_path / 'mine'} has something else in it than a site of this command.\n"
        == capsys.readouterr().out
    )
    assert ["novel.txt"] == [path.name for path in (tmp_path / "mine").iterdir()]
