"""JSON schemas of Python types, for the documents of the interface and of the live feed."""

import dataclasses
import inspect
import types
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

from storypool.engine.bag import Bag
from storypool.engine.refusal import Refusal
from storypool.engine.table import Points, Use
from storypool.log.codec import FORMS
from storypool.odds.question import OddsShown, Reckoned, Worth
from storypool.web.interface.forms import RefusalShown
from storypool.web.interface.odds_forms import WorthShown
from storypool.web.wire import TYPES

Schema = dict[str, Any]

PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    object: {},
    Any: {},
    dict: {"type": "object"},
    bytes: {"type": "string", "format": "binary"},
    Bag: {"type": "object", "additionalProperties": {"type": "integer"}},
    Points: {"type": "object", "additionalProperties": {"type": "integer"}},
    Use: {"type": "string"},
    Fraction: {"type": "string"},
}
SENT_AS: Mapping[Any, type] = {Refusal: RefusalShown, Reckoned: OddsShown, Worth: WorthShown}
"""The forms of what is not sent with all its fields."""
META = {
    "ge": "minimum",
    "le": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "pattern": "pattern",
}
META |= {"description": "description"}


class Shapes:
    """JSON schemas of Python types; each class is described once, under its name.

    Not `msgspec.json.schema_components`: it describes input, where a default makes a field
    optional, while a response has every field. Nor does it accept a default that is a `Bag`, or a
    union of two kinds of tuples.
    """

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """The schema of a type."""
        kind = SENT_AS.get(kind, kind)
        if kind in PLAIN:
            return dict(PLAIN[kind])
        origin, args = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._annotated(args[0], args[1:])
        if origin is NotRequired:
            return self.of(args[0])
        if origin is Literal:
            return {"enum": list(args)}
        if origin in (Union, types.UnionType):
            return self._union(args)
        if origin in (list, Sequence) or (
            origin is tuple and len(args) == 2 and args[1] is Ellipsis
        ):
            return {"type": "array", "items": self.of(args[0])}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(*args)
        if origin is tuple:
            return self._row(args)
        if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return self._row(get_type_hints(kind, include_extras=True).values())
        if isinstance(kind, type) and (
            dataclasses.is_dataclass(kind) or is_typeddict(kind) or issubclass(kind, msgspec.Struct)
        ):
            return self._class(kind)
        raise TypeError(f"{kind!r} has no schema: give it one here.")

    def _annotated(self, kind: Any, metas: Sequence[Any]) -> Schema:
        schema = self.of(kind)
        size = {"array": "Items", "object": "Properties"}.get(str(schema.get("type")), "Length")
        for meta in metas:
            for name, key in {
                **META,
                "min_length": f"min{size}",
                "max_length": f"max{size}",
            }.items():
                if getattr(meta, name, None) is not None:
                    schema[key] = getattr(meta, name)
        return schema

    def _union(self, args: Sequence[Any]) -> Schema:
        tagged = [one for one in args if one in TYPES or tag_of(one)]
        kinds = [self.of(one) for one in args if one is not msgspec.UnsetType and one not in tagged]
        if tagged:
            kinds.insert(0, self._tagged(tagged))
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}

    def _tagged(self, kinds: Sequence[Any]) -> Schema:
        """The schema of one of several objects distinguished by their field `type`."""
        tags = {TYPES.get(kind) or tag_of(kind): self.of(kind)["$ref"] for kind in kinds}
        refs = [{"$ref": ref} for ref in tags.values()]
        return {"oneOf": refs, "discriminator": {"propertyName": "type", "mapping": tags}}

    def _row(self, kinds: Iterable[Any]) -> Schema:
        items = [self.of(one) for one in kinds]
        return {
            "type": "array",
            "prefixItems": items,
            "minItems": len(items),
            "maxItems": len(items),
        }

    def _mapping(self, key: Any, value: Any) -> Schema:
        schema: Schema = {"type": "object", "additionalProperties": self.of(value)}
        names = self.of(key)
        return schema if names == {"type": "string"} else {**schema, "propertyNames": names}

    def _class(self, kind: type) -> Schema:
        name = kind.__name__
        if name not in self.named:
            self.named[name] = {}
            hints = get_type_hints(kind, include_extras=True)
            # Variables of the class, and the mark of fields by keyword, belong to no instance.
            hints = {
                name: hint
                for name, hint in hints.items()
                if get_origin(hint) is not ClassVar and hint is not dataclasses.KW_ONLY
            }
            schema: Schema = {"type": "object", "description": description(kind)}
            tag = TYPES.get(kind) or tag_of(kind)
            tagged: Schema = {"type": {"const": tag, "type": "string"}} if tag else {}
            if kind in TYPES:
                tagged["v"] = {"const": FORMS[TYPES[kind]][0], "type": "integer"}
            schema["properties"] = tagged | {field: self.of(hint) for field, hint in hints.items()}
            if needed := [*tagged, *needed_of(kind)]:
                schema["required"] = needed
            if getattr(getattr(kind, "__struct_config__", None), "forbid_unknown_fields", False):
                schema["additionalProperties"] = False
            self.named[name] = schema
        return {"$ref": f"#/components/schemas/{name}"}


def tag_of(kind: Any) -> str:
    """The `type` that distinguishes a struct; "" for any other class."""
    config = getattr(kind, "__struct_config__", None)
    return str(config.tag) if config is not None and config.tag is not None else ""


def needed_of(kind: type) -> list[str]:
    """The fields of a class that are always there."""
    if issubclass(kind, msgspec.Struct):
        # Input may leave out a field with a default; output has every field but those that may be
        # unset.
        read = kind.__struct_config__.forbid_unknown_fields
        fields = msgspec.structs.fields(kind)
        return [
            one.name for one in fields if one.required or not (read or one.default is msgspec.UNSET)
        ]
    if is_typeddict(kind):
        return [name for name in kind.__annotations__ if name not in _optional_keys(kind)]
    return [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]


def _optional_keys(kind: Any) -> frozenset[str]:
    keys: frozenset[str] = kind.__optional_keys__
    return keys


def description(kind: type) -> str:
    """All of the docstring of a form, whose readers are clients; the summary of other types."""
    if issubclass(kind, msgspec.Struct):
        return " ".join((kind.__doc__ or "").split())
    return summary(kind)


def summary(kind: type) -> str:
    """The first paragraph of a type's docstring, in one line."""
    return " ".join(inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0].split())
