"""Compare refusals that a server sends with those that its OpenAPI document lists."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from storypool.web.interface.problems import VARIED

BLANK = re.compile(r"\\{\w+\\}")


class Documented:
    """The refusals of each route of a document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.examples = document["components"]["examples"]
        self.routes = [
            (method.upper(), re.compile(re.sub(r"{\w+}", "[^/]+", path)), operation["responses"])
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        ]

    def fault(self, method: str, path: str, status: int, body: bytes, english: bool = True) -> str:
        """What the document lacks of this refusal, or "".

        Answers outside the document have none. Sentences are compared where they are English.
        """
        responses = self._responses("GET" if method == "HEAD" else method, path)
        if status < 400 or responses is None:
            return ""
        error = json.loads(body)["error"]
        keys = responses.get(str(status), {}).get("content", {}).get("application/json", {})
        found = f"{error['code']}: {error['text']} {error['remedy']}"
        if any(_fits(key, self.examples[key], error, english) for key in keys.get("examples", ())):
            return ""
        return f"{method} {path} answers {status} {found}, which is not in the document"

    def _responses(self, method: str, path: str) -> Mapping[str, Any] | None:
        return next(
            (
                responses
                for verb, at, responses in self.routes
                if verb == method and at.fullmatch(path)
            ),
            None,
        )


def _fits(key: str, example: Mapping[str, Any], error: Mapping[str, Any], english: bool) -> bool:
    listed = example["value"]["error"]
    if listed["code"] != error["code"]:
        return False
    return (
        key in VARIED
        or not english
        or all(_filled(listed[name], error[name]) for name in ("text", "remedy"))
    )


def _filled(sentence: str, text: str) -> bool:
    """Whether a text is this sentence with its blanks filled in."""
    return bool(re.fullmatch(BLANK.sub("(?s:.*)", re.escape(sentence)), text))
