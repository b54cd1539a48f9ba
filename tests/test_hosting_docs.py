"""What the docs tell hosts: the unit is one that systemd takes, and options, routes and figures are there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import click

from storypool.cli.group import storypool
from storypool.web.app import ENDPOINTS
from storypool.web.network.metrics import Metrics

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "hosting.md").read_text(encoding="utf-8")
UNIT = DOCS / "hosting" / "storypool.service"
SOCKET = UNIT.with_suffix(".socket")


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """With a program that is there in place of ours, nothing is left to say; it starts again whatever ends it."""
    text = UNIT.read_text(encoding="utf-8")
    assert "Restart=always" in text
    verify = shutil.which("systemd-analyze")
    if verify:
        unit, socket = tmp_path / UNIT.name, tmp_path / SOCKET.name
        program = shutil.which("true") or ""
        unit.write_text(text.replace("/opt/storypool/.venv/bin/storypool", program).replace("/opt/storypool", "/tmp"))
        shutil.copy(SOCKET, socket)
        ran = subprocess.run([verify, "verify", "--man=no", unit, socket], capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")


def test_what_the_docs_name_is_there() -> None:
    """Each option is one of `serve` or of a command for tables, each route is a route, and each figure is counted."""
    context = click.Context(storypool)
    commands = [storypool.get_command(context, name) for name in ("serve", "table", "doctor")]
    known = set[str]()
    for command in commands:
        assert command is not None
        for one in command.commands.values() if isinstance(command, click.Group) else (command,):
            known |= {option for param in one.params for option in (*param.opts, *param.secondary_opts)} | {"--help"}
    unit = UNIT.read_text(encoding="utf-8")
    options = set(re.findall(r"`(--[a-z-]+)", PAGE)) | set(re.findall(r" (--[a-z-]+)", unit.partition("ExecStart")[2]))
    assert options
    assert options <= known
    routes = {endpoint.path for endpoint in ENDPOINTS}
    assert set(re.findall(r"`GET (/api[^`]*)`", PAGE)) <= routes
    registry = Metrics().registry
    assert registry is not None
    counted = {metric.name for metric in registry.collect()}
    figures = {name.removesuffix("_total") for name in re.findall(r"`(storypool_\w+)", PAGE)}
    assert figures == {name for name in counted if name.startswith("storypool_")}
