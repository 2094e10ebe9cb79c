"""Converts keyword arguments to a struct of options whose other fields are zero, and sets its size. Unknown fields are
errors."""
# SPDX-License-Identifier: MIT
import ctypes
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from .option_types import WORDS

Options = TypeVar("Options", bound=ctypes.Structure)

def options_of(kind: type[Options], given: Mapping[str, Any]) -> Options:
    """Returns a struct of options. Raises TypeError for an unknown name, ValueError for an unknown word."""
    fields = {field[0]: field[1] for field in kind._fields_}
    options = kind(struct_size=ctypes.sizeof(kind))
    for name, value in given.items():
        if name not in fields or name == "struct_size":
            known = ", ".join(sorted(set(fields) - {"struct_size"}))
            raise TypeError(f"there is no option {name!r}; there are {known}")
        if isinstance(value, Mapping) and issubclass(fields[name], ctypes.Structure):
            setattr(options, name, _nested(name, fields[name], value))
            continue
        wanted = _value(name, value, WORDS.get(kind.__name__, {}).get(name))
        # ctypes would take a number for an address.
        if fields[name] in (ctypes.c_char_p, ctypes.c_void_p) and not isinstance(wanted, bytes | None):
            raise TypeError(f"{name} must be a string, not {value!r}")
        if name == "file_name" and isinstance(wanted, bytes) and (not wanted or set(wanted) & set(b"/\\\0")):
            raise ValueError(f"file_name must be the name of a file without a directory, not {value!r}")
        _set(options, name, fields[name], wanted)
    return options


def _set(record: ctypes.Structure, name: str, kind: Any, value: Any) -> None:
    """Checks the type of a value, because ctypes does not name the field in its errors and accepts a string for
    True."""
    try:
        if isinstance(value, bytes) and kind not in (ctypes.c_char_p, ctypes.c_void_p):
            raise TypeError(f"must not be a string, but {value.decode()!r} was given")
        setattr(record, name, value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def _nested(name: str, kind: Any, given: Mapping[str, Any]) -> Any:
    """Returns the value of a field that is itself a struct, such as model_pose={"sequence": "idle", "frame": 3}."""
    fields = {field[0]: field[1] for field in kind._fields_}
    record = kind()
    for part, value in given.items():
        if part not in fields:
            raise TypeError(f"{name} has no {part!r}; there are {', '.join(sorted(fields))}")
        _set(record, part, fields[part], value.encode() if isinstance(value, str) else value)
    return record


def _value(name: str, value: Any, words: Mapping[str, int] | None) -> Any:
    """Converts a value for a field: a word to its constant, several words to their bits, a string to bytes."""
    if words is None:
        return value.encode() if isinstance(value, str) else value
    if isinstance(value, str):
        return _constant(name, value, words)
    if isinstance(value, Iterable):
        bits = 0
        for word in value:
            bits |= _constant(name, word, words)
        return bits
    return value


def _constant(name: str, word: object, words: Mapping[str, int]) -> int:
    found = words.get(word.lower()) if isinstance(word, str) else None
    if found is None:
        raise ValueError(f"{name}: {word!r} is not one of {', '.join(words)}")
    return found
