"""What pydantic found wrong with a file, in the words of the person who wrote the file."""

from __future__ import annotations

from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from kit.scenario.tree import Location, Tree, did_you_mean

Model = TypeVar("Model", bound=BaseModel)

_WANTED = {
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "mapping_type": "must be a mapping",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "model_attributes_type": "must be a mapping",
}


def check(model: type[Model], tree: Tree, extra: dict[str, Any] | None = None) -> Model | None:
    """Build the model from a tree's values; what is wrong goes to the tree's problems.

    Args:
        model: the model of the whole file.
        tree: the file.
        extra: values that are not written in the file, e.g. a suite's name.
    """
    try:
        return model.model_validate({**tree.value, **(extra or {})})
    except ValidationError as invalid:
        for error in invalid.errors(include_url=False):
            if error["type"] == "too_short" and tree.has((*_written(tree, error["loc"]), 0)):
                continue  # its items are wrong and already said, pydantic only saw none that is right
            _report(model, tree, error)  # type: ignore[arg-type]
        return None


def _report(model: type[BaseModel], tree: Tree, error: dict[str, Any]) -> None:
    kind, location = error["type"], _written(tree, error["loc"])
    name = error["loc"][-1] if error["loc"] else ""
    context = error.get("ctx", {})
    if kind == "missing":
        what = f"{_shown((*location, name))} is missing"
    elif kind == "extra_forbidden":
        known = sorted(_keys_beside(model, error["loc"]))
        what = f"unknown key {_shown(location)}{did_you_mean(str(name), known)}; allowed: {', '.join(known)}"
    elif kind == "value_error":
        what = f"{_shown(location)}: {context['error']}" if location else str(context["error"])
    else:
        what = f"{_shown(location)} {_sentence(kind, context, error['input'])}"
    tree.report(what, location)


def _sentence(kind: str, context: dict[str, Any], found: Any) -> str:
    """The rule that does not hold, for the kinds of errors that pydantic words for programmers."""
    if kind in _WANTED:
        hint = ": put it in quotes" if kind == "string_type" and isinstance(found, int | float) else ""
        return f"{_WANTED[kind]}, is {_found(found)}{hint}"
    if kind == "literal_error":
        return f"must be {context['expected'].replace(chr(39), '`')}, is {_found(found)}"
    if kind in {"string_too_short", "too_short"}:
        return "must not be empty"
    if kind == "greater_than_equal":
        return f"must be at least {context['ge']:g}, is {_found(found)}"
    if kind == "less_than_equal":
        return f"must be at most {context['le']:g}, is {_found(found)}"
    if kind == "greater_than":
        return f"must be above {context['gt']:g}, is {_found(found)}"
    if kind == "string_pattern_mismatch":
        return f"must match {context['pattern']}, is {_found(found)}"
    return f"is not allowed: {kind.replace('_', ' ')}"


def _found(value: Any) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, str):
        return f"`{value}`" if len(value) <= 60 else "text"
    return str(value)


def _written(tree: Tree, location: Location) -> Location:
    """The location as the file has it: a model's location also names what short forms leave out."""
    at: Location = ()
    for part in location:
        if tree.has((*at, part)):
            at = (*at, part)
    return at


def _shown(location: Location) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return f"`{text.removeprefix('.')}`" if text else ""


def _keys_beside(model: type[BaseModel], location: Location) -> set[str]:
    """The keys that are allowed where the last part of `location` stands."""
    models = {model}
    for part in location[:-1]:
        fields = [
            found.model_fields[part]
            for found in models
            if isinstance(part, str) and part in found.model_fields
        ]
        if fields:
            models = {inner for field in fields for inner in _models_in(field.annotation)}
    return {
        field.alias or key
        for found in models
        for key, field in found.model_fields.items()
        if key != "name" or found.__name__ != "Suite"
    }


def _models_in(annotation: Any) -> set[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {inner for argument in get_args(annotation) for inner in _models_in(argument)}
