#!/usr/bin/env python3
"""Promise: the programs of docs/examples work, and print a message if they fail. The programs in C++, Python and Rust,
and the one that uses ctypes, write the same bytes as the programs in C. All programs in C together have at most 60
statements.

    check_examples.py FOLDER-OF-PROGRAMS GAME WORK LIBRARY

The folder has programs in C in `c`, and in C++ in `cpp`. Python's need numpy, Rust's need bindgen and rustc.
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
sys.path.insert(0, str(ROOT / "tests/addon"))
from run import environment  # noqa: E402

MOST_STATEMENTS = 60
# A point above the atrium's floor and below its lamp.
POINT = ("0", "0", "8")


def run(*command: object, status: int = 0, **options: Any) -> str:
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, **options)
    if result.returncode != status or (status and not result.stdout):
        sys.exit(f"{command} ended with {result.returncode}: {result.stdout}")
    return result.stdout


def count_statements() -> int:
    """Counts the statements of the C examples. Only the first line of a statement counts; preprocessor lines and lines
    with only braces do not."""
    count = 0
    for source in EXAMPLES.glob("*.c"):
        text = re.sub(r"/\*.*?\*/", "", source.read_text(encoding="utf-8"), flags=re.S)
        lines = [line for line in text.splitlines() if line.strip(" \t{}") and not line.startswith("#")]
        count += sum(not re.match(r"\t+ +", line) for line in lines)
    return count


def build_rust(work: Path, library: Path, renderer: Path | None) -> Path | None:
    """Builds the program in Rust with bindgen. Returns None without these tools or without the renderer."""
    if not (renderer and shutil.which("bindgen") and shutil.which("rustc")):
        return None
    wrapper, bindings, program = work / "wrapper.h", work / "bspscene.rs", work / "with_bindgen"
    wrapper.write_text("#include <bspscene/bspscene.h>\n#include <bspscene/render.h>\n", encoding="utf-8")
    run("bindgen", wrapper, "--size_t-is-usize", "--allowlist-function", "bspscene_.*", "-o", bindings, "--",
        f"-I{ROOT}/native/include", f"-I{ROOT}/native/render/include")
    libraries = [word for path in (library, renderer)
                 for word in ("-L", path.parent, "-l", f"dylib={path.name[3:].split('.so')[0]}",
                              "-C", f"link-arg=-Wl,-rpath,{path.parent}")]
    run("rustc", "--edition", "2021", *libraries, "-C", "link-arg=-Wl,--allow-shlib-undefined",
        EXAMPLES / "with_bindgen.rs", "-o", program, env={**os.environ, "BSPSCENE_RS": str(bindings)})
    return program


def use(program: Callable[[str], list[object]], folder: Path, game: Path, wanted: set[str], how: Any) -> dict[str, Any]:
    """Returns the output and the written files of a language's programs, by name."""
    map_file, said = game / "maps/atrium.bsp", {}
    arguments: dict[str, tuple[object, ...]] = {
        "textured_glb": (map_file, "atrium.glb"), "atlas_pngs": (map_file,), "face_at": (map_file, *POINT),
        "own_files": ("maps/atrium.bsp",), "sky_picture": (map_file, "atrium.png")}
    for name in sorted(wanted):
        how["cwd"] = game if name == "own_files" else folder
        said[name] = run(*program(name), *arguments[name], **how)
    return {**said, **{path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}}


def look(made: dict[str, Any]) -> None:
    """Checks that the programs in C made the expected files."""
    glb = made["atrium.glb"]
    if glb[:4] != b"glTF" or glb.count(b'"bufferView"') < 5 or b'"image/' not in glb:
        sys.exit("textured_glb wrote no textures")
    if not re.fullmatch(r"[1-9]\d* textures, \d+ missing\n", made["own_files"]):
        sys.exit(f"own_files: {made['own_files']}")
    if not made["page0.png"].startswith(b"\x89PNG") or "page 0 at " not in made["atlas_pngs"]:
        sys.exit(f"atlas_pngs: {made['atlas_pngs'][:80]}")
    if not re.fullmatch(r"face \d+, page 0, luxel \d+ \d+, light [01]\.\d+ [01]\.\d+ [01]\.\d+\n", made["face_at"]):
        sys.exit(f"face_at: {made['face_at']}")
    if "sky_picture" in made and len(made["atrium.png"]) < 10000:
        sys.exit("sky_picture: nothing is on it")


def main() -> int:
    programs, game, work = (Path(word).resolve() for word in sys.argv[1:4])
    library = Path(sys.argv[4]).resolve()
    if (count := count_statements()) > MOST_STATEMENTS:
        sys.exit(f"the programs in C have {count} statements, more than {MOST_STATEMENTS}")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    names = {path.name for path in (programs / "c").iterdir()}
    for name in names:
        for language in ("c", "cpp"):
            run(programs / language / name, status=1)
    run(programs / "c/textured_glb", work / "none.bsp", work / "none.glb", status=1)
    settings = environment(str(library))
    if renderer := next(library.parent.glob("libbspscene_render.so"), None):
        settings["BSPSCENE_RENDER_LIBRARY"] = str(renderer)
    languages: dict[str, tuple[Callable[[str], list[object]], set[str], dict[str, str]]] = {
        "c": (lambda name: [programs / "c" / name], names, dict(os.environ)),
        "cpp": (lambda name: [programs / "cpp" / name], names, dict(os.environ)),
        "ctypes": (lambda name: [sys.executable, EXAMPLES / "plain_ctypes.py", library, name],
                   {"textured_glb", "own_files", "atlas_pngs"}, settings)}
    if importlib.util.find_spec("numpy"):
        languages["python"] = (lambda name: [sys.executable, EXAMPLES / f"{name}.py"], names,
                               {**settings, "PYTHONPATH": str(ROOT / "python")})
    if rust := build_rust(work, library, renderer):
        run(rust, "textured_glb", work / "none.bsp", work / "none.glb", status=1, env=settings)
        languages["rust"] = (lambda name: [rust, name], names, settings)
    results = {}
    for language, (program, wanted, how) in languages.items():
        (work / language).mkdir()
        results[language] = use(program, work / language, game, wanted,
                                {"env": {**how, "PYTHONDONTWRITEBYTECODE": "1"}})
    look(results["c"])
    for language, made in results.items():
        for name, content in made.items():
            if content != results["c"].get(name):
                sys.exit(f"{name}: the program in {language} makes something else than that in C")
    print(*results, count, results["c"]["own_files"], results["c"]["face_at"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
