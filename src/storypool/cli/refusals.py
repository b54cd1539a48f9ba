"""How the terminal says no: to people, or in the one error shape."""

from __future__ import annotations

import sys

from storypool.engine.refusal import Refusal, Refused
from storypool.words import Phrase
from storypool.words.languages import ENGLISH, Language

BAD_INPUT = ("argument", "unknown", "malformed")
"""The codes of what was typed wrong: their exit code is 2."""


def tell(refusal: Refusal, as_json: bool, language: Language = ENGLISH) -> int:
    """Prints why something was not done, to people or in the one error shape; gives the exit code."""
    if refusal.phrase is not None:  # what a game has said already needs no other words
        refusal = refusal.said(language.program)
    if as_json:
        import json

        print(json.dumps({"error": error(refusal)}))
    else:
        more = [refusal.remedy, f"({refusal.rule})" if refusal.rule else ""]
        print(" ".join(["storypool:", refusal.text, *filter(None, more)]), file=sys.stderr)
    return 2 if refusal.code in BAD_INPUT else 1


def denied(code: str, key: str, field: str = "", /, **values: object) -> Refused:
    """A refusal in the words of the catalogue: `cli.KEY` and, where there is one, `cli.KEY.remedy`."""
    return Refused(Refusal.of(code, Phrase(f"cli.{key}", **values), field))


def error(refusal: Refusal) -> dict[str, object]:
    """A refusal as every surface shows it."""
    return {
        "code": refusal.code,
        "text": refusal.text,
        "rule": refusal.rule,
        "remedy": refusal.remedy,
        "field": refusal.field,
        "overridable": refusal.overridable,
    }
