"""Write the JSON Schema of game files, docs/game-file.schema.json: `python -m tools.game_files`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from storypool.gamefile.authoring.format_schema import json_schema

SCHEMA = Path(__file__).resolve().parent.parent / "docs" / "game-file.schema.json"


def schema() -> str:
    """The JSON Schema as text."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the schema; the exit code is 0."""
    SCHEMA.write_text(schema(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
