"""One sentence a line in the project's Markdown: `python -m tools.sentences` rewrites the files.

A changed sentence is then a changed line, and a long sentence shows. Paragraphs and items of lists
are laid out; tables, code and headings stay, and so does the rendered page.
"""

from __future__ import annotations

import re
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
ABBREVIATIONS = {"cf.", "e.g.", "i.e.", "etc.", "vs."}
END = re.compile(r"(?<=[.!?…])[\"'”’)*_]*(?P<gap> )(?=[\"'“‘(*_`\[]*[A-Z0-9`…“])")
WHOLE = re.compile(r"(`+).+?\1|\[(?:[^\[\]]|\[[^\]]*\])*\]\([^)]*\)|<[^>]+>")
"""Code, a link or a tag, which is never split."""
MARKER = re.compile(r"(?:[-+*>#]|\d+[.)])(?: |$)")
"""Text that would begin another block at the start of a line."""


PRINTED = ROOT / "docs" / "example" / "lantern" / "reference.md"
"""What `storypool rules` prints stays as it prints it."""


def files() -> list[Path]:
    """The Markdown files of the project, but for the one that the program prints."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("vendor/*.md")]
    return sorted(path for path in found if path != PRINTED)


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph."""
    pieces = [piece.span() for piece in WHOLE.finditer(text)]
    found, begin = [], 0
    for end in END.finditer(text):
        at = end.start("gap")
        part = text[begin:at]
        inside = any(first < at < last for first, last in pieces)
        nested = part.count("(") > part.count(")")
        short = part.rpartition(" ")[2].lstrip('(*_"“') in ABBREVIATIONS
        if inside or nested or short or MARKER.match(text[at + 1 :]):
            continue
        found.append(part)
        begin = at + 1
    return [*found, text[begin:]]


def laid_out(text: str) -> str:
    """Markdown with each sentence of its paragraphs on its own line."""
    lines = text.split("\n")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    blocks = [token.map for token in tokens if token.type == "paragraph_open" and token.map]
    for first, last in reversed(blocks):
        if any(line.endswith(("  ", "\\")) for line in lines[first:last]):
            continue  # a line break that the page shows
        margin = re.match(r"(?:\s|>|[-+*]\s|\d+[.)]\s)*", lines[first])
        assert margin
        indent = re.sub(r"[^>\s]", " ", margin[0])
        whole = " ".join(
            [lines[first][margin.end() :], *(line.strip(" >") for line in lines[first + 1 : last])]
        )
        found = sentences(re.sub(r"\s+", " ", whole).strip())
        lines[first:last] = [margin[0] + found[0], *(indent + one for one in found[1:])]
    return "\n".join(lines)


def main() -> None:
    """Lay out every file that is not laid out."""
    for path in files():
        text = path.read_text(encoding="utf-8")
        if (new := laid_out(text)) != text:
            path.write_text(new, encoding="utf-8", newline="\n")
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
