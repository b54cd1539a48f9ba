"""Commands whose options may also come from variables and from a file of settings."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
from click.core import ParameterSource

from storypool.cli.config.config_file import ConfigFile, find, standard
from storypool.cli.refusals import denied
from storypool.engine.refusal import Refused, nearest
from storypool.log.places import place

Command = TypeVar("Command", bound=Callable[..., Any])

PREFIX = "STORYPOOL"
"""The beginning of the variables for options."""
MISSPELT = 0.75
"""How similar the name of a variable must be to that of an option to be taken for it, up to 1."""
FILE = "storypool.config_file"
"""The key of the `ConfigFile` of a command, or None, in the `meta` of its context."""


class GivenValue(NamedTuple):
    """The source of the value of an option, and where that is: an option, a variable or a line."""

    source: ParameterSource
    place: str


def config_option(command: Command) -> Command:
    """Add the option `--config`, for the file of settings."""
    return click.option(
        "--config",
        type=click.Path(dir_okay=False),
        expose_value=False,
        help=(
            "A file of settings, with these options by name.  [default: storypool.toml in the data"
            " folder, or in this user's folder of settings]"
        ),
    )(command)


class Configured(click.Command):
    """A command that takes each option from the command line, a variable, a file or its default.

    The first of them that has it counts. A mistake in the file is refused with its line, also where
    its value does not count.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.context_settings = {**self.context_settings, "auto_envvar_prefix": PREFIX}

    def make_context(self, *given: Any, **named: Any) -> click.Context:
        """Like click's own; until the command ends, nothing is collected that its start makes."""
        gc.disable()
        try:
            return super().make_context(*given, **named)
        except BaseException:
            gc.enable()
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a server enables the garbage collector itself."""
        try:
            return super().invoke(ctx)
        finally:
            gc.enable()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the file of settings, and then all options."""
        given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        help_wanted = self.get_help_option(ctx)
        if not (help_wanted and given.get(str(help_wanted.name))):
            data = place(given.get("data") or os.environ.get(f"{PREFIX}_DATA") or str(standard()))
            config = given.get("config") or os.environ.get(f"{PREFIX}_CONFIG")
            file = find(config, data if isinstance(data, Path) else None)
            ctx.meta[FILE], ctx.default_map = file, self._defaults(ctx, file) if file else {}
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as wrong:
            # Name the variable where the value is from one.
            if wrong.param and wrong.param.name:
                source = ctx.get_parameter_source(wrong.param.name)
                if source is ParameterSource.ENVIRONMENT:
                    wrong.param_hint = variable(wrong.param)
            raise

    def _defaults(self, ctx: click.Context, file: ConfigFile) -> dict[str, Any]:
        """The values of a file by the names of parameters; `Refused` has all of its mistakes."""
        options, values, mistakes = by_key(self), dict[str, Any](), list[Refused]()
        for key in file.values:
            try:
                option = _option(file, key, options)
                values[str(option.name)] = _value(ctx, file, key, option)
            except Refused as refused:
                mistakes.append(refused)
        if mistakes:
            raise Refused(mistakes[0].refusal, [one.refusal for one in mistakes])
        return values


def by_key(command: click.Command) -> dict[str, click.Option]:
    """The options that a file may set, by their keys."""
    options = (one for one in command.params if isinstance(one, click.Option))
    return {key_of(one): one for one in options if one.expose_value}


def key_of(option: click.Parameter) -> str:
    """The key of an option in a file: its name without dashes before it."""
    return max(option.opts, key=len).lstrip("-")


def variable(option: click.Parameter) -> str:
    """The variable of an option."""
    return f"{PREFIX}_{key_of(option).replace('-', '_').upper()}"


def origin(ctx: click.Context, option: click.Option) -> GivenValue:
    """The source of an option's value in a parsed context."""
    source = ctx.get_parameter_source(str(option.name)) or ParameterSource.DEFAULT
    file: ConfigFile | None = ctx.meta.get(FILE)
    where = ""
    if source is ParameterSource.COMMANDLINE:
        where = f"--{key_of(option)}"
    elif source is ParameterSource.ENVIRONMENT:
        where = variable(option)
    elif source is ParameterSource.DEFAULT_MAP and file:
        where = f"{file.path}:{file.line_of(key_of(option))}"
    return GivenValue(source, where)


def misspelt(command: click.Command) -> Iterator[tuple[str, str]]:
    """Each variable that is nearly one of an option, and the nearest one."""
    from difflib import get_close_matches  # slow to import, and only needed here

    known = {variable(option).removeprefix(f"{PREFIX}_") for option in command.params}
    for name in sorted(os.environ):
        prefix, _, rest = name.partition("_")
        near = get_close_matches(rest, known, 1, MISSPELT) if prefix == PREFIX else []
        if near and rest not in known:
            yield name, f"{PREFIX}_{near[0]}"


def _option(file: ConfigFile, key: str, options: dict[str, click.Option]) -> click.Option:
    if key in options:
        return options[key]
    near, known = nearest(key, options), ", ".join(sorted(options))
    raise denied(
        "unknown",
        "config.near" if near else "config.unknown",
        key,
        file=file.path,
        line=file.line_of(key),
        key=key,
        near=", ".join(near),
        known=known,
    )


def _value(ctx: click.Context, file: ConfigFile, key: str, option: click.Option) -> Any:
    """A value as the option takes it from the command line; `Refused` where it does not."""
    value, where = file.values[key], {"file": file.path, "line": file.line_of(key), "key": key}
    kind: type = str
    if option.multiple:
        kind = list
    elif option.is_flag:
        kind = bool
    elif isinstance(option.type, click.types.IntParamType):
        kind = int
    texts = value if option.multiple and isinstance(value, list) else ()
    if type(value) is not kind or not all(isinstance(one, str) for one in texts):
        raise denied("argument", f"config.{kind.__name__}", key, **where)
    try:
        option.type_cast_value(ctx, value)
    except click.BadParameter as wrong:
        raise denied("argument", "config.value", key, why=wrong.message, **where) from None
    except Refused as wrong:
        raise denied("argument", "config.value", key, why=wrong.refusal.text, **where) from None
    if isinstance(value, str) and option.name in PATHS and isinstance(place(value), Path):
        return file.located(value)
    return value


PATHS: Sequence[str] = ("data", "backup_to", "host_token_file")
"""The options whose values are paths."""
