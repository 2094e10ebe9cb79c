#!/usr/bin/env python3
"""Checks the files of write_scene_samples with the tests' own reader (fbx_file.py): structure, numbers of objects,
links, layers, lamps, cameras, keys.

    check_fbx.py DIRECTORY
"""
from __future__ import annotations

import json
import math
import struct
import sys
from pathlib import Path

import fbx_file
from fbx_file import File, Record

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from expect import differences, expect  # noqa: E402

METERS = 0.0254
KINDS = {"Model", "NodeAttribute", "Geometry", "Material", "Texture", "Video"}
MOVING = {"Deformer", "Pose", "AnimationStack", "AnimationLayer", "AnimationCurveNode", "AnimationCurve"}
# The records of these objects are named differently from the objects' types.
CLASSES = {"AnimationStack": "AnimStack", "AnimationLayer": "AnimLayer", "AnimationCurveNode": "AnimCurveNode",
           "AnimationCurve": "AnimCurve"}
ALONE = {"Pose", "AnimationStack"}   # types of objects without a parent
PARENTS: dict[str, set[str | None]] = {
    "Model": {"Model", "Deformer", None}, "NodeAttribute": {"Model"}, "Geometry": {"Model", "Deformer"},
    "Material": {"Model"}, "Video": {"Texture"}, "Texture": {"Material"}, "Deformer": {"Geometry", "Deformer"},
    "AnimationLayer": {"AnimationStack"}, "AnimationCurveNode": {"AnimationLayer", "Model", "Deformer"},
    "AnimationCurve": {"AnimationCurveNode"}}
LARGEST_ID = 2 ** 53


def named(file: File, kind: str, name: str) -> Record:
    return next(record for record in file.objects(kind) if record.named()[0] == name)


def children_of(file: File, parent: int, link: str = "OO") -> list[tuple[int, str]]:
    return [(c.properties[1], c.properties[3] if link == "OP" else "")
            for c in file.one("Connections").children if c.properties[0] == link and c.properties[2] == parent]


def check_structure(name: str, file: File) -> None:
    expect(f"{name}: records", [r.name for r in file.top],
           ["FBXHeaderExtension", "FileId", "CreationTime", "Creator", "GlobalSettings", "Documents", "References",
            "Definitions", "Objects", "Connections", "Takes"])
    objects = {r.properties[0]: r for r in file.one("Objects").children}
    expect(f"{name}: different ids", len(objects), len(file.one("Objects").children))
    expect(f"{name}: ids in range", all(0 < i < LARGEST_ID for i in objects), True)
    moves = any(r.name in MOVING for r in objects.values())
    kinds = KINDS | MOVING if moves else KINDS
    expect(f"{name}: kinds", {r.name for r in objects.values()} <= kinds, True)
    counts = {r.properties[0]: r.one("Count").properties[0] for r in file.one("Definitions").all("ObjectType")}
    found = {kind: len(file.objects(kind)) for kind in kinds}
    expect(f"{name}: counts of Definitions", counts, {**found, "GlobalSettings": 1})
    expect(f"{name}: their sum", file.one("Definitions").one("Count").properties[0], sum(counts.values()))
    linked = set()
    for link in file.one("Connections").children:
        child, parent = objects[link.properties[1]], objects.get(link.properties[2])
        kind = parent.name if parent else None
        expect(f"{name}: {child.name} below {kind}", kind in PARENTS[child.name], True)
        expect(f"{name}: parent {link.properties[2]}", parent is not None or link.properties[2] == 0, True)
        linked.add(link.properties[1])
    alone = {i for i in set(objects) - linked if objects[i].name not in ALONE}
    expect(f"{name}: objects that hang nowhere", alone, set())
    for record in objects.values():
        kind = record.named()[1]
        expect(f"{name}: class", kind.removeprefix("Sub"), CLASSES.get(record.name, record.name))
        texts = [p for p in record.named()[0] if ord(p) < 0x20]
        expect(f"{name}: control characters in {record.named()[0]!r}", texts, [])
    check_motion(name, file)


def check_motion(name: str, file: File) -> None:
    """Checks that the default values of a curve node have the names of its curves, and that a pose states its number
    of nodes. Also checks that animation stacks are listed as takes, for old readers."""
    for node in file.objects("AnimationCurveNode"):
        curves = {way for _, way in children_of(file, node.properties[0], "OP")}
        expect(f"{name}: {node.named()[0]} has what its curves move", set(node.values()), curves)
    for pose in file.objects("Pose"):
        expect(f"{name}: nodes of {pose.named()[0]}", pose.one("NbPoseNodes").properties, [len(pose.all("PoseNode"))])
    stacks = [stack.named()[0] for stack in file.objects("AnimationStack")]
    takes = file.one("Takes")
    expect(f"{name}: takes", [take.properties[0] for take in takes.all("Take")], stacks)
    expect(f"{name}: files of takes", [take.one("FileName").properties[0] for take in takes.all("Take")], stacks)
    expect(f"{name}: current take", takes.one("Current").properties[0], stacks[0] if stacks else "")


def check_layer(name: str, geometry: Record, layer: Record, values: str, numbers: str, width: int) -> None:
    data, index = layer.one(values).properties[0], layer.one(numbers).properties[0]
    corners = geometry.one("PolygonVertexIndex").properties[0]
    expect(f"{name}: {layer.name} mapping", layer.one("MappingInformationType").properties[0], "ByPolygonVertex")
    expect(f"{name}: {layer.name} corners", len(index), len(corners))
    expect(f"{name}: {layer.name} values", set(index), set(range(len(data) // width)))
    tuples = {data[i:i + width] for i in range(0, len(data), width)}
    expect(f"{name}: {layer.name} different values", len(tuples), len(data) // width)
    expect(f"{name}: {layer.name} finite", all(map(math.isfinite, data)), True)


def check_geometry(name: str, file: File, geometry: Record) -> None:
    points = geometry.one("Vertices").properties[0]
    corners = geometry.one("PolygonVertexIndex").properties[0]
    used = {c if c >= 0 else ~c for c in corners}
    expect(f"{name}: points", used, set(range(len(points) // 3)))
    expect(f"{name}: triangles", all((c < 0) == (i % 3 == 2) for i, c in enumerate(corners)), True)
    sets = [tuple(sorted(t)) for t in fbx_file.triangles(geometry)]
    expect(f"{name}: doubled triangles", len(sets), len(set(sets)))
    expect(f"{name}: flat triangles", any(len(set(t)) < 3 for t in sets), False)
    check_layer(name, geometry, geometry.one("LayerElementNormal"), "Normals", "NormalsIndex", 3)
    for uv in geometry.all("LayerElementUV"):
        check_layer(name, geometry, uv, "UV", "UVIndex", 2)
    for color in geometry.all("LayerElementColor"):
        check_layer(name, geometry, color, "Colors", "ColorIndex", 4)
    names = [uv.one("Name").properties[0] for uv in geometry.all("LayerElementUV")]
    expect(f"{name}: uv sets", names, ["UVMap", "Lightmap"][:len(names)])
    materials = geometry.one("LayerElementMaterial").one("Materials").properties[0]
    models = [c.properties[2] for c in file.one("Connections").children if c.properties[1] == geometry.properties[0]]
    kinds = {r.properties[0]: r.name for r in file.one("Objects").children}
    for model in models:
        linked = [child for child, _ in children_of(file, model) if kinds[child] == "Material"]
        expect(f"{name}: materials", set(materials), set(range(len(linked))))


def check_files(name: str, file: File, folder: Path) -> None:
    for video in file.objects("Video"):
        path = video.one("RelativeFilename").properties[0]
        content = video.find("Content")
        expect(f"{name}: {path} in a folder", "/" in path or "\\" in path, False)
        data = content.properties[0] if content else (folder / path).read_bytes()
        expect(f"{name}: {path} is a picture", data[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0"), True)


def check_sample(file: File) -> None:
    """Checks the file of sample_scene.c. The expected numbers were computed by hand."""
    world = named(file, "Geometry", "worldspawn")
    expect("world: triangles", len(list(fbx_file.triangles(world))), 20)
    points = world.one("Vertices").properties[0]
    expect("world: a corner", list(points[6:9]), [64 * METERS, 0.0, -64 * METERS])
    uv = world.all("LayerElementUV")[0].one("UV").properties[0]
    expect("world: v is up", [uv[0], uv[1]], [0.0, 1.0])
    light = world.all("LayerElementUV")[1].one("UV").properties[0]
    expect("world: lightmap uv", [light[0], light[1]], [1.5 / 4, 1 - 1.5 / 4])
    door = named(file, "Model", "func_door:1").values()
    expect("door: place", door["Lcl Translation"][3:], [10 * METERS, 30 * METERS, -20 * METERS])
    expect("door: turn", door["Lcl Rotation"][3:], [0.0, 90.0, 0.0])
    expect("door: size", door["Lcl Scaling"][3:], [1.0, 2.0, 1.0])
    expect("door: key", door["angle"], ["KString", "", "U", "90"])
    expect("door: kind", door["bspscene.kind"][3], "brush-entity")
    repeated = named(file, "Model", "worldspawn").values()["message"][3]
    expect("world: repeated key", json.loads(repeated), ["first \"line\"\nand second", "again", "and again"])
    check_sample_lamps(file)
    check_sample_materials(file)


def check_sample_lamps(file: File) -> None:
    lamp = named(file, "NodeAttribute", "light:2").values()
    candela = math.pi * 3.5 * (100 * METERS) ** 2
    expect("lamp: watts", lamp["Intensity"][3], 100 * candela * 4 * math.pi)
    expect("lamp: color is linear", lamp["Color"][3:], [1.0, ((0.5 + 0.055) / 1.055) ** 2.4, 0.0])
    expect("lamp: fades", lamp["DecayType"][3], 2)
    expect("lamp: candela", named(file, "Model", "light:2").values()["bspscene.candela"][3], candela)
    spot = named(file, "NodeAttribute", "light_spot.light").values()
    expect("spot: full angle", spot["OuterAngle"][3], 60.0)
    shining = named(file, "Model", "light_spot.light").values()["Lcl Rotation"][3:]
    expect("spot: along its node's +X", shining, [0.0, 0.0, 90.0])
    sun, turned = named(file, "NodeAttribute", "sun").values(), named(file, "Model", "sun").values()
    expect("sun: strength", sun["Intensity"][3], 100 * math.pi * 21)
    expect("sun: kind", [sun["LightType"][3], sun["DecayType"][3]], [1, 0])
    down = direction(turned["Lcl Rotation"][3:], (0, -1, 0))
    expect("sun: straight down", down, [0.0, -1.0, 0.0])
    camera = named(file, "NodeAttribute", "info_player_intermission:4").values()
    expect("camera: angles", [camera["FieldOfView"][3], camera["FieldOfViewY"][3]],
           [90.0, math.degrees(2 * math.atan(0.75))])
    looks = direction(named(file, "Model", "info_player_intermission:4").values()["Lcl Rotation"][3:], (1, 0, 0))
    expect("camera: looks along the game's +Y", looks, [0.0, 0.0, -1.0])


def direction(degrees: list[float], axis: tuple[float, float, float]) -> list[float]:
    """Rotates `axis` by the matrices Rz Ry Rx for these degrees."""
    x, y, z = axis
    a, b, c = (math.radians(d) for d in degrees)
    y, z = y * math.cos(a) - z * math.sin(a), y * math.sin(a) + z * math.cos(a)
    x, z = x * math.cos(b) + z * math.sin(b), -x * math.sin(b) + z * math.cos(b)
    x, y = x * math.cos(c) - y * math.sin(c), x * math.sin(c) + y * math.cos(c)
    return [float(x), float(y), float(z)]


def check_sample_materials(file: File) -> None:
    objects = {r.properties[0]: r for r in file.one("Objects").children}
    links = {}
    for material in file.objects("Material"):
        page = material.values().get("bspscene.lightmapPage", [0] * 4)[3] if "bspscene.lightmapPage" in \
            material.values() else None
        links[material.named()[0], page] = {
            prop: objects[child] for child, prop in children_of(file, material.properties[0], "OP")}
    shading = {tuple(m.one("ShadingModel").properties) for m in file.objects("Material")}
    expect("materials are shaded as their properties say", shading, {("phong",)})
    brick = links["textures/sample/brick", 0]
    expect("brick: links", sorted(brick), ["AmbientColor", "DiffuseColor"])
    expect("brick: sets", [brick[k].values()["UVSet"][3] for k in sorted(brick)], ["Lightmap", "UVMap"])
    expect("brick: the page does not repeat", brick["AmbientColor"].values()["WrapModeU"][3], 1)
    second = links["textures/sample/brick", 1]["AmbientColor"]
    expect("brick on page 1", second.one("RelativeFilename").properties[0].endswith("_lightmap_1.png"), True)
    grate = links["textures/sample/grate", None]
    expect("grate: links", sorted(grate), ["DiffuseColor", "TransparentColor"])
    inside = next(m for m in file.objects("Material") if m.named()[0] == "textures/sample/inside").values()
    expect("inside: opacity", [inside["Opacity"][3], inside["TransparencyFactor"][3]], [0.5, 0.5])
    brick_values = next(m for m in file.objects("Material") if m.named()[0] == "textures/sample/brick").values()
    expect("brick: lightmap", brick_values["bspscene.lightmap"][3].endswith("_lightmap_0.png"), True)
    expect("brick: light", brick_values["bspscene.lightmapIntensity"][3], 2 ** 2.2)


def check_hostile(file: File) -> None:
    world = named(file, "Model", "worldspawn").values()
    for key, value in (("Visibility", "no"), ("Color", "red"), ("RotationOrder", "x"), ("PreRotation", "1 2 3"),
                       ("Lcl Translation", "9 9 9"), ("UDP3DSMAX", "a = b"), ("Show", "0"), ("InheritType", "2")):
        expect(f"hostile: {key}", world[f"entity.{key}"], ["KString", "", "U", value])
    rest = json.loads(world["bspscene.keys"][3])
    expect("hostile: keys that are no names", sorted(rest.values()), ["empty", "long"])
    expect("hostile: place", world["Lcl Translation"][3:], [0.0, 0.0, 0.0])
    expect("hostile: Visibility", "Visibility" in world, False)


def opaque(folder: Path, file: File) -> None:
    """Checks that the pictures of opaque materials have no alpha channel."""
    objects = {r.properties[0]: r for r in file.one("Objects").children}
    for material in file.objects("Material"):
        textures = dict((prop, objects[child]) for child, prop in children_of(file, material.properties[0], "OP"))
        if "DiffuseColor" not in textures or "TransparentColor" in textures:
            continue
        path = folder / textures["DiffuseColor"].one("RelativeFilename").properties[0]
        data = path.read_bytes()
        expect(f"{path.name}: kind of PNG", data[:4] != b"\x89PNG" or data[25] in (0, 2, 3), True)


def check_baked(file: File) -> None:
    """Checks surfaces with lightmaps. They show one emissive picture, which uses the first uv set. The lightmap's uv
    set and page are in the file too."""
    objects = {r.properties[0]: r for r in file.one("Objects").children}
    pictures: dict[str, int] = {}
    for material in file.objects("Material"):
        values = material.values()
        textures = dict((prop, objects[child]) for child, prop in children_of(file, material.properties[0], "OP"))
        expect("baked: no light changes it", values["DiffuseColor"][3:], [0.0, 0.0, 0.0])
        expect("baked: textures", "DiffuseColor" in textures, False)
        if "EmissiveColor" not in textures:
            continue
        expect("baked: set", textures["EmissiveColor"].values()["UVSet"][3], "UVMap")
        name = textures["EmissiveColor"].one("RelativeFilename").properties[0]
        pictures[name] = pictures.get(name, 0) + 1
        if name.endswith("_lit.jpg"):
            expect("baked: as it is", [*values["EmissiveColor"][3:], values["EmissiveFactor"][3]], [1.0] * 4)
    expect("baked: in the picture", pictures.get("sample_baked_lit.jpg", 0) > 1, True)
    expect("baked: not in the picture", len(pictures) > 1, True)
    world = named(file, "Geometry", "worldspawn")
    expect("baked: sets", [layer.one("Name").properties[0] for layer in world.all("LayerElementUV")],
           ["UVMap", "Lightmap"])
    links = [prop for material in file.objects("Material")
             for _, prop in children_of(file, material.properties[0], "OP")]
    expect("baked: pages", "AmbientColor" in links, True)


def check_modes(files: dict[str, File]) -> None:
    check_baked(files["sample_baked.fbx"])
    vertex = named(files["sample_vertex.fbx"], "Geometry", "worldspawn")
    expect("vertex: sets", len(vertex.all("LayerElementUV")), 1)
    expect("vertex: colors", len(vertex.all("LayerElementColor")), 1)
    expect("vertex: lamps", len([a for a in files["sample_none.fbx"].objects("NodeAttribute")
                                 if a.properties[2] == "Light"]), 3)
    none = named(files["sample_none.fbx"], "Geometry", "worldspawn")
    expect("none: sets", len(none.all("LayerElementUV")), 1)
    meters, large = (named(files[name], "Geometry", "worldspawn").one("Vertices").properties[0]
                     for name in ("sample.fbx", "large.fbx"))
    expect("centimeters", list(large), [100 * value for value in meters])
    units = [files[name].one("GlobalSettings").values()["UnitScaleFactor"][3] for name in ("sample.fbx", "large.fbx")]
    expect("units", units, [100.0, 1.0])
    settings = files["sample.fbx"].one("GlobalSettings").values()
    # Y is up, and Z points toward the viewer. The value -1 means that the original axis is not stated.
    axes = {"UpAxis": 1, "UpAxisSign": 1, "FrontAxis": 2, "FrontAxisSign": 1, "CoordAxis": 0, "CoordAxisSign": 1,
            "OriginalUpAxis": -1, "OriginalUpAxisSign": 1}
    expect("axes", {name: settings[name][3] for name in axes}, axes)
    expect("wide", files["wide.fbx"].version, 7500)
    expect("narrow", files["sample.fbx"].version, 7400)
    bare = {model.named()[0]: model.values() for model in files["bare.fbx"].objects("Model")}
    expect("without entities: nodes", sorted(bare),
           ["func_door:1", "info_player_intermission:4", "light:2", "light_spot", "root", "sun",
            "worldspawn"])
    expect("without entities: keys", [key for values in bare.values() for key in values if values[key][2] == "U"], [])
    for name, want in (("sun", [-0.6, -0.8, 0.0]), ("light:2", [0.6, 0.8, 0.0])):
        angles = named(files["turned.fbx"], "Model", name).values()["Lcl Rotation"][3:]
        expect(f"turned: {name}", direction(angles, (0, -1, 0)), want)
    instances = files["instances.fbx"]
    door = named(instances, "Geometry", "*1").properties[0]
    parents = [c.properties[2] for c in instances.one("Connections").children if c.properties[1] == door]
    expect("instances: models of one geometry", len(set(parents)), 2)
    check_moving(files["moving.fbx"])
    sheet = named(files["doubled.fbx"], "Geometry", "worldspawn")
    expect("doubled: triangles", len(list(fbx_file.triangles(sheet))), 4)
    expect("doubled: points", len(sheet.one("Vertices").properties[0]), 3 * (4 + 6))


def check_moving(file: File) -> None:
    """Checks two models that share a mesh. Each has its own bones, and its bones do not move the other model."""
    meshes = [g for g in file.objects("Geometry") if g.named()[0] == "*1"]
    expect("moving: geometries", len(meshes), 2)
    links = file.one("Connections").children
    deformers = {d.properties[0]: d for d in file.objects("Deformer")}
    models = {m.properties[0]: m for m in file.objects("Model")}
    bones = set()
    for mesh in meshes:
        skins = [child for child, _ in children_of(file, mesh.properties[0])]
        expect("moving: skins", [deformers[skin].properties[2] for skin in skins], ["Skin"])
        clusters = [deformers[child] for child, _ in children_of(file, skins[0])]
        expect("moving: weights", [set(c.one("Weights").properties[0]) for c in clusters], [{1.0}])
        bones |= {child for child, _ in children_of(file, clusters[0].properties[0])}
        shown = [models[c.properties[2]] for c in links if c.properties[1] == mesh.properties[0]]
        expect("moving: models", [m.named()[0].endswith(".mesh") for m in shown], [True])
    expect("moving: bones", sorted(models[bone].named()[0] for bone in bones), ["bone", "bone"])
    expect("moving: poses", len(file.objects("Pose")), 2)
    expect("moving: stacks", [s.named()[0] for s in file.objects("AnimationStack")], ["rise", "rise"])
    ends = [s.values()["LocalStop"][3] for s in file.objects("AnimationStack")]
    expect("moving: a tenth of a second", ends, [4618615800] * 2)


def check_damage(data: bytes) -> None:
    """Checks that the reader itself detects broken files."""
    end = struct.unpack_from("<I", data, 27)[0]
    broken = {"an offset": data[:27] + struct.pack("<I", end + 1) + data[31:], "the footer": data[:-1] + b"\0",
              "a cut": data[:len(data) // 2]}
    for what, bad in broken.items():
        try:
            fbx_file.read(bad)
            expect(f"{what} is noticed", False, True)
        except fbx_file.Broken:
            pass


def main() -> int:
    folder = Path(sys.argv[1])
    paths = sorted(folder.glob("*.fbx"))
    files = {}
    for path in paths:
        try:
            files[path.name] = fbx_file.read(path.read_bytes())
        except fbx_file.Broken as error:
            expect(f"{path.name}", str(error), "in order")
    for name, file in files.items():
        check_structure(name, file)
        check_files(name, file, folder)
        for geometry in file.objects("Geometry"):
            check_geometry(f"{name}: {geometry.named()[0]}", file, geometry)
    check_sample(files["sample.fbx"])
    check_sample(files["wide.fbx"])
    check_hostile(files["hostile.fbx"])
    check_modes(files)
    for name in ("sample.fbx", "atrium.fbx"):
        opaque(folder, files[name])
    check_damage((folder / "sample.fbx").read_bytes())
    print(f"{len(files)} files, {differences()} differences")
    return differences() > 0


if __name__ == "__main__":
    sys.exit(main())
