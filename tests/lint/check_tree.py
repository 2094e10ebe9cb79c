#!/usr/bin/env python3
"""The rules that a script can check: includes between layers, who opens files, names of files, lengths of lines."""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "native" / "src"

# The floors (layers of the library) from the bottom up, with the lower floors that each may include. Nothing may depend
# on a higher floor. "" is native/src, which contains api.c. Folders in a floor are its rooms; native/README.md tells
# what each contains.
MAY_INCLUDE = {
    "base": set(),
    "io": {"base", "system"},
    "file_system": {"base", "io"},
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
    "baking": {"base", "images", "drawing"},
    "sky": {"base", "images", "drawing"},
    "sources": {"base", "io", "file_system", "map", "models", "assembly"},
    "writers": {"base", "images", "baking", "drawing", "sky"},
}
MAY_INCLUDE[""] = set(MAY_INCLUDE)
OUTSIDE = {"system"}
EVERYTHING = "bspscene/bspscene.h"
INCLUDE_FOLDER = ROOT / "native/include/bspscene"

COLUMNS, TAB = 120, 4
FORMATTED_BY_SCRIPT = {".c", ".h", ".cpp", ".hpp"}
WRITTEN = ("native", "assimp_importer", "addon", "python", "scripts", "tests")
CODE = {".c", ".h", ".cpp", ".hpp", ".def", ".py", ".sh", ".mjs", ".html", ".cmake", ".in"}
NOT_WRITTEN = {"fixtures", "corpus", "node_modules", "__pycache__"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
OPENS_FILES = re.compile(r"\b(fopen|freopen|fdopen|open|openat|opendir|stat|lstat|mmap|readdir)\s*\(")
MAY_OPEN_FILES = {"io", "file_system"}
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
            problems.append(f"{path.relative_to(ROOT)}: native/src/{layer} is not a known layer; add it to MAY_INCLUDE "
                            "in tests/lint/check_tree.py, above every layer that it includes")
            continue
        for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if style == "<":
                if name == EVERYTHING:
                    problems.append(f"{path.relative_to(ROOT)}: includes <{name}>; include the headers that it needs, "
                                    "so that a change of the others does not compile it again")
                continue
            target = name.split("/")[0] if "/" in name else ""
            if target == "" and layer != "":
                problems.append(f"{path.relative_to(ROOT)}: includes \"{name}\"; write the path below native/src, "
                                f"\"{layer}/.../{name}\"")
            elif target != layer and target not in MAY_INCLUDE[layer]:
                allowed = ", ".join(other for other in MAY_INCLUDE if other in MAY_INCLUDE[layer]) or "no other layer"
                problems.append(f"{path.relative_to(ROOT)}: includes \"{name}\", but {layer} may include only "
                                f"{allowed}; move what it needs down into one of these, or pass it in from above")


# After a change of material.h, all files that include it must be compiled again. So the headers that most files include
# must not include it, even indirectly.
MATERIALS = INCLUDE_FOLDER / "material.h"
KNOW_NO_MATERIAL = ("base", "io", "file_system", "images", "map", "models", "families/_template.c", "stages/stages.h",
                    "writers/writers.h", "../../tests/support/bspt.h")


def headers_reached(path: Path) -> dict[Path, Path]:
    """Returns the headers of the library and its interface that a file includes, directly or not, with the file that
    includes each."""
    by: dict[Path, Path] = {}
    ahead = [path]
    while ahead:
        file = ahead.pop()
        for _, name in INCLUDE.findall(file.read_text(encoding="utf-8")):
            for folder in (SOURCE, INCLUDE_FOLDER.parent, ROOT / "tests"):
                header = folder / name
                if header.is_file() and header not in by:
                    by[header] = file
                    ahead.append(header)
    return by


def check_materials_apart(problems):
    """Checks that the headers that most files include do not include material.h."""
    for name in KNOW_NO_MATERIAL:
        start = (SOURCE / name).resolve()
        for path in [start] if start.is_file() else sorted(start.rglob("*.h")):
            by = headers_reached(path)
            if MATERIALS in by:
                problems.append(f"{path.relative_to(ROOT)}: reaches <bspscene/material.h>, included by "
                                f"{by[MATERIALS].relative_to(ROOT)}, so that a material's field compiles nearly every "
                                "file again; include material.h in the .c files that read materials, and declare "
                                "pointers to them by scene.h")


def check_floors(problems):
    """The list of floors above, the folders of the tree and the table in the README agree."""
    floors = list(MAY_INCLUDE)
    for number, floor in enumerate(floors):
        for other in MAY_INCLUDE[floor] - OUTSIDE:
            if other not in floors[:number]:
                problems.append(f"tests/lint/check_tree.py: MAY_INCLUDE lets {floor} include {other}, which is listed "
                                f"after it; a layer includes only layers listed before it")
    readme = (ROOT / "native/README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([\w/]+)/` \| (.*) \|$", readme, re.M))
    there = {f"src/{floor}" for floor in MAY_INCLUDE if floor} | {"system", *(p for p in PROGRAMS if p != IMPORTER)}
    for floor in sorted(set(told) - there):
        problems.append(f"native/README.md: the table \"What is where\" has a row for {floor}/, which is not in "
                        "MAY_INCLUDE or PROGRAMS of tests/lint/check_tree.py; remove the row, or add the folder there")
    for floor in sorted(there - set(told)):
        problems.append(f"native/README.md: the table \"What is where\" has no row for {floor}/; "
                        f"add \"| `{floor}/` | what it holds |\"")
    for floor in sorted(there & set(told)):
        folder = ROOT / "native" / floor
        if not folder.is_dir():
            problems.append(f"native/README.md and tests/lint/check_tree.py list native/{floor}, which does not exist; "
                            "remove it from both")
        for room in sorted(path.name for path in folder.glob("*/") if path.is_dir() and sources(path)):
            if f"`{room}/" not in told[floor] and f"`{room}`" not in told[floor] and room != "include":
                problems.append(f"native/README.md: the row for {floor}/ does not mention its subfolder {room}/; "
                                f"say in that row what `{room}/` holds")


def rooms_included(path: Path):
    """Yields the rooms whose headers a file includes."""
    for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for base in (path.parent, SOURCE, ROOT / "native", ROOT / "native/render"):
            if style == '"' and (base / name).exists():
                yield (base / name).resolve().parent
                break


def check_circles(problems):
    """Checks that no two rooms include each other. Only a floor and a room in it may do so."""
    reached = defaultdict(set)
    for path in sources(ROOT / "native"):
        reached[path.parent] |= set(rooms_included(path)) - {path.parent}
    for room, others in sorted(reached.items()):
        for other in sorted(others):
            if room < other and room in reached[other] and room not in other.parents:
                problems.append(f"{room.relative_to(ROOT)} and {other.relative_to(ROOT)} include each other; "
                                "move what both need into one of them, or into a folder below both")


# Matches code that reads who made a map. Only the scene's members `family`, `variant` and `version` say this; stages
# may set them but never read them.
FACTS = re.compile(r"(?<!scene->)\bfamil(y|ies)\b|\b(bspi_|map->)variant\b|\bmap->version\b"
                   r"|\bscene->(family|variant|version)\b(?!\s*=[^=])")
# Names of games and engines as words of an identifier, as in "read_quake2" or "RAVEN_SAMPLE".
GAMES = re.compile(r"(?<![a-z])(quake\d?|hexen\d?|goldsrc|half_?life|kingpin|heretic|daikatana|anachronox|nightfire"
                   r"|rtcw|wolf|raven|jedi|sof2?|mohaa|fakk\d?|alice|ef\d|elite_?force|uebertools|warfork|qfusion"
                   r"|nexuiz|xonotic|valve|vbsp|vrad|csgo|portal2|l4d\d?|infra|titanfall|bloodlines)(?![a-z])",
                   re.IGNORECASE)
# Storage methods that are only known by the name of the game that first used them.
NAMED_FORMATS = {"BSPI_WORLD_LIGHT_QUAKE", "quake_text", "bspi_text_copy_quake"}


def check_stages_know_no_family(problems):
    """Law 1 of native/README.md: a stage does not read which game made the map, and contains no name of a game."""
    for path in sources(SOURCE / "stages"):
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for line in text.splitlines():
            if FACTS.search(line):
                problems.append(f"{path.relative_to(ROOT)}: a stage asks which game made the map: {line.strip()}; "
                                "make the difference a field of bspi_rules (map/map.h) that the family sets")
            for word in re.findall(r"\w+", line):
                game = GAMES.search(word.replace("_", " "))
                if game and word not in NAMED_FORMATS:
                    problems.append(f"{path.relative_to(ROOT)}: {word} is named after a game ({game[0]}); name it "
                                    "after what it does, or add it to NAMED_FORMATS in tests/lint/check_tree.py if "
                                    "there is no other name for it")


def check_files_opened(problems):
    for path in sources(SOURCE):
        if layer_of(path) in MAY_OPEN_FILES:
            continue
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for match in OPENS_FILES.finditer(text):
            before = text[:match.start()].rstrip()
            if before.endswith(("->", ".")):
                continue
            problems.append(f"{path.relative_to(ROOT)}: calls {match.group(1)}(), but only src/io and src/file_system "
                            "open files; take a bspscene_stream or options.open_file instead")


def check_memory_taken(problems):
    """Checks that our own code allocates only through the caller's allocator, as the header promises."""
    for path in sources(SOURCE):
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for match in TAKES_MEMORY.finditer(text):
            if path != HEAP:
                problems.append(f"{path.relative_to(ROOT)}: calls {match.group(1)}(), which the caller's allocator "
                                f"does not see; take memory from an arena, or from bspi_heap_take ({HEAP.name})")


# Functions that C libraries round differently in single precision. In double they differ in the last bit at most, which
# rounding to single hides. Others are exact everywhere (sqrtf, fmodf, floorf, roundf, fminf, ldexpf).
ROUNDED_DIFFERENTLY = re.compile(r"\b(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|exp10"
                                 r"|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma|sincos)f\b")


# Headers that some systems lack. C11's <threads.h> is missing on some; POSIX threads are used everywhere.
ONE_SYSTEM = re.compile(r"(unistd|dirent|fcntl|signal|dlfcn|poll|termios|sched|ftw|pwd|io|direct|process|windows"
                        r"|shellapi|winsock2?)\.h$|sys/")
FOR_ONE_SYSTEM = re.compile(r"_(posix|windows)$")


def check_systems(problems):
    """Checks that code that depends on the operating system is in separate files for each system."""
    for path in sources(ROOT / "native"):
        if FOR_ONE_SYSTEM.search(path.stem) or path.parent.name == "system":
            continue
        for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if style == "<" and ONE_SYSTEM.match(name):
                problems.append(f"{path.relative_to(ROOT)}: includes <{name}>, which not every system has; move what "
                                "needs it into a pair of files *_posix.c and *_windows.c")


def check_numbers(problems):
    """Checks that no function is called whose result differs between systems."""
    for path in sources(ROOT / "native"):
        text = STRING.sub('""', COMMENT.sub("", path.read_text(encoding="utf-8")))
        for match in ROUNDED_DIFFERENTLY.finditer(text):
            problems.append(f"{path.relative_to(ROOT)}: calls {match[0]}(), which each C library rounds differently; "
                            f"write (float){match[1]}(...)")


# Tables whose rows name definitions, each with a pattern for these definitions. A definition without a row would be
# built but never used.
TABLES = (
    ("native/src/map/families.def", "BSPI_FAMILY", "native/src/families", r"^const bspi_family bspi_family_(\w+)"),
    ("native/src/map/material_formats.def", "BSPI_MATERIALS", "native/src/materials",
     r"^const bspi_material_rules bspi_material_rules_(\w+) ="),
    ("native/src/models/formats.def", "BSPI_MODEL_FORMAT", "native/src/models",
     r"^const bspi_model_format bspi_model_format_(\w+)"),
    ("native/src/writers/writers.def", "BSPI_WRITER", "native/src/writers",
     r"^const bspi_writer_format bspi_writer_(\w+)"),
    ("native/cli/commands/commands.def", "CLI_COMMAND", "native/cli/commands",
     r"^const cli_command cli_command_(\w+)"),
)


def row_of(macro: str, name: str) -> str:
    return f"{name.upper()}, {name}" if macro == "BSPI_MATERIALS" else name


def check_tables(problems):
    """Checks that every family, format, writer and command has a row in its table."""
    for table, macro, folder, definition in TABLES:
        rows = re.findall(rf"^{macro}\((?:\w+, )?(\w+)\)", (ROOT / table).read_text(encoding="utf-8"), re.MULTILINE)
        found = {name: path for path in sources(ROOT / folder) if not path.name.startswith("_")
                 for name in re.findall(definition, path.read_text(encoding="utf-8"), re.MULTILINE)}
        for name in sorted(set(found) - set(rows)):
            problems.append(f"{found[name].relative_to(ROOT)}: defines {name}, which {table} does not list; "
                            f"add the row {macro}({row_of(macro, name)})")
        for name in sorted(set(rows) - set(found)):
            problems.append(f"{table}: the row {macro}({row_of(macro, name)}) has no definition in {folder}; "
                            "define it there or remove the row")
        if not rows:
            problems.append(f"{table}: no row {macro}(...) found; TABLES in tests/lint/check_tree.py no longer fits it")


# Programs use the library like any other: they include the public headers and their own. This lists what else each may
# include, and why. Nothing else of native/src is allowed.
IMPORTER = "../assimp_importer"
PROGRAMS: dict[str, dict[str, str]] = {
    "render": {"drawing/": "native/src/drawing is built into the renderer"},
    "archive": {"cli/": "commands share inputs, outputs and reports"},
    "cli": {"archive/": "from cli/commands only, which lists its commands"},
    "web": {"cli/json.h": "one description of maps", "cli/describe.h": "one description of maps",
            "overview/shown_part.h": "one view from above"},
    IMPORTER: {},
}
PROGRAM_ROOTS = {"render": ("render",), "archive": ("",), "cli": ("",), "web": ("", "render"),
                 IMPORTER: (f"{IMPORTER}/src", f"{IMPORTER}/include")}
DOORS = "cli/commands/"


def check_programs(problems):
    """Checks that programs include only the public headers, with the exceptions in PROGRAMS."""
    for program, allowed in PROGRAMS.items():
        folder = (ROOT / "native" / program).resolve()
        for path in sources(folder):
            for style, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                foreign = style == "<" and not (SOURCE / name).is_file()
                if foreign or name.startswith("bspscene/") or may_include(program, folder, path, name, allowed):
                    continue
                more = "".join(f", {what} ({why})" for what, why in allowed.items())
                problems.append(f"{path.relative_to(ROOT)}: includes \"{name}\", but {folder.name} may include only "
                                f"<bspscene/...> and its own headers{more}; use a public function, "
                                "or make what is missing public")


def may_include(program: str, folder: Path, path: Path, name: str, allowed) -> bool:
    if name.startswith("system/"):
        return path.stem.endswith("_windows") or name == "system/file_set.h"
    if program == "render" and name.startswith("drawing/"):
        return (SOURCE / name).exists()
    found = [(ROOT / "native" / root / name).resolve() for root in PROGRAM_ROOTS[program]]
    found += [(path.parent / name).resolve()] if program in ("render", IMPORTER) else []
    target = next((file for file in found if file.exists()), None)
    if target is None:
        return False
    if folder in target.parents:
        return True
    here = path.relative_to(ROOT / "native").as_posix() if program != IMPORTER else ""
    if name.startswith("archive/") and program == "cli" and not here.startswith(DOORS):
        return False
    return any(name.startswith(start) for start in allowed)


def check_unique_names(problems):
    places = defaultdict(list)
    for top in ("native", "assimp_importer", "tests"):
        for path in sources(ROOT / top):
            if "fixtures" not in path.parts and "node_modules" not in path.parts and "build" not in path.parts:
                places[path.name].append(str(path.relative_to(ROOT)))
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            problems.append(f"{', '.join(paths)} have the same name; rename one, so that \"{name}\" in a message or a "
                            "search is one file")


def written_files():
    """Yields the files of code, which are written by hand. Golden files and fixtures, which programs write, are left
    out."""
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
                how = "scripts/format breaks it" if path.suffix in FORMATTED_BY_SCRIPT else f"break it at {COLUMNS}"
                problems.append(f"{path.relative_to(ROOT)}:{number}: the line has {columns} columns (tabs count "
                                f"{TAB}); {how}")


# Matches a document, and a section that a comment may name after it: `docs/formats/quake.md, "Light"`.
CITED = re.compile(r'(?<![\w*?}>])([\w./-]*\w\.md)\b(?:,\s+"([^"]+)")?')
COMMENT_EDGE = re.compile(r"\n[ \t]*(?:\*|//|#)?[ \t]*")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def check_citations(problems):
    """Checks that every document and section that a file names exists."""
    pages = sorted(p for top in (ROOT / "docs", *(ROOT / w for w in WRITTEN)) for p in top.rglob("*.md")
                   if not NOT_WRITTEN & set(p.parts)) + sorted(ROOT.glob("*.md"))
    for path in [*written_files(), *pages]:
        text = path.read_text(encoding="utf-8")
        for name, section in CITED.findall(text if path.suffix == ".md" else COMMENT_EDGE.sub(" ", text)):
            cited = name.rsplit("../", 1)[-1]
            found = next((folder / cited for folder in path.parents if (folder / cited).is_file()), None)
            if not found and "/" in cited and path.suffix != ".md":
                # Sources may name a document by its path after installation, or by a path that begins with a variable.
                # So the file name alone may match a document in the top folder.
                found = next((p for p in pages if p.name == cited.rsplit("/", 1)[-1] and p.parent == ROOT), None)
            if not found:
                problems.append(f"{path.relative_to(ROOT)}: cites {name}, which is not in the tree; "
                                "name the document where this is written now")
            elif section and section not in HEADING.findall(found.read_text(encoding="utf-8")):
                problems.append(f"{path.relative_to(ROOT)}: cites the section \"{section}\" of {name}, which has no "
                                "such heading; cite the heading as it is now")


# Packages come from the machine's configured mirror: scripts/lib/apt_sources.py.
MIRROR = re.compile(r"\b(?:deb|ftp\d?|httpredir|security|snapshot|archive|ports|mirrors?|cdn-\w+)\.(?:[\w-]+\.)*"
                    r"(?:debian\.org|ubuntu\.com|debian\.net)\b|\b(?:debian\.org|ubuntu\.com)/(?:debian|ubuntu)\b")


def check_mirrors(problems):
    """Checks that no mirror of a distribution is named."""
    written = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=False).stdout
    for name in written.decode().split("\0"):
        path = ROOT / name
        if not name or not path.is_file() or path.stat().st_size > 1 << 20:
            continue
        for found in MIRROR.finditer(path.read_bytes().decode("utf-8", "replace")):
            problems.append(f"{name}: names the mirror {found[0]}; remove it: scripts/lib/apt_sources.py "
                            "finds the machine's own")


def main() -> int:
    problems: list[str] = []
    for check in (check_includes, check_materials_apart, check_floors, check_circles, check_stages_know_no_family,
                  check_files_opened, check_memory_taken, check_systems, check_numbers, check_tables, check_programs,
                  check_unique_names, check_line_lengths, check_citations, check_mirrors):
        check(problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
