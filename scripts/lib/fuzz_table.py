#!/usr/bin/env python3
"""Writes the coverage of the fuzz targets' corpora into the table of tests/fuzz/README.md.

Usage: fuzz_table.py BUILD TESTS_FUZZ TARGET...

BUILD is a build directory with the programs regress_TARGET, compiled by clang with -fprofile-instr-generate
-fcoverage-mapping.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

BEGIN, END = "<!-- reach -->", "<!-- /reach -->"
SOURCES = ("native/src/", "native/render/", "native/archive/", "native/cli/", "assimp_importer/src/")
LIBRARY = ("native/src/", "native/render/", "assimp_importer/src/")  # folders whose coverage is counted


def run(*command: str | Path, **more) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def profile_of(build: Path, target: str, folders: list[Path]) -> Path:
    """Returns a target's coverage profile, merged from several files: the program and each library that it loads write
    separate ones."""
    data = build / f"{target}.profdata"
    pattern = str(build / f"{target}-%m.profraw")
    run(build / "tests/fuzz" / f"regress_{target}", *folders, env={**os.environ, "LLVM_PROFILE_FILE": pattern})
    parts = list(build.glob(f"{target}-*.profraw"))
    run("llvm-profdata", "merge", "-sparse", *parts, "-o", data)
    for part in parts:
        part.unlink()
    return data


def files_of(build: Path, target: str, profile: Path) -> dict[str, dict]:
    """Returns covered lines and branches of each of our files, by its path."""
    program = build / "tests/fuzz" / f"regress_{target}"
    libraries = [f"-object={path}" for path in sorted((build / "native").rglob("*.so"))]
    report = json.loads(run("llvm-cov", "export", "-summary-only", "-instr-profile", profile, program, *libraries))
    root = Path.cwd()
    files = {}
    for file in report["data"][0]["files"]:
        path = Path(file["filename"]).resolve()
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
        if name.startswith(SOURCES):
            files[name] = {kind: file["summary"][kind] for kind in ("lines", "branches")}
    return files


def room_of(name: str) -> str:
    return "/".join(name.split("/")[:-1][:3])


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def target_row(target: str, folders: list[Path], files: dict[str, dict]) -> str:
    inputs = [path for folder in folders for path in folder.iterdir() if path.is_file()]
    size = sum(path.stat().st_size for path in inputs)
    lines = sum(file["lines"]["covered"] for file in files.values())
    branches = sum(file["branches"]["covered"] for file in files.values())
    return f"| {target} | {len(inputs)} | {(size + 512) // 1024} | {lines:,} | {branches:,} |"


def room_rows(best: dict[str, dict]) -> list[str]:
    """Returns a row for each folder, with the coverage of its files. The coverage of a file is that of the target
    that covers most of it."""
    rooms: dict[str, list[int]] = {}
    for name, file in best.items():
        if not name.startswith(LIBRARY):
            continue
        sums = rooms.setdefault(room_of(name), [0, 0, 0, 0])
        for at, kind in enumerate(("lines", "branches")):
            sums[2 * at] += file[kind]["covered"]
            sums[2 * at + 1] += file[kind]["count"]
    return [f"| `{room}` | {lines:,} of {all_lines:,} | {share(lines, all_lines)} | {share(branches, all_branches)} |"
            for room, (lines, all_lines, branches, all_branches) in sorted(rooms.items())]


def unreached(best: dict[str, dict]) -> list[str]:
    return sorted(name for name, file in best.items()
                  if name.startswith(LIBRARY) and name.endswith((".c", ".cpp")) and not file["lines"]["covered"])


def main() -> int:
    build, fuzz, targets = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    best: dict[str, dict] = {}
    rows = []
    for target in targets:
        folders = [folder for folder in (fuzz / target / "corpus", fuzz / target / "kept") if folder.is_dir()]
        files = files_of(build, target, profile_of(build, target, folders))
        rows.append(target_row(target, folders, files))
        for name, file in files.items():
            known = best.setdefault(name, file)
            for kind in ("lines", "branches"):
                if file[kind]["covered"] > known[kind]["covered"]:
                    known = best[name] = {**known, kind: file[kind]}
    missed = ", ".join(f"`{name}`" for name in unreached(best)) or "none"
    table = ["| target | inputs | KB | lines | branches |", "|---|---|---|---|---|", *rows, "",
             "| room | lines that a target reaches | | branches |", "|---|---|---|---|", *room_rows(best), "",
             f"Files of which no target reaches a line: {missed}."]
    readme = fuzz / "README.md"
    text = readme.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    readme.write_text(before + BEGIN + "\n" + "\n".join(table) + "\n" + END + after)
    print("\n".join(table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
