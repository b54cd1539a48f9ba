"""A whole log in sentences, and as a Markdown page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime, tzinfo
from typing import Literal

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
Kind = Literal["session", "scene", "line"]
KINDS: Mapping[str, Kind] = {"session": "session", "scene": "scene"}
"""The periods that have a heading."""
MARKS = {"session": "##", "scene": "###"}


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


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of a story: a heading of a session or a scene, or what happened.

    `date` is that of a session; `undone` was taken back, and `secret` not seen by everyone.
    """

    seq: int
    kind: Kind
    text: str
    date: str = ""
    _: KW_ONLY
    undone: bool = False
    secret: bool = False


def story_lines(
    records: Sequence[Record], system: System, zone: tzinfo | None = None
) -> Iterator[StoryLine]:
    """Yield the lines of a log; a session has the date of its beginning in this time zone."""
    kept = {record.seq for record in kept_records(records)}
    for record, text in zip(records, sentences(records, system), strict=True):
        event = record.event
        if event is None or not text:
            continue
        period = event.kind if isinstance(event, events.PeriodBegan) else ""
        day = datetime.fromtimestamp(record.at / 1000, UTC).astimezone(zone).date().isoformat()
        yield StoryLine(
            record.seq,
            KINDS.get(period, "line"),
            text,
            day if period == "session" else "",
            undone=record.seq not in kept and not isinstance(event, STAYS),
            secret=audience(event) is not None and not isinstance(event, events.Said),
        )


def title_of(records: Sequence[Record], system: System) -> str:
    """The title with which a table was opened, or the name of its game."""
    opened = (one.event.title for one in records if isinstance(one.event, events.TableOpened))
    return next(opened, system.name)


def transcript(records: Sequence[Record], system: System, zone: tzinfo | None = None) -> str:
    """A log as a Markdown page: a heading for each session and scene, a line for each event.

    Undone lines are struck out, and those that not everyone saw are marked. A session has the date
    of its beginning in this time zone, by default that of the computer.
    """
    lines = [f"# {plain_markdown(title_of(records, system))}", ""]
    for line in story_lines(records, system, zone):
        text = plain_markdown(line.text)
        if line.undone:
            text = f"~~{text}~~"
        if line.secret:
            text = system.words.say("story.in_secret", text=text)
        if line.kind == "line":
            lines.append(f"- {text}")
        else:
            lines += ["", f"{MARKS[line.kind]} {_dated(text, line)}", ""]
    return "\n".join(lines) + "\n"


def plain_transcript(records: Sequence[Record], system: System, zone: tzinfo | None = None) -> str:
    """A log as plain text: a line for each event, without those that were taken back."""
    lines = [title_of(records, system)]
    for line in story_lines(records, system, zone):
        if not line.undone:
            text = system.words.say("story.in_secret", text=line.text) if line.secret else line.text
            lines += [text] if line.kind == "line" else ["", _dated(text, line)]
    return "\n".join(lines) + "\n"


def _dated(text: str, line: StoryLine) -> str:
    """A heading without its full stop, with its date if it has one."""
    return text.rstrip(".") + (f" ({line.date})" if line.date else "")
