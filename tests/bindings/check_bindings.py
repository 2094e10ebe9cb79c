#!/usr/bin/env python3
"""Promise: a Rust binding made by bindgen from bspscene.h, and one by ctypes, read the names of a map's meshes as the
C++ header does.

    check_bindings.py rust|ctypes LIBRARY PROGRAM GAME FOLDER

PROGRAM is built from use_cpp.cpp.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "native/include"
SKIPPED = 77


def run(*command: object, **options: Any) -> str:
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True,
                          **options).stdout


def rust(library: Path, map_file: Path, folder: Path) -> str:
    bindings = folder / "bindings.rs"
    # Newer Rust editions require "unsafe extern", which older versions of bindgen do not write.
    bindings.write_text(run("bindgen", "--allowlist-function", "bspscene_.*", "--allowlist-type", "bspscene_.*",
                            "--no-layout-tests", INCLUDE / "bspscene/bspscene.h", "--", f"-I{INCLUDE}"))
    run("rustc", "--edition", "2021", "-L", library.parent, "-l", "dylib=bspscene", "-C",
        f"link-arg=-Wl,-rpath,{library.parent}", "-o", folder / "use_rust", HERE / "main.rs",
        env={**os.environ, "BSPSCENE_BINDINGS": str(bindings)})
    return run(folder / "use_rust", map_file)


def main() -> int:
    how, library, program, game, folder = sys.argv[1], *(Path(word) for word in sys.argv[2:])
    map_file = game / "maps/atrium.bsp"
    if how == "rust" and not (shutil.which("bindgen") and shutil.which("rustc")):
        print("skipped: there is no bindgen or rustc (Debian packages bindgen and rustc)")
        return SKIPPED
    folder.mkdir(parents=True, exist_ok=True)
    wanted = run(program, game, folder)
    got = rust(library, map_file, folder) if how == "rust" else run(sys.executable, HERE / "use_ctypes.py", library,
                                                                     map_file)
    if got != wanted or "worldspawn" not in got:
        print(f"other names:\n{got}\ninstead of\n{wanted}")
        return 1
    print(f"{len(got.splitlines())} names")
    return 0


if __name__ == "__main__":
    sys.exit(main())
