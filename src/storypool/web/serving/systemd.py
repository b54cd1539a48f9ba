"""What systemd is sent about this service, and what it says in variables.

See sd_notify(3), systemd.service(5) and systemd.exec(5). Without systemd nothing is sent.
"""

import asyncio
import os
import socket
import time
from contextlib import suppress

SEND_S = 1.0
"""Seconds until a message is given up whose receiver reads nothing."""
READY, STOPPING, WATCHDOG = "READY=1", "STOPPING=1", "WATCHDOG=1"


def notify(*lines: str) -> None:
    """Send lines to systemd. Its unit needs NotifyAccess=all: several processes send them."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        send(address, "\n".join(lines))


def reloading() -> None:
    """Send that a reload begins; `READY` ends it."""
    notify("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}")


def stopping() -> None:
    """Send that the service ends, if this is its main process and not one that is replaced."""
    if os.environ.get("SYSTEMD_EXEC_PID") == str(os.getpid()):
        notify(STOPPING)


async def keep_watchdog() -> None:
    """Send that the event loop goes on, twice as often as systemd wants to know, until cancelled.

    It ends at once where systemd does not want to know.
    """
    every_us = os.environ.get("WATCHDOG_USEC", "")
    while every_us.isdecimal():
        notify(WATCHDOG)
        await asyncio.sleep(int(every_us) / 2e6)


def send(address: str, text: str) -> None:
    """Send a datagram to a Unix socket: a path, or with @ a name; lost if nobody listens."""
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        wire.settimeout(SEND_S)
        wire.sendto(text.encode(), socket_name(address))


def socket_name(address: str) -> str:
    """An address of a Unix socket as the system takes it."""
    return f"\0{address[1:]}" if address.startswith("@") else address


def is_journal() -> bool:
    """Whether systemd's journal takes what this process prints."""
    stream = os.environ.get("JOURNAL_STREAM", "")
    for output in (1, 2):
        with suppress(OSError):
            there = os.fstat(output)
            if f"{there.st_dev}:{there.st_ino}" == stream:
                return True
    return False
