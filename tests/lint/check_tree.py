#!/usr/bin/env python3
"""The rules that a script can check: which layer includes which, who opens files, names of files, lengths of lines."""
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "native" / "src"

# Layer -> layers it may include besides itself; "" is native/src, where api.c and query.c are.
MAY_INCLUDE = {
    "base": set(),
    "io": {"base", "system"},
    "files": {"base", "io"},
    "images": {"base", "io"},
    "map": {"base", "io"},
    "materials": {"base", "io", "images", "map"},
    "models": {"base", "io", "images", "map", "materials"},
    "families": {"base", "io", "images", "map", "materials"},
    "stages": {"base", "io", "images", "map", "materials", "models"},
    "relight": {"base", "io", "images", "map", "stages"},
    "passes": {"base", "images"},
    "places": {"base", "io", "files", "map"},
    "writers": {"base", "images", "passes"},
}
MAY_INCLUDE[""] = set(MAY_INCLUDE)

COLUMNS, TAB = 120, 4
WRITTEN = ("native", "assimp_importer", "addon", "scripts", "tests")
CODE = {".c", ".h", ".cpp", ".hpp", ".def", ".py", ".sh", ".mjs", ".html", ".cmake", ".in"}
NOT_WRITTEN = {"fixtures", "corpus", "node_modules", "__pycache__"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
OPENS_FILES = re.compile(r"\b(fopen|freopen|fdopen|open|openat|opendir|stat|lstat|mmap|readdir)\s*\(")
MAY_OPEN_FILES = {"io", "files"}
TAKES_MEMORY = re.compile(r"\b(malloc|calloc|realloc|aligned_alloc|strdup)\s*\(")
HEAP = SOURCE / "base" / "heap.c"
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRING = re.compile(r'"(\\.|[^"\\\n])*"')


def sources(folder: Path):
    return sorted(p for p in folder.rglob("*") if p.suffix in {".c", ".h", ".def", ".cpp", ".hpp"})


def layer_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else ""


def check_includes(problems):
    for path in sources(SOURCE):
        layer = layer_of(path)
        if layer not in MAY_INCLUDE:
            problems.append(f"{path.relative_to(ROOT)}: \"{layer}\" is no layer; "
                            "add it to check_tree.py with what it may include")
            continue
        for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if style == "<":
                continue
            target = name.split("/")[0] if "/" in name else ""
            if target == "" and layer != "":
                problems.append(f"{path.relative_to(ROOT)}: \"{name}\" must name its layer, \"layer/{name}\"")
            elif target != layer and target not in MAY_INCLUDE[layer]:
                problems.append(f"{path.relative_to(ROOT)}: {layer or 'api'} may not include {name}")


# Who made a map is told by nothing but the scene's three facts, which stages fill and never read.
FACTS = re.compile(r"(?<!scene->)\bfamil(y|ies)\b|\b(bspi_|map->)variant\b|\bmap->version\b"
                   r"|\bscene->(family|variant|version)\b(?!\s*=[^=])")
# Names of games and engines as words of an identifier: "read_quake2", "RAVEN_SAMPLE". Rules say what differs.
GAMES = re.compile(r"(?<![a-z])(quake\d?|hexen\d?|goldsrc|half_?life|kingpin|heretic|daikatana|anachronox|nightfire"
                   r"|rtcw|wolf|raven|jedi|sof2?|mohaa|fakk\d?|alice|ef\d|elite_?force|uebertools|warfork|qfusion"
                   r"|nexuiz|xonotic|valve|vbsp|vrad|csgo|portal2|l4d\d?|infra|titanfall|bloodlines)(?![a-z])",
                   re.IGNORECASE)
# Ways of storing that have no other name than the first game's.
NAMED_FORMATS = {"BSPI_WORLD_LIGHT_QUAKE", "quake_text", "bspi_text_copy_quake"}


def check_stages_know_no_family(problems):
    """Law 1: a stage reads no fact of who made the map, and has no code with a game's name."""
    for path in sources(SOURCE / "stages"):
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for line in text.splitlines():
            if FACTS.search(line):
                problems.append(f"{path.relative_to(ROOT)}: a stage asks whose map it is: {line.strip()}")
            for word in re.findall(r"\w+", line):
                game = GAMES.search(word.replace("_", " "))
                if game and word not in NAMED_FORMATS:
                    problems.append(f"{path.relative_to(ROOT)}: a stage has a name of {game[0]} in it: {word}")


def check_files_opened(problems):
    for path in sources(SOURCE):
        if layer_of(path) in MAY_OPEN_FILES:
            continue
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for match in OPENS_FILES.finditer(text):
            before = text[:match.start()].rstrip()
            if before.endswith(("->", ".")):
                continue
            problems.append(f"{path.relative_to(ROOT)}: {match.group(1)}() outside of io and files")


def check_memory_taken(problems):
    """What a caller's allocator is promised: our own code takes nothing past it."""
    for path in sources(SOURCE):
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for match in TAKES_MEMORY.finditer(text):
            if path != HEAP:
                problems.append(f"{path.relative_to(ROOT)}: {match.group(1)}() outside of {HEAP.name}: bspi_heap_take")


# Each C library rounds these in its own way in single precision. In double they differ in the last bit at most, which
# rounding to single hides. Others are exact everywhere (sqrtf, fmodf, floorf, roundf, fminf, ldexpf).
ROUNDED_DIFFERENTLY = re.compile(r"\b(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10"
                                 r"|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma|sincos)f\b")


# Headers that not every system has. Threads are those of POSIX everywhere: C11's are not.
ONE_SYSTEM = re.compile(r"(unistd|dirent|fcntl|signal|dlfcn|poll|termios|sched|ftw|pwd|io|direct|process|windows"
                        r"|shellapi|winsock2?)\.h$|sys/")
FOR_ONE_SYSTEM = re.compile(r"_(posix|windows)$")


def check_systems(problems):
    """What knows the operating system has a file for each, in io/ and a few places more."""
    for path in sources(ROOT / "native"):
        if FOR_ONE_SYSTEM.search(path.stem) or path.parent.name == "system":
            continue
        for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if style == "<" and ONE_SYSTEM.match(name):
                problems.append(f"{path.relative_to(ROOT)}: includes <{name}>, which not every system has: "
                                "that is for *_posix.c and *_windows.c")


def check_numbers(problems):
    """The same input gives the same bytes on every system."""
    for path in sources(ROOT / "native"):
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for match in ROUNDED_DIFFERENTLY.finditer(text):
            problems.append(f"{path.relative_to(ROOT)}: {match[0]} is rounded differently by each C library: "
                            f"(float){match[1]}(...)")


def check_families(problems):
    table = (SOURCE / "map" / "families.def").read_text(encoding="utf-8")
    rows = re.findall(r"^BSPI_FAMILY\((\w+)\)", table, re.MULTILINE)
    for path in sources(SOURCE / "families"):
        for name in re.findall(r"^const bspi_family bspi_family_(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            if name not in rows and not path.name.startswith("_"):
                problems.append(f"{path.relative_to(ROOT)}: the family {name} has no row in families.def")


def check_outer_code(problems):
    """The command line and the renderer are users of the library like any other."""
    for folder in ("cli", "render"):
        for path in sources(ROOT / "native" / folder):
            for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                beside = (path.parent / name).exists() or (path.parent / "include" / name).exists()
                windows = name.startswith("system/") and path.stem.endswith("_windows")
                if style == '"' and not beside and not windows:
                    problems.append(f"{path.relative_to(ROOT)}: includes {name} of the library; "
                                    "bspscene/bspscene.h is all there is")


def check_unique_names(problems):
    places = defaultdict(list)
    for top in ("native", "assimp_importer", "tests"):
        for path in sources(ROOT / top):
            if "fixtures" not in path.parts and "node_modules" not in path.parts and "build" not in path.parts:
                places[path.name].append(str(path.relative_to(ROOT)))
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            problems.append(f"{name}: more than one file has this name: {', '.join(paths)}")


def written_files():
    """What is written by hand and read as code; golden files and fixtures are what programs say."""
    for top in WRITTEN:
        for path in sorted((ROOT / top).rglob("*")):
            if not path.is_file() or NOT_WRITTEN & set(path.parts):
                continue
            if path.suffix in CODE or path.name == "CMakeLists.txt" or (top == "scripts" and not path.suffix):
                yield path


def check_line_lengths(problems):
    for path in written_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            columns = len(line.expandtabs(TAB))
            if columns > COLUMNS:
                problems.append(f"{path.relative_to(ROOT)}:{number}: {columns} columns; {COLUMNS} are the most")


def main() -> int:
    problems: list[str] = []
    for check in (check_includes, check_stages_know_no_family, check_files_opened, check_memory_taken, check_systems,
                  check_numbers, check_families, check_outer_code, check_unique_names, check_line_lengths):
        check(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
