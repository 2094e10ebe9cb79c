"""An entity of a map as a mapping of its keys."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import abi
from .owner import Owner
from .text import text


class Entity(Mapping[str, str]):
    """A mapping of keys to values. If a key is repeated, its value is the one that the game uses. The case of keys is
    ignored. `pairs` has all pairs of the entity in the file, `record` is the bspscene_entity, and `index` is the
    entity's number in the scene."""

    def __init__(self, scene: Owner, index: int) -> None:
        self.scene, self.index = scene, index
        self.record: abi.Entity = scene.items("entities")[index]
        self.classname = text(self.record.classname)
        self.targetname = text(self.record.targetname)

    @property
    def origin(self) -> tuple[float, float, float]:
        """The entity's position in game units; (0, 0, 0) if the map does not state one."""
        x, y, z = self.record.origin
        return x, y, z

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All keys and values in file order, repeated keys too."""
        return self.scene.keys(self.index)

    @property
    def target(self) -> Entity | None:
        """The first entity whose `targetname` equals the `target` of this entity."""
        number = self.record.target_entity
        return None if number == abi.NO_INDEX else Entity(self.scene, number)

    def __getitem__(self, key: str) -> str:
        value = self.scene.value(self.index, key)
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.scene.value(self.index, key) is not None

    def __iter__(self) -> Iterator[str]:
        """Returns each key once, as the file first spells it."""
        first: dict[str, str] = {}
        for key, _ in self.pairs:
            first.setdefault(key.lower(), key)
        return iter(first.values())

    def __len__(self) -> int:
        return len({key.lower() for key, _ in self.pairs})

    def __repr__(self) -> str:
        return f"<Entity {self.index} {self.classname!r}>"
