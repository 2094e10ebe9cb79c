"""The datablocks an import makes, so that a failed or canceled one can be taken back whole."""
from collections.abc import Sequence
from typing import NamedTuple

import bpy

LONGEST = bpy.types.ID.bl_rna.properties["name"].length_max - 1   # bytes of a name that Blender keeps
KEY = "bspscene_key"   # custom property: what a datablock was made from, by which another import finds it


def is_alive(block: bpy.types.ID) -> bool:
    """Not removed meanwhile by somebody else: purged, or deleted in another window."""
    try:
        return bool(block.name)
    except ReferenceError:
        return False


def remove(blocks: Sequence[bpy.types.ID]) -> None:
    """With the shape keys of meshes, which Blender leaves."""
    keys = {block.shape_keys for block in blocks if getattr(block, "shape_keys", None)}
    bpy.data.batch_remove(blocks)
    bpy.data.batch_remove([key for key in keys if not key.users])


class Numbered(NamedTuple):
    """A datablock of bpy.data.<kind> that Blender gave another name than it was made for, as that was taken."""
    kind: str
    block: bpy.types.ID
    wanted: str


class Made:
    """Makes datablocks and remembers them. After undo, redo or another file they are gone and must not be touched:
    whoever waits between two steps ends the import before that (jobs.py)."""

    def __init__(self) -> None:
        self._blocks: list[bpy.types.ID] = []
        self._numbered: list[Numbered] = []
        self._replaced: list[tuple[bpy.types.ID, bpy.types.ID]] = []

    def new(self, kind: str, *arguments, **settings) -> bpy.types.ID:
        """bpy.data.<kind>.new(NAME, ...)."""
        return self._note(kind, getattr(bpy.data, kind).new(*arguments, **settings), arguments[0])

    def copy(self, thing: bpy.types.Object, name: str) -> bpy.types.Object:
        """One like it of that name, or numbered: Blender before 4.0 would give who has the name another."""
        made, place = thing.copy(), bpy.data.objects.new(name, None)
        free = place.name
        bpy.data.objects.remove(place)
        made.name = free
        return self._note("objects", made, name)

    def _note(self, kind: str, block: bpy.types.ID, name: str) -> bpy.types.ID:
        self._blocks.append(block)
        cut = name.encode()[:LONGEST].decode(errors="ignore")
        if block.name != cut:
            self._numbered.append(Numbered(kind, block, cut))
        return block

    def numbered(self) -> list[Numbered]:
        """In order."""
        return list(self._numbered)

    def replace(self, old: bpy.types.ID, new: bpy.types.ID) -> None:
        """At the end `new`, which this made, gets the users and the name of `old`, an earlier import's."""
        self._replaced.append((old, new))

    def drop(self, block: bpy.types.ID) -> None:
        self._blocks.remove(block)
        bpy.data.batch_remove([block])

    def take_back(self) -> None:
        blocks, self._blocks = self._blocks, []
        remove([block for block in blocks if is_alive(block)])

    def finish(self) -> None:
        """Everything made stays."""
        pairs = [(old, new, old.name) for old, new in self._replaced if is_alive(old)]
        for old, new, _ in pairs:
            old.user_remap(new)
        bpy.data.batch_remove([old for old, _, _ in pairs])
        for _, new, name in pairs:
            new.name = name
        self._replaced, self._blocks = [], []


def by_key(blocks) -> dict[str, bpy.types.ID]:
    """What earlier imports made, by its key."""
    return {block[KEY]: block for block in blocks if KEY in block}
