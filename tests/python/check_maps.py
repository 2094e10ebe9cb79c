"""Loads real maps of all families by the Python package: every array has the right size, every number is in range, and
written files are complete. BSPSCENE_SHARED_DATA and BSPSCENE_OPENARENA name folders with further maps."""
import os
import struct
import sys
from pathlib import Path

import numpy
from package import ROOT, bspscene

NO_INDEX = bspscene.abi.NO_INDEX
LARGEST = 2 << 20   # largest size of a map in bytes, so that the test is short


def maps() -> list[Path]:
    found = sorted((ROOT / "tests/fixtures").rglob("maps/*.bsp"))
    for name in ("BSPSCENE_SHARED_DATA", "BSPSCENE_OPENARENA"):
        if name in os.environ:
            found += sorted(Path(os.environ[name]).rglob("maps/**/*.bsp"))
    return [path for path in found if path.is_file() and path.stat().st_size < LARGEST]


def check_meshes(scene) -> None:
    for mesh in scene.meshes():
        vertices = len(mesh.positions)
        assert not len(mesh.triangles) or int(mesh.triangles.max()) < vertices, mesh
        for name, width in (("positions", 3), ("normals", 3), ("uvs", 2), ("lightmap_uvs", 2), ("colors", 4)):
            view = getattr(mesh, name)
            assert view is None or view.shape == (vertices, width) and numpy.isfinite(view).all(), (mesh, name)
        assert sum(section.index_count for section in mesh.sections) == mesh.triangles.size, mesh
        assert all(section.lightmap_page == NO_INDEX or section.lightmap_page < scene.data.lightmap_page_count
                   for section in mesh.sections), mesh


def check_light(scene) -> None:
    for record in scene.items("lightmap_sets"):
        pages = scene.pages(record.kind, record.style)
        assert len(pages) == scene.data.lightmap_page_count
        for page in pages:
            assert page.luxels().shape[:2] == (page.height, page.width)


def check_map(path: Path) -> None:
    try:
        scene = bspscene.load(str(path))
    except bspscene.MapError as error:
        if error.status == bspscene.abi.ERROR_UNSUPPORTED_FORMAT:
            return   # a console's map, or one of an unsupported game, is refused
        raise
    check_meshes(scene)
    check_light(scene)
    for node, mesh, matrix in scene.instances():
        assert numpy.isfinite(matrix).all() and mesh.record.vertex_count == len(mesh.positions), node.name
    for entity in scene.entities():
        assert entity.classname == entity.get("classname", ""), entity
        assert len(entity) == len(list(entity)) <= len(entity.pairs), entity
    for image in scene.images():
        assert image.pixels().shape[2] == 4, image.name
    (content,) = bspscene.write(scene, "glb", lighting="lightmap").values()
    assert struct.unpack_from("<4sII", content) == (b"glTF", 2, len(content))


def main() -> int:
    failed = 0
    tried = maps()
    for path in tried:
        try:
            check_map(path)
        except (AssertionError, bspscene.MapError) as error:
            print(f"{path}: {error!r}")
            failed += 1
    print(f"{len(tried)} maps, {failed} failed")
    return 1 if failed or len(tried) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
