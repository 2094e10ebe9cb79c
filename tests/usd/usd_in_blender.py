"""The USD files of write_scene_samples, read by Blender: the atrium's lamps, cameras and keys are those of its GLB;
sets of coordinates, normals and pictures are there. Debian's Blender knows no USD; the bpy modules of BSPSCENE_BPY do.

    usd_in_blender.py SAMPLES      in a Python with bpy 4.2 or later
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


def load(path: Path) -> dict:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=str(path))
    else:
        bpy.ops.wm.usd_import(filepath=str(path))
    return {item.name.replace(":", "_"): item for item in bpy.data.objects}


def facts(objects: dict) -> dict:
    """Of lamps and cameras, what both importers must agree on; where points turn does not count."""
    found = {}
    for name, item in objects.items():
        if item.type not in ("LIGHT", "CAMERA"):
            continue
        values = [*item.matrix_world.translation]
        if item.type == "CAMERA" or item.data.type != "POINT":
            values += [-v for v in item.matrix_world.to_3x3().col[2]]
        if item.type == "CAMERA":
            values += [*item.matrix_world.to_3x3().col[1], item.data.angle_y, item.data.clip_start, item.data.clip_end]
        else:
            values += [item.data.energy, *item.data.color]
            if item.data.type == "SPOT":
                values += [item.data.spot_size, item.data.spot_blend]
        found[name] = (item.type, getattr(item.data, "type", ""), values)
    return found


def keys(objects: dict) -> dict:
    return {name: {key: value for key, value in item.items() if isinstance(value, str)}
            for name, item in objects.items() if "classname" in item}


def check_same_as_gltf(folder: Path, name: str) -> None:
    want = load(folder / f"{name}.glb")
    wanted, wanted_keys = facts(want), keys(want)
    found = load(folder / f"{name}.usda")
    got, got_keys = facts(found), keys(found)
    if set(got) != set(wanted) or not wanted:
        sys.exit(f"{name}: lamps and cameras {sorted(got)} instead of {sorted(wanted)}")
    largest = 0.0
    for item, (kind, shape, values) in wanted.items():
        if got[item][:2] != (kind, shape):
            sys.exit(f"{name}: {item} is {got[item][:2]} instead of {(kind, shape)}")
        differences = [abs(a - b) / max(1, abs(b)) for a, b in zip(got[item][2], values)]
        largest = max(largest, *differences)
        if max(differences) > 1e-4:
            sys.exit(f"{name}: {item}: {got[item][2]} instead of {values}")
    for item, pairs in wanted_keys.items():
        for key, value in pairs.items():
            if got_keys.get(item, {}).get(key) != value:
                sys.exit(f"{name}: {item}: {key} is {got_keys.get(item, {}).get(key)!r} instead of {value!r}")
    total = sum(map(len, wanted_keys.values()))
    print(f"{name}: {len(wanted)} lamps and cameras as in glTF (largest difference {largest:.1e}), {total} keys")


def area(objects: dict) -> float:
    return sum(polygon.area for item in objects.values() if item.type == "MESH" for polygon in item.data.polygons)


def check_geometry(folder: Path) -> None:
    want = area(load(folder / "atrium.glb"))
    found = load(folder / "atrium.usda")
    if abs(area(found) - want) > 1e-3 * want:
        sys.exit(f"{area(found)} square metres instead of {want}")
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
    check_same_as_gltf(folder, "atrium")
    check_geometry(folder)
    check_instances(folder)
    print(f"Blender {bpy.app.version_string}", flush=True)
    os._exit(0)  # some bpy modules crash when Python ends


if __name__ == "__main__":
    main()
