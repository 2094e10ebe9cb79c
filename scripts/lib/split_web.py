#!/usr/bin/env python3
"""CORE SHOWN OUT [NAME...]: splits the module CORE into OUT/bspscene_core.wasm and OUT/bspscene_files.wasm. SHOWN is a
module with only the functions that show maps. The first output has the functions of SHOWN, found in CORE by name, and
the functions NAME. The second output has all other functions of CORE; engine.mjs fetches it when one of these is first
called. CORE and SHOWN must have function names (--profiling-funcs); the outputs have none."""
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

CUSTOM, IMPORTS, ELEMENTS, CODE = 0, 2, 9, 10
END = b"\x0b"
# A function of at most this many bytes is often equal to others, because it only calls another function or returns a
# constant.
SHORT = 100
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
    """Returns the kind, the content and all bytes of each section."""
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
    """Returns names of functions by number. Number 0 is the first function that is not imported."""
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


def short_in_table(module: bytes) -> list[str]:
    """Returns the numbers of the short functions in the table of function pointers. All of them must be kept, because
    the optimizer may have merged equal functions into one, which then has the name of only one of them."""
    found = {kind: content for kind, content, _ in sections(module)}
    imported = imported_functions(found[IMPORTS])
    reader, places = Reader(found[ELEMENTS]), []
    for _ in range(reader.number()):
        if reader.number() != 0:
            raise SystemExit("elements of a kind that linkers do not write")
        while reader.take(1) != END:
            pass
        places += [reader.number() - imported for _ in range(reader.number())]
    reader, sizes = Reader(found[CODE]), []
    for _ in range(reader.number()):
        sizes.append(reader.number())
        reader.take(sizes[-1])
    return [str(place) for place in places if place >= 0 and sizes[place] <= SHORT]


def base(name: str) -> str:
    """Returns a function's name without the suffix "_NUMBER", which the tools add if several files have static
    functions of the same name. If one of these functions is kept, all are."""
    stem, _, number = name.rpartition("_")
    return stem if number.isdigit() and stem else name


def with_called(keep: list[str], module: Path) -> list[str]:
    """Returns the numbers of the functions `keep` and of all functions that these call, directly or indirectly,
    according to the call graph of `module`. A comparison of names would miss some of these, because the optimizer
    merges equal functions into one, which has the name of only one of them."""
    graph = subprocess.run(["wasm-opt", *FEATURES, module, "--print-call-graph", "-o", "/dev/null"], check=True,
                           capture_output=True, text=True).stdout
    calls: dict[str, list[str]] = {}
    for caller, callee in re.findall(r'^ *"(\d+)" -> "(\d+)"; // call$', graph, re.M):
        calls.setdefault(caller, []).append(callee)
    kept, left = set(keep), list(keep)
    while left:
        new = [callee for callee in calls.get(left.pop(), []) if callee not in kept]
        kept.update(new)
        left += new
    return sorted(kept, key=int)


def main() -> int:
    core, shown = (Path(name).read_bytes() for name in sys.argv[1:3])
    out = Path(sys.argv[3])
    kept = {*function_names(shown).values(), *sys.argv[4:]}
    keep = [str(number) for number, name in function_names(core).items() if name in kept or base(name) in kept]
    out.mkdir(parents=True, exist_ok=True)
    files = [out / "bspscene_core.wasm", out / "bspscene_files.wasm"]
    with tempfile.TemporaryDirectory() as folder:
        plain, listed = Path(folder, "plain.wasm"), Path(folder, "keep.txt")
        # The section of names is left out. So functions are identified by numbers, both in the list for wasm-split and
        # where the two modules import functions from each other.
        plain.write_bytes(core[:8] + b"".join(all for kind, content, all in sections(core)
                                              if not is_names(kind, content)))
        wanted = {*with_called(keep, plain), *short_in_table(core)}
        listed.write_text("\n".join(sorted(wanted, key=int)))
        subprocess.run(["wasm-split", *FEATURES, plain, f"--keep-funcs=@{listed}", "--export-prefix=%",
                        "-o1", files[0], "-o2", files[1]], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
