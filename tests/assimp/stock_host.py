"""Unmodified programs read maps: the distribution's `assimp` through the launcher, and a Python process that loads the
importer by ctypes. `assimp` describes every fixture with validation and all steps of MaxQuality, and exports it to each
format. It does the same with the atriums below BSPSCENE_SHARED_DATA."""

import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

FORMATS = {"glb": b"glTF", "fbxa": b"; FBX", "obj": b"# File", "dae": b"<?xml"}


def environment(arguments: argparse.Namespace, names: tuple = ("libasan.so", "libstdc++.so.6")) -> dict:
    """Returns the environment for the host. If our libraries have a sanitizer and the host has none, the sanitizer's
    runtime must be loaded first. The C++ runtime must be loaded first too: the sanitizer would not know the exceptions
    of a runtime that Python loads later."""
    env = dict(os.environ, LC_ALL="C.UTF-8")
    if "address" in arguments.sanitize:
        found = [subprocess.run([arguments.compiler, f"-print-file-name={name}"],
                                capture_output=True, text=True, check=True) for name in names]
        env["LD_PRELOAD"] = ":".join(os.path.realpath(result.stdout.strip()) for result in found)
        env["ASAN_OPTIONS"] = "detect_leaks=0:verify_asan_link_order=0"
    return env


def run(command: list, env: dict) -> str:
    result = subprocess.run([str(part) for part in command], env=env, capture_output=True, text=True, errors="replace")
    if result.returncode != 0:
        words = " ".join(str(part) for part in command)
        sys.exit(f"{words}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_glb(path: pathlib.Path, meshes: int, is_lit: bool) -> None:
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20:20 + size])
    if len(document["meshes"]) < meshes or not document["images"]:
        sys.exit(f"{path}: {len(document['meshes'])} meshes of {meshes}, {len(document.get('images', []))} images")
    lit = [m["occlusionTexture"] for m in document["materials"] if "occlusionTexture" in m]
    if bool(lit) != is_lit or any(texture.get("texCoord") != 1 for texture in lit):
        sys.exit(f"{path}: lightmaps should {'' if is_lit else 'not '}be on the second uv set, and are {lit[:2]}")


def check_export(source: pathlib.Path, arguments: argparse.Namespace, env: dict, directory: pathlib.Path) -> None:
    info = run([arguments.launcher, *arguments.host, "info", source, "-cfull", "-vds"], env)
    meshes = int(next(line.split(":")[1] for line in info.splitlines() if line.startswith("Meshes:")))
    if meshes < 5 or "Lights:" not in info:
        sys.exit(f"{source}: {info}")
    for ending, magic in FORMATS.items():
        target = directory / f"out.{ending.replace('fbxa', 'fbx')}"
        writer = ending.replace("dae", "collada").replace("glb", "glb2")
        run([arguments.launcher, *arguments.host, "export", source, target, f"-f{writer}"], env)
        if not target.read_bytes().startswith(magic):
            sys.exit(f"{source}: {target.name} does not begin with {magic!r}")
        if ending == "glb":
            check_glb(target, 5, is_lit="unlit" not in source.stem)


def check_bare_name(source: pathlib.Path, arguments: argparse.Namespace, env: dict, directory: pathlib.Path) -> None:
    """Exports to a file name without a directory. Assimp's COLLADA exporter (5.2.5) crashes on such a name, so the
    launcher adds a directory."""
    command = [os.path.abspath(arguments.launcher), *arguments.host, "export", str(source.resolve()), "bare.dae"]
    done = subprocess.run(command, env=env, cwd=directory, capture_output=True, check=False)
    if done.returncode or not (directory / "bare.dae").read_bytes().startswith(b"<?xml"):
        sys.exit(f"bare.dae: status {done.returncode}\n{done.stdout.decode(errors='replace')}")


def check_stacked_name(source: pathlib.Path, arguments: argparse.Namespace, env: dict, directory: pathlib.Path) -> None:
    """Hosts with a list of extensions accept "map.bsp.fbx", which the FBX importer would refuse."""
    link = directory / "atrium.bsp.fbx"
    link.symlink_to(source.resolve())
    run([arguments.launcher, *arguments.host, "info", link], env)


HOOK = """
import ctypes, sys
ours, assimp, source = sys.argv[1:]
assimp = ctypes.CDLL(assimp)
ours = ctypes.CDLL(ours)
assimp.aiImportFile.restype = ctypes.c_void_p
assimp.aiImportFile.argtypes = [ctypes.c_char_p, ctypes.c_uint]
ours.bspscene_assimp_hook_process.restype = ctypes.c_bool
assert not assimp.aiImportFile(source.encode(), 0x400), "a map was read without the importer"
assert ours.bspscene_assimp_hook_process(), "nothing was hooked"
assert ours.bspscene_assimp_hook_process(), "a second call fails"
scene = assimp.aiImportFile(source.encode(), 0x400)
assert scene, "no scene after hooking"
assimp.aiReleaseImport.argtypes = [ctypes.c_void_p]
assimp.aiReleaseImport(scene)
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("launcher", "assimp", "library", "fixtures", "sanitize", "compiler"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    arguments.host = [arguments.assimp]
    env = environment(arguments)
    maps = sorted(pathlib.Path(arguments.fixtures).glob("*/maps/*.bsp"))
    maps += sorted(pathlib.Path(os.environ.get("BSPSCENE_SHARED_DATA", "/nowhere")).glob("atrium/*/maps/*.bsp"))
    if len(maps) < 7:
        sys.exit(f"only {len(maps)} maps")
    with tempfile.TemporaryDirectory() as name:
        for number, source in enumerate(maps):
            directory = pathlib.Path(name) / str(number)
            directory.mkdir()
            check_export(source, arguments, env, directory)
        check_stacked_name(maps[0], arguments, env, pathlib.Path(name))
        check_bare_name(maps[0], arguments, env, pathlib.Path(name))
    linked = run(["ldd", arguments.assimp], dict(os.environ)).splitlines()
    assimp = next(line.split()[2] for line in linked if "libassimp" in line)
    run([sys.executable, "-c", HOOK, arguments.library, assimp, maps[0]], env)
    print(f"{len(maps)} maps, {len(FORMATS)} formats each")


if __name__ == "__main__":
    main()
