"""The plural categories of Unicode CLDR, by language, for whole numbers.

Source: CLDR 48, common/supplemental/plurals.xml, cardinals, restricted to whole numbers from 0.
"""

from collections.abc import Callable

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""Every category, in CLDR's order; each language has `other` and some of the rest."""

Rule = Callable[[int], str]
"""Returns the category of a whole number from 0."""


def rule(language: str) -> Rule:
    """The plural rule of a language tag, such as pl or pt-BR; English if it is not listed.

    >>> [rule("pl")(n) for n in (1, 2, 5, 22, 112)]
    ['one', 'few', 'many', 'few', 'many']
    >>> rule("en-GB")(1), rule("en")(0)
    ('one', 'other')
    """
    return _RULES.get(language.replace("_", "-").partition("-")[0].lower(), _english)


def categories(language: str) -> tuple[str, ...]:
    """The categories of a language, in CLDR's order.

    >>> categories("ja"), categories("pl")
    (('other',), ('one', 'few', 'many', 'other'))
    """
    found = {"other", *map(rule(language), (*range(200), 1_000_000))}
    return tuple(one for one in CATEGORIES if one in found)


def _millions(n: int) -> str:
    return "many" if n and n % 1_000_000 == 0 else "other"


def _slavic(n: int) -> str:
    return "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


def _is_1_but_not_11(n: int) -> bool:
    return n % 10 == 1 and n % 100 != 11


def _is_0_or_a_teen(n: int) -> bool:
    return n % 10 == 0 or 11 <= n % 100 <= 19


def _english(n: int) -> str:
    return "one" if n == 1 else "other"


def _arabic(n: int) -> str:
    if n < 3:
        return ("zero", "one", "two")[n]
    if 3 <= n % 100 <= 10:
        return "few"
    return "many" if n % 100 >= 11 else "other"


def _irish(n: int) -> str:
    if n in (1, 2):
        return ("one", "two")[n - 1]
    if 3 <= n <= 6:
        return "few"
    return "many" if 7 <= n <= 10 else "other"


def _lithuanian(n: int) -> str:
    if _is_0_or_a_teen(n):
        return "other"
    return "one" if n % 10 == 1 else "few"


def _latvian(n: int) -> str:
    if _is_0_or_a_teen(n):
        return "zero"
    return "one" if n % 10 == 1 else "other"


def _romanian(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if n == 0 or 1 <= n % 100 <= 19 else "other"


_GROUPS: tuple[tuple[str, Rule], ...] = (
    ("en de nl da sv nb nn no fi et hu tr el bg eu ka", _english),
    ("ja zh ko vi th id ms lo my", lambda n: "other"),
    ("hi bn fa am gu kn zu hy", lambda n: "one" if n < 2 else "other"),
    ("fr pt", lambda n: "one" if n < 2 else _millions(n)),
    ("es it ca", lambda n: "one" if n == 1 else _millions(n)),
    ("ru uk be", lambda n: "one" if _is_1_but_not_11(n) else _slavic(n)),
    ("pl", lambda n: "one" if n == 1 else _slavic(n)),
    ("hr sr bs", lambda n: "one" if _is_1_but_not_11(n) else _slavic(n).replace("many", "other")),
    ("cs sk", lambda n: {1: "one", 2: "few", 3: "few", 4: "few"}.get(n, "other")),
    ("sl", lambda n: {1: "one", 2: "two", 3: "few", 4: "few"}.get(n % 100, "other")),
    ("lt", _lithuanian),
    ("lv", _latvian),
    ("ro", _romanian),
    ("is mk", lambda n: "one" if _is_1_but_not_11(n) else "other"),
    ("ar", _arabic),
    ("he", lambda n: {1: "one", 2: "two"}.get(n, "other")),
    ("ga", _irish),
    ("cy", lambda n: {0: "zero", 1: "one", 2: "two", 3: "few", 6: "many"}.get(n, "other")),
)
_RULES = {language: counting for languages, counting in _GROUPS for language in languages.split()}
