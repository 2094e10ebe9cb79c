"""The datablocks that an import makes. If it fails or is canceled, all of them are removed."""
from collections.abc import Sequence
from typing import NamedTuple

import bpy

LONGEST = bpy.types.ID.bl_rna.properties["name"].length_max - 1   # largest length in bytes of a datablock's name
KEY = "bspscene_key"   # custom property: what a datablock was made from; another import finds it by this


def is_alive(block: bpy.types.ID) -> bool:
    """True if the datablock still exists. It may have been purged, or deleted in another window."""
    try:
        return bool(block.name)
    except ReferenceError:
        return False


def remove(blocks: Sequence[bpy.types.ID]) -> None:
    """Removes datablocks. Removes the shape keys of meshes too, because some versions of Blender keep them."""
    keys = {block.shape_keys for block in blocks if getattr(block, "shape_keys", None)}
    bpy.data.batch_remove(blocks)
    bpy.data.batch_remove([key for key in keys if is_alive(key) and not key.users])


class Numbered(NamedTuple):
    """A datablock of bpy.data.<kind> that got another name than requested, because that name was taken."""
    kind: str
    block: bpy.types.ID
    wanted: str


class Made:
    """Makes datablocks and records them. Undo, redo and loading another file remove the datablocks, and then they must
    not be used. So jobs.py ends a running import before such an event."""

    def __init__(self) -> None:
        self._blocks: list[bpy.types.ID] = []
        self._numbered: list[Numbered] = []
        self._replaced: list[tuple[bpy.types.ID, bpy.types.ID]] = []

    def new(self, kind: str, *arguments, **settings) -> bpy.types.ID:
        """Makes a datablock by bpy.data.<kind>.new(NAME, ...) and records it."""
        return self._note(kind, getattr(bpy.data, kind).new(*arguments, **settings), arguments[0])

    def copy(self, thing: bpy.types.Object, name: str) -> bpy.types.Object:
        """Copies an object under this name, or with a number appended if the name is taken. The free name is found
        first, because before version 4.0 Blender would rename the object that has the name already."""
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
        """Returns the numbered datablocks, in the order in which they were made."""
        return list(self._numbered)

    def replace(self, old: bpy.types.ID, new: bpy.types.ID) -> None:
        """When `finish` runs, `new` (a datablock of this import) replaces `old` (one of an earlier import) in all its
        users, and takes its name."""
        self._replaced.append((old, new))

    def drop(self, block: bpy.types.ID) -> None:
        self._blocks.remove(block)
        bpy.data.batch_remove([block])

    def take_back(self) -> None:
        blocks, self._blocks = self._blocks, []
        remove([block for block in blocks if is_alive(block)])

    def finish(self) -> None:
        """Keeps everything that was made."""
        pairs = [(old, new, old.name) for old, new in self._replaced if is_alive(old)]
        for old, new, _ in pairs:
            old.user_remap(new)
        bpy.data.batch_remove([old for old, _, _ in pairs])
        for _, new, name in pairs:
            new.name = name
        self._replaced, self._blocks = [], []


def by_key(blocks) -> dict[str, bpy.types.ID]:
    """Returns the datablocks of imports, by their keys."""
    return {block[KEY]: block for block in blocks if KEY in block}
