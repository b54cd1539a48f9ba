"""The scripts that tests run in a page: modules with a function as their default export."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("scripts")
IMPORT = re.compile(r'^import (\w+) from "\./([\w-]+)\.js";$', re.MULTILINE)


@cache
def script(name: str) -> str:
    """The function of a script as an expression; it contains the functions that it imports."""
    text = (FOLDER / f"{name}.js").read_text(encoding="utf-8")
    head, _, function = text.partition("export default ")
    function = function.strip().removesuffix(";")
    imports = [f"const {own} = {script(other)};" for own, other in IMPORT.findall(head)]
    if not imports:
        return function
    return "\n".join(["(given) => {", *imports, f"return ({function})(given);", "}"])
