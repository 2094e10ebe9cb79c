#!/usr/bin/env python3
"""Prefixes say who may use a name: bspscene_ everybody, bspi_ inside the library, cli_ the command line, bspt_ tests.

Usage: check_names.py SHARED_LIBRARY STATIC_LIBRARY
The shared library exports the public header and nothing else; everything else that can be seen from another file has a
prefix, and what cannot be seen has none.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "native" / "include" / "bspscene"

# Added by compilers, sanitizers and the version script, not by us.
FOREIGN = re.compile(r"^(_|DW\.|\.|__)|^(asan|ubsan|gcov)|^BSPSCENE_[\d.]+$")
STATIC_FUNCTION = re.compile(r"^static\s+(?!inline)[^=;(]*?\b(\w+)\(", re.MULTILINE)


def symbols(library: str, *options: str):
    output = subprocess.run(["nm", "--defined-only", "--format=posix", *options, library], check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for line in output.splitlines():
        fields = line.split()
        if len(fields) >= 2 and not line.endswith(":") and fields[1].isupper() and not FOREIGN.match(fields[0]):
            yield fields[0].split("@")[0]


def declared():
    """Functions of the public headers."""
    headers = sorted(HEADERS.glob("*.h"))
    text = re.sub(r"/\*.*?\*/", "", "\n".join(path.read_text(encoding="utf-8") for path in headers), flags=re.DOTALL)
    names = set(re.findall(r"BSPSCENE_API[^;]*?\b(bspscene_\w+)\(", text))
    # Functions declared through a function type: BSPSCENE_API bspscene_open_file_fn bspscene_files_open;
    names |= set(re.findall(r"BSPSCENE_API\s+bspscene_\w+_fn\s+(bspscene_\w+);", text))
    return names


def check_exports(shared: str, problems):
    exported, public = set(symbols(shared, "--dynamic")), declared()
    for name in sorted(exported - public):
        problems.append(f"{shared}: exports {name}, which no header declares")
    for name in sorted(public - exported):
        problems.append(f"{shared}: does not export {name}, which a header declares")
    if not public:
        problems.append(f"{HEADERS}: no function found; this check is broken")


def check_versions(problems):
    """The node of the version script is the series of common.h."""
    text = (HEADERS / "common.h").read_text(encoding="utf-8")
    major, minor = (re.search(rf"VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR"))
    series = major if major != "0" else f"0.{minor}"
    script = (ROOT / "native/cmake/bspscene.map").read_text(encoding="utf-8")
    if not re.search(rf"^BSPSCENE_{re.escape(series)} {{", script, re.MULTILINE):
        problems.append(f"native/cmake/bspscene.map: no node BSPSCENE_{series}")


def check_static(static: str, problems):
    names = set(symbols(static, "--extern-only"))
    for name in sorted(names):
        if not name.startswith(("bspscene_", "bspi_")):
            problems.append(f"{static}: {name} is seen from outside of its file and has no prefix")
    if not names:
        problems.append(f"{static}: no symbol found; this check is broken")


def check_sources(problems):
    prefixes = {"native/src": "bspi_", "native/cli": "cli_", "native/render": "bspr_", "tests": "bspt_"}
    for folder, prefix in prefixes.items():
        for path in sorted((ROOT / folder).rglob("*.c")):
            if "fixtures" in path.parts:
                continue
            text = path.read_text(encoding="utf-8")
            for name in STATIC_FUNCTION.findall(text):
                if name.startswith(("bspscene_", prefix)):
                    problems.append(f"{path.relative_to(ROOT)}: {name} is static and needs no prefix")


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    problems: list[str] = []
    check_exports(sys.argv[1], problems)
    check_static(sys.argv[2], problems)
    check_sources(problems)
    check_versions(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
