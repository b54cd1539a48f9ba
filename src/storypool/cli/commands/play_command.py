"""`storypool play`: run a play in the terminal, step by step."""

import json
from pathlib import Path

import click

from storypool.cli.arguments import add_game_near
from storypool.cli.refusals import denied
from storypool.engine import story
from storypool.engine.events import Record
from storypool.engine.fold import fold, fold_on
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Table
from storypool.play import Performance, Play, PlayError, PlayStep, read
from storypool.play.text import Opening
from storypool.words import Words, localize
from storypool.words.languages import Languages
from storypool.words.text_files import NotText, text_in


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.option("-q", "--quiet", is_flag=True, help="Print only broken expectations.")
@click.pass_obj
def play(languages: Languages, files: tuple[str, ...], as_json: bool, quiet: bool) -> int:
    """Run plays, printing each step.

    Stops with exit code 1 at the first broken expectation.
    """
    steps, words = [], languages.default.program
    for file in files:
        performance = Performance(opened(file), language=languages.default)
        narration = Narration(performance)
        for step in performance.steps():
            if as_json:
                steps.append(narration.as_data(step))
            elif not quiet:
                click.echo("\n".join(narration.as_lines(step)))
            if step.problem is not None:
                wrong = PlayError(file, step.line, step.problem)
                if as_json:
                    click.echo(json.dumps({"steps": steps, "error": _error(wrong, words)}))
                else:
                    click.echo(f"storypool: {localize(wrong, words)}", err=True)
                return 1
    if as_json:
        click.echo(json.dumps({"steps": steps}))
    return 0


def opened(file: str) -> Play:
    """The play in a file, whose game may be a file next to it or in a folder above.

    `Refused` for an invalid file or line.
    """
    try:
        found = read(text_in(file), file)
        first = found.statements[0]
        if isinstance(first, Opening):
            add_game_near(first.system, Path(file))
        return found
    except OSError as error:
        reason = error.strerror or error
        raise denied("argument", "file.unread", "files", file=file, why=reason) from None
    except NotText as wrong:
        raise denied("argument", "file.foreign", "files", file=file, why=wrong) from None
    except PlayError as wrong:
        raise Refused(Refusal.of("argument", wrong, f"{wrong.file}:{wrong.line}")) from None


def _error(wrong: PlayError, words: Words) -> dict[str, object]:
    return {
        "code": "expectation",
        "text": localize(wrong, words),
        "rule": "",
        "remedy": "",
        "field": f"{wrong.file}:{wrong.line}",
        "overridable": False,
    }


class Narration:
    """Prints a performance as it runs: each step with the sentences of its records."""

    def __init__(self, performance: Performance) -> None:
        self._performance, self._table = performance, Table()
        self._words = performance.language.program

    def as_lines(self, step: PlayStep) -> list[str]:
        """A step as lines to read."""
        lines = [f"{step.line:>4}  {step.text}"]
        lines += [f"        {text}" for text in self._sentences(step)]
        if step.refusal is not None and step.problem is None:
            lines.append(f"        {self._words.say('cli.refused', text=step.refusal.text)}")
        return lines

    def as_data(self, step: PlayStep) -> dict[str, object]:
        """A step as plain data."""
        return {
            "file": self._performance.play.file,
            "line": step.line,
            "text": step.text,
            "happened": self._sentences(step),
            "refused": step.refusal.code if step.refusal else None,
            "problem": localize(step.problem, self._words) if step.problem else None,
        }

    def _sentences(self, step: PlayStep) -> list[str]:
        return [text for record in step.records if (text := self._sentence(record))]

    def _sentence(self, record: Record) -> str:
        text = story.sentence(record, self._table, self._performance.system)
        records = self._performance.records
        self._table = fold_on(self._table, [record], lambda seq: fold(records[:seq]))
        return text
