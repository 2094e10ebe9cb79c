#!/usr/bin/env python3
"""Promise: `process --steps files` keeps exactly the files that a load of each map reads. With these files only, the
map gives the same GLB, and the same picture of its sky, as inside its game. Each file is stored once, by its bytes.
Continued runs make the same store."""
import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path

from common import FIXTURES, arguments, run
from stores import content

NAME = re.compile(r"[0-9a-f]{16}-[0-9a-f]+")
HOSTILE = "maps/<img src=x onerror=alert(1)> '\"%2e%2e .bsp"


def lay_out(store: Path, folder: Path, to: Path) -> Path:
    """Copies a map's files from the store to the paths that they have in the game, as the viewer gets them. Returns the
    map's path."""
    listed = json.loads((folder / "files.json").read_text(encoding="utf-8"))
    for one in listed["files"]:
        assert NAME.fullmatch(one["file"]), one
        path = to / one["path"]
        assert path.resolve().is_relative_to(to.resolve()), one
        path.parent.mkdir(parents=True, exist_ok=True)
        data = (store / "files" / one["file"][:2] / one["file"]).read_bytes()
        assert len(data) == one["size"], one
        path.write_bytes(data)
    return to / listed["map"]


def glb(program: Path, source: Path, out: Path, *more: str) -> bytes:
    run(program, "convert", source, out, "--include", "sky", "--quiet", *more)
    return out.read_bytes()


def main() -> int:
    program, problems = arguments(__doc__).program, []
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        quake3 = sorted((FIXTURES / "atrium").rglob("quake3/**/atrium.bsp"))[0]
        game = top / "packed"
        game.mkdir()
        # Two archives contain scripts and textures of the same names. The store must have those of the archive that the
        # engine prefers.
        with zipfile.ZipFile(game / "zz-b.pk3", "w") as archive:
            archive.write(quake3, HOSTILE)
            for path in sorted(quake3.parents[1].rglob("*")):
                if path.is_file() and path != quake3:
                    archive.write(path, path.relative_to(quake3.parents[1]).as_posix())
        with zipfile.ZipFile(game / "aa-a.pk3", "w") as archive:
            for path in sorted(quake3.parents[1].rglob("*.shader")):
                archive.writestr(path.relative_to(quake3.parents[1]).as_posix(), "// no shaders here\n")
        catalog = top / "catalog.jsonl"
        catalog.write_bytes(run(program, "catalog", "--recursive", FIXTURES / "atrium", FIXTURES / "source", game))

        def process(store: str, *more: str):
            run(program, "process", top / store, "--catalog", catalog, "--steps", "files", "--quiet", *more)

        process("store", "--jobs", "2")
        process("again")
        if content(top / "store") != content(top / "again"):
            problems.append("another run makes another store")
        before = content(top / "store")
        run(program, "process", top / "store", "--catalog", catalog, "--steps", "info", "--quiet")
        after = content(top / "store")
        problems += [f"{path}: lost or made anew" for path in before
                     if "result.json" not in str(path) and before[path] != after.get(path)]
        pool = [path for path in (top / "store" / "files").rglob("*") if path.is_file()]
        if len({path.read_bytes() for path in pool}) != len(pool):
            problems.append("a file is there twice")
        compared = 0
        for folder in sorted((top / "store").glob("??/*/files.json")):
            result = json.loads((folder.parent / "result.json").read_text(encoding="utf-8"))
            members, source = result["catalog"]["members"], Path(result["catalog"]["path"])
            chosen = ["--map", members[-1]] if members else []
            alone = lay_out(top / "store", folder.parent, top / "alone" / folder.parent.name)
            one, other = (glb(program, file, top / "map.glb", *words)
                          for file, words in ((source, chosen), (alone, [])))
            if one != other:
                problems.append(f"{source} {members}: another map from its files ({len(one)}, {len(other)} bytes)")
            compared += 1
            if compared == 1:  # once, checks that the comparison would notice a missing file
                victim = max((path for path in (top / "alone").rglob("*") if path.is_file() and path != alone),
                             key=lambda path: path.stat().st_size)
                victim.unlink()
                if glb(program, alone, top / "map.glb") == one:
                    problems.append(f"{victim} is not needed")
        if compared < 20:
            problems.append(f"only {compared} maps were compared")
        stored = sum(path.stat().st_size for path in pool)
        print(f"{compared} maps, {len(pool)} files of {stored} bytes")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
