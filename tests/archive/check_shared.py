#!/usr/bin/env python3
"""Promise: with --textures shared, GLBs do not contain pictures but refer to files in the store. Everything else in the
GLBs stays the same. Each picture is stored once, however many maps use it. Every run gives the same store. If a
picture's file already exists, its bytes are compared, not only its name."""
import json
import struct
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

from common import FIXTURES, arguments, run
from stores import content, results


def read_glb(path: Path) -> tuple[dict, bytes]:
    data = path.read_bytes()
    magic, version, size = struct.unpack_from("<III", data)
    text, kind = struct.unpack_from("<I4s", data, 12)
    assert (magic, version, size, kind) == (0x46546C67, 2, len(data), b"JSON"), path
    document = json.loads(data[20:20 + text])
    if 20 + text == len(data):
        return document, b""
    binary, kind = struct.unpack_from("<I4s", data, 20 + text)
    assert kind == b"BIN\0" and 28 + text + binary == len(data), path
    return document, data[28 + text:]


def view(document: dict, binary: bytes, number: int) -> bytes:
    one = document["bufferViews"][number]
    return binary[one["byteOffset"]:one["byteOffset"] + one["byteLength"]]


def parts(path: Path) -> tuple[dict, list[bytes], list[bytes]]:
    """Splits a GLB into its JSON document without offsets and pictures, its other bytes, and its pictures."""
    document, binary = read_glb(path)
    pictures, views = [], {one["bufferView"] for one in document.get("images", []) if "bufferView" in one}
    for one in document.get("images", []):
        if "uri" in one:
            pictures.append((path.parent / unquote(one.pop("uri"))).read_bytes())
        else:
            pictures.append(view(document, binary, one.pop("bufferView")))
        one.pop("mimeType", None)
    rest = [view(document, binary, number) for number in range(len(document["bufferViews"])) if number not in views]
    for name in ("bufferViews", "buffers"):
        del document[name]
    return document, pictures, rest


def main() -> int:
    program, problems = arguments(__doc__).program, []
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        catalog = top / "catalog.jsonl"
        catalog.write_bytes(run(program, "catalog", "--recursive", FIXTURES / "atrium", FIXTURES / "source"))

        def process(store: str, *more: str):
            words = ["--catalog", catalog, "--steps", "glb", "--quiet", *more]
            run(program, "process", top / store, *words)

        process("embedded")
        process("shared", "--textures", "shared", "--jobs", "2")
        count = size = 0
        for path in sorted((top / "embedded").glob("??/*/map.glb")):
            one, other = parts(path), parts(top / "shared" / path.relative_to(top / "embedded"))
            problems += [f"{path}: another {what}" for what, a, b in zip(("document", "pictures", "rest"), one, other)
                         if a != b]
            count, size = count + len(one[1]), size + sum(map(len, one[1]))
        files = [path for path in (top / "shared" / "textures").rglob("*") if path.is_file()]
        if not 0 < len(files) < count:
            problems.append(f"{len(files)} shared files of {count} pictures")
        if len({path.read_bytes() for path in files}) != len(files):
            problems.append("a picture is there twice")
        print(f"{count} pictures of {size} bytes are {len(files)} of {sum(path.stat().st_size for path in files)}")
        before = content(top / "shared")
        process("shared", "--textures", "shared")
        process("again", "--textures", "shared")
        if content(top / "shared") != before or content(top / "again") != before:
            problems.append("another run makes another store")
        process("shared")  # makes GLBs with pictures inside again
        if any("textures" in one for one in results(top / "shared")):
            problems.append("GLBs that refer to pictures were taken for such that hold them")
        victim = next(path for path in files if path.suffix == ".png")
        victim.write_bytes(b"something else")
        process("shared", "--textures", "shared")
        refused = [one["message"] for one in results(top / "shared") if one["status"] == "quarantined"]
        if not refused or not all("exists already with other contents" in message for message in refused):
            problems.append(f"a picture was believed by its name: {refused}")
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
