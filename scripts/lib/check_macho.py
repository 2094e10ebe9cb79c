"""check_macho.py FILE...: checks Mach-O files, thin or universal. They must need only the system's own library, run on
macOS 11, and have a valid signature: it must contain the right hash of each page. arm64 Macs do not start files without
one. Prints what was found, and ends with status 1 if something is wrong. More cannot be checked without a Mac."""
import hashlib
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

PROCESSORS = {0x0100000C: "arm64", 0x01000007: "x86_64"}
UNIVERSAL, THIN, SIGNATURE, CODE_DIRECTORY = b"\xca\xfe\xba\xbe", 0xFEEDFACF, 0xFADE0CC0, 0
SYSTEM_LIBRARY = b"/usr/lib/libSystem.B.dylib"
# Numbers of load commands, from <mach-o/loader.h>.
LOADS = {0x0C: "needs", 0x80000018: "needs", 0x8000001F: "needs", 0x32: "from", 0x1D: "signature"}
SHA256 = 2


def parts(content: bytes) -> Iterator[bytes]:
    """Returns the part of the file for each processor."""
    if content[:4] != UNIVERSAL:
        yield content
        return
    for i in range(struct.unpack_from(">I", content, 4)[0]):
        _, _, start, length, _ = struct.unpack_from(">5I", content, 8 + 20 * i)
        yield content[start:start + length]


def wrong_signature(data: bytes, offset: int, size: int) -> str:
    """Returns what is wrong with an ad-hoc signature, or ""."""
    blob = data[offset:offset + size]
    magic, _, count = struct.unpack_from(">3I", blob)
    entries = [struct.unpack_from(">2I", blob, 12 + 8 * i) for i in range(count)]
    directories = [at for kind, at in entries if kind == CODE_DIRECTORY]
    if magic != SIGNATURE or not directories:
        return "no signature"
    at = directories[0]
    hashes, pages, limit = (struct.unpack_from(">I", blob, at + field)[0] for field in (16, 28, 32))
    hash_size, hash_type, _, page_bits = blob[at + 36:at + 40]
    if hash_type != SHA256 or limit != offset:
        return "a signature of another kind"
    wrong = [i for i in range(pages) if hashlib.sha256(data[i << page_bits:min((i + 1) << page_bits, limit)]).digest()
             != blob[at + hashes + i * hash_size:at + hashes + (i + 1) * hash_size]]
    return f"{len(wrong)} of {pages} pages are not what was signed" if wrong else ""


def problems(data: bytes) -> Iterator[str]:
    magic, processor, _, _, count = struct.unpack_from("<5I", data)
    if magic != THIN or processor not in PROCESSORS:
        yield "not a Mach-O file that a Mac runs"
        return
    found = {}
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        kind = LOADS.get(command)
        name = data[at + 24:at + size].split(b"\0")[0]
        if kind == "needs" and name != SYSTEM_LIBRARY:
            yield f"needs {name.decode()}"
        elif kind == "from" and struct.unpack_from("<I", data, at + 12)[0] > 11 << 16:
            yield "needs a newer macOS than 11.0"
        elif kind == "signature":
            found[kind] = wrong_signature(data, *struct.unpack_from("<2I", data, at + 8))
        at += size
    if PROCESSORS[processor] == "arm64":
        wrong = found.get("signature", "no signature")
        if wrong:
            yield wrong


def main() -> int:
    status = 0
    for name in sys.argv[1:]:
        for part in parts(Path(name).read_bytes()):
            wrong = list(problems(part))
            processor = PROCESSORS.get(struct.unpack_from("<2I", part)[1], "?")
            print(f"{name}, {processor}: {'; '.join(wrong) or 'as a Mac wants it; nobody has run it'}")
            status |= bool(wrong)
    return status


if __name__ == "__main__":
    sys.exit(main())
