"""Fill the table of limits in docs/api.md from the code: `python -m tools.limits`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import get_type_hints

from storypool.web.server_settings import Limits, Rate

PAGE = Path(__file__).resolve().parent.parent / "docs" / "api.md"
BEGIN, END = "<!-- limits -->\n", "<!-- end of limits -->\n"
HEAD = "| limit | number | of what |\n|---|---|---|\n"


def page(text: str) -> str:
    """The page with the present table of limits."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}{table()}{END}{after}"


def table() -> str:
    """Each limit with its number and its meaning."""
    hints, limits = get_type_hints(Limits, include_extras=True), Limits()
    rows = (
        f"| `{field.name}` | {_written(getattr(limits, field.name))} |"
        f" {hints[field.name].__metadata__[0]} |\n"
        for field in dataclasses.fields(Limits)
        if field.name in hints and field.name != "_"
    )
    return HEAD + "".join(rows)


def _written(limit: Rate | float) -> str:
    if not isinstance(limit, Rate):
        return f"{limit:,.0f}"
    if limit.each_second >= 1:
        return f"{limit.burst:,.0f}, then {limit.each_second:,.0f} a second"
    return f"{limit.burst:,.0f}, then one each {1 / limit.each_second:,.0f} seconds"


def main() -> None:
    """Fill the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
