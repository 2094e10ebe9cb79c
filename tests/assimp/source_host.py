"""An unmodified `assimp`, which knows nothing about Source, exports the room of tests/families/source_materials.py. The
exported file must have normals (green up), emission, alpha tests and glass."""

import argparse
import pathlib
import sys
import tempfile

import stock_host

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "families"))
import source_materials as room  # noqa: E402


def problems(glb):
    wall = glb.material("test/wall", normalTexture=True)
    if not wall or "emissiveTexture" not in wall:
        yield f"no normals or nothing that shines on the wall: {wall}"
        return
    wanted = [(red, 255 - green, blue, 255) for red, green, blue, _ in room.NORMALS]
    if glb.pixels(wall["normalTexture"]["index"]) != wanted:
        yield f"normals are {glb.pixels(wall['normalTexture']['index'])}, not {wanted}"
    for name, mode in (("test/water", "BLEND"), ("test/decal", "MASK"), ("test/grass", "OPAQUE")):
        if glb.material(name).get("alphaMode", "OPAQUE") != mode:
            yield f"{name} is {glb.material(name).get('alphaMode')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("launcher", "assimp", "sanitize", "compiler"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    env = stock_host.environment(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path, target = room.write_room(pathlib.Path(folder)), pathlib.Path(folder) / "out.glb"
        host = [arguments.launcher, arguments.assimp]
        info = stock_host.run([*host, "info", path, "-cfull", "-vds"], env)
        stock_host.run([*host, "export", path, target, "-fglb2"], env)
        found = list(problems(room.Glb(target)))
    if "test/grass" not in info:
        found.append(f"assimp info names no grass: {info}")
    print("\n".join(found) or "The stock program has every material of the room.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
