#!/usr/bin/env python3
"""Prefixes say who may use a name: bspscene_ everybody, bspi_ inside the library, cli_ the command line, bspt_ tests.

Usage: check_names.py SHARED_LIBRARY STATIC_LIBRARY
The shared library exports the functions of the public headers and no others. A name that other files can see has a
prefix; any other name has none. This holds for functions, types, enumerators and macros. No type, enumerator or macro
may be defined twice. Values of public enums begin with their enum's name.
"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "native" / "include" / "bspscene"

# Names that compilers, sanitizers and the version script add.
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
    """Returns the functions of the public headers."""
    headers = sorted(HEADERS.glob("*.h"))
    text = re.sub(r"/\*.*?\*/", "", "\n".join(path.read_text(encoding="utf-8") for path in headers), flags=re.DOTALL)
    names = set(re.findall(r"BSPSCENE_API[^;]*?\b(bspscene_\w+)\(", text))
    # Functions may be declared through a function type: BSPSCENE_API bspscene_open_file_fn bspscene_file_system_open;
    names |= set(re.findall(r"BSPSCENE_API\s+bspscene_\w+_fn\s+(bspscene_\w+);", text))
    return names


def check_exports(shared: str, problems):
    exported, public = set(symbols(shared, "--dynamic")), declared()
    for name in sorted(exported - public):
        problems.append(f"{Path(shared).name}: exports {name}, which no header of include/bspscene declares; "
                        "rename it to bspi_..., or declare it there with BSPSCENE_API")
    for name in sorted(public - exported):
        problems.append(f"{Path(shared).name}: does not export {name}, which a header of include/bspscene declares; "
                        "define it in native/src, or remove the declaration")
    if not public:
        problems.append(f"{HEADERS.relative_to(ROOT)}: declared() in tests/lint/check_names.py finds no function here; "
                        "mend its pattern")


def check_versions(problems):
    """Checks that the version script's node is named after the version in common.h: the major number or, if that is 0,
    0 and the minor number."""
    text = (HEADERS / "common.h").read_text(encoding="utf-8")
    major, minor = (re.search(rf"VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR"))
    series = major if major != "0" else f"0.{minor}"
    script = (ROOT / "native/cmake/bspscene.map").read_text(encoding="utf-8")
    if not re.search(rf"^BSPSCENE_{re.escape(series)} {{", script, re.MULTILINE):
        problems.append(f"native/cmake/bspscene.map: has no node BSPSCENE_{series}, the version of common.h; "
                        "rename its node")


def check_static(static: str, problems):
    names = set(symbols(static, "--extern-only"))
    for name in sorted(names):
        if not name.startswith(("bspscene_", "bspi_")):
            problems.append(f"{Path(static).name}: {name} is seen from other files and has no prefix; make it static, "
                            f"or rename it to bspi_{name} and declare it in a header")
    if not names:
        problems.append(f"{Path(static).name}: symbols() in tests/lint/check_names.py finds none; mend its pattern")


def check_sources(problems):
    prefixes = {"native/src": "bspi_", "native/cli": "cli_", "native/render": "bspr_", "tests": "bspt_"}
    for folder, prefix in prefixes.items():
        for path in sorted((ROOT / folder).rglob("*.c")):
            if "fixtures" in path.parts:
                continue
            text = path.read_text(encoding="utf-8")
            for name in STATIC_FUNCTION.findall(text):
                if name.startswith(("bspscene_", prefix)):
                    problems.append(f"{path.relative_to(ROOT)}: {name} is static, and static names have no prefix; "
                                    f"rename it to {name.removeprefix(prefix).removeprefix('bspscene_')}")


# Prefixes of types, enumerators and macros by folder; the longest folder counts.
PREFIXES = {"native/include": "bspscene_", "native/render/include": "bspscene_", "native/src": "bspi_",
            "native/system": "bspi_", "native/cli": "cli_", "native/archive": "cli_", "native/render": "bspr_",
            "native/web": "web_", "tests": "bspt_"}
# Macros that need no prefix: those that write rows of tables of fields, and X, which is undefined after each list.
OF_TABLES = {"FIELD", "FIELD_FIRST", "NAME_FIELD", "SKIP", "LAYOUT", "X"}
ROW_MACRO = re.compile(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
TAG = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*\{")
FORWARD = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\b(?!\s*\{)")
TYPEDEF = re.compile(r"^\}\s*(\w+)(?:\[\w*\])?;|^typedef\s[^;{}]*?\b(\w+)\)?\s*\([^;{}]*\)\s*;", re.MULTILINE)
ENUMERATORS = re.compile(r"\benum\b(?:\s+\w+)?\s*\{(.*?)\}", re.DOTALL)
ENUMERATOR = re.compile(r"(?:^|,)\s*(\w+)")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)


def c_files():
    """Yields every C file with its text without comments, and the prefix of its folder."""
    for top in ("native", "tests"):
        for path in sorted((ROOT / top).rglob("*.[ch]")):
            name = path.relative_to(ROOT).as_posix()
            if not {"fixtures", "node_modules", "corpus"} & set(path.parts) and not name.startswith("tests/assimp/"):
                folder = max((f for f in PREFIXES if name.startswith(f + "/")), key=len)
                yield path, COMMENT.sub(" ", path.read_text(encoding="utf-8")), PREFIXES[folder]


def check_types(problems):
    """Types, enumerators and macros of headers have the prefix of their folder. Those of a C file have none, unless a
    header declares the type as incomplete. Families' headers may use the family's own name instead."""
    files = list(c_files())
    families = re.findall(r"^BSPI_FAMILY\((\w+)\)", (ROOT / "native/src/map/families.def").read_text("utf-8"), re.M)
    opened = {name for path, text, _ in files if path.suffix == ".h" for name in FORWARD.findall(text)}
    defined = defaultdict(list)
    for path, text, prefix in files:
        where, upper = path.relative_to(ROOT), prefix.upper()
        own = tuple(f.upper() for f in families) if "families" in path.parts else ()
        types = {a or b for a, b in TYPEDEF.findall(text)} | set(TAG.findall(text))
        values = {name for body in ENUMERATORS.findall(text)
                  for name in ENUMERATOR.findall(re.sub(r"\([^()]*\)", "", body))} | set(MACRO.findall(text))
        for name in types:
            defined[name].append(where)
        header = path.suffix == ".h"
        for name in sorted(types):
            if header and not name.startswith(prefix) and name not in opened:
                problems.append(f"{where}: the type {name} is seen from other files; rename it to {prefix}{name}, or "
                                "move it into the one C file that needs it")
            if not header and name.startswith(prefix) and name not in opened:
                problems.append(f"{where}: the type {name} is seen in this file only; rename it to "
                                f"{name.removeprefix(prefix)}, or declare it in a header")
        for name in sorted(values - OF_TABLES):
            if header and not name.startswith((upper, prefix, *own)):
                problems.append(f"{where}: {name} is seen from other files; rename it to {upper}{name}, or move it "
                                "into the one C file that needs it")
            if not header and name.startswith(upper) and name not in ROW_MACRO.findall(text):
                problems.append(f"{where}: {name} is seen in this file only; rename it to {name.removeprefix(upper)}")
    for name, places in sorted(defined.items()):
        if name.startswith(tuple(set(PREFIXES.values()))) and len(places) > 1:
            problems.append(f"{' and '.join(map(str, places))} both define a type {name}; rename one of them")
    if len(defined) < 100:
        problems.append("tests/lint/check_names.py: check_types finds next to no types; mend its patterns")


PUBLIC_ENUM = re.compile(r"typedef enum bspscene_(\w+) \{(.*?)\} \w+;", re.DOTALL)
# The last words of an enum's name that its values may leave out: BSPSCENE_NODE_ROOT belongs to bspscene_node_kind.
LEFT_OUT = re.compile(r"_(kind|flag|format|mode|func|code|result|id)$")
# Enums whose values do not begin with the enum's name, and the prefixes of their values.
OTHER_PREFIXES = {"status": ("BSPSCENE_OK", "BSPSCENE_ERROR_")}


def check_enums(problems):
    """Values of public enums carry their enum's name, and no two enums share it."""
    enums = defaultdict(list)
    for path in [*HEADERS.glob("*.h"), *(ROOT / "native/render/include/bspscene").glob("*.h")]:
        for name, body in PUBLIC_ENUM.findall(COMMENT.sub("", path.read_text(encoding="utf-8"))):
            prefix = f"BSPSCENE_{LEFT_OUT.sub('', name).upper()}_"
            enums[prefix].append(f"bspscene_{name}")
            for value in ENUMERATOR.findall(body):
                if not value.startswith(OTHER_PREFIXES.get(name, prefix)):
                    problems.append(f"{path.relative_to(ROOT)}: {value} is a value of bspscene_{name}; begin its name "
                                    f"with {prefix}")
    for prefix, names in enums.items():
        if len(names) > 1:
            problems.append(f"{' and '.join(names)} both have values that begin with {prefix}; rename one of them")
    if len(enums) < 30:
        problems.append("tests/lint/check_names.py: check_enums finds next to no enums; mend its pattern")


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    problems: list[str] = []
    check_exports(sys.argv[1], problems)
    check_static(sys.argv[2], problems)
    check_sources(problems)
    check_types(problems)
    check_enums(problems)
    check_versions(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
