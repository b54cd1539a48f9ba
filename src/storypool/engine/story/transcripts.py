"""A whole log in sentences, and as a Markdown page."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo

from storypool.engine import events
from storypool.engine.events import Record
from storypool.engine.fold import fold, fold_on, kept_records
from storypool.engine.game.system import System
from storypool.engine.sight import audience
from storypool.engine.story.record_sentences import sentence
from storypool.engine.table import Table
from storypool.words.markdown import plain_markdown

STAYS = (events.Rewound, events.PaperSet)
"""The events that no rewind takes back."""


def sentences(
    records: Sequence[Record], system: System, past: Callable[[int], Table] | None = None
) -> Iterator[str]:
    """Yield the sentence of each record of a log, from the first; "" for a record without one.

    `past(seq)` returns the table after an earlier record, for rewinds; without it, the log is
    folded again.
    """
    table = Table()
    for i, record in enumerate(records):
        yield sentence(record, table, system)
        table = fold_on(table, [record], past or (lambda seq: fold(records[:seq])))
        assert table.seq == i + 1


def transcript(records: Sequence[Record], system: System, zone: tzinfo | None = None) -> str:
    """A log as a Markdown page: a heading for each session and scene, a line for each event.

    Undone lines are struck out, and those that not everyone saw are marked. A session has the date
    of its beginning in this time zone, by default that of the computer.
    """
    kept = {record.seq for record in kept_records(records)}
    title = next(
        (r.event.title for r in records if isinstance(r.event, events.TableOpened)), system.name
    )
    lines = [f"# {plain_markdown(title)}", ""]
    for record, text in zip(records, sentences(records, system), strict=True):
        if record.event is None or not text:
            continue
        text = plain_markdown(text)
        if record.seq not in kept and not isinstance(
            record.event, events.Rewound | events.PaperSet
        ):
            text = f"~~{text}~~"
        if audience(record.event) is not None and not isinstance(record.event, events.Said):
            text = system.words.say("story.in_secret", text=text)
        if isinstance(record.event, events.PeriodBegan) and record.event.kind in (
            "session",
            "scene",
        ):
            mark = "##" if record.event.kind == "session" else "###"
            day = datetime.fromtimestamp(record.at / 1000, UTC).astimezone(zone).date().isoformat()
            lines += ["", f"{mark} {text.rstrip('.')}" + (f" ({day})" if mark == "##" else ""), ""]
        else:
            lines.append(f"- {text}")
    return "\n".join(lines) + "\n"
