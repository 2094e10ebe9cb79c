"""Python's keyword arguments -> a zeroed struct of options, with its size and nothing that the struct does not have."""
# SPDX-License-Identifier: MIT
import ctypes
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from . import abi

Options = TypeVar("Options", bound=ctypes.Structure)

# What a field's words begin with in the header: lightmap_encoding="hdr" is LIGHTMAP_HDR.
_WORDS = {"engine": "ENGINE_", "include": "INCLUDE_", "lightmap_encoding": "LIGHTMAP_", "lighting": "WRITE_",
          "merge": "MERGE_", "missing": "MISSING_", "mode": "RENDER_", "models": "MODELS_", "parts": "PARTS_",
          "textures": "TEXTURES_"}
# The header's word for no light is longer than what it takes.
_SPELLED = {("lighting", "none"): "WRITE_NO_LIGHT"}


def options_of(kind: type[Options], given: Mapping[str, Any]) -> Options:
    """A struct of options. Raises TypeError for a name that it does not have, ValueError for a word."""
    fields = {field[0]: field[1] for field in kind._fields_}
    options = kind(struct_size=ctypes.sizeof(kind))
    for name, value in given.items():
        if name not in fields or name == "struct_size":
            known = ", ".join(sorted(set(fields) - {"struct_size"}))
            raise TypeError(f"there is no option {name!r}; there are {known}")
        wanted = _value(name, value)
        # ctypes would take a number for an address.
        if fields[name] in (ctypes.c_char_p, ctypes.c_void_p) and not isinstance(wanted, bytes | None):
            raise TypeError(f"{name} is a text, not {value!r}")
        setattr(options, name, wanted)
    return options


def _value(name: str, value: Any) -> Any:
    if name in _WORDS:
        if isinstance(value, str):
            return _constant(name, value)
        if isinstance(value, Iterable):
            bits = 0
            for word in value:
                bits |= _constant(name, word)
            return bits
    return value.encode() if isinstance(value, str) else value


def _constant(name: str, word: str) -> int:
    prefix = _WORDS[name]
    constant = _SPELLED.get((name, word), prefix + word.upper())
    found = getattr(abi, constant, None)
    if not isinstance(found, int):
        known = [key[len(prefix):].lower() for key in vars(abi) if key.startswith(prefix)]
        raise ValueError(f"{name}: {word!r} is none of {', '.join(known)}")
    return found
