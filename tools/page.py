"""Check scripts and styles with deno: form, lint, and the types of the page.

`python -m tools.page` runs it; `python -m tools.page --write` formats them first. The types of the
server's interface are written into `build/` before.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tools import wire_types

ROOT = Path(__file__).resolve().parent.parent
TYPES = ROOT / "build" / "wire.d.ts"
"""The path of these types in deno.json."""
SCRIPTS = ("src/storypool/web/static/js", "docs/verify-dice.mjs")


def main(arguments: list[str]) -> int:
    """Run all checks, and count the failed ones."""
    TYPES.parent.mkdir(exist_ok=True)
    TYPES.write_text(wire_types.declarations(), encoding="utf-8", newline="\n")
    form = ["fmt"] if "--write" in arguments else ["fmt", "--check"]
    commands = (form, ["lint"], ["check", "--quiet", *SCRIPTS])
    return sum(_deno(command) != 0 for command in commands)


def _deno(command: list[str]) -> int:
    # It would ask its maker for a newer version of itself.
    environ = {**os.environ, "DENO_NO_UPDATE_CHECK": "1"}
    return subprocess.run(
        [sys.executable, "-m", "deno", *command], cwd=ROOT, env=environ
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
