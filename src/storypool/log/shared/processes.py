"""State shared by the processes of one PostgreSQL database: followers of tables, and limits."""

from collections.abc import Sequence
from typing import Any

from storypool.log.shared.reconnecting import Connection
from storypool.log.shared.relations import columns, unnested


def set_present(
    db: Connection, process: str, here: Sequence[tuple[str, str, str]], gone: Sequence[str]
) -> None:
    """Store that a process runs now, and the seats that follow tables there.

    `gone` are the tables without followers there from now on.
    """
    with db.transaction():
        beat = "INSERT INTO storypool.processes VALUES (%s, clock_timestamp()) "
        db.execute(beat + "ON CONFLICT (id) DO UPDATE SET seen = excluded.seen", (process,))
        if here:
            db.execute(_INSERT_PRESENCE, columns(here, 3))
        if gone:
            sql = "DELETE FROM storypool.presence WHERE process = %s AND table_id = ANY(%s)"
            db.execute(sql, (process, list(gone)))


def forget_processes(db: Connection) -> None:
    """Forget the processes that were last seen more than an hour ago, and the seats there."""
    db.execute("DELETE FROM storypool.processes WHERE seen < clock_timestamp() - interval '1 hour'")
    db.execute(
        "DELETE FROM storypool.presence WHERE process NOT IN (SELECT id FROM storypool.processes)"
    )


def present_elsewhere(db: Connection, process: str, tables: Sequence[str]) -> dict[str, set[str]]:
    """The seats that follow these tables at other processes, by table; each was seen within 5 s."""
    found: list[Any] = db.execute(
        "SELECT table_id, seats FROM storypool.presence AS present JOIN storypool.processes AS"
        " running ON running.id = present.process WHERE table_id = ANY(%s) AND process <> %s AND"
        " seen > clock_timestamp() - interval '5 seconds'",
        (list(tables), process),
    ).fetchall()
    seats: dict[str, set[str]] = {}
    for table, some in found:
        seats.setdefault(table, set()).update(some.split(" "))
    return seats


def take(db: Connection, bucket: str, burst: float, each_second: float) -> float:
    """Take one from a token bucket and return 0, or the seconds to wait. Locks the bucket's row."""
    given = {"id": bucket, "one": 1 / each_second, "most": burst / each_second}
    # A full bucket equals a missing one, so only used buckets stay.
    db.execute("DELETE FROM storypool.buckets WHERE full_at < now()")
    if db.execute(_TAKE, given).rowcount:
        return 0.0
    found: list[Any] = db.execute(_WAIT, given).fetchall()
    return max(0.001, *found[0]) if found else 0.001


_INSERT_PRESENCE = f"""
INSERT INTO storypool.presence (table_id, process, seats)
SELECT * FROM unnest({unnested("text text text")})
ON CONFLICT (table_id, process) DO UPDATE SET seats = excluded.seats
"""
# Read the time where a row is inserted: a sharded database allows no clock in an update.
_TAKE = """
INSERT INTO storypool.buckets AS old VALUES (%(id)s, now() + %(one)s * interval '1 second')
ON CONFLICT (id) DO UPDATE
SET full_at = greatest(old.full_at + %(one)s * interval '1 second', excluded.full_at)
WHERE old.full_at + %(one)s * interval '2 seconds'
    <= excluded.full_at + %(most)s * interval '1 second'
"""
_WAIT = """
SELECT extract(epoch FROM full_at - now())::float8 + %(one)s - %(most)s
FROM storypool.buckets WHERE id = %(id)s
"""
