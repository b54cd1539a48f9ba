"""Rates of requests, generous enough for a table behind one address: paced, and refused beyond."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from ipaddress import IPv6Network
from math import ceil
from typing import NamedTuple

from storypool.web.server_settings import Rate

MAX_CLIENTS = 20_000
NETWORK_BITS = 64
"""The bits of an address of IPv6 that name its network: RFC 4291, section 2.5.1."""
PROXY_ADDRESSES = ("127.0.0.1", "::1")
"""A proxy on this machine stands for everybody behind it, so these have no limit of their own."""


def plain(address: str) -> str:
    """An address as its client has it: one of IPv4 that came through a socket of IPv6 is IPv4."""
    return address.removeprefix("::ffff:") if "." in address else address


def network_of(address: str) -> str:
    """An address as limits count it; for IPv6 its network, since a client has it all."""
    if ":" not in address or address in PROXY_ADDRESSES:
        return address
    try:
        return str(IPv6Network(f"{address.partition('%')[0]}/{NETWORK_BITS}", strict=False))
    except ValueError:
        return address


class Quota(NamedTuple):
    """What one client may still do at a rate: requests now, and seconds until there is another.

    `policy` is the rate as a header has it.
    """

    policy: str
    left: int
    wait: float


COUNTED: ContextVar[dict[str, Quota]] = ContextVar("counted")
"""The quotas that are left to the client of the current request, by the name of the rate."""


class Buckets:
    """One bucket per client; the least recently used are dropped, which only refills them.

    `name` is that of the rate among the limits.
    """

    def __init__(self, name: str, rate: Rate, clock: Callable[[], float]) -> None:
        self.name, self.rate, self._clock = name, rate, clock
        self._policy = f'"{name}";q={rate.burst:.0f};w={rate.seconds}'
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """The seconds until this client may send a request; 0 takes one from its bucket."""
        now = self._clock()
        level, seen = self._levels.pop(who, (self.rate.burst, now))
        level = min(self.rate.burst, level + (now - seen) * self.rate.each_second)
        spent = level >= 1
        level -= spent
        self._levels[who] = level, now
        if len(self._levels) > MAX_CLIENTS:
            self._levels.popitem(last=False)
        wait = (1 - level % 1) / self.rate.each_second
        COUNTED.get({})[self.name] = Quota(self._policy, int(level), wait)
        return 0.0 if spent else wait


def rate_headers(counted: Mapping[str, Quota]) -> dict[str, str]:
    """The headers about what is left, for clients that want to stay below the limits.

    As in draft-ietf-httpapi-ratelimit-headers-11, which carries several limits at once; the older
    `X-RateLimit-*` has one limit, and no common meaning of its reset.
    """
    if not counted:
        return {}
    left = [f'"{name}";r={it.left};t={whole_seconds(it.wait)}' for name, it in counted.items()]
    policies = [quota.policy for quota in counted.values()]
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(left)}


def whole_seconds(wait: float) -> int:
    """The wait in whole seconds, long enough and at least 1."""
    return max(1, ceil(wait))


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
