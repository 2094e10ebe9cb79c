"""Base classes: one for objects that own memory of the library, and one for the functions that entities and pictures
call on their scene."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from typing import Any, NoReturn, Protocol


class OwnsHandle:
    """Owns an object of the library and frees it in __del__. It cannot be copied, because both copies would free the
    same memory."""

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: it owns memory of the native library")


class Owner(Protocol):
    """The functions of a Scene (scene.py) that entities and pictures call."""

    def items(self, name: str) -> list[Any]: ...

    def keys(self, entity: int) -> list[tuple[str, str]]: ...

    def value(self, entity: int, key: str) -> str | None: ...
