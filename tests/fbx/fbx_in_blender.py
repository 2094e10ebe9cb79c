"""Reads the FBX files of write_scene_samples with Blender's importer, which shares no code with the writer. Every
triangle of the atrium has the right position and both uv sets. Lamps, cameras and keys equal those in the GLB of the
same map. Names and keys that have a meaning for importers do no harm.

    fbx_in_blender.py LIBRARY SAMPLES # starts Blender with this script
    blender --python fbx_in_blender.py -- SAMPLES # compares
"""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ATRIUM = ROOT / "tests/fixtures/atrium/quake3/maps/atrium.bsp"
METERS = 0.0254

sys.path.insert(0, str(ROOT / "tests/support"))
from same_in_blender import check_same_as_gltf, import_gltf  # noqa: E402
from white_plane import check_white_plane  # noqa: E402


def main() -> int:
    sys.path.insert(0, str(ROOT / "tests/addon"))
    import run
    import shutil
    library, samples = sys.argv[1:]
    blender = shutil.which(os.environ.get("BSPSCENE_BLENDER", "blender"))
    if not blender:
        return run.skip("Blender is not there (Debian: blender)")
    command = [blender, "-b", "--factory-startup", "--python-exit-code", "1", "--python", __file__, "--", samples]
    return subprocess.run(command, env=run.environment(library)).returncode


def moments(corners, uvs, lightmap_uvs):
    """Returns the sums over all triangles of area times a times b. Here a and b are any two of 1 and the centroid's x,
    y, z, u, v, and the lightmap's u and v."""
    import numpy
    area = numpy.linalg.norm(numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    middles = [numpy.ones((len(area), 1))] + [values.mean(axis=1) for values in (corners, uvs, lightmap_uvs)]
    values = numpy.concatenate(middles, axis=1)
    return numpy.einsum("t,ti,tj->ij", area, values, values)


def written(scene):
    """Returns these moments of the library's scene. It is converted to the file's units: meters, with v upward."""
    import numpy
    total = 0
    for index, node in enumerate(scene.items("nodes")):
        if node.mesh == 0xFFFFFFFF:
            continue
        mesh = scene.mesh(node.mesh)
        uvs, lightmap_uvs = mesh.uvs.reshape(-1, 2).copy(), mesh.lightmap_uvs.reshape(-1, 2).copy()
        for section in mesh.sections:
            material = scene.data.materials[section.material].contents
            span = slice(section.first_vertex, section.first_vertex + section.vertex_count)
            uvs[span] = uvs[span] * material.uv_scale[:] + material.uv_offset[:]
        for values in (uvs, lightmap_uvs):
            values[:, 1] = 1 - values[:, 1]
        triangles = mesh.indices.reshape(-1, 3)
        world = numpy.array(scene.world_transform(index), numpy.float64).reshape(3, 4)
        positions = (mesh.positions.reshape(-1, 3) @ world[:, :3].T + world[:, 3]) * METERS
        total = total + moments(positions[triangles], uvs[triangles], lightmap_uvs[triangles])
    return total


def read():
    """Returns moments of the imported scene."""
    import bpy
    import numpy
    total = 0
    for item in bpy.data.objects:
        if item.type != "MESH":
            continue
        mesh = item.data
        if len(mesh.uv_layers) != 2:
            sys.exit(f"{item.name}: {len(mesh.uv_layers)} uv sets")

        def get(collection, name, width, kind=numpy.float32):
            values = numpy.empty(len(collection) * width, kind)
            collection.foreach_get(name, values)
            return values.reshape(-1, width).astype(kind if kind == numpy.int32 else numpy.float64)

        mesh.calc_loop_triangles()
        loops = get(mesh.loop_triangles, "loops", 3, numpy.int32)
        vertices = get(mesh.loop_triangles, "vertices", 3, numpy.int32)
        world = numpy.array(item.matrix_world)
        positions = get(mesh.vertices, "co", 3) @ world[:3, :3].T + world[:3, 3]
        sets = [get(layer.data, "uv", 2)[loops] for layer in mesh.uv_layers]
        total = total + moments(positions[vertices], *sets)
    return total


def load(path: Path) -> dict:
    """Loads a file into an empty Blender, and returns its objects by name."""
    import bpy
    import numpy
    numpy.bool = bool  # type: ignore  # Debian's glTF importer needs this name, which Debian's numpy lacks
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path))
    else:
        import_gltf(path)
    return {item.name: item for item in bpy.data.objects}


def check_triangles(path: Path) -> None:
    import bpy
    import numpy
    sys.path.insert(0, str(ROOT / "python"))
    from bspscene import abi, scene as scenes
    from bspscene.files import GameFiles
    load(path)
    scene = scenes.load(GameFiles(str(ATRIUM)), textures=abi.TEXTURES_NONE)
    want, found = written(scene), read()
    if not numpy.allclose(found, want, rtol=1e-3, atol=1e-3 * want[0, 0]):
        sys.exit(f"the triangles and their uvs differ:\n{found}\ninstead of\n{want}")
    sets = {tuple(layer.name for layer in mesh.uv_layers) for mesh in bpy.data.meshes}
    if sets != {("UVMap", "Lightmap")}:
        sys.exit(f"uv sets are called {sets}")
    lost = [image.filepath for image in bpy.data.images
            if not image.has_data and not os.path.exists(bpy.path.abspath(image.filepath))]
    if lost or not bpy.data.images:
        sys.exit(f"pictures that were not found: {lost}")
    print(f"{len(bpy.data.meshes)} meshes, {want[0, 0]:.1f} square meters, {len(bpy.data.images)} pictures")


def check_materials(folder: Path) -> None:
    """Checks that alpha is linked only for transparent materials, and that no material has specular highlights."""
    import bpy
    load(folder / "atrium.fbx")
    alpha = set()
    for material in bpy.data.materials:
        surface = material.node_tree.nodes["Principled BSDF"]
        if surface.inputs["Alpha"].is_linked:
            alpha.add(material.name.split("/")[-1])
        if (surface.inputs["Roughness"].default_value, surface.inputs["Specular"].default_value) != (1, 0):
            sys.exit(f"{material.name} has phong")
    if alpha != {"glass", "grate"}:
        sys.exit(f"materials with alpha: {sorted(alpha)}")


def check_hostile(folder: Path) -> None:
    world = load(folder / "hostile.fbx")["worldspawn"]
    moved = world.matrix_world.translation.length > 1e-6
    if world.get("entity.Visibility") != "no" or moved or world.hide_viewport:
        sys.exit("keys that are called like FBX's properties are not kept apart")
    for name in ("wide", "inside", "large", "instances", "empty"):
        found = load(folder / f"{name}.fbx")
        if name == "empty":
            continue
        size = max(found["worldspawn"].dimensions)
        if abs(size - 640 * METERS) > 1e-3:
            sys.exit(f"{name}: the world is {size} meters long")
    doors = [item for item in load(folder / "instances.fbx").values() if item.data and item.data.name.startswith("*1")]
    if len(doors) != 2 or doors[0].data != doors[1].data:
        sys.exit("two nodes that show one mesh have two")


def check(folder: Path) -> None:
    check_triangles(folder / "atrium.fbx")
    check_same_as_gltf(load, folder, "atrium", ".fbx")
    check_same_as_gltf(load, folder, "sample", ".fbx")
    for ending in (".glb", ".fbx"):
        check_white_plane(load, folder / f"sample{ending}")
    check_materials(folder)
    check_hostile(folder)


if __name__ == "__main__":
    if "--" in sys.argv:
        check(Path(sys.argv[sys.argv.index("--") + 1]))
    else:
        sys.exit(main())
