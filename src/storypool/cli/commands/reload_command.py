"""`storypool reload`: let a running server continue with the installed version, and wait for it."""

import json
import os
import re
import signal
import socket
import sys
from pathlib import Path

import click

from storypool.cli.data_folder import json_option
from storypool.cli.refusals import denied
from storypool.engine.refusal import Refusal, Refused
from storypool.web.serving.lifetime import ANSWERS
from storypool.web.serving.systemd import socket_name


@click.command()
@click.argument("process", type=click.IntRange(2))
@click.option(
    "--wait",
    "seconds",
    default=300,
    show_default=True,
    type=click.IntRange(1),
    help="Seconds to wait for the newer version.",
)
@json_option
def reload(process: int, seconds: int, as_json: bool) -> int:
    """Let the server with this PROCESS id continue with the version that is installed now.

    The server needs --replaceable. Where the new version cannot serve, the old one goes on, and the
    exit code is 1. For Linux; elsewhere send SIGHUP, and read the log.
    """
    if sys.platform != "linux":
        raise denied("argument", "reload.system")
    if not _takes_hangups(Path(f"/proc/{process}")):
        raise denied("unknown", "reload.none", "process", process=process)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
        try:
            wire.bind(socket_name(ANSWERS.format(process=process)))
            wire.settimeout(seconds)
            os.kill(process, signal.SIGHUP)
            answer = json.loads(wire.recv(4096))
        except TimeoutError:
            raise denied("storage", "reload.silent", process=process, seconds=seconds) from None
        except OSError as error:
            raise denied("storage", "reload.denied", process=process, why=error.strerror) from None
    if not answer["done"]:
        raise Refused(Refusal("storage", answer["text"]))
    click.echo(json.dumps(answer) if as_json else answer["text"])
    return 0


def _takes_hangups(process: Path) -> bool:
    """Whether a process is a server that goes on after SIGHUP, which would end any other."""
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
        status = (process / "status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    handled = int(re.findall(r"^SigCgt:\s+(\w+)$", status, re.MULTILINE)[0], 16)
    is_ours = any(b"storypool" in word for word in words) and b"serve" in words
    return is_ours and bool(handled & 1 << signal.SIGHUP - 1)
