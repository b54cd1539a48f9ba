"""The table of figures in docs/torture.md: the long form of each harness writes its row."""

from __future__ import annotations

import platform
import time
from os import cpu_count, getloadavg
from pathlib import Path

from tools.torture.harness import Harness, Run

DOC = Path(__file__).parent.parent.parent / "docs" / "torture.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"
HEAD = "| harness | what holds | tried | failures | when and where |\n|---|---|---|---|---|\n"


def keep(harness: Harness, run: Run, doc: Path = DOC) -> None:
    """Rewrite the row of a harness, after its long form."""
    before, _, rest = doc.read_text(encoding="utf-8").partition(BEGIN)
    table, _, after = rest.partition(END)
    rows = {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}
    rows[harness.name] = row(harness, run)
    table = HEAD + "".join(f"{line}\n" for line in rows.values())
    doc.write_text(f"{before}{BEGIN}{table}{END}{after}", encoding="utf-8")


def row(harness: Harness, run: Run) -> str:
    """The row of a harness: its promise, its tries, its failures, and the machine with its load."""
    when = time.strftime("%Y-%m-%d", time.gmtime())
    machine = f"{platform.system()}, {cpu_count()} cores, load {getloadavg()[0]:.0f}"
    where = f"{when}, seed {run.seed}, {machine}, Python {platform.python_version()}"
    tried = " ".join([f"{harness.tried(run)}.", *run.notes])
    return f"| `{harness.name}` | {harness.promise} | {tried} | {len(run.failures):,} | {where} |"
