"""The addresses of a server, printed as text and as a QR code."""

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import segno

from storypool.log.places import Data
from storypool.web.server_settings import Settings
from storypool.web.serving.host_links import StartLink
from storypool.web.serving.listener import EVERYWHERE
from storypool.words.languages import ENGLISH, Language


def print_addresses(
    settings: Settings,
    places: Sequence[StartLink],
    say: Callable[[str], object],
    language: Language = ENGLISH,
    kept: Data | None = None,
) -> None:
    """Print the server's addresses, a QR code for phones, and the place of its tables."""
    words, base = language.program, settings.base
    say("")
    say(words.say("serve.open", address=base))
    for place in places:
        say(f"{place.label}\n    {base}{place.path}")
    if settings.public_url or settings.lan:
        say(words["serve.phone"])
        say(code(base))
    else:
        key = "serve.local" if settings.local or settings.hosts else "serve.alone"
        say(words[key])
    if kept is None:
        say(words["serve.stop.thrown_away"])
    else:
        kept_at = kept.absolute() if isinstance(kept, Path) else kept
        say(words.say("serve.kept", place=kept_at))
        say(words["serve.stop"])


def code(address: str) -> str:
    """An address as a QR code of characters, dark on light in any terminal."""
    rows = [list(row) for row in segno.make(address, error="l", micro=False).matrix]
    width = len(rows) + 4
    light = [0] * width
    framed = [light, light, *([0, 0, *row, 0, 0] for row in rows), light, light]
    if len(framed) % 2:
        framed.append(light)
    return "\n".join(map(_halves, framed[::2], framed[1::2]))


def _halves(above: Sequence[int], below: Sequence[int]) -> str:
    """Two rows of cells as a line of characters; 1 is a dark cell."""
    cells = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return "".join(cells[bool(a), bool(b)] for a, b in zip(above, below, strict=True))


def address_for_phones(host: str, local: bool) -> str:
    """The address to hand out to phones; "" if they cannot reach this machine."""
    if local or host in ("localhost", "::1") or host.startswith("127."):
        return ""
    if host not in EVERYWHERE:
        return host
    return lan_address() or (lan_address(socket.AF_INET6) if host == "::" else "")


def lan_address(family: socket.AddressFamily = socket.AF_INET) -> str:
    """The address of this machine on its network; "" without a network."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: this only asks which of its addresses the machine would use.
            probe.connect(("2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1", 9))
            found = str(probe.getsockname()[0])
    except OSError:
        found = ""
    if family == socket.AF_INET6:
        # Browsers cannot open an address that holds for one link alone.
        return "" if found in ("::", "::1") or found.startswith("fe80:") else found
    if not found or found.startswith("127.") or found == "0.0.0.0":
        with suppress(OSError):
            names = socket.gethostbyname_ex(socket.gethostname())[2]
            return next((name for name in names if not name.startswith("127.")), "")
        return ""
    return found
