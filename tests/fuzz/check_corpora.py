#!/usr/bin/env python3
"""Promise: the initial inputs of a fuzz target are those that its program makes now. They must be made again when rooms
change. Inputs that a fuzzer found may be in the same folder.

    check_corpora.py PROGRAM CORPUS TARGET [PROGRAM CORPUS TARGET]...

TARGET is the build target that writes the corpus.
"""
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    failed = 0
    for program, corpus, target in zip(*[iter(sys.argv[1:])] * 3):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, folder], check=True)
            made = sorted(Path(folder).iterdir())
            for path in made:
                kept = Path(corpus) / path.name
                if not kept.is_file() or kept.read_bytes() != path.read_bytes():
                    print(f"{kept} is not what {Path(program).name} makes: build {target}")
                    failed += 1
            print(f"{target}: {len(made)} files")
            failed += not made
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
