"""`storypool config ...`: the settings of `serve`, and where each comes from."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from storypool.cli.commands.serve_command import check_options, serve
from storypool.cli.config.config_file import ConfigFile, places
from storypool.cli.config.configured import FILE, Configured, by_key, misspelt, origin
from storypool.cli.refusals import denied, error, print_refusal
from storypool.engine.refusal import Refusal, Refused
from storypool.log.places import DatabaseUrl
from storypool.words import Words
from storypool.words.languages import Languages


@click.group()
def config() -> None:
    """Look at the settings of `serve`."""


class Checked(Configured):
    """A command that lists every mistake in the file of settings, and not only the first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the file of settings, and then all options."""
        try:
            return super().parse_args(ctx, args)
        except Refused as refused:
            if "--json" in args:
                raise
            for one in refused.all[:-1]:
                print_refusal(one, False, _languages(ctx).default)
            raise Refused(refused.all[-1]) from None


def _languages(ctx: click.Context) -> Languages:
    return ctx.find_object(Languages) or Languages()


@config.command(cls=Checked, params=serve.params)
@click.pass_context
def check(ctx: click.Context, /, as_json: bool, **values: Any) -> int:
    """Show each option of `serve` with its value and its source.

    Takes the options of `serve`. The exit code is 2 where a server would not start with them.
    """
    language = _languages(ctx).default
    words = language.program
    rows = [_row(ctx, key, option, words) for key, option in sorted(by_key(serve).items())]
    mistakes = [one.localize(words) for one in _mistakes(values)]
    if as_json:
        found = {"settings": rows, "mistakes": [error(one) for one in mistakes]}
        click.echo(json.dumps(found))
        return 2 if mistakes else 0
    for row in rows:
        click.echo(f"{row['option']:16} {_shown(row['value'], words):32} {row['source']}")
    file: ConfigFile | None = ctx.meta.get(FILE)
    data = values["data"] if isinstance(values["data"], Path) else None
    if file:
        click.echo(words.say("cli.config.file", file=file.path))
    else:
        click.echo(words.say("cli.config.none", places=", ".join(map(str, places(data)))))
    if file and _has_password(file) and stat.S_IMODE(os.stat(file.path).st_mode) & 0o077:
        click.echo(words.say("cli.config.open", file=file.path))
    for one in mistakes:
        print_refusal(one, as_json, language)
    if not mistakes:
        click.echo(words["cli.config.well"])
    return 2 if mistakes else 0


def _row(ctx: click.Context, key: str, option: click.Option, words: Words) -> dict[str, Any]:
    """An option with its value, which shows no password, and its source."""
    value, (source, place) = ctx.params[str(option.name)], origin(ctx, option)
    if isinstance(value, Path | DatabaseUrl):
        value = str(value)
    is_default = source is ParameterSource.DEFAULT
    return {
        "option": key,
        "value": value,
        "source": words["cli.config.default"] if is_default else place,
    }


def _shown(value: object, words: Words) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        value = ", ".join(value)
    return words["cli.config.unset"] if value in (None, "") else str(value)


def _mistakes(values: dict[str, Any]) -> list[Refusal]:
    """The mistakes in these options that a server does not start with, and in variables."""
    found = []
    try:
        check_options(**values)
    except Refused as refused:
        found.append(refused.refusal)
    for name, near in misspelt(serve):
        found.append(denied("unknown", "config.variable", "", name=name, near=near).refusal)
    return found


def _has_password(file: ConfigFile) -> bool:
    named = file.values.get("data")
    return isinstance(named, str) and bool(DatabaseUrl(named).password)
