"""Rates of requests, generous enough for a table behind one address: paced, and refused beyond."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Network

from storypool.web.server_settings import Rate

MAX_CLIENTS = 20_000
NETWORK_BITS = 64
"""The bits of an address of IPv6 that name its network: RFC 4291, section 2.5.1."""
PROXY_ADDRESSES = ("127.0.0.1", "::1")
"""A proxy on this machine stands for everybody behind it, so these have no limit of their own."""


def plain(address: str) -> str:
    """An address as its client has it: one of IPv4 that came through a socket of IPv6 is IPv4."""
    return address.removeprefix("::ffff:") if "." in address else address


def counted(address: str) -> str:
    """The name of an address in limits; for IPv6 its network, since a client has it all."""
    if ":" not in address or address in PROXY_ADDRESSES:
        return address
    try:
        return str(IPv6Network(f"{address.partition('%')[0]}/{NETWORK_BITS}", strict=False))
    except ValueError:
        return address


class Buckets:
    """One bucket per client; the least recently used are dropped, which only refills them."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self.rate, self._clock = rate, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """The seconds until this client may send a request; 0 takes one from its bucket."""
        now = self._clock()
        level, seen = self._levels.pop(who, (self.rate.burst, now))
        level = min(self.rate.burst, level + (now - seen) * self.rate.each_second)
        spent = level >= 1
        self._levels[who] = (level - 1 if spent else level), now
        if len(self._levels) > MAX_CLIENTS:
            self._levels.popitem(last=False)
        return 0.0 if spent else (1 - level) / self.rate.each_second


class Pace:
    """The time that each client waits, so that the others have most of the event loop.

    A price is about the number of cheapest requests that take as long on the event loop.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self.rate, self._clock = rate, clock
        self._until: OrderedDict[str, float] = OrderedDict()

    def wait(self, who: str, price: float = 1) -> float:
        """Count the price in; returns the seconds until this client may go on."""
        if who in PROXY_ADDRESSES:
            return 0.0
        now = self._clock()
        earliest = now - self.rate.burst / self.rate.each_second
        until = max(self._until.pop(who, earliest), earliest)
        until = self._until[who] = until + price / self.rate.each_second
        if len(self._until) > MAX_CLIENTS:
            self._until.popitem(last=False)
        return max(0.0, until - now)
