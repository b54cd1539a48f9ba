"""The option `--public-url`: the public address of a server, as browsers write it."""

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


def origin(text: str) -> str:
    """The origin of an address, in lower case, without default port; `Refused` for more parts."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _refusal(text) from None
    more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    host = _host(parts.hostname or "")
    is_clean = text.isprintable() and " " not in text and not set("?#\\") & set(text)
    if parts.scheme not in _PORTS or more or not host or port == 0 or not is_clean:
        raise _refusal(text)
    shown = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown}"


def _host(name: str) -> str:
    """A host name as browsers send it, or an IP address; "" for anything else."""
    try:
        address = ip_address(name)
        return f"[{address}]" if address.version == 6 else str(address)
    except ValueError:
        pass
    try:
        # Browsers encode these letters in another way than this codec.
        plain = "" if set("ßς\u200c\u200d") & set(name) else name.encode("idna").decode()
    except UnicodeError:
        return ""
    return plain if _NAME.fullmatch(plain) else ""


def _refusal(text: str) -> Refused:
    scheme, separator, rest = text.rpartition("@")[2].rpartition("://")
    shown = text if "@" not in text else f"{scheme}{separator}{rest}"
    return denied("argument", "public", "public_url", got=shown)
