"""Checks the wheel of the build. Making it twice must give the same bytes, its RECORD must be correct, and it must
contain the licenses. pip installs it into a new environment. There it must load and convert a map with its own library,
without a compiler.

check_wheel.py --build DIR --cmake CMAKE [--render]
"""
import argparse
import base64
import csv
import hashlib
import io
import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ATRIUM = ROOT / "tests/fixtures/atrium/quake3/maps/atrium.bsp"
SKIPPED = 77
USE = """
import sys, bspscene
from bspscene import library
assert bspscene.__file__.startswith(sys.prefix) and library.path().startswith(sys.prefix), library.path()
scene = bspscene.load(sys.argv[1])
assert sum(len(mesh.triangles) for mesh in scene.meshes()) > 100
assert scene.pages()[0].luxels().any()
assert bspscene.convert(scene, sys.argv[2])[0].read_bytes()[:4] == b"glTF"
if "render" in sys.argv:
    assert bspscene.Renderer(scene, width=16, height=16, samples=1).picture().any()
    assert sum("libbspscene.so" in line and " r-xp " in line for line in open("/proc/self/maps")) == 1
"""


def run(*command: object, **options) -> None:
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        raise SystemExit(f"$ {' '.join(str(word) for word in command)}\n{done.stdout}")


def check_content(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        record = next(name for name in names if name.endswith("/RECORD"))
        rows = list(csv.reader(io.StringIO(packed.read(record).decode())))
        assert [row[0] for row in rows] == names, "RECORD does not name the files"
        for name, digest, size in rows[:-1]:
            content = packed.read(name)
            wanted = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={wanted}", str(len(content))), name
        assert {"bspscene/abi.py", "bspscene/py.typed", "bspscene/libbspscene.so"} <= set(names), names
        metadata = packed.read(record.replace("RECORD", "METADATA")).decode()
        for line in metadata.splitlines():
            if line.startswith("License-File: "):
                assert record.replace("RECORD", f"licenses/{line[14:]}") in names, line
        assert "License-File: licenses/" in metadata, "no license of what is inside"
        facts, _, page = metadata.partition("\n\n")
        assert "Keywords: " in facts and "Project-URL: " in facts and "pip install bspscene" in page, facts
        assert "](" not in page, "a link into the source tree, which the registry's page does not have"


def environment_of(library: str) -> dict:
    """Returns an environment in which Python can load a library that is built with sanitizers."""
    sys.path.insert(0, str(ROOT / "tests/addon"))
    import run as addon
    settings = addon.environment(library)
    settings.pop("BSPSCENE_LIBRARY")
    settings.pop("BSPSCENE_RENDER_LIBRARY", None)
    return settings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--render", action="store_true")
    arguments = parser.parse_args()
    try:
        import ensurepip  # noqa: F401
        import numpy  # noqa: F401
    except ImportError as missing:
        print(f"skipped: {missing.name} is not there (Debian: python3-venv, python3-numpy)")
        return SKIPPED
    render = ["--render"] if arguments.render else []
    with tempfile.TemporaryDirectory(prefix="bspscene-wheel-") as name:
        folder = Path(name)
        run(arguments.cmake, "--install", arguments.build, "--prefix", folder / "installed")
        for out in ("first", "second"):
            run(sys.executable, ROOT / "scripts/lib/wheel.py", folder / "installed", f"linux_{platform.machine()}",
                folder / out, *render)
        (first,), (second,) = ((folder / out).iterdir() for out in ("first", "second"))
        assert first.read_bytes() == second.read_bytes(), "two runs gave other bytes"
        check_content(first)
        # The new environment uses the system's numpy, because tests have no network. pip accepts it as the numpy that
        # the wheel requires.
        run(sys.executable, "-m", "venv", "--system-site-packages", folder / "new")
        run(folder / "new/bin/pip", "install", "--no-index", "--disable-pip-version-check", first)
        library = str(next((folder / "new").rglob("libbspscene.so")))
        run(folder / "new/bin/python", "-c", USE, ATRIUM, folder / "atrium.glb", *(word[2:] for word in render),
            env=dict(environment_of(library), PATH=str(folder / "new/bin")), cwd=os.path.dirname(__file__))
    return 0


if __name__ == "__main__":
    sys.exit(main())
