"""`dev.py docs`: the help as files, in which every link, anchor and picture leads somewhere."""

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
def test_nothing_is_wrong_with_the_docs(made: dict[str, bytes]) -> None:
    """Every page is in a group, has one title and no heading twice; every link, anchor and picture
    is there.
    """
    assert [] == [*docs.misplaced(), *docs.problems(made)]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_a_line_of_markdown_is_a_sentence(path: Path) -> None:
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


def test_what_leads_nowhere_is_named() -> None:
    """A page that is missing, an anchor without a heading and a picture without words are a
    sentence each.
    """
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


def test_a_page_is_in_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A page in no group, one that is not there, a second title, a heading that comes twice, a link
    into nothing.
    """
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


def test_links_to_other_sites_are_asked(tmp_path: Path) -> None:
    """One that is not there is named with what its site answers; where no site answers, that is one
    sentence.
    """
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
def test_links_to_other_sites_lead_somewhere(made: dict[str, bytes]) -> None:
    """Every link of the docs to another site answers."""
    try:
        assert [] == docs.unanswered(docs.outside(made))
    except ConnectionError as reason:
        pytest.skip(str(reason))


def test_a_site_is_written_in_place_of_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an older site had and this one has not is gone; a folder with anything else in it is
    left as it is.
    """
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
