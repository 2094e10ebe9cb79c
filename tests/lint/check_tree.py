#!/usr/bin/env python3
"""The rules that a script can check: which layer includes which, who opens files, names of files, lengths of lines."""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "native" / "src"

# The floors from the ground up, and what each may include besides itself: only what stands before it, so nothing
# reaches up. "" is native/src, where api.c is. Folders in a floor are its rooms; native/README.md says what all hold.
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
    "assembly": {"base", "io", "map", "stages"},
    "relight": {"base", "io", "images", "map", "stages", "assembly"},
    "rewrite": {"base", "io", "map", "stages", "assembly"},
    "drawing": {"base"},
    "passes": {"base", "images", "drawing"},
    "sky": {"base", "images", "drawing"},
    "places": {"base", "io", "files", "map", "models", "assembly"},
    "writers": {"base", "images", "passes", "drawing", "sky"},
}
MAY_INCLUDE[""] = set(MAY_INCLUDE)
OUTSIDE = {"system"}

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


def check_floors(problems):
    """The list of floors above, the folders of the tree and README's table of them are one."""
    floors = list(MAY_INCLUDE)
    for number, floor in enumerate(floors):
        for other in MAY_INCLUDE[floor] - OUTSIDE:
            if other not in floors[:number]:
                problems.append(f"check_tree.py: {floor} may include {other}, which stands above it")
    readme = (ROOT / "native/README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([\w/]+)/` \| (.*) \|$", readme, re.M))
    there = {f"src/{floor}" for floor in MAY_INCLUDE if floor} | {"system", "cli", "archive", "render", "web"}
    for floor in sorted(there ^ set(told)):
        why = "no floor" if floor in told else "not in the table of folders"
        problems.append(f"native/README.md: {floor}/ is {why}")
    for floor in sorted(there & set(told)):
        folder = ROOT / "native" / floor
        if not folder.is_dir():
            problems.append(f"native/{floor}: there is no such folder")
        for room in sorted(path.name for path in folder.glob("*/") if path.is_dir() and sources(path)):
            if f"`{room}/" not in told[floor] and f"`{room}`" not in told[floor] and room != "include":
                problems.append(f"native/README.md: {floor}/ does not say what is in its room {room}/")


def rooms_included(path: Path):
    """The rooms of the native code that a file reaches into."""
    for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for base in (path.parent, SOURCE, ROOT / "native", ROOT / "native/render"):
            if style == '"' and (base / name).exists():
                yield (base / name).resolve().parent
                break


def check_circles(problems):
    """No two rooms include each other; a floor and its own rooms may."""
    reached = defaultdict(set)
    for path in sources(ROOT / "native"):
        reached[path.parent] |= set(rooms_included(path)) - {path.parent}
    for room, others in sorted(reached.items()):
        for other in sorted(others):
            if room < other and room in reached[other] and room not in other.parents:
                problems.append(f"{room.relative_to(ROOT)} and {other.relative_to(ROOT)} include each other")


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


# Who may include whom besides itself, beside the library: users of it like any other. `cli/main.c` and its commands are
# the doors of `archive`, which uses what commands share.
OUTER = {"render": set(), "archive": {"cli"}, "cli": {"archive"}}
OUTER_ROOT = {"render": ROOT / "native" / "render", "archive": ROOT / "native", "cli": ROOT / "native"}
DOORS = ("cli/commands/",)


def check_outer_code(problems):
    """The command line, archives and the renderer see bspscene/bspscene.h and each other's headers by full names.

    The renderer is built with the library's `drawing` in it, which knows nothing else of the library."""
    for folder, others in OUTER.items():
        for path in sources(ROOT / "native" / folder):
            here = str(path.relative_to(ROOT / "native"))
            for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                if style == "<" or name.startswith("bspscene/"):
                    continue
                if folder == "render" and name.startswith("drawing/") and (SOURCE / name).exists():
                    continue
                if name.startswith("system/") and (path.stem.endswith("_windows") or name == "system/file_set.h"):
                    continue
                target = folder if folder == "render" else name.split("/")[0]
                known = (OUTER_ROOT[folder] / name).exists() and target in {folder} | others
                if not known or (target == "archive" and folder == "cli" and not here.startswith(DOORS)):
                    problems.append(f"{path.relative_to(ROOT)}: may not include {name}")


MOST_FILES = 14
ROOMED = ("native", "assimp_importer", "addon", "tests/unit", "tests/support", "tests/addon")


def check_rooms(problems):
    """Few doors on each floor: what has more files with code becomes rooms."""
    for top in ROOMED:
        files = [path for path in sorted((ROOT / top).rglob("*")) if path.suffix in {".c", ".cpp", ".py"}]
        for folder in sorted({path.parent for path in files}):
            count = sum(path.parent == folder for path in files)
            if count > MOST_FILES:
                problems.append(f"{folder.relative_to(ROOT)}: {count} files with code; {MOST_FILES} are the most")


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


# A document, and the section that a comment may name behind it: `docs/formats/quake.md, "Light"`.
CITED = re.compile(r'(?<![\w*?}>])([\w./-]*\w\.md)\b(?:,\s+"([^"]+)")?')
COMMENT_EDGE = re.compile(r"\n[ \t]*(?:\*|//|#)?[ \t]*")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def check_citations(problems):
    """No file sends its reader to a document that is not in the tree, or to a section that is not in the document."""
    pages = sorted(p for top in (ROOT / "docs", *(ROOT / w for w in WRITTEN)) for p in top.rglob("*.md")
                   if not NOT_WRITTEN & set(p.parts)) + sorted(ROOT.glob("*.md"))
    for path in [*written_files(), *pages]:
        text = path.read_text(encoding="utf-8")
        for name, section in CITED.findall(text if path.suffix == ".md" else COMMENT_EDGE.sub(" ", text)):
            cited = name.rsplit("../", 1)[-1]
            found = next((folder / cited for folder in path.parents if (folder / cited).is_file()), None)
            if not found and "/" in cited and path.suffix != ".md":
                # As it is installed, or below a folder that a variable names.
                found = next((p for p in pages if p.name == cited.rsplit("/", 1)[-1] and p.parent == ROOT), None)
            if not found:
                problems.append(f"{path.relative_to(ROOT)}: cites {name}, which is not in the tree")
            elif section and section not in HEADING.findall(found.read_text(encoding="utf-8")):
                problems.append(f"{path.relative_to(ROOT)}: {name} has no section \"{section}\"")


# Packages come from the mirror that the machine is told of: scripts/lib/apt_sources.py.
MIRROR = re.compile(r"\b(?:deb|ftp\d?|httpredir|security|snapshot|archive|ports|mirrors?|cdn-\w+)\.(?:[\w-]+\.)*"
                    r"(?:debian\.org|ubuntu\.com|debian\.net)\b|\b(?:debian\.org|ubuntu\.com)/(?:debian|ubuntu)\b")


def check_mirrors(problems):
    """No mirror of a distribution is named anywhere."""
    written = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=False).stdout
    for name in written.decode().split("\0"):
        path = ROOT / name
        if not name or not path.is_file() or path.stat().st_size > 1 << 20:
            continue
        for found in MIRROR.finditer(path.read_bytes().decode("utf-8", "replace")):
            problems.append(f"{name}: names the mirror {found[0]}; apt_sources.py asks for the machine's own")


def main() -> int:
    problems: list[str] = []
    for check in (check_includes, check_floors, check_circles, check_stages_know_no_family, check_files_opened,
                  check_memory_taken, check_systems, check_numbers, check_families, check_outer_code, check_rooms,
                  check_unique_names, check_line_lengths, check_citations, check_mirrors):
        check(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
