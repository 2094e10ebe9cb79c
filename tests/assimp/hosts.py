"""Unchanged programs of the distribution read a map through the launcher, but not without it.

    hosts.py --launcher PATH --fixtures DIRECTORY [--sanitize LIST --compiler PATH]

Programs that are not installed are named and left out; exit code 77 if none is installed."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import stock_host  # noqa: E402

SKIPPED = 77
TRIANGLES = 1548

OPEN3D = """
import sys, open3d
if sys.argv[1].endswith(".bsp"):
    model = open3d.io.read_triangle_model(sys.argv[1])
    print(sum(len(part.mesh.triangles) for part in model.meshes), len(model.materials))
else:
    mesh = open3d.io.read_triangle_mesh(sys.argv[1])
    print(len(mesh.triangles), len(mesh.textures))
"""


class Host(NamedTuple):
    name: str       # Debian package of the program
    file: str       # name of the map for the program
    command: Callable[[pathlib.Path, pathlib.Path], list[str] | None]  # command, from the map and an output directory
    check: Callable[[str, pathlib.Path], bool]  # judges the output and the directory
    sanitized: bool = True                      # true if the program can run with AddressSanitizer


def find(*programs: str) -> str | None:
    return next((found for found in map(shutil.which, programs) if found), None)


def open3d(source: pathlib.Path, _: pathlib.Path) -> list[str] | None:
    has = subprocess.run([sys.executable, "-c", "import open3d"], capture_output=True).returncode == 0
    return [sys.executable, "-c", OPEN3D, str(source)] if has else None


def f3d(source: pathlib.Path, out: pathlib.Path) -> list[str] | None:
    if not find("f3d") or not find("xvfb-run"):
        return None
    picture = str(out / "f3d.png")
    return ["xvfb-run", "-a", "f3d", str(source), "--output", picture, "--resolution", "320,240", "--verbose"]


def balsam(source: pathlib.Path, out: pathlib.Path) -> list[str] | None:
    program = find("/usr/lib/qt6/bin/balsam", "balsam")
    return [program, "-o", str(out), str(source)] if program else None


def filamesh(source: pathlib.Path, out: pathlib.Path) -> list[str] | None:
    return ["filamesh", str(source), str(out / "map.filamesh")] if find("filamesh") else None


def has_file(name: str, magic: bytes, size: int) -> Callable[[str, pathlib.Path], bool]:
    def check(_: str, out: pathlib.Path) -> bool:
        path = out / name
        return path.is_file() and path.read_bytes().startswith(magic) and path.stat().st_size > size
    return check


def says_triangles(output: str, _: pathlib.Path) -> bool:
    words = output.split()
    return str(TRIANGLES) in words and int(words[words.index(str(TRIANGLES)) + 1]) > 5


def wrote_meshes(_: str, out: pathlib.Path) -> bool:
    meshes, pictures = list(out.glob("meshes/*.mesh")), list(out.glob("maps/*.png"))
    return len(meshes) > 10 and len(pictures) > 5 and any(out.glob("*.qml"))


def drew_world(output: str, out: pathlib.Path) -> bool:
    return "worldspawn" in output and (out / "f3d.png").is_file()


HOSTS = [
    Host("python3-open3d, read_triangle_model", "atrium.bsp", open3d, says_triangles),
    Host("python3-open3d, read_triangle_mesh", "atrium.bsp.obj", open3d, says_triangles),
    Host("libfilament-tools, filamesh", "atrium.bsp", filamesh, has_file("map.filamesh", b"FILAMESH", 50000)),
    Host("qt6-quick3d-dev-tools, balsam", "atrium.bsp.fbx", balsam, wrote_meshes),
    Host("f3d", "atrium.bsp.fbx", f3d, drew_world, sanitized=False),
]


def read_map(host: Host, source: pathlib.Path, launcher: list[str], env: dict) -> bool | None:
    """Returns whether the program read the map, or None if it is not installed."""
    with tempfile.TemporaryDirectory(prefix="bspscene-") as out:
        command = host.command(source, pathlib.Path(out))
        if not command:
            return None
        done = subprocess.run([*launcher, *command], env=env, capture_output=True, text=True, errors="replace")
        return host.check(done.stdout, pathlib.Path(out))


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("launcher", "fixtures"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--sanitize", default="")
    parser.add_argument("--compiler", default="cc")
    arguments = parser.parse_args()
    env = dict(stock_host.environment(arguments), QT_QPA_PLATFORM="offscreen")
    game = pathlib.Path(arguments.fixtures) / "quake3"
    failed, tried = [], 0
    with tempfile.TemporaryDirectory(prefix="bspscene-") as directory:
        shutil.copytree(game, directory, dirs_exist_ok=True)
        maps = pathlib.Path(directory) / "maps"
        for host in HOSTS:
            if arguments.sanitize and not host.sanitized:
                print(f"{host.name}: not tried with sanitizers, which its graphics driver hangs with")
                continue
            source = maps / host.file
            if not source.exists():
                shutil.copy(maps / "atrium.bsp", source)
            read = read_map(host, source, [arguments.launcher], env)
            if read is None:
                print(f"{host.name}: not installed")
                continue
            tried += 1
            alone = read_map(host, source, [], env)
            verdict = ("reads" if read else "DOES NOT READ") + f" {host.file}"
            print(f"{host.name}: {verdict}{', even without the launcher' if alone else ''}")
            if not read or alone:
                failed.append(host.name)
    return 1 if failed else 0 if tried else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
