"""The page's modules as one script and its styles as one sheet: three requests instead of ninety.

What a page loads later is a script of its own. The sources stay files that a browser could take as
they are; they are joined when they are read, and no tool builds anything.

It supports only the JavaScript that the page uses, and refuses the rest: named imports from
relative paths, above all else; ``import(`./file.js${again}`)`` for later loading; `export` before a
function, a class or a constant; no circles.

Comments on lines of their own are left out: they are a fifth of the bytes. So are empty lines,
indentation, ends of lines before anything but a name, trailing commas, semicolons before the end of
a block, and spaces within braces, around signs and before the body of a function. A text of the
page stays on one line. An expression of several lines is sent as one, which compresses best.
Modules have numbers, which are shorter than names.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping

INDENT = re.compile(rb"^[ \t]+|^\n", re.MULTILINE)
BREAK = re.compile(rb"(?<=[{};,])\n")
GOES_ON = re.compile(rb"(?<=[{;])\n")
# Line ends within an expression or a template, each with its replacement on a joined line: a space,
# or nothing next to a bracket, a tag or a template.
ENDS = (
    (re.compile(rb",\n(?=\})"), b" "),
    (re.compile(rb",\n(?=[)\]])|\n(?=[)\]`]|\.\w|\?\.)|(?<=[(\[`])\n"), b""),
    (re.compile(rb"(?<=[>}])\n(?=[<$])|(?<=[^=]>)\n"), b""),
    (re.compile(rb"(?:(?<=[,=?:&|+])|(?<==>))\n|(?<=\{)\n(?=\.\.\.|\w+[:,])"), b" "),
    (re.compile(rb"\n(?=[?:&|]|[\w-]+=[\"$]|\.\.\.\$|/>)"), b" "),
)
IMPORT = re.compile(r'^import (?:\{([^{}]*)\} from )?"(\.[^"]*)";$', re.MULTILINE)
LATER = re.compile(r"\bimport\(`(\.[^`$]*)\$\{again\}`\)")
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
# Two searches: one expression for both, tried at every letter, takes three times as long.
FOREIGN = (
    re.compile(r"^(?:import|export)\b.*|\bimport\((?!`\./[\w.-]+\$).*", re.MULTILINE),
    re.compile("[{(;,] +// .*"),
)
# The type of a value, and signs that no text of the page has between spaces.
TYPE = re.compile(rb"/\*\* @type \{[^*]*\} \*/ ")
SIGN = re.compile(rb" (===|!==|&&|\|\||\?\?=?|\|\|=|[<>+-]=|[?:]) ")
BRACE = re.compile(r"(?<=\{) (?=[\w.\[])|(?<=[\w)\]]) (?=\})")
SET = re.compile(rb"(\b(?:const|let) (?:[\w$]+|\{[^{}=]*\}|\[[^\]=]*\])) = ")
TIGHT = re.compile(rb"(?<=\)) (=> |\{$)|;\n\s*(?=\})", re.MULTILINE)
LOOSE = re.compile(rb"(?<=[;{]\n)(\s*[a-z-]+:) |;\n\s*(?=\})|(,) (?=[^{}\n]*[;,]$)", re.MULTILINE)
COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
SHEETS = re.compile(r'(?: *<link rel="stylesheet" href="/static/css/[^"]*">\n)+')
HREF = re.compile(r'href="/static/([^"]*)"')
SCRIPT = re.compile(r'<script type="module" src="/static/([^"]*)">')


def bundled(files: Mapping[str, bytes], shell: str) -> dict[str, bytes]:
    """A shell with one sheet, that sheet, and the scripts of the module that the shell names."""
    if shell not in files:
        return {}
    made = sheet(files, shell)
    for first in SCRIPT.findall(files[shell].decode("utf-8")):
        made |= scripts(files, first)
    return made


def scripts(files: Mapping[str, bytes], first: str, apart: str = "vendor/") -> dict[str, bytes]:
    """A module with its imports as one script, and a script for each module loaded later.

    The script exports each of its modules as an object under its own name, as in `import { store }
    from ...`. ``import(`./other.js${again}`)`` loads a module later. Its script has what the first
    one lacks, takes the rest from there, and exports what the module exports. Modules below `apart`
    are imported as they are. Raises `ValueError` with the module and what cannot be joined.
    """
    page = Script(files, first, first, apart)
    names = list(map(name_of, page.joined))
    if len(names) != len(set(names)):
        raise ValueError("Two modules of the page have one name.")
    whole = ", ".join(f"{page.number_of(path)} as {name_of(path)}" for path in page.joined)
    made = {first: page.ending(f"export {{ {whole} }};")}
    taken, waiting = dict.fromkeys(page.joined, first), list(page.later)
    while waiting:
        if (other := taken.get(path := waiting.pop(0))) == path:
            continue
        if other:
            raise ValueError(f"{other} has {path} already, which is loaded later too: do one.")
        later = Script(files, path, first, apart, page)
        for joined in later.joined:
            if other := taken.get(joined):
                raise ValueError(
                    f"{path} and {other} are loaded later, and both import {joined}: import it at"
                    " once."
                )
        taken |= dict.fromkeys(later.joined, path)
        waiting += later.later
        exported = ", ".join(EXPORT.findall(files[path].decode("utf-8")))
        made[later_path(first, path)] = later.ending(
            f"export const {{ {exported} }} = {later.number_of(path)};"
        )
    return made


def name_of(path: str) -> str:
    """The name under which a script exports a module."""
    return posixpath.basename(path).removesuffix(".js").replace("-", "_")


def later_path(first: str, path: str) -> str:
    """The path of the script of a module that the page of `first` loads later: in its folder."""
    return f"{first.removesuffix('.js')}.{posixpath.basename(path)}"


class Script:
    """A module and its imports as one text, in the order in which a browser would run them.

    `joined` has the text of each module by its path, `later` the modules that these load later. A
    module that `page` has already is imported from there.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        path: str,
        first: str,
        apart: str,
        page: Script | None = None,
    ) -> None:
        self.files, self.first, self.apart, self.page = files, first, apart, page
        self.joined, self.later = dict[str, str](), dict[str, None]()
        self._started, self._imported = list[str](), defaultdict[str, set[str]](set)
        self._join(path)

    def number_of(self, path: str) -> str:
        """The name of a module's object within the script."""
        return f"${self._started.index(path)}"

    def ending(self, exports: str) -> bytes:
        """The whole script, with these exports at its end."""
        above = "".join(
            f'import {{ {", ".join(sorted(found))} }} from "./{path}";\n'
            for path, found in self._imported.items()
        )
        return GOES_ON.sub(
            b"", INDENT.sub(b"", f"{above}{''.join(self.joined.values())}{exports}\n".encode())
        )

    def _join(self, path: str) -> None:
        if path in self._started:
            if path not in self.joined:
                raise ValueError(
                    f"{path} imports itself by way of others: the page's modules make no circles."
                )
            return
        self._started.append(path)
        if path not in self.files:
            raise ValueError(f"{path} is imported and is not there.")

        def beside(name: str) -> str:
            return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))

        def taken(found: re.Match[str]) -> str:
            other = self._object_of(beside(found[2]), found[1])
            if not other or not found[1]:
                return ""
            names = ",".join(re.findall(r"\w+(?: as \w+)?", found[1]))
            return f"const{{{names.replace(' as ', ':')}}}={other};"

        def loaded(found: re.Match[str]) -> str:
            other = beside(found[1])
            self.later[other] = None
            return f"import(`./{posixpath.basename(later_path(self.first, other))}${{again}}`)"

        plain = INDENT.sub(b"", COMMENT.sub(b"", self.files[path]))
        for end, other in ENDS:
            plain = end.sub(other, plain)
        plain = SET.sub(rb"\1=", SIGN.sub(rb"\1", TYPE.sub(b"", plain)))
        plain = TIGHT.sub(lambda sign: (sign[1] or b"").strip(), plain)
        text = LATER.sub(loaded, IMPORT.sub(taken, plain.decode("utf-8")))
        exported = ",".join(EXPORT.findall(text))
        text = EXPORT.sub("", text)
        if left := FOREIGN[0].search(text) or FOREIGN[1].search(text):
            raise ValueError(
                f"{path} has {left[0]!r}, which cannot be joined: see web/page/bundles.py."
            )
        number, text = self.number_of(path), BRACE.sub("", text)
        self.joined[path] = f"const {number}=(()=>{{\n{text}\nreturn{{{exported}}};\n}})();\n"

    def _object_of(self, path: str, names: str) -> str:
        """The object of an imported module in this script, or "" for one that stays apart."""
        if path.startswith(self.apart):
            here = posixpath.relpath(path, posixpath.dirname(self.first))
            self._imported[here].update(re.findall(r"\w+(?: as \w+)?", names))
            return ""
        if self.page and path in self.page.joined:
            name = name_of(path)
            self._imported[posixpath.basename(self.first)].add(f"{name} as ${name}")
            return f"${name}"
        self._join(path)
        return self.number_of(path)


def sheet_of(shell: str) -> str:
    """The path of the sheet with all styles of a shell."""
    return f"css/of-{shell.removesuffix('.html')}.css"


def sheet(files: Mapping[str, bytes], shell: str) -> dict[str, bytes]:
    """This shell with one style sheet instead of those in `css/`, and that sheet."""
    text, whole = files[shell].decode("utf-8"), sheet_of(shell)
    if (found := SHEETS.search(text)) is None:
        return {}
    text = SHEETS.sub(f'    <link rel="stylesheet" href="/static/{whole}">\n', text, count=1)
    styles = b"".join(files[path] for path in HREF.findall(found[0]))
    styles = LOOSE.sub(lambda found: found[1] or found[2] or b"", COMMENT.sub(b"", styles))
    return {shell: text.encode(), whole: BREAK.sub(b"", INDENT.sub(b"", styles))}
