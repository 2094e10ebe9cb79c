"""Writes a copy of a map with other entities. This module does not use bpy."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import abi, library
from .files import AnyPath, GameFiles
from .library import MapError
from .relight import load_options
from .scene import Calling, Progress
from .text import text
from .write import into_files, run_output

_FORMS = {".bsp": abi.REWRITE_FORM_MAP, ".ent": abi.REWRITE_FORM_ENT, "_l_0.lmp": abi.REWRITE_FORM_LUMP_PATCH}
_KINDS = {abi.CHANGE_MODIFIED: "changed", abi.CHANGE_ADDED: "added", abi.CHANGE_REMOVED: "removed"}


class NewEntity(NamedTuple):
    """All keys and values that an entity is to have, and the entity's number in the map (None for a new entity)."""
    pairs: Sequence[tuple[str, str]]
    source: int | None = None


class NewCorner(NamedTuple):
    """New values for a corner of a face; None leaves a value unchanged. `face` and `corner` are numbers in the file."""
    face: int
    corner: int
    uv: tuple[float, float] | None = None
    normal: tuple[float, float, float] | None = None
    color: tuple[int, int, int, int] | None = None


class KeyChange(NamedTuple):
    """The change of one key. If `old` is None, the key was added; if `new` is None, it was removed."""
    key: str
    old: str | None
    new: str | None


class EntityChange(NamedTuple):
    """The changes of one entity. `old` and `new` are its numbers before and after the change; None means that it did
    not exist."""
    kind: str   # "changed", "added" or "removed"
    old: int | None
    new: int | None
    classname: str
    targetname: str
    keys: list[KeyChange]

    def lines(self) -> list[str]:
        sign = {"changed": "*", "added": "+", "removed": "-"}[self.kind]
        lines = [" ".join(filter(None, (sign, self.classname or "(no class)", self.targetname)))]
        for key in self.keys if self.kind == "changed" else ():
            lines.append(f"    {key.key}: {_shown(key.old)} -> {_shown(key.new)}")
        return lines


class Rewritten(NamedTuple):
    """What `rewrite` returns: the written files, the changes, and warnings about how engines read them."""
    files: list[Path]
    changes: list[EntityChange]
    warnings: list[str]
    is_identical: bool   # nothing changed, so the output is a copy
    corners_changed: int   # number of changed vertices of the file, or of changed corners if the file projects textures


def _shown(value: str | None) -> str:
    return "(none)" if value is None else value


def rewrite(path: AnyPath, entities: Iterable[NewEntity] | str | bytes | None, target: AnyPath | None, *,
            corners: Iterable[NewCorner] = (), map: str = "", games: AnyPath | Iterable[AnyPath] = (),
            progress: Progress | None = None) -> Rewritten:
    """Writes a copy of a map with other entities, or with other corners of faces, to `target`. The ending of `target`
    says what is written: a map (.bsp), only the text of the entities (.ent), or a lump patch of Source (_l_0.lmp). If
    `target` is None, nothing is written, and the result says what would change.

    `entities` are all entities that the new map is to have: records, a text as engines read it, or JSON as `bspscene
    entities` prints it. None means that the entities stay. `corners` are the corners that change
    (bspscene_edited_corner). `map` and `games` select the map as they do for load. Raises MapError and OSError.
    """
    given = entities.encode() if isinstance(entities, str) else entities
    place, new = GameFiles(path, games, map), None if given is None else _new_entities(given)
    options = abi.RewriteOptions(struct_size=ctypes.sizeof(abi.RewriteOptions))
    records = [_new_corner(corner) for corner in corners]
    options.corners = ctypes.cast((abi.EditedCorner * len(records))(*records), ctypes.POINTER(abi.EditedCorner))
    options.corner_count = len(records)
    if target is None:
        return _run(place, new, None, options, progress)
    name = Path(target).name
    forms = [form for ending, form in _FORMS.items() if name.lower().endswith(ending)]
    if not forms:
        raise MapError(f"{target}: needs one of the endings {', '.join(_FORMS)}", abi.ERROR_UNSUPPORTED_FORMAT)
    if os.path.exists(target) and os.path.samefile(path, target):
        raise MapError(f"{target}: is the map that is rewritten: choose another name", abi.ERROR_BAD_OPTIONS)
    options.form, options.file_name = forms[0], name
    said: list[Rewritten] = []
    files = into_files(Path(target).parent, lambda begin, end: said.append(
        _run(place, new, (begin, end), options, progress)))
    return said[0]._replace(files=files)


def _new_corner(corner: NewCorner) -> abi.EditedCorner:
    record = abi.EditedCorner(corner.face, corner.corner)
    for name, part in (("uv", abi.CORNER_UV), ("normal", abi.CORNER_NORMAL), ("color", abi.CORNER_COLOR)):
        values = getattr(corner, name)
        if values is not None:
            record.flags |= part
            setattr(record, name, type(getattr(record, name))(*values))
    return record


def _new_entities(given: Iterable[NewEntity] | bytes) -> abi.EditedEntities:
    """Converts the entities to the library's struct, which keeps the text alive."""
    new = abi.EditedEntities(struct_size=ctypes.sizeof(abi.EditedEntities))
    if isinstance(given, bytes):
        new.text, new.text_size = ctypes.cast(ctypes.c_char_p(given), ctypes.c_void_p).value, len(given)
        return new
    records: list[abi.EditedEntity] = []
    pairs: list[abi.Pair] = []
    for entity in given:
        source = abi.NO_INDEX if entity.source is None else entity.source
        records.append(abi.EditedEntity(source, len(pairs), len(entity.pairs)))
        pairs += [abi.Pair(key.encode(), value.encode()) for key, value in entity.pairs]
    new.entities = ctypes.cast((abi.EditedEntity * len(records))(*records), ctypes.POINTER(abi.EditedEntity))
    new.pairs = ctypes.cast((abi.Pair * len(pairs))(*pairs), ctypes.POINTER(abi.Pair))
    new.entity_count, new.pair_count = len(records), len(pairs)
    return new


def _run(place: GameFiles, new: abi.EditedEntities | None, output: Any, options: abi.RewriteOptions,
         progress: Progress | None) -> Rewritten:
    native = library.get()
    report = abi.RewriteReport(struct_size=ctypes.sizeof(abi.RewriteReport))
    entities = None if new is None else ctypes.byref(new)
    load = load_options(place)
    with Calling(load, progress):
        def call(to: Any, error: Any) -> bool:
            stream = abi.Stream(struct_size=ctypes.sizeof(abi.Stream))
            return bool(native.bspscene_source_open_map(place.place.handle, place.map, ctypes.byref(stream), error)
                        and native.bspscene_rewrite(ctypes.byref(stream), ctypes.byref(load), entities,
                                                    ctypes.byref(options), to, ctypes.byref(report), error))

        try:
            run_output(output, "", call)   # the library's message names the file
            return _read(report)
        finally:
            native.bspscene_entity_changes_free(report.changes)


def _read(report: abi.RewriteReport) -> Rewritten:
    made = report.changes.contents
    changes = []
    for record in made.changes[:made.change_count]:
        change = record.contents
        keys = [KeyChange(text(key.contents.key), key.contents.old_value, key.contents.new_value)
                for key in change.keys[:change.key_count]]
        changes.append(EntityChange(_KINDS[change.kind], _number(change.old_entity), _number(change.new_entity),
                                    text(change.classname), text(change.targetname), keys))
    warnings = [text(record.contents.message) for record in made.warnings[:made.warning_count]]
    return Rewritten([], changes, warnings, bool(report.identical), report.corners_changed)


def _number(number: int) -> int | None:
    return None if number == abi.NO_INDEX else number
