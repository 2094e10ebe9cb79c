#!/usr/bin/env python3
"""Promise: bspscene_open, the Python package and the command line load the same scene from a file. The bytes of its
glTF, its counts and the textures that were found are the same. This holds for a map of each family, also from archives,
with WADs, and compressed.

    run.py LIBRARY check_front_door.py PROGRAM COMMAND WORK

PROGRAM is built from open_maps.c.
"""
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

from package import ROOT, bspscene

FIXTURES = ROOT / "tests/fixtures"


def pak_of(folder: Path, out: Path) -> None:
    """Makes an archive of Quake's kind from all files of a folder."""
    names = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    data, directory = b"", b""
    for path in names:
        content = path.read_bytes()
        directory += struct.pack("<56sii", path.relative_to(folder).as_posix().encode(), 12 + len(data), len(content))
        data += content
    out.write_bytes(struct.pack("<4sii", b"PACK", 12 + len(data), len(directory)) + data + directory)


def cases(work: Path) -> list[tuple[Path, str]]:
    """Returns pairs of a path to open and the map in it ("" for the only one)."""
    found = [(path, "") for path in sorted(FIXTURES.rglob("maps/*.bsp"))]
    shared = Path(os.environ.get("BSPSCENE_SHARED_DATA", "/nowhere")) / "atrium"
    found += [(path, "") for path in sorted(shared.rglob("maps/*.bsp"))]
    quake3, quake = FIXTURES / "atrium/quake3", FIXTURES / "atrium/quake"
    for name in ("id1", "baseq3", "packed/maps"):
        (work / name).mkdir(parents=True)
    pak_of(quake, work / "id1/pak0.pak")
    shutil.make_archive(str(work / "baseq3/pak0"), "zip", str(quake3))
    (work / "baseq3/pak0.zip").rename(work / "baseq3/pak0.pk3")
    shutil.copytree(quake3 / "textures", work / "packed/textures")
    (work / "packed/maps/atrium.bsp.gz").write_bytes(gzip.compress((quake3 / "maps/atrium.bsp").read_bytes(), 1))
    return found + [(work / "id1/pak0.pak", "atrium"), (work / "id1", "atrium_bspx"), (quake3, "atrium"),
                    (work / "baseq3/pak0.pk3", "maps/atrium_styles.bsp"), (work / "baseq3", "atrium_external"),
                    (work / "packed/maps/atrium.bsp.gz", "")]


def compare(path: Path, name: str, folder: Path, command: str) -> list[str]:
    """Returns differences between the files of bspscene_open, the command line and the package."""
    chosen = ["--map", name] if name else []
    subprocess.run([command, "convert", str(path), str(folder / "cli/map.glb"), "--lighting", "lightmap", "--quiet",
                    *chosen], check=True)
    told = json.loads(subprocess.run([command, "info", str(path), "--json", "--quiet", *chosen], check=True,
                                     stdout=subprocess.PIPE).stdout)
    scene = bspscene.load(str(path), name)
    bspscene.convert(scene, str(folder / "python/map.glb"), lighting="lightmap")
    wanted = (folder / "c/map.glb").read_bytes()
    wrong = [way for way in ("cli", "python") if (folder / way / "map.glb").read_bytes() != wanted]
    scene = bspscene.load(str(path), name, textures="names")   # as `info` loads; its counts do not include baked data
    counts = scene.data.counts.contents
    wrong += [f"{key}: {value}" for key, value in told["counts"].items()
              if hasattr(counts, key) and getattr(counts, key) != value]
    if (told["family"], told["variant"]) != (scene.family, scene.variant):
        wrong.append("another family")
    missing = {need["name"] for need in told["needs"] if need["kind"] == "texture" and not need["found"]}
    if missing != {image.name for image in scene.images() if image.is_missing}:
        wrong.append(f"other textures are missing: {sorted(missing)}")
    return wrong


def main() -> int:
    program, command, work = sys.argv[1], sys.argv[2], Path(sys.argv[3]).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    opened = cases(work)
    words: list[str] = []
    for number, (path, name) in enumerate(opened):
        for way in ("c", "cli", "python"):
            (work / f"{number}/{way}").mkdir(parents=True)
        words += [str(path), name, str(work / f"{number}/c/map.glb")]
    subprocess.run([program, *words], check=True)
    failed = 0
    for number, (path, name) in enumerate(opened):
        for line in compare(path, name, work / str(number), command):
            print(f"{path} {name}: not the same: {line}")
            failed += 1
    print(f"{len(opened)} maps, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
