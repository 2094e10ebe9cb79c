#!/usr/bin/env python3
"""Checks the files of write_scene_samples with the tests' own reader (usd_text.py): prims, paths, sizes of arrays,
pictures, alignment in packages. check_usd.py DIRECTORY"""
from __future__ import annotations

import io
import math
import struct
import sys
import zipfile
from pathlib import Path

import usd_text
from usd_text import Prim

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from expect import differences, expect  # noqa: E402

METERS = 0.0254
ALIGNMENT = 64
TYPES = {"", "Xform", "Scope", "Material", "Shader", "Mesh", "GeomSubset", "SphereLight", "DistantLight", "DomeLight",
         "Camera"}


def by_name(root: Prim, name: str, kind: str = "Xform") -> Prim:
    return next(prim for prim in root.all() if prim.name == name and prim.type == kind)


def check_document(name: str, root: Prim, pictures: set[str]) -> None:
    expect(f"{name}: prims at the top", len(root.children), 1)
    expect(f"{name}: default prim", root.metadata["defaultPrim"], root.children[0].name)
    expect(f"{name}: unit and axis", [root.metadata["metersPerUnit"], root.metadata["upAxis"]], [1.0, "Y"])
    paths = {prim.path for prim in root.all()}
    used = set()
    for prim in root.all():
        expect(f"{name}: {prim.path}", prim.type in TYPES, True)
        for key, value in prim.values.items():
            if isinstance(value, str) and value.startswith("<"):
                expect(f"{name}: {prim.path}: {key}", value[1:-1].split(".")[0] in paths, True)
            if prim.types[key] == "asset":
                used.add(value.strip("@").removeprefix("./"))
        target = prim.metadata.get("references")
        if target:
            expect(f"{name}: {prim.path}: reference", target[1:-1] in paths, True)
        if "material:binding" in prim.values:
            expect(f"{name}: {prim.path}", prim.metadata.get("apiSchemas"), ["MaterialBindingAPI"])
    expect(f"{name}: pictures", used, pictures & used)


def check_mesh(name: str, mesh: Prim) -> None:
    values, where = mesh.values, f"{name}: {mesh.path}"
    corners, points = values["faceVertexIndices"], values["points"]
    expect(f"{where}: subdivision", values["subdivisionScheme"], "none")
    expect(f"{where}: sizes of faces", set(values["faceVertexCounts"]), {3.0})
    expect(f"{where}: corners", len(corners), 3 * len(values["faceVertexCounts"]))
    expect(f"{where}: in range", 0 <= min(corners) <= max(corners) < len(points), True)
    low, high = values["extent"]
    for axis in range(3):
        along = [point[axis] for point in points]
        expect(f"{where}: extent", (low[axis], high[axis]), (float(min(along)), float(max(along))))
    for key in ("primvars:st", "primvars:st1", "primvars:displayColor", "primvars:displayOpacity"):
        if key in values:
            expect(f"{where}: {key}", [len(values[key]), mesh.interpolation[key]], [len(points), "vertex"])
    normals, numbers = values["primvars:normals"], values["primvars:normals:indices"]
    expect(f"{where}: normals", [len(numbers), mesh.interpolation["primvars:normals"]], [len(corners), "faceVarying"])
    expect(f"{where}: all normals are used", {int(n) for n in numbers}, set(range(len(normals))))
    subsets = [prim for prim in mesh.children if prim.type == "GeomSubset"]
    expect(f"{where}: bound", bool(subsets) != ("material:binding" in values), True)
    if subsets:
        faces = sorted(int(face) for subset in subsets for face in subset.values["indices"])
        expect(f"{where}: faces of subsets", faces, list(range(len(values["faceVertexCounts"]))))


def check_sample(root: Prim) -> None:
    """Checks the contents of sample_scene.c, with numbers computed by hand."""
    world = by_name(root, "worldspawn", "Mesh")
    expect("world: a corner", world.values["points"][2], (64 * METERS, 0.0, -64 * METERS))
    expect("world: v is up", world.values["primvars:st"][0], (0.0, 1.0))
    expect("world: lightmap", world.values["primvars:st1"][0], (1.5 / 4, 1 - 1.5 / 4))
    door = by_name(root, "func_door_1")
    expect("door: place", door.values["xformOp:translate"], (10 * METERS, 30 * METERS, -20 * METERS))
    expect("door: own name", door.metadata["displayName"], "func_door:1")
    expect("door: keys", door.metadata["customData"]["entity"],
           {"classname": "func_door", "model": "*1", "angle": "90"})
    expect("door: user property", door.values["userProperties:angle"], "90")
    repeated = by_name(root, "worldspawn").metadata["customData"]["entity"]["message"]
    expect("world: repeated key", repeated, ["first \"line\"\nand second", "again", "and again"])
    expect("hidden surfaces", by_name(root, "worldspawn_hidden", "Mesh").values["purpose"], "guide")
    check_lamps(root)
    check_materials(root)


def check_lamps(root: Prim) -> None:
    lamp = by_name(root, "light_2", "SphereLight").values
    watts = 4 * math.pi * math.pi * 3.5 * (100 * METERS) ** 2
    expect("lamp: what Blender makes of it", lamp["inputs:intensity"] * math.pi, watts)
    expect("lamp: color is linear", lamp["inputs:color"], (1.0, ((0.5 + 0.055) / 1.055) ** 2.4, 0.0))
    expect("lamp: normalized", lamp["inputs:normalize"], 1.0)
    spot = by_name(root, "light_spot_light", "SphereLight")
    expect("spot: half angle", spot.values["inputs:shaping:cone:angle"], 30.0)
    # The inner and outer angles are equal, so the border is as hard as formats allow.
    expect("spot: softness", spot.values["inputs:shaping:cone:softness"], 0.001)
    expect("spot: schema", spot.metadata["apiSchemas"], ["ShapingAPI"])
    sun = by_name(root, "sun", "DistantLight").values
    expect("sun: normalized", sun["inputs:normalize"], 1.0)
    expect("sun: what Blender makes of it", sun["inputs:intensity"] * 4, math.pi * 21)
    camera = by_name(root, "info_player_intermission_4", "Camera").values
    angle = 2 * math.atan(camera["verticalAperture"] / 2 / camera["focalLength"])
    expect("camera: angle", angle, 2 * math.atan(0.75))
    expect("camera: aspect", camera["horizontalAperture"] / camera["verticalAperture"], 4 / 3)


def check_materials(root: Prim) -> None:
    materials = next(prim for prim in root.all() if prim.name == "Materials")
    brick = materials.child("textures_sample_brick")
    assert brick
    surface, page = brick.child("Surface"), brick.child("Lightmap")
    assert surface and page
    expect("brick: picture", surface.values["inputs:diffuseColor.connect"], f"<{brick.path}/Base.outputs:rgb>")
    expect("brick: page", page.values["inputs:file"].endswith("_lightmap_0.png@"), True)
    expect("brick: light", brick.metadata["customData"]["bspscene"]["lightmapIntensity"], 2 ** 2.2)
    grate = materials.child("textures_sample_grate")
    assert grate
    cut = grate.child("Surface")
    assert cut
    expect("grate: alpha", cut.values["inputs:opacity.connect"], f"<{grate.path}/Base.outputs:a>")
    expect("grate: cut-off", cut.values["inputs:opacityThreshold"], 0.25)
    expect("grate: unlit", cut.values["inputs:diffuseColor"], (0.0, 0.0, 0.0))


def check_modes(files: dict[str, Prim]) -> None:
    vertex = by_name(files["sample_vertex.usda"], "worldspawn", "Mesh").values
    expect("vertex: colors", "primvars:displayColor" in vertex and "primvars:st1" not in vertex, True)
    check_baked(files["sample_baked.usda"])
    bare = files["bare.usda"]
    expect("without entities", [p.path for p in bare.all() if any("userProp" in key for key in p.values)], [])
    prototypes = [p for p in files["instances.usda"].all() if p.kind == "class"]
    expect("instances: prototypes", [len(p.children) for p in prototypes], [1])
    uses = [p for p in files["instances.usda"].all() if "references" in p.metadata]
    expect("instances: uses", [p.metadata["instanceable"] for p in uses], [True, True])
    hostile = by_name(files["hostile.usda"], "worldspawn").metadata["customData"]["entity"]
    expect("hostile: keys", [hostile["Lcl Translation"], hostile[""], hostile["a|b"]], ["9 9 9", "empty", "c\x01d"])


def check_baked(root: Prim) -> None:
    """Checks that surfaces with lightmaps show the baked picture. Cut-out surfaces use their texture for alpha;
    others have the mean of their light."""
    materials = next(prim for prim in root.all() if prim.name == "Materials")
    lit = [prim for prim in materials.children if prim.child("Lit")]
    expect("baked: surfaces of the picture", len(lit) > 2, True)
    for material in lit:
        surface, picture = material.child("Surface"), material.child("Lit")
        assert surface and picture
        expect(f"{material.name}: light", surface.values["inputs:emissiveColor.connect"],
               f"<{material.path}/Lit.outputs:rgb>")
        coordinates = material.child("Coordinates" if not material.child("Base") else "LightmapCoordinates")
        assert coordinates
        expect(f"{material.name}: coordinates", picture.values["inputs:st.connect"],
               f"<{coordinates.path}.outputs:result>")
        expect(f"{material.name}: file", picture.values["inputs:file"].endswith("_lit.jpg@"), True)
        expect(f"{material.name}: texture for alpha alone", bool(material.child("Base")),
               "inputs:opacity.connect" in surface.values)
    by_vertices = [prim for prim in materials.children if prim.name.startswith("textures_sample_grate")]
    scales = [base.values.get("inputs:scale") for prim in by_vertices if (base := prim.child("Base"))]
    expect("baked: mean of vertex light", bool(scales) and all(scales), True)
    world = by_name(root, "worldspawn", "Mesh").values
    expect("baked: second set where textures are too", "primvars:st1" in world, any(m.child("Base") for m in lit))
    expect("baked: no light in colors", set(world.get("primvars:displayColor", [])) <= {(1.0, 1.0, 1.0)}, True)


def check_package(path: Path) -> None:
    data = path.read_bytes()
    package = zipfile.ZipFile(io.BytesIO(data))
    expect(f"{path.name}: intact", package.testzip(), None)
    infos = package.infolist()
    expect(f"{path.name}: the text is first", infos[0].filename, f"{path.stem}.usda")
    expect(f"{path.name}: order", [i.header_offset for i in infos], sorted(i.header_offset for i in infos))
    for info in infos:
        name, extra = struct.unpack_from("<HH", data, info.header_offset + 26)
        expect(f"{path.name}: {info.filename} is stored", info.compress_type, 0)
        expect(f"{path.name}: {info.filename} is aligned", (info.header_offset + 30 + name + extra) % ALIGNMENT, 0)
    root = usd_text.read(package.read(infos[0]).decode())
    expect(f"{path.name}: lamps", [prim.path for prim in root.all() if prim.type.endswith("Light")], [])
    expect(f"{path.name}: pictures", {p.values["inputs:file"].strip("@").removeprefix("./") for p in root.all()
                                      if p.values.get("inputs:file")}, {i.filename for i in infos[1:]})


def check_damage(text: str) -> None:
    """Checks that the reader itself detects broken files."""
    for what, bad in {"a cut": text[:len(text) // 2], "a bracket": text.replace("{", "", 1),
                      "a name": text.replace('"Materials"', '"1 Material"', 1)}.items():
        try:
            usd_text.read(bad)
            expect(f"{what} is noticed", False, True)
        except usd_text.Broken:
            pass


def main() -> int:
    folder = Path(sys.argv[1])
    files = {}
    pictures = {path.name for path in folder.iterdir() if path.suffix in (".png", ".jpg")}
    for path in sorted(folder.glob("*.usda")):
        text = path.read_text(encoding="utf-8")
        expect(f"{path.name}: not a number", [w for w in ("nan", "inf") if f" {w}," in text or f"({w}" in text], [])
        try:
            files[path.name] = usd_text.read(text)
        except usd_text.Broken as error:
            expect(path.name, str(error), "in order")
    for name, root in files.items():
        check_document(name, root, pictures)
        for mesh in (prim for prim in root.all() if prim.type == "Mesh"):
            check_mesh(name, mesh)
    check_sample(files["sample.usda"])
    check_modes(files)
    for path in sorted(folder.glob("*.usdz")):
        check_package(path)
    check_damage((folder / "sample.usda").read_text(encoding="utf-8"))
    print(f"{len(files)} files, {differences()} differences")
    return differences() > 0


if __name__ == "__main__":
    sys.exit(main())
