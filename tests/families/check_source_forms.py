#!/usr/bin/env python3
"""Rewrites Source maps as other versions of the format: the scene must stay the same.

    check_source_forms.py --bspscene BUILD/bspscene [--shared]

The map is the atrium (source_atrium.py). With --shared it is each map of version 20 below
$BSPSCENE_SHARED_DATA/maps/source. source_forms.py rewrites the maps. Without maps the exit code is 77."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import source_atrium
import source_forms

SKIPPED = 77


def run(bspscene, *arguments):
    done = subprocess.run([bspscene, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def forget(path, *keys):
    """Removes the values that are offsets in the map's file from a JSON file."""
    document = json.loads(path.read_text())
    for holder in (document, *document.get("faces", [])):
        for key in keys:
            holder.pop(key, None)
    path.write_text(json.dumps(document))


def scene_of(bspscene, path, folder):
    """Returns what must be equal in all forms: the scene, but not the format's name and not the ambient light of leafs,
    which the forms store differently."""
    facts = json.loads(run(bspscene, "info", "--json", path))
    for key in ("file", "family", "variant", "version", "size"):
        del facts[key]
    del facts["counts"]["ambients"], facts["hashes"]["bytes"]
    run(bspscene, "convert", path, folder / "scene.gltf", "--include", "all")
    run(bspscene, "bake", path, folder / "atlas", "--lightmap-encoding", "hdr")
    path.unlink()
    forget(folder / "atlas" / "atlas.json", "light", "source")
    scene = json.loads(folder.joinpath("scene.gltf").read_text())
    del scene["asset"]["extras"]
    folder.joinpath("scene.gltf").write_text(json.dumps(scene))
    files = {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    return {"info": facts, **files}


def check(bspscene, name, lumps):
    expected, problems = None, []
    for form in source_forms.rewritten(lumps):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "map.bsp")
            source_forms.write(path, form)
            try:
                scene = scene_of(bspscene, path, pathlib.Path(folder))
            except RuntimeError as error:
                problems.append(f"{name} as {form.name}: {error}")
                continue
        expected = expected or scene
        differing = [what for what in {*expected, *scene} if expected.get(what) != scene.get(what)]
        problems += [f"{name} as {form.name}: {what} differs" for what in sorted(differing)]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bspscene", required=True)
    parser.add_argument("--shared", action="store_true")
    arguments = parser.parse_args()
    maps = {"atrium": source_atrium.make_lumps()}
    if arguments.shared:
        folder = pathlib.Path(os.environ.get("BSPSCENE_SHARED_DATA", "/nonexistent"), "maps/source")
        maps = {path.name: source_forms.read(path) for path in sorted(folder.glob("v20_*.bsp"))}
    if not maps:
        print("skipped: BSPSCENE_SHARED_DATA names no folder that holds maps/source/v20_*.bsp")
        return SKIPPED
    problems = [problem for name, lumps in maps.items() for problem in check(arguments.bspscene, name, lumps)]
    print("\n".join(problems) or f"{', '.join(maps)}: the same scene in all forms")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
