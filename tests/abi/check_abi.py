#!/usr/bin/env python3
"""Promise: within a series a struct only grows at its end, frozen structs never change, and no function is removed or
changes (docs/abi.md). libabigail compares a library with the stored record of the series.

    check_abi.py record LIBRARY           Writes the record, libbspscene-SERIES.abi. This is needed when a new series
                                          begins, and before a release that added something.
    check_abi.py compare LIBRARY          Compares the library with the record.
    check_abi.py rules COMPILER FOLDER    Tests the comparison: it must report forbidden changes of the headers, and
                                          must not report allowed ones.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "native" / "include"
SKIPPED = 77
# If one of these bits of libabigail's exit status is set, libabigail could not compare at all.
FAILED = 1 | 2
# The source of a library whose functions use every struct. libabigail compares only the types that functions take and
# return.
INTERFACE_SOURCE = """
#include <bspscene/bspscene.h>
bspscene_scene *bspscene_load_memory(const void *data, size_t size, const bspscene_load_options *options,
                                     bspscene_error *error)
{
	(void)data; (void)size; (void)options; (void)error;
	return 0;
}
"""
# Edits of headers: a name, the file, the old and the new text, and whether programs still run afterward.
CHANGES = [
    ("nothing", "mesh.h", "", "", True),
    ("a field behind a mesh's", "mesh.h", "} bspscene_mesh;", "int added; } bspscene_mesh;", True),
    ("a field behind a light's", "lighting.h", "} bspscene_light;", "int added; } bspscene_light;", True),
    ("a field behind a material's", "material.h", "} bspscene_material;", "int added; } bspscene_material;", True),
    ("a field behind a scene's", "scene.h", "} bspscene_scene;", "int added; } bspscene_scene;", True),
    ("a field behind options", "load.h", "} bspscene_load_options;", "int added; } bspscene_load_options;", True),
    ("a new value of an enum", "mesh.h", "BSPSCENE_LIGHTING_FORCE", "BSPSCENE_LIGHTING_NEW, BSPSCENE_LIGHTING_FORCE",
     True),
    ("a new value at the end", "common.h", "BSPSCENE_WARNING_FORCE_32BIT =",
     "BSPSCENE_WARNING_NEW, BSPSCENE_WARNING_FORCE_32BIT =", True),
    ("a field before a mesh's", "mesh.h", "typedef struct bspscene_mesh {", "typedef struct bspscene_mesh { int new;",
     False),
    ("a field behind a face's, which is frozen", "mesh.h", "} bspscene_face;", "int added; } bspscene_face;", False),
    ("a field behind bounds, which are frozen", "mesh.h", "} bspscene_bounds;", "int added; } bspscene_bounds;", False),
    ("another type of a field", "mesh.h", "uint32_t model;", "float model;", False),
    ("an array that held pointers", "scene.h", "const bspscene_mesh *const *meshes;", "const bspscene_mesh *meshes;",
     False),
    ("another value of an enum", "mesh.h", "BSPSCENE_LIGHTING_VERTEX,", "BSPSCENE_LIGHTING_VERTEX = 7,", False),
]


def series() -> str:
    text = (INCLUDE / "bspscene/common.h").read_text(encoding="utf-8")
    major, minor = (re.findall(rf"VERSION_{part} (\d+)", text)[0] for part in ("MAJOR", "MINOR"))
    return major if major != "0" else f"0.{minor}"


def growing(folder: Path) -> list[str]:
    """Returns all structs of the headers except those whose comment says "Frozen."."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((folder / "bspscene").glob("*.h")))
    found = re.findall(r"/\*\*((?:[^*]|\*(?!/))*)\*/\ntypedef struct (bspscene_\w+) \{", text)
    structs = set(re.findall(r"^typedef struct (bspscene_\w+) \{", text, re.M))
    frozen = {name for comment, name in found if re.search(r"\bFrozen\.", comment)}
    if not frozen or {name for _, name in found} != structs:
        uncommented = ", ".join(sorted(structs - {name for _, name in found}))
        sys.exit(f"no struct is marked \"Frozen.\", or a struct has no comment: {uncommented}")
    return sorted(structs - frozen)


# Matches the headline of a changed struct in libabigail's report. libabigail's own suppressions are not used, because
# they would also hide other changes of structs that may grow.
STRUCT = re.compile(r"'struct (bspscene_\w+)(?: at .*)?' changed:")
GROWTH = re.compile(r"type size (changed|hasn't changed).*|\d+ data member insertions?:|'.*', at offset \d+ .*")

# Matches the headline of a changed enum. The number of its values may change.
ENUM = re.compile(r"'enum bspscene_\w+(?: at .*)?' changed:")
VALUES = re.compile(r"type size hasn't changed|\d+ enumerator (insertion|change)s?:|'\w+::\w+' value '\d+'"
                    r"|'\w+::\w+_COUNT' from value .*")


def breaks(report: str, may_grow: list[str]) -> str:
    """Returns the parts of libabigail's report that break programs: those that are not about new fields at the end of
    structs in `may_grow`. A new field that is not at the end is among them, because libabigail then also reports the
    fields that it moved."""
    parts = []
    for block in re.split(r"\n\s*\n", report):
        lines = [line.strip() for line in block.splitlines() if line.strip()]
        if not lines or all("summary:" in line or line.startswith("Removed/Changed") for line in lines):
            continue
        struct = STRUCT.fullmatch(lines[0])
        grows = struct and struct[1] in may_grow and all(GROWTH.fullmatch(line) for line in lines[1:])
        if not grows and not (ENUM.fullmatch(lines[0]) and all(VALUES.fullmatch(line) for line in lines[1:])):
            parts.append(block)
    return "\n\n".join(parts)


def differs(old: Path, new: Path, headers: Path) -> str:
    """Returns changes that break programs, in libabigail's words, or "" if there are none."""
    # The headers tell libabigail which types of a library are public. A record already has only these.
    known = [] if old.suffix == ".abi" else ["--headers-dir1", str(INCLUDE)]
    command = ["abidiff", "--leaf-changes-only", "--no-added-syms", "--no-architecture", *known, "--headers-dir2",
               str(headers), "--drop-private-types", str(old), str(new)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode & FAILED:
        sys.exit(f"abidiff failed: {result.stdout}")
    found = breaks(result.stdout, growing(headers)) if result.returncode else ""
    return found or (result.stdout if re.search(r"[1-9]\d* Removed", result.stdout) else "")


def record_of() -> Path:
    return HERE / f"libbspscene-{series()}.abi"


def record(library: Path) -> int:
    subprocess.run(["abidw", "--no-corpus-path", "--no-show-locs", "--no-comp-dir-path", "--no-elf-needed",
                    "--no-parameter-names", "--no-architecture", "--type-id-style", "hash",
                    "--exported-interfaces-only", "--headers-dir", str(INCLUDE),
                    "--out-file", str(record_of()), str(library)], check=True)
    return 0


def compare(library: Path) -> int:
    sections = subprocess.run(["readelf", "-SW", str(library)], capture_output=True, text=True, check=True).stdout
    if ".debug_info" not in sections:
        print("skipped: the library has no debugging information")
        return SKIPPED
    if not record_of().exists():
        print(f"tests/abi/{record_of().name} does not exist; when a series begins, write it with "
              "`cmake --build build/dev --target abi_record`")
        return 1
    found = differs(record_of(), library.resolve(), INCLUDE)
    if found:
        print(f"Programs built with series {series()} would not run with this library:\n{found}\n"
              "Add fields at the end of structs that may grow, and leave everything else as it was (docs/abi.md).")
    else:
        print(f"programs built with series {series()} run with this library")
    return 1 if found else 0


def build_interface(compiler: str, headers: Path, folder: Path) -> Path:
    source, library = folder / "interface.c", folder / "libinterface.so"
    source.write_text(INTERFACE_SOURCE, encoding="utf-8")
    subprocess.run([compiler, "-std=c11", "-g", "-shared", "-fPIC", f"-I{headers}", str(source), "-o", str(library)],
                   check=True)
    return library


def rules(compiler: str, work: Path) -> int:
    shutil.rmtree(work, ignore_errors=True)
    problems = []
    work.mkdir(parents=True)
    before = build_interface(compiler, INCLUDE, work)
    for number, (what, header, old, new, runs) in enumerate(CHANGES):
        folder = work / str(number)
        shutil.copytree(INCLUDE, folder / "include")
        path = folder / "include/bspscene" / header
        text = path.read_text(encoding="utf-8")
        if old not in text:
            sys.exit(f"{header} has no {old!r}: correct this test")
        path.write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
        found = differs(before, build_interface(compiler, folder / "include", folder), folder / "include")
        if runs == bool(found):
            problems.append(f"{what}: {'reported' if found else 'not reported'}\n{found}")
    print("\n".join(problems) or f"{len(CHANGES)} changes are told apart")
    return 1 if problems else 0


def main() -> int:
    if not shutil.which("abidiff"):
        print("skipped: there is no abidiff (Debian: abigail-tools)")
        return SKIPPED
    if len(sys.argv) == 3 and sys.argv[1] in ("record", "compare"):
        return {"record": record, "compare": compare}[sys.argv[1]](Path(sys.argv[2]))
    if len(sys.argv) == 4 and sys.argv[1] == "rules":
        return rules(sys.argv[2], Path(sys.argv[3]))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
