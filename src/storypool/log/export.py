"""Export a table to one file and read it again: a header, then a line of JSON for each record.

A record has the one shape that it has everywhere, see `log.codec.record_json`. The header has the
link of the last line, a hash over the link before it and the line: a line that was changed, put in
or left out is found. The caller first removes what a seat may not see, with
`engine.sight.copy_for`: a hidden record keeps only its number and its time.
"""

import os
import re
import sys
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from storypool.engine.dice import Misused, described
from storypool.engine.events import Record, Rewound, TableOpened
from storypool.engine.sight import audience
from storypool.log.chain import START
from storypool.log.codec import FORMAT as VERSION
from storypool.log.codec import from_dict, from_json, record_json, to_json
from storypool.log.store import StoreError
from storypool.words import BadValue, Phrase, StorypoolError
from storypool.words.text_files import NotText, lines_of

__all__ = ["BadFile", "export_lines", "import_records", "load"]

FORMAT = "storypool table"
MAX_BYTES = 64 << 20
MAX_RECORDS = 100_000
NO_PICTURES: Mapping[str, bytes] = MappingProxyType({})


class BadFile(StorypoolError, ValueError):
    """Raised when an exported table cannot be read: one sentence with the line and the reason."""


def export_lines(
    records: Sequence[Record], pictures: Mapping[str, bytes] = NO_PICTURES
) -> Iterator[bytes]:
    """Yield the file line by line, each with its line end; a line for each picture ends it."""
    lines = [record_json(record) + b"\n" for record in records]
    for key, picture in pictures.items():
        shown = {"picture": key, "data": b64encode(picture).decode()}
        lines.append(to_json(shown).encode() + b"\n")
    link = START
    for line in lines:
        link = _link(link, line)
    header = {"format": FORMAT, "v": VERSION, "records": len(records), "link": link.hex()}
    if pictures:
        header["pictures"] = len(pictures)
    yield to_json(header).encode() + b"\n"
    yield from lines


def load(source: str | os.PathLike[str] | Iterable[str | bytes]) -> list[Record]:
    """The records of an exported table, from the path of its file or from its lines.

    They are complete from number 1 on, ready for `fold`, `view` and `sentences`. A file that a
    player exported has records with a number and a time alone, `event` None, for all that was
    hidden. Any earlier format is read, and there is no limit of size. `BadFile` is one sentence
    with the line and the reason, or says why the file cannot be read.

    >>> load(["this is something else"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    storypool.log.export.BadFile: This is not the file of a Storypool table: ...
    """
    if isinstance(source, str | os.PathLike):
        return _loaded(os.fspath(source))
    given: object = source
    if isinstance(given, bytes | bytearray) or not isinstance(given, Iterable):
        raise Misused(
            "A log is loaded by the path of its file or from its lines, as in load('table.jsonl'),"
            f" not from {described(given)}."
        )
    return import_records(map(_encoded, source), sys.maxsize, sys.maxsize)


def _loaded(path: str) -> list[Record]:
    if "\n" in path or path.lstrip().startswith("{"):
        raise BadFile(Phrase("log.file.text"))
    try:
        with open(path, "rb") as file:
            return import_records(file, sys.maxsize, sys.maxsize)
    except BadFile:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadFile(Phrase("brought.file", file=path, why=why)) from None


def _encoded(line: str | bytes) -> bytes:
    if isinstance(line, str):
        # A lone surrogate is then found as what it is: a line that is not UTF-8.
        return line.encode("utf-8", "surrogatepass")
    if isinstance(line, bytes):
        return line
    raise Misused(f"A line of a log is text or bytes, not {described(line)}.")


def import_records(
    lines: Iterable[bytes], max_bytes: int = MAX_BYTES, max_records: int | None = None
) -> list[Record]:
    """The records of a file for a new table, complete from number 1 on; `BadFile` otherwise.

    `lines` are not trusted, so there are at most `MAX_RECORDS` or the given numbers. A record
    without an audience gets that of its event, so that a secret in a player's exported log does not
    become public on import.
    """
    return import_table(lines, max_bytes, max_records).records


class Imported(NamedTuple):
    """The records of a file, and its pictures by their keys, which nobody has decoded yet."""

    records: list[Record]
    pictures: dict[str, bytes]


def import_table(
    lines: Iterable[bytes], max_bytes: int = MAX_BYTES, max_records: int | None = None
) -> Imported:
    """Like `import_records`, with the pictures of the file."""
    most = MAX_RECORDS if max_records is None else max_records
    try:
        return _imported(lines_of(_limited(lines, max_bytes)), most)
    except NotText as error:
        raise BadFile(*error.args) from None


def _imported(lines: Iterator[tuple[int, bytes]], most: int) -> Imported:
    records, pictures = list[Record](), dict[str, bytes]()
    format, expected, last = _header(next(lines, (1, b""))[1])
    link = START
    for number, line in lines:
        link = _link(link, line)
        seq = len(records) + 1
        if seq > expected and line.startswith(b'{"picture":'):
            try:
                pictures |= _picture(_data(line))
            except ValueError as error:
                raise BadFile(Phrase("log.file.line", n=number, why=error)) from None
            continue
        if seq > most:
            raise BadFile(Phrase("log.file.most", most=most))
        try:
            record = from_dict(_data(line), format)
            if record.seq != seq or not 0 <= record.at < 1 << 53:
                raise BadValue(Phrase("log.file.record", n=seq))
            if seq == 1 and not isinstance(record.event, TableOpened):
                raise BadValue(Phrase("log.file.opens"))
            if isinstance(record.event, Rewound) and not 0 <= record.event.to < record.seq:
                raise BadValue(Phrase("log.file.rewinds", n=record.event.to))
            if record.event is not None and record.seen_by is None:
                record = record._replace(seen_by=audience(record.event))
        except (StoreError, ValueError, RecursionError) as error:
            raise BadFile(Phrase("log.file.line", n=number, why=error)) from None
        records.append(record)
    if len(records) != expected or not records:
        raise BadFile(Phrase("log.file.cut", n=len(records), expected=expected))
    # Files of older versions have no links.
    if last and last != link.hex():
        raise BadFile(Phrase("log.file.changed"))
    return Imported(records, pictures)


def _picture(line: object) -> dict[str, bytes]:
    """A picture by its key; `ValueError` if the line has none."""
    match line:
        case {"picture": str(key), "data": str(data)} if re.fullmatch("[0-9a-f]{32}", key):
            try:
                return {key: b64decode(data, validate=True)}
            except NotBase64:
                pass
    raise BadValue(Phrase("log.file.picture"))


def _data(line: bytes) -> object:
    try:
        return from_json(line)
    except (ValueError, RecursionError):
        try:
            line.decode()
        except UnicodeDecodeError:
            raise BadValue(Phrase("log.file.encoding")) from None
        raise BadValue(Phrase("log.file.json")) from None


def _link(before: bytes, line: bytes) -> bytes:
    return sha256(before + line.rstrip(b"\r\n")).digest()


def _limited(lines: Iterable[bytes], most: int) -> Iterator[bytes]:
    size = 0
    for line in lines:
        size += len(line)
        if size > most:
            raise BadFile(Phrase("log.file.large", most=most))
        yield line


def _header(line: bytes) -> tuple[int, int, str]:
    """The format of the file, its number of records, and the link of the last ("" without)."""
    if not line:
        raise BadFile(Phrase("log.file.empty"))
    try:
        header = from_json(line)
        format, version, records = header["format"], header["v"], header["records"]
        last = header.get("link", "")
    except (ValueError, TypeError, KeyError, RecursionError):
        format, version, records, last = "", 0, 0, ""
    if format != FORMAT or not (type(version) is type(records) is int) or not isinstance(last, str):
        raise BadFile(Phrase("log.file.foreign"))
    if version > VERSION:
        raise BadFile(Phrase("log.file.newer", v=version))
    return version, records, last
