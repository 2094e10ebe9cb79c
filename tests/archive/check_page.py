#!/usr/bin/env python3
"""Promise: a gallery can be used by keyboard or screen reader, on phone or desktop, in light or dark mode. axe-core
finds nothing serious on the list and on a map's page, and no page is wider than the screen."""
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from common import arguments, run, skip
from made_store import make_hostile

SCRIPT = Path(__file__).parent / "page" / "page.mjs"


def picture(width: int, height: int) -> bytes:
    """Makes a gray PNG."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def main() -> int:
    program = arguments(__doc__).program
    node = shutil.which("node") or shutil.which("nodejs") or skip("node is not installed")
    with tempfile.TemporaryDirectory() as name:
        store = Path(name) / "store"
        for result in make_hostile(store)[::2]:
            for file in ("tile.png", "start.png", "overview.png"):
                (store / result["id"][:2] / result["id"] / file).write_bytes(picture(320, 240))
            # The animation may be an empty file, because the page loads it only on request.
            (store / result["id"][:2] / result["id"] / "turn.webp").touch()
        run(program, "gallery", store, "--quiet")
        done = subprocess.run([node, SCRIPT, store / "gallery"], capture_output=True, text=True)
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
