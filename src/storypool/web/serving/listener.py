"""The socket of a server: its own, or one from another process."""

import errno
import os
import socket

from storypool.words import Phrase, StorypoolError

PORT = 8230
PORTS_TRIED = 20
EVERYWHERE = ("0.0.0.0", "::")
"""The hosts that mean every address of this machine."""
HANDED_FD = 3
"""The descriptor of a handed socket by the protocol of systemd: see sd_listen_fds(3)."""


ANSWER_S = 0.5
"""Seconds in which a program on a taken port may answer whether it is a Storypool."""
ANSWER_BYTES = 64 * 1024


class CannotServe(StorypoolError):
    """The server cannot start: a sentence with the reason and the remedy."""


def listen(host: str, port: int, tries: int = 1) -> socket.socket:
    """A socket that listens on this port, or on a later one with more `tries`.

    `CannotServe` with the reason if there is none.
    """
    last = min(port + tries, 65_536)
    for candidate in range(port, last) if port else (0,):
        family = family_of(host)
        # TCP must be explicit: the event loop disables Nagle's algorithm only on sockets with that
        # protocol.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name != "nt":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            # Every address of this machine, those of IPv4 too.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            listener.bind((host, candidate))
            listener.listen(1024)
            listener.setblocking(False)
        except UnicodeError:
            listener.close()
            why = os.strerror(errno.EINVAL)
            raise CannotServe(Phrase("serve.address", host=host, why=why)) from None
        except OSError as error:
            listener.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise CannotServe(Phrase("serve.address", host=host, why=error.strerror)) from None
            if tries == 1 and error.errno == errno.EADDRINUSE:
                raise CannotServe(_taken(host, port)) from None
            if tries == 1:
                raise CannotServe(
                    Phrase("serve.port.denied", port=port, why=error.strerror)
                ) from None
        else:
            return listener
    raise CannotServe(Phrase("serve.ports", first=port, last=last - 1))


def _taken(host: str, port: int) -> Phrase:
    """The sentence about a taken port: its holder, if that answers, and what to do."""
    from http.client import HTTPConnection, HTTPException  # only needed for this error
    from json import loads

    here = address_from_here(host)
    asked = HTTPConnection(here.strip("[]"), port, timeout=ANSWER_S)
    try:
        asked.request("GET", "/api")
        is_ours = loads(asked.getresponse().read(ANSWER_BYTES)).get("name") == "storypool"
    except (OSError, HTTPException, ValueError, AttributeError):
        is_ours = False
    finally:
        asked.close()
    if is_ours:
        return Phrase("serve.port.served", port=port, address=f"http://{here}:{port}")
    return Phrase("serve.port.taken", port=port)


def own_listener(host: str, port: int | None, local: bool, public_url: str = "") -> socket.socket:
    """A socket that listens on this address, or else on every address of this machine.

    With `local`, or behind a proxy that speaks https for it, it is for this machine alone. Only
    without a port and without a public address may it be a port after the default one.
    """
    if not host:
        is_for_here = local or public_url.startswith("https://")
        host = "127.0.0.1" if is_for_here else EVERYWHERE[0]
    if port is not None:
        return listen(host, port)
    return listen(host, PORT, 1 if public_url else PORTS_TRIED)


def family_of(host: str) -> socket.AddressFamily:
    """The family of an address or a name to listen on."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def moved(listener: socket.socket, port: int | None) -> Phrase | None:
    """A note if the default port was taken and the socket has another one."""
    now: int = listener.getsockname()[1]
    return Phrase("serve.port.next", first=PORT, port=now) if port is None and now != PORT else None


def handed() -> socket.socket | None:
    """The socket that systemd or a supervisor handed to this process; None without one.

    It is handed over once. `CannotServe` unless it is a single TCP socket.
    """
    pid, n = (os.environ.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS"))
    if pid != str(os.getpid()):
        return None
    listener = socket.socket(proto=socket.IPPROTO_TCP, fileno=HANDED_FD)
    if (
        n != "1"
        or listener.family not in (socket.AF_INET, socket.AF_INET6)
        or listener.type != socket.SOCK_STREAM
    ):
        listener.close()
        raise CannotServe(Phrase("serve.handed"))
    listener.set_inheritable(False)
    listener.setblocking(False)
    return listener


def hand(listener: socket.socket) -> None:
    """Hand a socket to the program that replaces this process."""
    os.dup2(listener.fileno(), HANDED_FD)
    os.set_inheritable(HANDED_FD, True)
    os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}


def address_from_here(host: str) -> str:
    """The name by which this machine itself reaches a server that listens on this host."""
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host
