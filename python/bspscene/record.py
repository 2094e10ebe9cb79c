"""The base class of all structs in abi.py: strings are str, and unknown fields are errors."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
from typing import Any


class Record(ctypes.Structure):
    """A struct of the C interface. Unknown fields raise AttributeError; plain ctypes would silently add a Python
    attribute."""

    __slots__ = ("owner",)   # the object that owns the memory to which the struct points
    owner: Any

    def __repr__(self) -> str:
        """Shows numbers, strings and arrays of numbers; pointers are left out."""
        shown = ((name, getattr(self, name)) for name, *_ in self._fields_)
        values = ((name, value[:] if isinstance(value, ctypes.Array) else value) for name, value in shown)
        facts = [f"{name}={value!r}" for name, value in values if isinstance(value, str | bool | int | float | list)]
        return f"{type(self).__name__}({', '.join(facts)})"


class Text:
    """A field that holds UTF-8 text: a str in Python, None for NULL. Paths may also be stored as bytes."""

    __slots__ = ("_field",)

    def __init__(self, field: Any) -> None:
        self._field = field

    def __get__(self, record: Any, kind: Any = None) -> Any:
        if record is None:
            return self._field   # the field of ctypes, which has the offset and the size
        value = self._field.__get__(record, kind)
        return None if value is None else value.decode("utf-8", "replace")

    def __set__(self, record: Any, value: str | bytes | None) -> None:
        self._field.__set__(record, value.encode() if isinstance(value, str) else value)


def read_texts(kinds: dict[str, Any]) -> None:
    """Replaces the fields of all structs in a module that are C strings or arrays of char by Text."""
    for kind in kinds.values():
        if not isinstance(kind, type) or not issubclass(kind, Record) or kind is Record:
            continue
        for name, field, *_ in kind._fields_:
            if _is_text(field):
                setattr(kind, name, Text(getattr(kind, name)))


def _is_text(field: Any) -> bool:
    is_array = isinstance(field, type) and issubclass(field, ctypes.Array)
    element: Any = field
    return field is ctypes.c_char_p or (is_array and element._type_ is ctypes.c_char)
