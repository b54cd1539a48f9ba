"""A backup each night, in a folder that keeps those of the last nights."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from storypool.log.disk.database import backup
from storypool.log.disk.sqlite_errors import as_store_errors
from storypool.log.store import StoreError

logger = logging.getLogger("storypool.live")

BACKUP_HOUR = 4
"""The local hour at which a backup is due; a server that starts later makes it then."""
LOOK_EVERY_S, RETRY_PAUSE_S = 600.0, 3600.0
"""Seconds between two checks of the clock, and before a failed backup is tried again."""
_NAME = re.compile(r"storypool-(\d{4}-\d{2}-\d{2})\.db")
_PART = re.compile(r"storypool-\d{4}-\d{2}-\d{2}\.db\.part.*")


class Nightly:
    """Backs a database up each night into a folder, and keeps the backups of the last `days`.

    `report` is called with the error of a failed backup, and with None after a success.
    """

    def __init__(
        self,
        source: Path,
        folder: Path,
        days: int,
        report: Callable[[StoreError | None], object] = lambda _: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone(),
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.source, self.folder, self.days, self.report = source, folder, days, report
        self.now, self.sleep = now, sleep

    async def run(self) -> None:
        """Back up whenever it is due, until cancelled."""
        while True:
            await self.sleep(LOOK_EVERY_S if await self.back_up_if_due() else RETRY_PAUSE_S)

    async def back_up_if_due(self) -> bool:
        """Write the backup of this night if there is none; return whether there is one now."""
        night = self.night()
        try:
            written = await asyncio.to_thread(self.back_up, night)
        except StoreError as error:
            logger.error("The backup of %s failed: %s", night, error)
            self.report(error)
            return False
        if written:
            logger.info("Backed up: %s", written)
        self.report(None)
        return True

    def night(self) -> date:
        """The date of the last night that should have a backup."""
        return (self.now() - timedelta(hours=BACKUP_HOUR)).date()

    def back_up(self, night: date) -> Path | None:
        """Write the backup of a night, and delete old ones; return its file, or None if it existed.

        The file gets its name only after it has been read back and is whole. Raises `StoreError`.
        """
        target = self.folder / f"storypool-{night}.db"
        if target.exists():
            return None
        with as_store_errors(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for part in self._named(_PART):
                part.unlink()
            backup(self.source, target)
            # Ignore backups dated in the future, by a wrong clock: they must not make others old.
            kept = sorted(file for file in self._named(_NAME) if file.name <= target.name)
            for old in kept[: -self.days]:
                old.unlink()
        return target

    def _named(self, name: re.Pattern[str]) -> list[Path]:
        return [file for file in self.folder.iterdir() if name.fullmatch(file.name)]
