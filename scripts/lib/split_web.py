#!/usr/bin/env python3
"""CORE SHOWN OUT [NAME...]: the module CORE in two, OUT/bspscene_core.wasm and OUT/bspscene_files.wasm. The first has
the functions of SHOWN, a link of only what shows maps, which have the same names there, and those of NAME; the second
the rest, which engine.mjs fetches when the first of them is called. Both modules have their names (--profiling-funcs);
what comes out has none."""
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

CUSTOM, IMPORTS = 0, 2
FUNCTION_NAMES = 1
FEATURES = ["--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int",
            "--enable-mutable-globals"]


class Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size:self.at]

    def text(self) -> str:
        return self.take(self.number()).decode()


def sections(module: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Of each its kind, its content and all its bytes."""
    reader = Reader(module)
    reader.take(8)
    while reader.at < len(module):
        start = reader.at
        kind = reader.take(1)[0]
        content = reader.take(reader.number())
        yield kind, content, module[start:reader.at]


def is_names(kind: int, content: bytes) -> bool:
    return kind == CUSTOM and Reader(content).text() == "name"


def imported_functions(content: bytes) -> int:
    reader, count = Reader(content), 0
    for _ in range(reader.number()):
        reader.text()
        reader.text()
        kind = reader.take(1)[0]
        if kind == 0:
            reader.number()
            count += 1
        elif kind == 3:
            reader.take(2)
        else:  # a table has a type before its limits
            reader.take(1 if kind == 1 else 0)
            flags = reader.number()
            reader.number()
            if flags & 1:
                reader.number()
    return count


def function_names(module: bytes) -> dict[int, str]:
    """By their numbers, from 0 with the first that is not imported."""
    imported, names = 0, {}
    for kind, content, _ in sections(module):
        if kind == IMPORTS:
            imported = imported_functions(content)
        if not is_names(kind, content):
            continue
        reader = Reader(content)
        reader.text()
        while reader.at < len(content):
            what, end = reader.take(1)[0], reader.number() + reader.at
            if what == FUNCTION_NAMES:
                names = {reader.number(): reader.text() for _ in range(reader.number())}
            reader.at = end
    if not names:
        raise SystemExit("a module without names")
    return {number - imported: name for number, name in names.items() if number >= imported}


def base(name: str) -> str:
    """Without what tells functions of one name in several files apart: both are kept then."""
    stem, _, number = name.rpartition("_")
    return stem if number.isdigit() and stem else name


def main() -> int:
    core, shown = (Path(name).read_bytes() for name in sys.argv[1:3])
    out = Path(sys.argv[3])
    kept = {*function_names(shown).values(), *sys.argv[4:]}
    keep = [str(number) for number, name in function_names(core).items() if name in kept or base(name) in kept]
    out.mkdir(parents=True, exist_ok=True)
    files = [out / "bspscene_core.wasm", out / "bspscene_files.wasm"]
    with tempfile.TemporaryDirectory() as folder:
        plain, listed = Path(folder, "plain.wasm"), Path(folder, "keep.txt")
        # Functions without names are called by their numbers, and so are then those that one module takes of the other.
        plain.write_bytes(core[:8] + b"".join(all for kind, content, all in sections(core)
                                              if not is_names(kind, content)))
        listed.write_text("\n".join(keep))
        subprocess.run(["wasm-split", *FEATURES, plain, f"--keep-funcs=@{listed}", "--export-prefix=%",
                        "-o1", files[0], "-o2", files[1]], check=True)
        for file in files:
            subprocess.run(["wasm-opt", *FEATURES, "-Oz", "--converge", file, "-o", file], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
