#!/usr/bin/env python3
"""Measures the time of loading and writing maps, and writes docs/bench.md and docs/bench.json:

    bench_table.py --build DIRECTORY [--out DIRECTORY] [--against COMMIT] [--rounds N] [--large] [--readers-only]

All numbers are ratios of processor times, user's and kernel's together, that were measured in one run. The times of
this library are divided by those of reading and copying the same file, of other readers of the file, and of the library
at COMMIT (default: the last tag), which the script builds. --large lets synthetic maps grow to 500 MB, which takes half
an hour. --readers-only measures only the other readers again and keeps the rest of docs/bench.json. BSPSCENE_OPENARENA,
BSPSCENE_SHARED_DATA and BSPSCENE_NEXUIZ name the folders of real maps; maps that are not installed are left out."""
from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "tests/openarena")]
import game_data  # noqa: E402
import synthetic  # noqa: E402

MIB = 1 << 20
GROWTH, LARGE_GROWTH = (4, 16, 64), (4, 16, 64, 256, 500)
WORKS = ("load", "glb", "glb_lightmap")
Row = dict[str, Any]

# Readers in Python parse each part only on demand, so they are asked for the minimum that a scene needs.
PYTHON = """
import sys, time, warnings
import {module}
warnings.simplefilter("ignore")
def read(path):
    {read}
for path in sys.argv[2:]:
    least = -1
    for _ in range(int(sys.argv[1])):
        start = time.process_time()
        try:
            read(path)
        except Exception:
            least = -1
            break
        took = time.process_time() - start
        least = took if least < 0 else min(least, took)
    print(path, least, sep="\\t")
"""
SOURCE = ("Source v20", "Source v21 to v25")
QUAKE = ("Quake (LibreQuake)", "BSP2", "Quake II")
# For each reader: its module, a description, its kinds of maps, and statements that read a map.
PYTHON_PEERS = (
    ("srctools.bsp", "entities, planes, texinfos, faces and surfedges alone", SOURCE,
     "bsp = srctools.bsp.BSP(path); bsp.ents; "
     "[list(getattr(bsp, lump)) for lump in ('planes', 'texinfo', 'faces', 'surfedges')]"),
    ("bsp_tool", "entities, planes, vertices and faces alone", (*QUAKE, "GoldSrc", *SOURCE),
     "bsp = bsp_tool.load_bsp(path); "
     "[list(getattr(bsp, lump)) for lump in ('ENTITIES', 'PLANES', 'VERTICES', 'FACES')]"),
    ("vgio.quake.bsp", "all records of Quake's maps, no meshes", QUAKE[:1],
     "list(vgio.quake.bsp.Bsp.open(path).faces)"),
)
# The readers in peers/peers.rs.
CRATES = (
    ("qbsp", "meshes with an atlas of the light of all styles, no textures", QUAKE),
    ("goldsrc-rs", "views into lumps, of which faces and vertices are looked at: no meshes, no atlas", ("GoldSrc",)),
)


# ---- Builds


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(source: Path, directory: Path, launcher: str) -> Path:
    options = ["-DCMAKE_BUILD_TYPE=Release"]
    if launcher:
        options += [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX")]
    if shutil.which("ninja"):
        options += ["-G", "Ninja"]
    run("cmake", "-S", source / HERE.relative_to(ROOT), "-B", directory, *options)
    run("cmake", "--build", directory, "--target", "costs")
    return directory / "costs"


def last_tag() -> str | None:
    done = subprocess.run(["git", "describe", "--tags", "--abbrev=0"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if not done.returncode else None


def build_against(commit: str, directory: Path, launcher: str) -> Path:
    """Builds that commit's program in its own tree, because names in headers may have changed since."""
    tree = directory / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    archive = directory / "tree.tar"
    run("git", "archive", "-o", archive, commit)
    run("tar", "-xf", archive, "-C", tree)
    return build(tree, directory / "build", launcher)


# ---- Maps


def find_sets(scratch: Path, largest_of: int) -> dict[str, list[Path]]:
    """Returns the installed real maps by family. Of games with many maps, only the largest maps are taken."""
    data = Path(os.environ.get("BSPSCENE_SHARED_DATA", "nowhere")) / "maps"
    sets = {
        "Quake (LibreQuake)": sorted(data.glob("quake/**/maps/*.bsp")),
        "BSP2": sorted(data.glob("bsp2/*.bsp")),
        "Quake II": sorted(data.glob("quake2/*.bsp")),
        "GoldSrc": sorted(data.glob("goldsrc/*.bsp")),
        "Source v20": sorted(data.glob("source/v20*.bsp")),
        "Source v21 to v25": sorted(data.glob("source/v2[1-5]*.bsp")),
    }
    for name, variable in (("OpenArena", "BSPSCENE_OPENARENA"), ("Nexuiz", "BSPSCENE_NEXUIZ")):
        game = Path(os.environ.get(variable, "nowhere"))
        found = list(game_data.find_maps(game).items()) if game.is_dir() else []
        sets[name] = largest([extract(scratch / name, *item) for item in found], largest_of)
    fixtures = sorted((ROOT / "tests/fixtures/atrium").glob("*/maps/*.bsp"))
    if not any(sets.values()):
        sets["fixtures"] = fixtures
    # Smaller maps are left out, because their times would be those of calling a function, not of reading.
    return {name: [path for path in paths if path.stat().st_size >= 100_000] for name, paths in sets.items() if paths}


def extract(directory: Path, name: str, place: tuple[Path, str]) -> Path:
    path = directory / f"{name}.bsp"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(game_data.read_map(place))
    return path


def largest(paths: list[Path], count: int) -> list[Path]:
    return sorted(paths, key=lambda path: -path.stat().st_size)[:count]


# ---- Measuring


def measure(program: Path, rounds: int, works: tuple[str, ...], paths: list[Path]) -> dict[str, Row]:
    lines = run(program, str(rounds), ",".join(("read", *works)), *paths).splitlines()
    rows = [json.loads(line) for line in lines if line.startswith("{")]
    return {row["map"]: row for row in rows if "read" in row and "load" in row}


def total(rows: dict[str, Row], work: str) -> float:
    return float(sum(row[work]["seconds"] for row in rows.values() if work in row))


def ratio(rows: dict[str, Row], work: str) -> float | None:
    both = {name: row for name, row in rows.items() if work in row}
    return total(both, work) / total(both, "read") if both else None


def peak(rows: dict[str, Row]) -> int:
    return sum(row["load"]["peak"] for row in rows.values())


def measure_sets(programs: list[Path], rounds: int, sets: dict[str, list[Path]]) -> list[Row]:
    """Measures each set of maps with one build and immediately afterward with the other."""
    out = []
    for name, paths in sets.items():
        if not paths:
            continue
        print(name, flush=True)
        runs = [measure(program, rounds, WORKS, paths) for program in programs]
        rows = runs[0]
        row: Row = {"set": name, "maps": len(rows), "bytes": sum(Path(path).stat().st_size for path in rows)}
        row |= {work: ratio(rows, work) for work in WORKS}
        row["memory"] = peak(rows) / row["bytes"]
        if len(runs) > 1:
            both = set(runs[0]) & set(runs[1])
            before, now = ({path: run[path] for path in both} for run in (runs[1], runs[0]))
            row |= {f"{work}_before": total(now, work) / total(before, work) for work in WORKS if total(before, work)}
            row["memory_before"] = peak(now) / peak(before)
        out.append(row)
    return out


def compare(program: Path, rounds: int, peer: str, lines: list[str]) -> Row | None:
    """Compares another reader's times with ours. `lines` is the output of that reader; only maps that it could read
    count."""
    took = {path: float(seconds) for path, seconds in (line.split("\t") for line in lines) if float(seconds) > 0}
    if not took:
        return None
    ours = measure(program, rounds, ("load",), [Path(path) for path in took])
    return {"peer": peer, "maps": len(took), "ratio": sum(took.values()) / total(ours, "load")}


def paths_of(sets: dict[str, list[Path]], names: tuple[str, ...]) -> list[Path]:
    return [path for name in names for path in sets.get(name, [])]


def has_module(python: Path, module: str) -> bool:
    return python.is_file() and not subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode


def measure_python_peers(program: Path, rounds: int, sets: dict[str, list[Path]], python: Path) -> list[Row | None]:
    out = []
    for module, what, names, read in PYTHON_PEERS:
        paths = paths_of(sets, names)
        if paths and has_module(python, module):
            print(module, flush=True)
            lines = run(python, "-c", PYTHON.format(module=module, read=read), str(rounds), *paths).splitlines()
            out.append(compare(program, rounds, f"{module.split('.')[0]} (PyPI), {what}", lines))
    return out


def build_crates(directory: Path) -> Path | None:
    """Builds the readers in Rust. Returns None if cargo is missing or cannot fetch packages."""
    if not shutil.which("cargo"):
        return None
    project = ("--manifest-path", str(HERE / "peers/Cargo.toml"), "--target-dir", str(directory))
    done = subprocess.run(["cargo", "build", "--release", "--locked", *project], capture_output=True, text=True)
    if done.returncode:
        print(f"readers from crates.io are left out: {done.stderr}", flush=True)
    return None if done.returncode else directory / "release/peers"


def measure_crates(program: Path, rounds: int, sets: dict[str, list[Path]], peers: Path | None) -> list[Row | None]:
    out = []
    for crate, what, names in CRATES:
        paths = paths_of(sets, names)
        if peers and paths:
            print(crate, flush=True)
            lines = run(peers, str(rounds), crate, *paths).splitlines()
            out.append(compare(program, rounds, f"{crate} (crates.io), {what}", lines))
    return out


def measure_assimp(program: Path, rounds: int, paths: list[Path], scratch: Path) -> Row | None:
    """Compares our importer with that of Assimp, which reads only archives. So both load each map from an archive that
    has no other map."""
    theirs = ours = 0.0
    count = 0
    for path in paths:
        pk3 = scratch / f"{path.stem}.pk3"
        with zipfile.ZipFile(pk3, "w", zipfile.ZIP_STORED) as archive:
            archive.write(path, "maps/map.bsp")
        line = json.loads(run(program, str(rounds), "assimp", pk3))
        mine = measure(program, rounds, ("load",), [path])
        pk3.unlink()
        if "assimp" in line and mine:
            theirs, ours, count = theirs + line["assimp"]["seconds"], ours + total(mine, "load"), count + 1
    peer = "Assimp's importer of Quake III's maps, which leaves out patches, entities and vertex colors"
    return {"peer": peer, "maps": count, "ratio": theirs / ours} if count else None


def measure_growth(program: Path, rounds: int, sizes: tuple[int, ...], scratch: Path) -> list[Row]:
    out = []
    for kind in synthetic.MAKERS:
        rows: list[Row] = []
        for mib in sizes:
            print(f"{kind}, {mib} MiB", flush=True)
            path = scratch / "synthetic.bsp"
            synthetic.make_map(kind, mib * MIB, path)
            one = measure(program, rounds, ("load",), [path])
            row = next(iter(one.values()))
            load, size = row["load"], path.stat().st_size
            path.unlink()
            rows.append({"kind": kind, "bytes": size, "triangles": load["triangles"], "seconds": load["seconds"],
                         "ratio": load["seconds"] / row["read"]["seconds"],
                         "memory": load["peak"] / size})
        for before, row in zip(rows, rows[1:]):
            row["exponent"] = math.log(row["seconds"] / before["seconds"]) / math.log(row["bytes"] / before["bytes"])
        out += rows
    return out


# ---- The page


def number(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(" --- " for _ in header) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def write_page(result: Row) -> str:
    sets = table(
        ["maps", "count", "MiB", "load", "default GLB", "GLB with lightmaps", "peak memory"],
        [[row["set"], str(row["maps"]), number(row["bytes"] / MIB), *(number(row[work]) for work in WORKS),
          number(row["memory"])] for row in result["sets"]])
    pairs = table(
        ["maps", "load", "default GLB", "GLB with lightmaps", "peak memory"],
        [[row["set"], *(number(row.get(f"{work}_before"), 2) for work in (*WORKS, "memory"))]
         for row in result["sets"]])
    peers = table(["reader", "maps", "its time / ours"],
                  [[row["peer"], str(row["maps"]), number(row["ratio"])] for row in result["peers"]])
    growth = table(
        ["maps", "MiB", "triangles", "load", "exponent", "peak memory"],
        [[row["kind"], number(row["bytes"] / MIB), f"{row['triangles']:,}", number(row["ratio"]),
          number(row.get("exponent"), 2), number(row["memory"])] for row in result["growth"]])
    against = result["against"]
    before = (f"Time and memory of today divided by those of `{against}`, measured after each other, set by set:\n\n"
              f"{pairs}\n" if against else
              "There was no earlier commit to compare with: nothing is tagged yet, and `--against` named none.\n")
    page = (HERE / "page.in").read_text()
    for word, text in (("SETS", sets), ("BEFORE", before), ("PEERS", peers), ("GROWTH", growth),
                       ("MACHINE", result["machine"]), ("DATE", result["date"]),
                       ("READERS_DATE", result["readers_date"]), ("READERS_LOAD", number(result["readers_load"]))):
        page = page.replace(f"@{word}@", text)
    return page


def describe_machine(load: float) -> str:
    release = f"{platform.system()} {platform.release().split('-')[0]}, {'-'.join(platform.libc_ver())}"
    return (f"{os.cpu_count()} processors ({platform.machine()}),\n{release}; a load average of "
            f"{load:.1f} while it measured")


def measure_readers(result: Row, program: Path, options: argparse.Namespace, sets: dict[str, list[Path]],
                    scratch: Path) -> None:
    before = os.getloadavg()[0]
    crates = options.crates or build_crates(options.build / "crates")
    peers = [*measure_crates(program, options.rounds, sets, crates),
             *measure_python_peers(program, options.rounds, sets, options.peers),
             measure_assimp(program, options.rounds, sets.get("OpenArena", []), scratch)]
    result["peers"] = [peer for peer in peers if peer]
    result["readers_date"] = datetime.date.today().isoformat()
    result["readers_load"] = (before + os.getloadavg()[0]) / 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=ROOT / "docs")
    parser.add_argument("--against", default=last_tag())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=12, help="of a game that has more, its largest maps")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--readers-only", action="store_true")
    parser.add_argument("--launcher", default="")
    parser.add_argument("--peers", type=Path, default=Path("nowhere"), help="Python with its packages of readers")
    parser.add_argument("--crates", type=Path, help="what cargo made of peers/ (default: it is asked to)")
    options = parser.parse_args()
    for name in ("build", "out", "peers"):
        setattr(options, name, getattr(options, name).absolute())
    programs = [build(ROOT, options.build / "now", options.launcher)]
    kept = options.out / "bench.json"
    result: Row = json.loads(kept.read_text()) if options.readers_only else {}
    if options.against and not options.readers_only:
        programs.append(build_against(options.against, options.build / "against", options.launcher))
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        sets = find_sets(scratch, options.most)
        if not options.readers_only:
            loads = [os.getloadavg()[0]]
            result = {"date": datetime.date.today().isoformat(), "against": options.against, "rounds": options.rounds,
                      "sets": measure_sets(programs, options.rounds, sets)}
            sizes = LARGE_GROWTH if options.large else GROWTH
            result["growth"] = measure_growth(programs[0], min(options.rounds, 3), sizes, scratch)
            loads.append(os.getloadavg()[0])
            result["machine"] = describe_machine(sum(loads) / len(loads))
        measure_readers(result, programs[0], options, sets, scratch)
    (options.out / "bench.json").write_text(json.dumps(result, indent=1) + "\n")
    (options.out / "bench").with_suffix(".md").write_text(write_page(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
