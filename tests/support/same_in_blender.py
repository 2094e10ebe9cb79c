"""Compares lamps, cameras and entity keys that Blender imports from a format with those of the same map's GLB."""
import json
import sys
from collections.abc import Callable
from pathlib import Path

LARGEST_DIFFERENCE = 1e-4


def facts(objects: dict) -> dict:
    """Returns the properties of lamps and cameras on which both importers must agree: not the roll of lamps or the
    rotation of point lights."""
    import mathutils
    found = {}
    for name, item in objects.items():
        if item.type not in ("LIGHT", "CAMERA"):
            continue
        values = [*item.matrix_world.translation]
        turn = item.matrix_world.to_quaternion()
        if item.type == "CAMERA" or item.data.type != "POINT":
            values += [*(turn @ mathutils.Vector((0, 0, -1)))]
        if item.type == "CAMERA":
            values += [*(turn @ mathutils.Vector((0, 1, 0)))]
            values += [item.data.angle_y, item.data.clip_start, item.data.clip_end]
        else:
            values += [item.data.energy, *item.data.color]
            if item.data.type == "SPOT":
                values += [item.data.spot_size, item.data.spot_blend]
        found[name] = (item.type, getattr(item.data, "type", ""), values)
    return found


def keys(objects: dict) -> dict:
    """Returns custom properties that are entity keys. glTF keeps repeated ones as lists, other formats as JSON."""
    def text(value):
        value = value.to_list() if hasattr(value, "to_list") else value
        return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return {name: {key: text(value) for key, value in item.items() if not key.startswith("bspscene")}
            for name, item in objects.items() if "classname" in item}


def import_gltf(path: Path) -> None:
    """Imports with candela and lux in their real units. The mode "Standard" would divide by 683, the eye's
    sensitivity."""
    import bpy
    names = bpy.ops.import_scene.gltf.get_rna_type().properties.keys()
    mode = next(name for name in names if name.endswith("convert_lighting_mode"))
    bpy.ops.import_scene.gltf(filepath=str(path), **{mode: "COMPAT"})


def check_same_as_gltf(load: Callable[[Path], dict], folder: Path, name: str, ending: str) -> None:
    """Compares lamps, cameras and keys of the files NAME.glb and NAME + `ending` in `folder`. `load` opens a file in
    Blender as the only scene, and returns the objects by name. Ends the program if they differ."""
    want = load(folder / f"{name}.glb")
    wanted, wanted_keys = facts(want), keys(want)
    found = load(folder / f"{name}{ending}")
    got, got_keys = facts(found), keys(found)
    if set(got) != set(wanted) or not wanted:
        sys.exit(f"{name}: lamps and cameras {sorted(got)} instead of {sorted(wanted)}")
    largest = 0.0
    for item, (kind, shape, values) in wanted.items():
        if got[item][:2] != (kind, shape):
            sys.exit(f"{name}: {item} is {got[item][:2]} instead of {(kind, shape)}")
        differences = [abs(a - b) / max(1, abs(b)) for a, b in zip(got[item][2], values)]
        largest = max(largest, *differences)
        if max(differences) > LARGEST_DIFFERENCE:
            sys.exit(f"{name}: {item}: {got[item][2]} instead of {values}")
    for item, pairs in wanted_keys.items():
        for key, value in pairs.items():
            if got_keys.get(item, {}).get(key) != value:
                sys.exit(f"{name}: {item}: {key} is {got_keys.get(item, {}).get(key)!r} instead of {value!r}")
    total = sum(map(len, wanted_keys.values()))
    print(f"{name}: {len(wanted)} lamps and cameras as in glTF (largest difference {largest:.1e}), {total} keys")
