"""Marks imported game models as assets in Blender's asset browser, with preview pictures, in catalogs named after their
folders."""
import os
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import bpy

from . import previews
from .build.data.again import MAP_NAME
from .playing import is_model

CATALOGS = "blender_assets.cats.txt"
HEAD = "# This is an Asset Catalog Definition file for Blender.\n\nVERSION 1\n\n"
OWN = uuid.UUID("0b9a3e0e-7a54-4f0c-9a0d-5f6c3c1f7d52")   # namespace from which the catalogs' UUIDs are derived


def mark(roots: Iterable[bpy.types.Collection]) -> list[bpy.types.ID]:
    """Marks models that were imported by themselves, and one object for each model of a map. Returns all of them."""
    marked = []
    for root in roots:
        for made, objects, model in _models_of(root):
            made.asset_mark()
            catalog = catalog_of(model)
            made.asset_data.catalog_id = str(uuid.uuid5(OWN, catalog))
            made.asset_data.description = model
            if not made.asset_data.tags:
                made.asset_data.tags.new(str(root.get("variant") or root.get("family", "")), skip_if_exists=True)
            _show(made, objects)
            marked.append(made)
    return marked


def _models_of(root: bpy.types.Collection) -> Iterator[tuple[bpy.types.ID, list[bpy.types.Object], str]]:
    """Yields for each model below `root`: the datablock that becomes an asset, the objects that its preview shows, and
    the model's game path."""
    if is_model(root):
        yield root, list(root.all_objects), str(root[MAP_NAME])
        return
    seen: set[bpy.types.ID] = set()
    for made in root.all_objects:
        if made.type == "MESH" and "model" in made and not str(made["model"]).startswith("*") and \
                made.data not in seen:
            seen.add(made.data)
            yield made, [made], str(made["model"])


def catalog_of(model: str) -> str:
    """Returns the catalog for a model's folder below "models": "Game models/items" for "models/items/ammo.md3"."""
    parts = [part for part in PurePosixPath(model.replace("\\", "/")).parent.parts if part not in ("/", "..", ".")]
    if parts[:1] == ["models"]:
        parts = parts[1:]
    return "/".join(["Game models", *(part.replace(":", "-") for part in parts)])


def _show(made: bpy.types.ID, objects: list[bpy.types.Object]) -> None:
    preview = made.preview_ensure()
    preview.image_size = (previews.SIZE, previews.SIZE)
    preview.image_pixels_float.foreach_set(previews.draw(objects).ravel())


def write_catalogs(marked: Iterable[bpy.types.ID], blend: str) -> Path | None:
    """Adds the catalogs of assets to the catalog file that Blender reads, which is next to the .blend or in a folder
    above it. Returns None if the .blend was never saved, because then no folder is known. Raises OSError."""
    if not blend:
        return None
    folder = Path(blend).parent
    path = next((place / CATALOGS for place in (folder, *folder.parents) if (place / CATALOGS).is_file()),
                folder / CATALOGS)
    text = path.read_text(encoding="utf-8") if path.is_file() else HEAD
    known = {line.split(":")[0] for line in text.splitlines()}
    names = {made.asset_data.catalog_id: catalog_of(made.asset_data.description) for made in marked}
    lines = [f"{number}:{name}:{name.replace('/', '-')}\n" for number, name in sorted(names.items(), key=lambda i: i[1])
             if number not in known]
    if lines:
        new = path.with_name(f"{CATALOGS}.new")
        new.write_text(text + ("" if text.endswith("\n") else "\n") + "".join(lines), encoding="utf-8")
        os.replace(new, path)
    return path
