"""The page's modules as one script and its styles as one sheet: a browser asks for three files instead of ninety.

They stay files that a browser could take as they are: no tool builds anything, and nobody needs one to change the
page. Joining happens when the files are read. It knows no more of JavaScript than the page uses, and refuses the
rest: named imports from files beside, one to a line and above all else; `export` before a function, a class or a
constant; no circles. Comments that have lines of their own are left out: they are a fifth of what would be sent.
So are empty lines, the room before a line, its end after a bracket or a stop, a stop before the end of a block,
and the room behind a parenthesis before the body of a function: a text of the page keeps to one line. In what is
joined a module has a number, which is shorter than its name.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping

INDENT = re.compile(rb"^[ \t]+|^\n", re.MULTILINE)
BREAK = re.compile(rb"(?<=[{};,])\n")
GOES_ON = re.compile(rb"(?<=[{(;,])\n")
IMPORT = re.compile(r'^import (?:\{([^{}]*)\} from )?"(\.[^"]*)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
# Two searches: as one expression, which is tried at every letter, they would take three times as long.
FOREIGN = (re.compile(r"^(?:import|export)\b.*", re.MULTILINE), re.compile("[{(;,] +// .*"))
TIGHT = re.compile(rb"(?<=\)) (=> |\{$)|;\n\s*(?=\})", re.MULTILINE)
LOOSE = re.compile(rb"(?<=[;{]\n)(\s*[a-z-]+:) |;\n\s*(?=\})|(,) (?=[^{}\n]*[;,]$)", re.MULTILINE)
COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
SHEETS = re.compile(r'(?: *<link rel="stylesheet" href="/static/css/[^"]*">\n)+')
HREF = re.compile(r'href="/static/([^"]*)"')
SCRIPT = re.compile(r'<script type="module" src="/static/([^"]*)">')


def bundled(files: Mapping[str, bytes], shell: str) -> dict[str, bytes]:
    """Return what takes the place of a shell and of the module that it names, and the sheet that it names now."""
    if shell not in files:
        return {}
    named = SCRIPT.findall(files[shell].decode("utf-8"))
    return sheet(files, shell) | {path: script(files, path) for path in named}


def script(files: Mapping[str, bytes], first: str, apart: str = "vendor/") -> bytes:
    """Return a module and all that it imports as one module, in the order in which a browser would run them.

    It exports each of them as an object under its own name, as in `import { store } from ...`. What stands below
    `apart` is imported, once for all, and not joined. `ValueError` names the module with what cannot be joined.
    """
    joined: dict[str, str] = {}
    started, imported = list[str](), defaultdict[str, set[str]](set)

    def name_of(path: str) -> str:
        return posixpath.basename(path).removesuffix(".js").replace("-", "_")

    def number_of(path: str) -> str:
        return f"${started.index(path)}"

    def join(path: str) -> None:
        if path in started:
            if path not in joined:
                raise ValueError(f"{path} imports itself by way of others: the page's modules make no circles.")
            return
        started.append(path)
        if path not in files:
            raise ValueError(f"{path} is imported and is not there.")

        def taken(found: re.Match[str]) -> str:
            other = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[2]))
            if other.startswith(apart):
                imported[posixpath.relpath(other, posixpath.dirname(first))].update(found[1].strip().split(", "))
                return ""
            join(other)
            return f"const {{{found[1].replace(' as ', ': ')}}} = {number_of(other)};" if found[1] else ""

        plain = TIGHT.sub(lambda sign: (sign[1] or b"").strip(), COMMENT.sub(b"", files[path]))
        text = IMPORT.sub(taken, plain.decode("utf-8"))
        exported = ", ".join(EXPORT.findall(text))
        text = EXPORT.sub("", text)
        if left := FOREIGN[0].search(text) or FOREIGN[1].search(text):
            raise ValueError(f"{path} has {left[0]!r}, which cannot be joined: see web/page/bundles.py.")
        number = number_of(path)
        joined[path] = f"const {number} = (() => {{\n{text}\nreturn {{ {exported} }};\n}})();\n"

    join(first)
    names = list(map(name_of, joined))
    if len(names) != len(set(names)):
        raise ValueError("Two modules of the page have one name.")
    above = "".join(
        f'import {{ {", ".join(sorted(found))} }} from "./{path}";\n' for path, found in imported.items()
    )
    below = ", ".join(f"{number_of(path)} as {name_of(path)}" for path in joined)
    whole = f"{above}{''.join(joined.values())}export {{ {below} }};\n"
    return GOES_ON.sub(b"", INDENT.sub(b"", whole.encode()))


def sheet_of(shell: str) -> str:
    """Return where the sheet is that holds all styles of a shell."""
    return f"css/of-{shell.removesuffix('.html')}.css"


def sheet(files: Mapping[str, bytes], shell: str) -> dict[str, bytes]:
    """Return this shell with one style sheet in place of those in `css/`, and that sheet: all, in order."""
    text, whole = files[shell].decode("utf-8"), sheet_of(shell)
    if (found := SHEETS.search(text)) is None:
        return {}
    text = SHEETS.sub(f'    <link rel="stylesheet" href="/static/{whole}">\n', text, count=1)
    styles = b"".join(files[path] for path in HREF.findall(found[0]))
    styles = LOOSE.sub(lambda found: found[1] or found[2] or b"", COMMENT.sub(b"", styles))
    return {shell: text.encode(), whole: BREAK.sub(b"", INDENT.sub(b"", styles))}
