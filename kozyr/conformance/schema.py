"""The part of JSON Schema that options are described in: is it sound, what does it allow.

Options are flat: an object whose properties are enumerations, booleans, numbers, texts, or a
choice of these. Whatever else a schema says is left to who wrote it.
"""

import json
from collections.abc import Iterator, Mapping
from math import isqrt
from typing import Any, Final

Schema = Mapping[str, Any]

TYPES: Final = {
    "array": (list, tuple),
    "boolean": (bool,),
    "integer": (int,),
    "null": (type(None),),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}
_CHOICES: Final = ("anyOf", "oneOf")


def problems(schema: Schema) -> Iterator[str]:
    """What is wrong with the schema of a variant's options."""
    try:
        json.dumps(schema)
    except (TypeError, ValueError) as error:
        yield f"it is not JSON: {error}"
        return
    if schema.get("type") != "object":
        yield "its type is not object"
    if schema.get("additionalProperties", True) is not False:
        yield "it allows unknown names: additionalProperties is not false"
    for name, option in properties(schema).items():
        yield from (f"option {name}: {problem}" for problem in _option_problems(option))


def properties(schema: Schema) -> dict[str, Schema]:
    """The schema of each option, its references resolved."""
    definitions = schema.get("$defs", {})
    options = schema.get("properties", {})
    return {name: _resolved(option, definitions) for name, option in options.items()}


def allows(schema: Schema, value: object) -> bool:
    """Whether the schema of one option allows a value."""
    for keyword in _CHOICES:
        if keyword in schema and not any(allows(each, value) for each in schema[keyword]):
            return False
    if not all(allows(each, value) for each in schema.get("allOf", ())):
        return False
    if "const" in schema and not _same(schema["const"], value):
        return False
    if "enum" in schema and not any(_same(each, value) for each in schema["enum"]):
        return False
    kinds = _kinds(schema)
    if kinds and not any(_is_kind(value, kind) for kind in kinds):
        return False
    return not isinstance(value, int | float) or isinstance(value, bool) or _in_range(schema, value)


def telling_values(schema: Schema) -> list[Any]:
    """Values worth trying of one option: all of a few, or of a range both ends and one between.

    The default comes first.
    """
    found: list[Any] = [schema["default"]] if "default" in schema else []
    for value in _candidates(schema):
        if not any(_same(value, each) for each in found):
            found.append(value)
    return found


def _candidates(schema: Schema) -> Iterator[Any]:
    for keyword in (*_CHOICES, "allOf"):
        for each in schema.get(keyword, ()):
            yield from _candidates(each)
    if "const" in schema:
        yield schema["const"]
    yield from schema.get("enum", ())
    kinds = _kinds(schema)
    if "boolean" in kinds:
        yield from (False, True)
    if "null" in kinds:
        yield None
    if "integer" in kinds and "enum" not in schema and "const" not in schema:
        yield from _whole_numbers(schema)


def _whole_numbers(schema: Schema) -> Iterator[int]:
    """Both bounds, and one between: nearer to the lower, where matches are short."""
    low, high = whole_bounds(schema)
    if low is not None:
        yield low
    if high is not None:
        yield high
    if low is not None and high is not None and high - low > 1:
        yield low + isqrt(high - low)


def whole_bounds(schema: Schema) -> tuple[int | None, int | None]:
    """The least and the greatest whole number of a range, None where it is open."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + 1
    if "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - 1
    return low, high


def _option_problems(schema: Schema) -> Iterator[str]:
    for kind in _kinds(schema):
        if kind not in TYPES:
            yield f"there is no type {kind!r}"
    if "enum" in schema and not (isinstance(schema["enum"], list) and schema["enum"]):
        yield "enum is no list, or empty"
    if "default" not in schema:
        yield "it has no default"
    elif not allows(schema, schema["default"]):
        yield f"it does not allow its own default {schema['default']!r}"
    low, high = whole_bounds(schema)
    if low is not None and high is not None and low > high:
        yield f"its range from {low} to {high} is empty"


def _resolved(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with the definitions it refers to in place of the references."""
    if isinstance(schema, list):
        return [_resolved(each, definitions) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    plain = {key: _resolved(value, definitions) for key, value in schema.items() if key != "$ref"}
    if "$ref" not in schema:
        return plain
    name = str(schema["$ref"]).rpartition("/")[2]
    return {**_resolved(definitions.get(name, {}), definitions), **plain}


def _kinds(schema: Schema) -> tuple[str, ...]:
    kind = schema.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _is_kind(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, float) and value.is_integer() and kind == "integer":
        return True  # JSON has one kind of number; so have messages that carry JSON
    return isinstance(value, TYPES.get(kind, ()))


def _same(one: object, other: object) -> bool:
    """Equal as JSON values, where true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _in_range(schema: Schema, value: float) -> bool:
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    inside = above is None or value > above, below is None or value < below
    return bool(low <= value <= high and all(inside))
