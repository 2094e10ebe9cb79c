"""What entities and pictures need of the scene that they are part of, which is made of them."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from typing import Any, Protocol


class Owner(Protocol):
    """A Scene (scene.py)."""

    def items(self, name: str) -> list[Any]: ...

    def keys(self, entity: int) -> list[tuple[str, str]]: ...

    def value(self, entity: int, key: str) -> str | None: ...
