"""The options `--public-url` and `--allow-origin`: addresses as browsers write them."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

import click

from storypool.cli.refusals import denied
from storypool.engine.refusal import Refused

_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"(?=.{1,253}$)(?!.*\.?\d+$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.(?!$)|$))+")
"""A host name; one that ends in a number is an address, or a mistake."""


class PublicUrl(click.ParamType):  # type: ignore[type-arg]
    """A scheme, a name or an address, and optionally a port; "" without a public address."""

    name = "https://..."

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The origin that browsers send for this address; `Refused` for anything else."""
        return origin(value) if value else ""


class Origin(click.ParamType):  # type: ignore[type-arg]
    """The address of another site, without a path."""

    name = "https://..."

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The origin that browsers send for pages of this site; `Refused` for anything else."""
        try:
            return origin(value)
        except Refused:
            raise denied("argument", "origin", "allow_origin", got=value) from None


def origin(text: str) -> str:
    """The origin of an address, in lower case, without default port.

    `Refused` for anything else, with a sentence for each kind of mistake and without a password.
    """
    scheme, separator, rest = text.partition("://")
    scheme = scheme.lower()
    if not text.isprintable() or " " in text:
        raise _refusal(text, "space")
    if not separator or scheme not in _PORTS:
        raise _refusal(text, "scheme")
    if "@" in rest:
        raise _refusal(text, "user")
    if set("?#") & set(rest):
        raise _refusal(text, "query")
    if "\\" in rest or rest.partition("/")[2].strip("/"):
        raise _refusal(text, "path")
    try:
        parts = urlsplit(text)
        name, port = parts.hostname or "", parts.netloc.rpartition("]")[2].partition(":")[2]
    except ValueError:
        raise _refusal(text, "name") from None
    if not name:
        raise _refusal(text, "none")
    host = _host(name)
    if not host:
        raise _refusal(text, "name")
    if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise _refusal(text, "port")
    shown = "" if not port or int(port) == _PORTS[scheme] else f":{int(port)}"
    return f"{scheme}://{host}{shown}"


def _host(name: str) -> str:
    """A host name as browsers send it, or an IP address; "" for anything else."""
    try:
        address = ip_address(name)
    except ValueError:
        pass
    else:
        # Browsers know no zones, as in fe80::1%eth0.
        if "%" in name:
            return ""
        return f"[{address}]" if address.version == 6 else str(address)
    try:
        # Browsers encode these letters in another way than this codec.
        plain = "" if set("ßς\u200c\u200d") & set(name) else name.encode("idna").decode()
    except UnicodeError:
        return ""
    return plain if _NAME.fullmatch(plain) else ""


def _refusal(text: str, mistake: str) -> Refused:
    scheme, separator, rest = text.rpartition("@")[2].rpartition("://")
    shown = text if "@" not in text else f"{scheme}{separator}{rest}"
    return denied("argument", f"public.{mistake}", "public_url", got="".join(map(_visible, shown)))


def _visible(letter: str) -> str:
    return letter if letter.isprintable() else "�"
