#!/usr/bin/env python3
"""Compares the importer's scene, read through pyassimp's structures, with the glTF that the command line writes from
the same map:
names, kinds, cones and colors of lamps, fields of view, triangles, and colors of lightmap pages. Triangles of the sky
must face the room.

    by_pyassimp.py --library LIBRARY --program BSPSCENE --fixtures DIRECTORY --sanitize LIST --compiler CC

Exit code 77: pyassimp (Debian: python3-pyassimp) or Pillow is missing."""
import argparse
import base64
import ctypes
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from stock_host import environment

SKIPPED = 77
try:
    import numpy
    import pyassimp.structs as structs
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-pyassimp, python3-pil)")
    sys.exit(SKIPPED)

MAPS = ("source/maps/room.bsp", "atrium/goldsrc/maps/atrium_wad.bsp")
KINDS = {1: "directional", 2: "point", 3: "spot"}    # values of aiLightSourceType
NEAR = 1e-4


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("properties", ctypes.POINTER(ctypes.c_char_p)),
                ("io", ctypes.c_void_p), ("hint", ctypes.c_char_p)]


def load(library: ctypes.CDLL, path: pathlib.Path, *properties: str):
    """Imports a map. The scene stays in memory until the process ends."""
    library.bspscene_assimp_import_file.restype = ctypes.POINTER(structs.Scene)
    library.bspscene_assimp_error.restype = ctypes.c_char_p
    words = (ctypes.c_char_p * (len(properties) + 1))(*(word.encode() for word in properties), None)
    options = Options(ctypes.sizeof(Options), words, None, None)
    scene = library.bspscene_assimp_import_file(str(path).encode(), 0, ctypes.byref(options))
    if not scene:
        sys.exit(f"{path}: {library.bspscene_assimp_error().decode()}")
    return scene.contents


def name_of(text) -> str:
    return text.data[:text.length].decode()


def written(program: str, path: pathlib.Path, folder: pathlib.Path) -> dict:
    out = folder / f"{path.stem}.gltf"
    options = ("--quiet", "--lighting", "lightmap", "--sky", "none", "--lights", "all")
    subprocess.run([program, "convert", str(path), str(out), *options], check=True)
    return json.loads(out.read_text())


def lamps_of(document: dict) -> dict:
    """Returns the glTF's lamps by the names of their nodes. Each has its kind, its color, and half the angles of its
    cones."""
    known = document.get("extensions", {}).get("KHR_lights_punctual", {}).get("lights", [])
    found = {}
    for node in document["nodes"]:
        number = node.get("extensions", {}).get("KHR_lights_punctual", {}).get("light")
        if number is not None:
            lamp = known[number]
            spot = lamp.get("spot", {})
            found[node.get("name", "")] = (lamp["type"], lamp.get("color", [1, 1, 1]),
                                           (spot.get("innerConeAngle", 0), spot.get("outerConeAngle", math.pi / 4)))
    return found


def linear(display: numpy.ndarray) -> numpy.ndarray:
    """Converts display values to linear light. The colors of Assimp's lamps are those of the game, which are display
    values; glTF's are linear."""
    return numpy.where(display <= 0.04045, display / 12.92, ((display + 0.055) / 1.055) ** 2.4)


def check_lamps(scene, document: dict, problems: list) -> int:
    wanted, spots = lamps_of(document), 0
    for number in range(scene.mNumLights):
        lamp = scene.mLights[number].contents
        name = name_of(lamp.mName)
        if name not in wanted:
            problems.append(f"lamp {name} is not in the glTF: {sorted(wanted)[:8]}")
            continue
        kind, color, cones = wanted[name]
        if KINDS.get(lamp.mType) != kind:
            problems.append(f"{name}: is of type {lamp.mType} instead of {kind}")
        shown = numpy.array([lamp.mColorDiffuse.r, lamp.mColorDiffuse.g, lamp.mColorDiffuse.b])
        if shown.max() > 0 and max(color) > 0:
            if abs(linear(shown / shown.max()) - numpy.array(color) / max(color)).max() > NEAR:
                problems.append(f"{name}: its color is {shown}, and {color} in the glTF")
        if kind == "spot":
            spots += 1
            found = lamp.mAngleInnerCone / 2, lamp.mAngleOuterCone / 2    # Assimp has whole angles of cones, glTF half
            if max(abs(a - b) for a, b in zip(found, cones)) > 0.01:
                problems.append(f"{name}: halves of its cones are {found} instead of {cones}")
    return spots


def check_cameras(scene, document: dict, problems: list) -> None:
    wanted = sorted(2 * math.atan(math.tan(camera["perspective"]["yfov"] / 2)
                                  * camera["perspective"].get("aspectRatio", 4 / 3))
                    for camera in document.get("cameras", []))
    found = sorted(scene.mCameras[number].contents.mHorizontalFOV for number in range(scene.mNumCameras))
    if len(found) != len(wanted) or any(abs(a - b) > 0.01 for a, b in zip(found, wanted)):
        problems.append(f"fields of view are {found} instead of {wanted}")


def triangles_of(scene) -> int:
    return sum(scene.mMeshes[number].contents.mNumFaces for number in range(scene.mNumMeshes))


def check_triangles(scene, document: dict, problems: list) -> None:
    wanted = sum(document["accessors"][part["indices"]]["count"] // 3
                 for mesh in document["meshes"] for part in mesh["primitives"])
    if triangles_of(scene) != wanted:
        problems.append(f"{triangles_of(scene)} triangles instead of {wanted}")


def picture(document: dict, number: int, folder: pathlib.Path) -> numpy.ndarray:
    image = document["images"][number]
    uri = image["uri"]
    data = base64.b64decode(uri.split(",", 1)[1]) if uri.startswith("data:") else (folder / uri).read_bytes()
    return numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB"), float)


def check_pages(scene, document: dict, folder: pathlib.Path, problems: list) -> int:
    """Checks that each uncompressed page has the same mean color as some page in the glTF."""
    named = [number for number, image in enumerate(document.get("images", [])) if "lightmap" in image.get("name", "")]
    wanted = [picture(document, number, folder).mean(axis=(0, 1)) for number in named]
    raw = 0
    for number in range(scene.mNumTextures):
        texture = scene.mTextures[number].contents
        if not texture.mHeight:
            continue
        raw += 1
        count = texture.mWidth * texture.mHeight
        values = numpy.frombuffer(ctypes.string_at(texture.pcData, 4 * count), numpy.uint8).reshape(-1, 4)
        mean = values[:, 2::-1].mean(axis=0)         # the channels are in the order BGRA
        if not any(abs(mean - one).max() < 0.6 for one in wanted):
            problems.append(f"page {number} is {mean.round(1)} in the mean instead of one of {numpy.round(wanted, 1)}")
    return raw


def check_sky(scene, plain, problems: list) -> None:
    """Checks the sky. It has six squares around the map, whose normals and windings face the map's center."""
    sides = range(plain.mNumMeshes, scene.mNumMeshes)
    if len(sides) != 6:
        problems.append(f"the sky has {len(sides)} sides")
        return
    meshes = [scene.mMeshes[number].contents for number in sides]
    vector = lambda v: numpy.array([v.x, v.y, v.z])  # noqa: E731
    corners = [[vector(mesh.mVertices[k]) for k in range(mesh.mNumVertices)] for mesh in meshes]
    middle = numpy.mean([corner for mesh in corners for corner in mesh], axis=0)
    for mesh, places in zip(meshes, corners):
        inward = middle - numpy.mean(places, axis=0)
        for k in range(mesh.mNumVertices):
            if vector(mesh.mNormals[k]) @ inward < 0.99 * numpy.linalg.norm(inward):
                problems.append(f"{name_of(mesh.mName)}: normal {vector(mesh.mNormals[k])} looks out of the room")
                break
        for k in range(mesh.mNumFaces):
            a, b, c = (places[mesh.mFaces[k].mIndices[i]] for i in range(3))
            if numpy.cross(b - a, c - a) @ inward <= 0:
                problems.append(f"{name_of(mesh.mName)}: triangle {k} is seen from outside")


def compare(arguments: argparse.Namespace) -> int:
    library = ctypes.CDLL(arguments.library)
    problems: list[str] = []
    spots = pages = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in (pathlib.Path(arguments.fixtures) / one for one in MAPS):
            found: list[str] = []
            document = written(arguments.program, path, folder)
            scene = load(library, path, "IMPORT_BSP_TEXTURES=texels")
            spots += check_lamps(scene, document, found)
            check_cameras(scene, document, found)
            check_triangles(scene, document, found)
            pages += check_pages(scene, document, folder, found)
            if path.name.startswith("atrium"):
                check_sky(load(library, path, "IMPORT_BSP_SKY=cube"), scene, found)
            print(f"{path.name}: {scene.mNumLights} lamps, {scene.mNumCameras} cameras, "
                  f"{triangles_of(scene)} triangles")
            problems += [f"{path.name}: {problem}" for problem in found]
    if not spots or not pages:
        problems.append(f"{spots} spots and {pages} raw pages were compared")
    print("\n".join(problems[:30]))
    sys.stdout.flush()
    return 1 if problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for option in ("library", "program", "fixtures", "sanitize", "compiler"):
        parser.add_argument(f"--{option}", required=True)
    arguments = parser.parse_args()
    if "BSPT_READY" in os.environ:
        return compare(arguments)
    env = dict(environment(arguments), BSPT_READY="1")
    return subprocess.run([sys.executable, *sys.argv], env=env).returncode


if __name__ == "__main__":
    sys.exit(main())
