"""Refusals in the terminal: as text, or as JSON."""

import sys

from storypool.engine.refusal import Refusal, Refused
from storypool.words import Phrase
from storypool.words.languages import ENGLISH, Language

BAD_INPUT = ("argument", "unknown", "malformed")
"""The codes of refusals for bad input, with exit code 2."""


def print_refusal(refusal: Refusal, as_json: bool, language: Language = ENGLISH) -> int:
    """Print a refusal as text or as JSON, and return the exit code."""
    if refusal.phrase is not None:  # a game's refusal is already in its words
        refusal = refusal.localize(language.program)
    if as_json:
        import json

        print(json.dumps({"error": error(refusal)}))
    else:
        more = [refusal.remedy, f"({refusal.rule})" if refusal.rule else ""]
        print(" ".join(["storypool:", refusal.text, *filter(None, more)]), file=sys.stderr)
    return exit_code(refusal)


def exit_code(refusal: Refusal) -> int:
    """The exit code of a command that was refused."""
    return 2 if refusal.code in BAD_INPUT else 1


def denied(code: str, key: str, field: str = "", /, **values: object) -> Refused:
    """A refusal from the catalogue: `cli.KEY` and, if there is one, `cli.KEY.remedy`."""
    return Refused(Refusal.of(code, Phrase(f"cli.{key}", **values), field))


def error(refusal: Refusal) -> dict[str, object]:
    """A refusal as the JSON of every error."""
    return {
        "code": refusal.code,
        "text": refusal.text,
        "rule": refusal.rule,
        "remedy": refusal.remedy,
        "field": refusal.field,
        "overridable": refusal.overridable,
    }
