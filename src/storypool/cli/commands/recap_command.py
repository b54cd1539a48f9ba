"""`storypool recap`: the latest session of an exported table."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from storypool.cli import arguments, output
from storypool.cli.refusals import denied
from storypool.engine.events import Record
from storypool.engine.fold import fold
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import view
from storypool.log.export import BadFile, import_records
from storypool.systems.newer_rules import played_in
from storypool.words import Phrase
from storypool.words.folding import alike
from storypool.words.languages import Languages


@click.command("recap")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--seat", default="", metavar="NAME", help="As one seat at the table saw it, by name."
)
@click.option(
    "--markdown", default="", metavar="FILE", help="Write it as Markdown; - is the output."
)
@click.option(
    "--svg",
    default="",
    metavar="FILE",
    help="Draw one picture to send to friends; - is the output.",
)
@click.option(
    "--png",
    default="",
    metavar="FILE",
    help="The same picture for programs that show no SVG; - is the output.",
)
@click.option("--html", default="", metavar="FILE", help="Write one page; - is the output.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def recap(
    languages: Languages,
    file: Path,
    seat: str,
    markdown: str,
    svg: str,
    png: str,
    html: str,
    as_json: bool,
) -> int:
    """Print a recap of the latest session of an exported table.

    The pools, each spend with its gain in chance, luck, the decisive moments, and the times without
    points. It depends on the file: an export has only the records that its seat saw.
    """
    from storypool.web.prints import raster
    from storypool.worth.session import session_recap
    from storypool.worth.session_leaflet import leaflet, picture
    from storypool.worth.session_view import view_session

    files = {"markdown": markdown, "svg": svg, "png": png, "html": html}
    if png and not raster.has_renderer():
        raise Refused(Refusal.of("unknown", Phrase("web.png"), "png"))
    output.one_output(*files.values(), as_json=as_json)
    for field, name in files.items():
        if name:
            output.writable(name, field)
    records, knows = read(file), True
    if seat:
        records, knows = as_seen(records, seat)
    system = arguments.system(played_in(records), languages.default)
    session = view_session(
        session_recap(records, system, chances=knows), system, fold(records).title
    )
    leaf = leaflet(session, system)
    if markdown:
        output.write(markdown, leaf.markdown(), "markdown")
    if svg:
        output.write(svg, picture(session, system), "svg")
    if png:
        output.write(png, raster.png(picture(session, system)), "png")
    if html:
        output.write(html, leaf.html(), "html")
    if as_json:
        print(json.dumps(asdict(session)))
    elif output.OUTPUT not in files.values():
        sys.stdout.write(leaf.text())
    return 0


def read(file: Path) -> list[Record]:
    """The records of an exported table; `Refused` names the first invalid line."""
    try:
        with file.open("rb") as lines:
            return import_records(lines)
    except BadFile as error:
        raise Refused(Refusal.of("argument", error, "file")) from None


def as_seen(records: list[Record], name: str) -> tuple[list[Record], bool]:
    """The log of one seat, and whether that seat knows odds; `Refused` lists the seats."""
    from storypool.worth.weighing import may_weigh

    table = fold(records)
    seats = table.seats.values()
    found = [one for one in seats if alike(name) in (alike(one.name), one.id)]
    if not found:
        raise denied(
            "argument", "seat", "seat", name=name, here=", ".join(one.name for one in seats)
        )
    return view(records, found[0]), may_weigh(table, found[0].id)
