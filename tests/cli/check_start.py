#!/usr/bin/env python3
"""Promise: a command loads no library and reads no part of an archive that it does not need.

Usage: check_start.py PROGRAM MAP
- the program starts without the ray tracer, Assimp, libarchive and the library of C++, which take longer to load than
  most commands run;
- if libarchive cannot be loaded, archives that need it give one error message, and all other archives still work; the
  same holds for meshoptimizer and compressed glTF;
- `list` reads only the directory of a pk3, and `info` reads also the map; the system counts the bytes that are read.
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
NOT_AT_START = re.compile(r"lib(embree|assimp|archive|xml2|icu|tbb|meshoptimizer|stdc\+\+|c\+\+)[\w.-]*")
MEMBER, MEMBERS = 1 << 20, 32
# A command may read this many bytes more than it needs: the end of an archive, where it searches the directory,
# and the headers of libraries.
BESIDES = 256 << 10


def check(condition: bool, text: str) -> None:
    if not condition:
        sys.exit(text)


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], env=os.environ | environment, capture_output=True, text=True,
                          errors="replace")


def loaded(*command: str | Path) -> set[str]:
    """Returns the libraries that the system's loader opens for a command, at its start or later."""
    return set(re.findall(r"file=(\S+) \[\d+\];  generating link map", run(*command, LD_DEBUG="files").stderr))


def bytes_read(*command: str | Path) -> int:
    """Returns how many bytes a command reads, without reads through mapped memory. Linux has this count only until
    waitpid is called, so it is read before."""
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
    # Sanitizers need the library of C++, because they are written in it.
    sanitized = any(name.startswith(("libasan", "libubsan", "libtsan")) for name in names)
    unwanted = sorted(name for name in names if NOT_AT_START.match(name)
                      and not (sanitized and name.startswith("libstdc++")))
    check(not unwanted, f"loaded before anybody asked for them: {unwanted}")


def without(library: str, names: set[str], folder: Path) -> tuple[str, dict[str, str]] | None:
    """Returns the full name of the library, and an environment in which loading this library fails. Returns None if
    this build does not load it at run time."""
    found = [name for name in names if name.startswith(library)]
    if not found:
        print(f"this build has no {library}, or has it in it")
        return None
    broken = folder / f"no_{library}"
    broken.mkdir()
    (broken / found[0]).write_text("no library")
    return found[0], {"LD_LIBRARY_PATH": str(broken)}


def check_without_meshoptimizer(program: Path, bsp: Path, folder: Path) -> None:
    glb, packed = folder / "map.glb", folder / "packed.glb"
    compress = ("convert", bsp, packed, "--compress-with", "meshopt")
    state = without("libmeshoptimizer", loaded(program, *compress), folder)
    if not state:
        return
    name, environment = state
    packed.unlink()
    check(run(program, "convert", bsp, glb, **environment).returncode == 0, "GLB needs meshoptimizer")
    refused = run(program, *compress, **environment)
    check(refused.returncode != 0 and not packed.exists(), "it is compressed without meshoptimizer")
    wanted = f"bspscene: {packed.name}: cannot be compressed without {name}\n"
    check(refused.stderr == wanted, f"says {refused.stderr!r}")


def check_without_libarchive(program: Path, bsp: Path, folder: Path) -> None:
    tar, pk3 = folder / "maps.tar", folder / "maps.pk3"
    with tarfile.open(tar, "w") as tar_file:
        tar_file.add(bsp, "maps/one.bsp")
    with zipfile.ZipFile(pk3, "w") as zip_file:
        zip_file.write(bsp, "maps/one.bsp")
    state = without("libarchive", loaded(program, "list", tar), folder)
    if not state:
        return
    name, environment = state
    for archive in (tar, pk3):
        check(run(program, "list", archive).stdout == "one\n", f"{archive.name} is not listed")
    check(run(program, "list", pk3, **environment).stdout == "one\n", "zip needs libarchive")
    refused = run(program, "list", tar, **environment)
    check(refused.returncode != 0 and refused.stdout == "", "a tar is listed without libarchive")
    check(refused.stderr == f"bspscene: {tar}: cannot be read without {name}\n", f"says {refused.stderr!r}")


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
        check_without_meshoptimizer(program, bsp, Path(name))
        check_reading(program, bsp, Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
