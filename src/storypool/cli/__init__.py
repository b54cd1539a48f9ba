"""The terminal; each command imports its modules when called, so that a roll answers at once.

Exit codes: 0 done, 1 refused by a rule or not possible now, 2 bad input.
"""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

from storypool.cli.refusals import denied, print_refusal
from storypool.engine.refusal import Refused
from storypool.words.languages import Languages, languages

QUICK = {"roll": "storypool.cli.roll_answer", "odds": "storypool.cli.odds_answer"}
"""The modules of two fast commands; without options they run before click, which imports slowly."""
WITHOUT_ODDS = frozenset({"roll", "serve", "demo"})
"""The commands without limits of odds: one asks for none, and a server sets its own."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; with `--json` an error is printed as JSON."""
    args = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A console whose encoding has no arrow shows a question mark instead of failing.
            stream.reconfigure(errors="replace")
    languages = Languages()
    try:
        languages = _languages(os.environ.get("STORYPOOL_WORDS", ""))
        return _run(args, languages)
    except Refused as refused:
        return print_refusal(refused.refusal, "--json" in args, languages.default)
    except ValueError as wrong:
        from storypool.cli.arguments import unread
        from storypool.gamefile import Unread

        if not isinstance(wrong, Unread):
            raise
        return print_refusal(unread(wrong).refusal, "--json" in args, languages.default)
    except BrokenPipeError:
        # The reader closed the pipe; without this the interpreter would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _languages(folder: str) -> Languages:
    """The languages in this folder, or English alone without one; `Refused` for an invalid file."""
    if not folder:
        return Languages()
    from pathlib import Path

    try:
        return languages(Path(folder))
    except (OSError, ValueError) as wrong:
        raise denied("argument", "words", folder=folder, why=wrong) from None


def _run(args: list[str], languages: Languages) -> int:
    if args == ["--version"]:
        from storypool.cli.built_from import version_with_commit

        print(f"storypool {version_with_commit()}")
        return 0
    command, *words = args or [""]
    is_quick = len(words) > 1 and not any(word.startswith("-") for word in words)
    with _limits(command):
        if command in QUICK and is_quick:
            return _answer(command, words, languages)
        from storypool.cli import group

        return group.run(args, languages)


def _limits(command: str) -> AbstractContextManager[None]:
    """The limits of odds for a command."""
    if command in WITHOUT_ODDS:
        return nullcontext()
    from storypool.odds.allowance import SURFACES, allowing

    return allowing(SURFACES)


def _answer(command: str, words: Sequence[str], languages: Languages) -> int:
    """Run one of the fast commands."""
    from storypool.cli.arguments import game

    return int(import_module(QUICK[command]).answer(languages, game(words[0]), words[1:]))
