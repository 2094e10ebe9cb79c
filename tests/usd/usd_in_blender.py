"""Checks that Blender reads the USD files of write_scene_samples. In the atrium, lamps, cameras and keys must equal
those of its GLB. UV sets, normals and pictures must exist. Debian's Blender cannot read USD, but the bpy modules that
BSPSCENE_BPY names can.

    usd_in_blender.py SAMPLES in a Python with bpy 4.2 or later
"""
import os
import sys
from pathlib import Path

try:
    import bpy
except ImportError:
    print("skipped: this Python has no bpy")
    sys.exit(77)
if bpy.app.version < (4, 2) or not bpy.app.build_options.usd:
    print("skipped: this Blender reads no USD as 4.2 does")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from same_in_blender import check_same_as_gltf, import_gltf  # noqa: E402
from white_plane import check_white_plane  # noqa: E402


def load(path: Path) -> dict:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.suffix == ".glb":
        import_gltf(path)
    else:
        bpy.ops.wm.usd_import(filepath=str(path))
    return {item.name.replace(":", "_"): item for item in bpy.data.objects}


def area(objects: dict) -> float:
    return sum(polygon.area for item in objects.values() if item.type == "MESH" for polygon in item.data.polygons)


def check_geometry(folder: Path) -> None:
    want = area(load(folder / "atrium.glb"))
    found = load(folder / "atrium.usda")
    if abs(area(found) - want) > 1e-3 * want:
        sys.exit(f"{area(found)} square meters instead of {want}")
    for item in found.values():
        if item.type == "MESH" and [layer.name for layer in item.data.uv_layers] != ["st", "st1"]:
            sys.exit(f"{item.name} has the sets {[layer.name for layer in item.data.uv_layers]}")
    lost = [image.filepath for image in bpy.data.images if not Path(bpy.path.abspath(image.filepath)).exists()]
    linked = sum(node.type == "TEX_IMAGE" and node.outputs["Color"].is_linked
                 for material in bpy.data.materials for node in material.node_tree.nodes)
    if lost or linked < 10:
        sys.exit(f"pictures that were not found: {lost}, and {linked} that are in use")
    packed = load(folder / "packed.usdz")
    if not any(item.type == "MESH" for item in packed.values()) or not bpy.data.images:
        sys.exit("the package is empty")


def check_instances(folder: Path) -> None:
    found = load(folder / "instances.usda").values()
    if len({item.instance_collection for item in found if item.instance_collection}) != 1:
        sys.exit("two nodes that show one mesh do not share it")


def main() -> None:
    folder = Path(sys.argv[1])
    check_same_as_gltf(load, folder, "atrium", ".usda")
    for ending in (".glb", ".usda"):
        check_white_plane(load, folder / f"sample{ending}")
    check_geometry(folder)
    check_instances(folder)
    print(f"Blender {bpy.app.version_string}", flush=True)
    os._exit(0)  # skips the exit handlers, at which some bpy modules crash


if __name__ == "__main__":
    main()
