"""Make the fonts that pictures are drawn with as PNG: static TrueType files out of the page's own, which are variable.

Run with fonttools and brotli installed: `python vendor/fonts.py`. It gives the same bytes each time. The Open Font
License reserves the name of the original, so a changed one has another.
"""

from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parent.parent / "src" / "storypool" / "web"
PAGE, HERE = ROOT / "static" / "fonts", ROOT / "fonts"
FAMILY = "Storypool Sans"
WEIGHTS = {"Regular": 400, "SemiBold": 600}
LICENSE = "LICENSE-source-sans-3.txt"


def static(name: str, weight: int, folder: Path) -> str:
    """Return the path of one of the page's fonts at one weight, without what only a browser needs."""
    font = TTFont(PAGE / name, recalcTimestamp=False)
    font.flavor = None
    instantiateVariableFont(font, {"wght": weight}, inplace=True)
    for table in ("GSUB", "GPOS", "GDEF", "STAT", "DSIG"):
        if table in font:
            del font[table]
    path = folder / f"{name}.ttf"
    font.save(path)
    return str(path)


def main() -> None:
    """Write the fonts, their licence and their sums."""
    HERE.mkdir(exist_ok=True)
    for style, weight in WEIGHTS.items():
        with TemporaryDirectory() as folder:
            parts = [static(f"source-sans-3-{part}.woff2", weight, Path(folder)) for part in ("latin", "latin-ext")]
            font = Merger().merge(parts)
        font["OS/2"].usWeightClass = weight
        names = font["name"]
        names.names = [one for one in names.names if one.nameID in (0, 7, 13, 14)]
        for number, text in ((1, f"{FAMILY} {style}"), (2, "Regular"), (4, f"{FAMILY} {style}")):
            names.setName(text, number, 3, 1, 0x409)
        for number, text in ((6, f"{FAMILY}-{style}".replace(" ", "")), (16, FAMILY), (17, style)):
            names.setName(text, number, 3, 1, 0x409)
        font["head"].created = font["head"].modified = 0
        font.recalcTimestamp = False
        font.save(HERE / f"storypool-sans-{weight}.ttf")
    (HERE / LICENSE).write_bytes((PAGE / LICENSE).read_bytes())
    sums = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(HERE.glob("[!S]*"))]
    (HERE / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


main()
