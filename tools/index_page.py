"""The page of the package at an index: the README without relative links, and the project's links.

Hatchling calls this when it builds. STORYPOOL_HOME is the address of the public repository, which
a release takes from its remote. Without it nobody knows where the documents are: their links become
plain words, and the package names no address.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")
"""A relative link or picture in Markdown: its mark, its words, and its path."""
URLS = {
    "Documentation": "blob/{tag}/docs/hosting.md",
    "Changes": "blob/{tag}/CHANGELOG.md",
    "Source": "tree/{tag}",
    "Issues": "issues",
}
"""The project's links below its home; those of documents lead to the text of this version."""


def absolute(text: str, home: str, tag: str) -> str:
    """A Markdown text whose relative links lead to this tag of the repository, or are words."""

    def replaced(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if not home:
            return "" if picture else words
        return f"{picture}[{words}]({home}/{'raw' if picture else 'blob'}/{tag}/{path})"

    return LINK.sub(replaced, text)


class IndexPage(MetadataHookInterface):
    """The hook that pyproject.toml names."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme, and the links where the home is known."""
        home, tag = os.environ.get("STORYPOOL_HOME", ""), f"v{metadata['version']}"
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(text, home, tag),
        }
        links = {name: f"{home}/{path.format(tag=tag)}" for name, path in URLS.items()}
        metadata["urls"] = {"Homepage": home, **links} if home else {}
