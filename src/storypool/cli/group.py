"""The commands by name; each has its own module, imported when the command is called."""

from collections.abc import Sequence
from importlib import import_module

import click

from storypool.cli.refusals import print_refusal
from storypool.engine.refusal import Refusal
from storypool.words.languages import Languages

COMMANDS = {
    "roll": "storypool.cli.commands.roll_command:roll",
    "odds": "storypool.cli.commands.odds_command:odds",
    "odds-table": "storypool.cli.commands.odds_table_command:odds_table",
    "rules": "storypool.cli.commands.rules_command:rules",
    "words": "storypool.cli.commands.words_command:words",
    "play": "storypool.cli.commands.play_command:play",
    "check-game": "storypool.cli.commands.check_game_command:check_game",
    "lab": "storypool.cli.commands.lab_command:lab",
    "demo": "storypool.cli.commands.serve_command:demo",
    "serve": "storypool.cli.commands.serve_command:serve",
    "config": "storypool.cli.commands.config_command:config",
    "reload": "storypool.cli.commands.reload_command:reload",
    "table": "storypool.cli.commands.table_command:table",
    "character": "storypool.cli.from_files.character_command:character",
    "host": "storypool.cli.commands.host_command:host",
    "discord": "storypool.cli.commands.discord_command:discord",
    "backup": "storypool.cli.commands.backup_command:backup",
    "restore": "storypool.cli.commands.backup_command:restore",
    "check": "storypool.cli.commands.check_command:check",
    "doctor": "storypool.cli.commands.doctor_command:doctor",
    "move-data": "storypool.cli.commands.move_data_command:move_data",
    "recap": "storypool.cli.commands.recap_command:recap",
    "verify": "storypool.cli.commands.verify_command:verify",
}
"""The module and the function of each command."""


class LazyGroup(click.Group):
    """A click group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The imported command with this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


def _print_version(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from storypool.cli.built_from import version_with_commit

        click.echo(f"storypool {version_with_commit()}")
        context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and its commit.",
)
def storypool() -> None:
    """A live table for role-playing games whose dice carry symbols and whose stories run on shared
    points.
    """


def run(args: Sequence[str], languages: Languages) -> int:
    """Run one command line; click's errors are shown like any other bad input.

    Commands get the languages as click's context object.
    """
    language = languages.default
    try:
        code = storypool.main(
            list(args), prog_name="storypool", standalone_mode=False, obj=languages
        )
    except click.Abort:
        return 130
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        help_wanted.show()
        return 2
    except click.UsageError as wrong:
        where = (
            language.program.say("cli.help", command=wrong.ctx.command_path) if wrong.ctx else ""
        )
        field = getattr(getattr(wrong, "param", None), "name", "") or ""
        return print_refusal(
            Refusal("argument", wrong.format_message(), remedy=where, field=field), "--json" in args
        )
    except click.ClickException as wrong:
        return print_refusal(Refusal("storage", wrong.format_message()), "--json" in args)
    return code if isinstance(code, int) else 0
