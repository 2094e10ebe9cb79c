"""The datablocks an import makes, so that a failed or cancelled one can be taken back whole."""

import bpy

KEY = "bspscene_key"   # custom property: what a datablock was made from, by which another import finds it


def is_alive(block: bpy.types.ID) -> bool:
    """Not removed meanwhile by somebody else: purged, or deleted in another window."""
    try:
        return bool(block.name)
    except ReferenceError:
        return False


class Made:
    """Makes datablocks and remembers them. After undo, redo or another file they are gone and must not be touched:
    whoever waits between two steps ends the import before that (jobs.py)."""

    def __init__(self) -> None:
        self._blocks: list[bpy.types.ID] = []
        self._names: list[tuple[bpy.types.ID, str]] = []
        self._replaced: list[tuple[bpy.types.ID, bpy.types.ID]] = []

    def new(self, kind: str, *arguments, **settings) -> bpy.types.ID:
        """bpy.data.<kind>.new(NAME, ...)."""
        return self._note(getattr(bpy.data, kind).new(*arguments, **settings), arguments[0])

    def copy(self, block: bpy.types.ID, name: str) -> bpy.types.ID:
        """One like it of that name."""
        made = block.copy()
        made.name = name
        return self._note(made, name)

    def _note(self, block: bpy.types.ID, name: str) -> bpy.types.ID:
        self._blocks.append(block)
        if block.name != name:
            self._names.append((block, name))
        return block

    def names(self) -> list[tuple[bpy.types.ID, str]]:
        """What Blender numbered because a name was taken, and the names that were asked for, in order."""
        return list(self._names)

    def replace(self, old: bpy.types.ID, new: bpy.types.ID) -> None:
        """At the end `new`, which this made, gets the users and the name of `old`, an earlier import's."""
        self._replaced.append((old, new))

    def drop(self, block: bpy.types.ID) -> None:
        self._blocks.remove(block)
        bpy.data.batch_remove([block])

    def take_back(self) -> None:
        blocks, self._blocks = self._blocks, []
        bpy.data.batch_remove([block for block in blocks if is_alive(block)])

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
