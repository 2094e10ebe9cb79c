#!/usr/bin/env python3
"""The viewer's page in headless Chromium shows maps as `bspscene render` draws them, from the same camera.

    check_viewer.py VIEWER PROGRAM FIXTURES OUT [MAP[@NAME]...]

Each MAP is a file, or an archive or game with the map's name after "@". With --real, the maps of REAL are tested
instead of the fixtures; tests/README.md describes the variables that locate them. With --report, the results are
printed and nothing fails. In each map, the share of pixels that differ by at most 8 of 255 must be at least LEAST. The
median of these shares must be at least MEDIAN. No picture may be black, and axe-core may find nothing serious. On the
first map, keys and touch must make the player walk. Exits 77 if the page was not built (scripts/package-web) or
Chromium is missing.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

SKIPPED = 77
try:
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

HERE = pathlib.Path(__file__).resolve().parent
NEAR, LEAST, MEDIAN, MOST_CALLS = 8, 0.90, 0.97, 300
# The least share of pixels that are the same with and without culling. Without culling, coplanar surfaces are drawn in
# another order.
LEAST_WHOLE = 0.999
# For the picture from above: the least share of pixels that are the same in page and program, and the largest
# distance in game units between their cameras.
LEAST_ABOVE, EYES_APART = 0.85, 0.5
SIZE = (640, 480)
TIMES = [0, 2.3]
# Maps in games and files, by the variable that names their folder.
REAL = {
    "BSPSCENE_OPENARENA": ["@oa_dm1", "@oa_ctf2", "@aggressor", "@oa_rpg3dm2", "@oa_minia", "@oa_spirit3",
                           "@oa_thor"],
    "BSPSCENE_NEXUIZ": ["@aggressor", "@bloodprison", "@darkzone", "@runningman"],
    "BSPSCENE_UFOAI": ["@dam", "@estate"],
    "BSPSCENE_SHARED_DATA": [
        "maps/quake/librequake/maps/e0m8.bsp", "maps/quake/librequake/maps/lqdm3.bsp",
        "maps/quake/librequake/maps/lq_e2m4.bsp", "maps/bsp2/librequake_lq1m1.bsp", "maps/goldsrc/nzp_kino.bsp",
        "maps/goldsrc/nzp_warehouse.bsp", "maps/quake2/base1-test.bsp", "maps/source/v20_tf2_test2.bsp"],
}
LEAST_WALK = 30


def fixtures(folder):
    """Yields (name, file) of the atrium in each family."""
    for file in sorted((folder / "atrium").rglob("*.bsp")):
        parts = file.relative_to(folder / "atrium").with_suffix("").parts
        yield "-".join(part for part in parts if part != "maps"), file


def files_of(file):
    """Returns the files of a fixture's game, as if somebody dropped its folder, and the map's path."""
    game = file.parents[1] if file.parent.name == "maps" else file.parent
    return [[f"game/{path.relative_to(game)}", str(path)] for path in sorted(game.rglob("*")) if path.is_file()], \
        f"/game/{file.relative_to(game)}"


def job_of(name, source, map_name):
    if source.is_dir():
        files = [[f"{source.name}/{path.name}", str(path)] for path in sorted(source.glob("*.pk3"))]
        return {"name": name, "files": files, "open": f"/{source.name}", "map": map_name}
    if map_name:
        return {"name": name, "files": [[source.name, str(source)]], "open": f"/{source.name}", "map": map_name}
    if source.suffix != ".bsp":
        inside = source.parent.relative_to(source.parents[3])
        return {"name": name, "files": [[f"{inside}/{path.name}", str(path)] for path in source.parent.glob("*.*")],
                "open": None, "view": "-60,-90,70,20,55,0"}
    files, path = files_of(source)
    return {"name": name, "files": files, "open": path}


def draw_one(program, job, source, picture, *options):
    """Draws a picture with the renderer. Returns its camera: position, pitch and yaw."""
    words = [program, "render", source, picture, "--size", "{}x{}".format(*SIZE), "--quiet", *options]
    if job.get("map"):
        words += ["--map", job["map"]]
    subprocess.run(words, check=True)
    camera = re.search(r"--camera=(\S+)", Image.open(picture).text["Camera"])[1]
    return [float(number) for number in camera.split(",")[:5]]


def draw(program, job, source, out):
    """Draws pictures with the renderer, one for each time of the job. Returns their common camera."""
    camera = None
    for time in job["times"]:
        view = [f"--camera={job['view']}"] if job.get("view") else []
        camera = draw_one(program, job, source, out / f"{job['name']}.{time}.render.png", "--fov", "90",
                          "--time", str(time), *view)
    return camera


def compare(drawn, shown):
    a, b = (np.asarray(Image.open(path).convert("RGB")).astype(int) for path in (drawn, shown))
    return float((np.abs(a - b).max(axis=2) <= NEAR).mean()), float(b.mean())


def real_maps():
    for variable, names in REAL.items():
        folder = pathlib.Path(os.environ.get(variable, "/nowhere"))
        for text in names:
            path, _, name = text.partition("@")
            if (folder / path).exists():
                yield f"{folder.name}-{name}" if name else pathlib.Path(path).stem, folder / path, name or None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("viewer", type=pathlib.Path)
    parser.add_argument("program")
    parser.add_argument("fixtures", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("maps", nargs="*")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--only", default="", help="of these maps those with this in their names, and no audit")
    arguments = parser.parse_args()
    if not (arguments.viewer / "main.js").exists():
        print(f"skipped: {arguments.viewer} is not there, scripts/package-web makes it")
        return SKIPPED
    arguments.out.mkdir(parents=True, exist_ok=True)
    sources = [(name, file, None) for name, file in fixtures(arguments.fixtures)]
    # Tests a single model with its sibling files, as if somebody dropped its game's folder.
    sources.append(("model", arguments.fixtures / "atrium/quake3/models/sample/obelisk.md3", None))
    if arguments.real:
        sources = list(real_maps())
        if not sources:
            print(f"skipped: none of {', '.join(REAL)} names a folder")
            return SKIPPED
    sources = [source for source in sources if arguments.only in source[0]]
    for text in arguments.maps:
        path, _, name = text.partition("@")
        sources.append((name or pathlib.Path(path).stem, pathlib.Path(path), name or None))
    jobs = []
    for name, source, map_name in sources:
        job = job_of(name, source, map_name)
        job["times"] = TIMES
        job["camera"] = draw(arguments.program, job, source, arguments.out)
        job["above"] = draw_one(arguments.program, job, source, arguments.out / f"{name}.above.render.png",
                                "--overview", "--exposure", "1", "--samples", "4")[:3]
        jobs.append(job)
    (arguments.out / "jobs.json").write_text(json.dumps(jobs))
    done = subprocess.run(["node", HERE / "view_page.mjs", arguments.viewer, arguments.out / "jobs.json",
                           arguments.out, "real" if arguments.real else "maps" if arguments.only else "all"])
    if done.returncode:
        return done.returncode
    return judge(arguments, jobs)


def judge_above(job, said, out):
    """Checks that the page uses the renderer's camera and shows the same part of the map; returns what is wrong."""
    name = job["name"]
    share, _ = compare(out / f"{name}.above.render.png", out / f"{name}.above.png")
    apart = max(abs(one - other) for one, other in zip(job["above"], said["eye"], strict=True))
    print(f"{name}, from above: {share:.3f} within {NEAR}, eyes {apart:.3f} apart")
    if share < LEAST_ABOVE or apart > EYES_APART:
        return [f"{name}, from above: {share:.3f} within {NEAR}, eyes {apart:.3f} apart"]
    return []


def judge(arguments, jobs):
    facts = json.loads((arguments.out / "facts.json").read_text())
    shares, failures = [], []
    for job in jobs:
        name = job["name"]
        said = facts[name]
        failures += [f"{name}: {problem}" for problem in said["problems"]]
        if "calls" not in said:
            failures.append(f"{name}: {said['said']}")
            continue
        for time in TIMES:
            share, mean = compare(arguments.out / f"{name}.{time}.render.png", arguments.out / f"{name}.{time}.png")
            shares.append(share)
            print(f"{name}, {time} s: {share:.3f} within {NEAR}, {said['calls']} draw calls")
            if share < LEAST or mean < 1 or said["calls"] > MOST_CALLS:
                failures.append(f"{name}, {time} s: {share:.3f} within {NEAR}, mean {mean:.1f}, {said['calls']} calls")
        share, _ = compare(arguments.out / f"{name}.whole.png", arguments.out / f"{name}.{TIMES[-1]}.png")
        print(f"{name}: {said['calls']} draw calls and {said['triangles']} triangles instead of {said['whole'][0]} and "
              f"{said['whole'][1]}, {share:.4f} the same")
        if share < LEAST_WHOLE:
            failures.append(f"{name}: {share:.4f} are as they are when all is drawn")
        failures += judge_above(job, said, arguments.out)
    median = statistics.median(shares)
    print(f"median {median:.3f} of {len(shares)} pictures")
    if median < MEDIAN:
        failures.append(f"the median is {median:.3f}")
    walk = facts.get("walk")
    if walk and (min(walk["byKey"], walk["byFinger"]) < LEAST_WALK or walk["pressed"] != "true"):
        failures.append(f"walking: {walk}")
    if facts.get("axe", {}).get("serious"):
        failures.append(f"axe-core: {facts['axe']['serious']} serious findings")
    print("\n".join(failures))
    return 1 if failures and not arguments.report else 0


if __name__ == "__main__":
    sys.exit(main())
