#!/usr/bin/env python3
"""Promise: a command loads no library and reads no part of an archive that it does not need.

Usage: check_start.py PROGRAM MAP
- the program starts without the ray tracer, Assimp and libarchive, which take longer to load than most commands run;
- where libarchive cannot be loaded its archives are one proper line, and all others are as they were;
- of a pk3 `list` reads the directory and `info` that and the map: bytes as the system counts them.
"""
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

SKIPPED = 77
NOT_AT_START = re.compile(r"lib(embree|assimp|archive|xml2|icu|tbb)[\w.-]*")
MEMBER, MEMBERS = 1 << 20, 32
# The end of an archive, where its directory is looked for, and the headers of the libraries that the loader reads.
BESIDES = 256 << 10


def check(condition: bool, text: str) -> None:
    if not condition:
        sys.exit(text)


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], env=os.environ | environment, capture_output=True, text=True,
                          errors="replace")


def loaded(*command: str | Path) -> set[str]:
    """Libraries that the loader opens, when the program starts and later."""
    return set(re.findall(r"file=(\S+) \[\d+\];  generating link map", run(*command, LD_DEBUG="files").stderr))


def bytes_read(*command: str | Path) -> int:
    """By all means but mapped memory. The count is gone when the process is waited for."""
    with open(os.devnull, "w") as nowhere:
        child = os.posix_spawn(command[0], [str(word) for word in command], os.environ,
                               file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)])
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        counts = Path(f"/proc/{child}/io").read_text()
        _, status = os.waitpid(child, 0)
    check(status == 0, f"{command} failed")
    return int(counts.split()[1])


def check_libraries(program: Path) -> None:
    names = loaded(program, "--version")
    check(bool(names), "the loader named no library; this check is broken")
    unwanted = sorted(filter(NOT_AT_START.match, names))
    check(not unwanted, f"loaded before anybody asked for them: {unwanted}")


def check_without_libarchive(program: Path, bsp: Path, folder: Path) -> None:
    tar, pk3 = folder / "maps.tar", folder / "maps.pk3"
    with tarfile.open(tar, "w") as tar_file:
        tar_file.add(bsp, "maps/one.bsp")
    with zipfile.ZipFile(pk3, "w") as zip_file:
        zip_file.write(bsp, "maps/one.bsp")
    names = [name for name in loaded(program, "list", tar) if name.startswith("libarchive")]
    if not names:
        print("this build has no libarchive, or has it in it")
        return
    (folder / "broken").mkdir()
    (folder / "broken" / names[0]).write_text("no library")
    environment = {"LD_LIBRARY_PATH": str(folder / "broken")}
    for archive in (tar, pk3):
        check(run(program, "list", archive).stdout == "one\n", f"{archive.name} is not listed")
    check(run(program, "list", pk3, **environment).stdout == "one\n", "zip needs libarchive")
    refused = run(program, "list", tar, **environment)
    check(refused.returncode != 0 and refused.stdout == "", "a tar is listed without libarchive")
    check(refused.stderr == f"bspscene: {tar}: cannot be read without {names[0]}\n", f"says {refused.stderr!r}")


def check_reading(program: Path, bsp: Path, folder: Path) -> None:
    if not Path("/proc/self/io").exists():
        print("the system does not count what a process reads")
        return
    pk3 = folder / "large.pk3"
    noise = random.Random(1)
    with zipfile.ZipFile(pk3, "w") as archive:
        for i in range(MEMBERS):
            archive.writestr(f"textures/noise/{i}.tga", noise.randbytes(MEMBER))
            if i == MEMBERS // 2:
                archive.write(bsp, "maps/one.bsp")
    start = bytes_read(program, "--version")
    listed, told = bytes_read(program, "list", pk3) - start, bytes_read(program, "info", pk3) - start
    print(f"of {pk3.stat().st_size} bytes list reads {listed}, info {told}; the map has {bsp.stat().st_size}")
    check(listed < BESIDES, "list reads more than the directory")
    check(told < BESIDES + bsp.stat().st_size, "info reads more than the directory and the map")


def main() -> int:
    program, bsp = Path(sys.argv[1]), Path(sys.argv[2])
    if not sys.platform.startswith("linux"):
        print("skipped: only Linux's loader says what it loads")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="bspscene-start-") as name:
        check_libraries(program)
        check_without_libarchive(program, bsp, Path(name))
        check_reading(program, bsp, Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
