"""Which form of a sentence goes with a whole number: the plural categories of Unicode CLDR, by language.

Source: CLDR 48, common/supplemental/plurals.xml, cardinals; of each rule what concerns whole numbers from 0.
"""

from __future__ import annotations

from collections.abc import Callable

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""Every category, in CLDR's order; each language has `other`, and some of the rest."""

Rule = Callable[[int], str]
"""Returns the category of a whole number from 0."""


def rule(language: str) -> Rule:
    """Return the plural rule of a language, by its tag, such as pl or pt-BR; the English one if it is not listed.

    >>> [rule("pl")(n) for n in (1, 2, 5, 22, 112)]
    ['one', 'few', 'many', 'few', 'many']
    >>> rule("en-GB")(1), rule("en")(0)
    ('one', 'other')
    """
    return _RULES.get(language.replace("_", "-").partition("-")[0].lower(), _english)


def categories(language: str) -> tuple[str, ...]:
    """Return the categories that a language has, in CLDR's order.

    >>> categories("ja"), categories("pl")
    (('other',), ('one', 'few', 'many', 'other'))
    """
    found = {"other", *map(rule(language), (*range(200), 1_000_000))}
    return tuple(one for one in CATEGORIES if one in found)


def _english(n: int) -> str:
    return "one" if n == 1 else "other"


def _japanese(_: int) -> str:
    return "other"


def _hindi(n: int) -> str:
    return "one" if n < 2 else "other"


def _french(n: int) -> str:
    return "one" if n < 2 else _millions(n)


def _spanish(n: int) -> str:
    return "one" if n == 1 else _millions(n)


def _millions(n: int) -> str:
    return "many" if n and n % 1_000_000 == 0 else "other"


def _russian(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if _ends_in_2_to_4(n) else "many"


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if _ends_in_2_to_4(n) else "many"


def _croatian(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if _ends_in_2_to_4(n) else "other"


def _ends_in_2_to_4(n: int) -> bool:
    return n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)


def _czech(n: int) -> str:
    return "one" if n == 1 else "few" if n in (2, 3, 4) else "other"


def _slovene(n: int) -> str:
    return {1: "one", 2: "two", 3: "few", 4: "few"}.get(n % 100, "other")


def _lithuanian(n: int) -> str:
    if n % 10 == 0 or 11 <= n % 100 <= 19:
        return "other"
    return "one" if n % 10 == 1 else "few"


def _latvian(n: int) -> str:
    if n % 10 == 0 or 11 <= n % 100 <= 19:
        return "zero"
    return "one" if n % 10 == 1 else "other"


def _romanian(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if n == 0 or 1 <= n % 100 <= 19 else "other"


def _icelandic(n: int) -> str:
    return "one" if n % 10 == 1 and n % 100 != 11 else "other"


def _arabic(n: int) -> str:
    if n < 3:
        return ("zero", "one", "two")[n]
    return "few" if 3 <= n % 100 <= 10 else "many" if n % 100 >= 11 else "other"


def _hebrew(n: int) -> str:
    return {1: "one", 2: "two"}.get(n, "other")


def _irish(n: int) -> str:
    return {1: "one", 2: "two"}.get(n) or ("few" if 3 <= n <= 6 else "many" if 7 <= n <= 10 else "other")


def _welsh(n: int) -> str:
    return {0: "zero", 1: "one", 2: "two", 3: "few", 6: "many"}.get(n, "other")


_GROUPS: tuple[tuple[str, Rule], ...] = (
    ("en de nl da sv nb nn no fi et hu tr el bg eu ka", _english),
    ("ja zh ko vi th id ms lo my", _japanese),
    ("hi bn fa am gu kn zu hy", _hindi),
    ("fr pt", _french),
    ("es it ca", _spanish),
    ("ru uk be", _russian),
    ("pl", _polish),
    ("hr sr bs", _croatian),
    ("cs sk", _czech),
    ("sl", _slovene),
    ("lt", _lithuanian),
    ("lv", _latvian),
    ("ro", _romanian),
    ("is mk", _icelandic),
    ("ar", _arabic),
    ("he", _hebrew),
    ("ga", _irish),
    ("cy", _welsh),
)
_RULES = {language: counting for languages, counting in _GROUPS for language in languages.split()}
