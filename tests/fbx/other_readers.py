#!/usr/bin/env python3
"""Compares what other readers find in the files of write_scene_samples with their contents (fbx_file.py): uv sets,
textures with their sets, lamps, cameras, user properties.

    other_readers.py ufbx|three SAMPLES BUILD

BUILD is a folder for compiling ufbx. cargo compiles it without the network, because scripts/test has fetched it. If
something is missing, the exit code is 77, and a message says what."""
from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import fbx_file

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support.crates import build_reader  # noqa: E402

SKIPPED = 77
# Members of the expected contents that a reader does not report.
LEFT_OUT = {"ufbx": set(), "three": {"AmbientColor"}}
UV_NAMES = {"ufbx": {"UVMap": "UVMap", "Lightmap": "Lightmap"}, "three": {"UVMap": "uv", "Lightmap": "uv1"}}


def skip(reason: str) -> int:
    print(f"skipped: {reason}")
    return SKIPPED


def is_near(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-6)


class Comparison:
    def __init__(self, reader: str, path: Path, lines: list[dict]):
        self.reader, self.name, self.lines = reader, path.name, lines
        self.file = fbx_file.read(path.read_bytes())
        self.faults: list[str] = []

    def of(self, what: str) -> list[dict]:
        return [line for line in self.lines if line["what"] == what]

    def expect(self, what: str, value: Any, want: Any) -> None:
        if value != want:
            self.faults.append(f"{self.reader}: {self.name}: {what}: {value!r} instead of {want!r}")

    def meshes(self) -> None:
        want = sorted([len(list(fbx_file.triangles(g))),
                       [UV_NAMES[self.reader][uv.one("Name").properties[0]] for uv in g.all("LayerElementUV")]]
                      for g in self.file.objects("Geometry"))
        instances = {"instances.fbx": 1}.get(self.name, 0) if self.reader == "three" else 0
        found = sorted([m["triangles"], m["sets"]] for m in self.of("mesh"))
        self.expect("meshes", found[instances:] if instances else found, want)

    def textures(self) -> None:
        objects = {r.properties[0]: r for r in self.file.one("Objects").children}
        links = [(c.properties[1], c.properties[2], c.properties[3]) for c in self.file.one("Connections").children
                 if c.properties[0] == "OP"]
        want = sorted((objects[material].named()[0], prop, objects[texture].one("RelativeFilename").properties[0],
                       objects[texture].values()["UVSet"][3] if self.reader == "ufbx" else "")
                      for texture, material, prop in links
                      if objects[texture].name == "Texture" and prop not in LEFT_OUT[self.reader])
        found = sorted((t["material"], t["property"], t["file"], t["set"]) for t in self.of("texture"))
        self.expect("textures", found, want)

    def attributes(self, kind: str) -> list[dict[str, list]]:
        return [a.values() for a in self.file.objects("NodeAttribute") if a.properties[2] == kind]

    def lamps(self) -> None:
        want = sorted(a["Intensity"][3] / 100 for a in self.attributes("Light"))
        found = sorted(light["intensity"] for light in self.of("light"))
        self.expect("lamps", len(found), len(want))
        self.expect("strength of lamps", all(map(is_near, found, want)), True)

    def cameras(self) -> None:
        want = sorted(a["FieldOfViewY"][3] for a in self.attributes("Camera"))
        found = sorted(camera["fov"][1] for camera in self.of("camera"))
        self.expect("cameras", len(found), len(want))
        self.expect("angles of cameras", all(map(is_near, found, want)), True)

    def keys(self) -> None:
        if self.reader != "ufbx":
            return
        want = sorted(sum(p[2] == "U" for p in model.values().values()) for model in self.file.objects("Model"))
        found = sorted(node["keys"] for node in self.of("node"))
        self.expect("user properties", found[1:], want)  # the first is that of the root that the reader adds
        self.expect("warnings", self.of("warning"), [])

    def all(self) -> list[str]:
        for part in (self.meshes, self.textures, self.lamps, self.cameras, self.keys):
            part()
        return self.faults


def main() -> int:
    reader, samples, build = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    program = {"ufbx": "cargo", "three": "node"}[reader]
    if not shutil.which(program):
        return skip(f"{program} is not there")
    command = ["node", str(HERE / "three.mjs")]
    if reader == "ufbx":
        built = build_reader(HERE / "ufbx", build)
        if not built:
            return skip("the crate ufbx is not there (cargo fetch --manifest-path tests/fbx/ufbx/Cargo.toml)")
        command = [str(built)]
    faults, count = [], 0
    for path in sorted(samples.glob("*.fbx")):
        if reader == "three" and path.name == "empty.fbx":
            continue  # the reader throws an error on files without connections, which no map gives
        done = subprocess.run([*command, str(path)], capture_output=True, text=True)
        if done.returncode == SKIPPED:
            print(done.stdout, end="")
            return SKIPPED
        if done.returncode:
            faults.append(f"{reader}: {path.name}: {done.stderr.strip()}")
            continue
        faults += Comparison(reader, path, [json.loads(line) for line in done.stdout.splitlines()]).all()
        count += 1
    print("\n".join(faults) or f"{reader} finds in {count} files what is in them")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
