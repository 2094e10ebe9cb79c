#!/usr/bin/env python3
"""Checks that the Windows program, run by wine, keeps the promises of the native program. It gives the same bytes for
every fixture. Paths may have any name and length. Output is complete, or there is none.

Usage: check_windows.py CHECK --program BSPSCENE --stage DIRECTORY --prefix DIRECTORY
The option --stage names the folder out/stage/windows-x64, which scripts/package makes. Without this folder, or without
wine, the test is skipped. The folder of --prefix keeps wine's files between runs.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from png_rows import read_png  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
ATRIUM = FIXTURES / "atrium/quake3/maps/atrium.bsp"
# where scripts/lib/windows_python.sh installs it
PYTHON = Path(__file__).resolve().parents[2] / "build/bundle/windows-python/python"
SKIPPED = 77
# The only libraries that may be loaded besides our own DLLs. Every Windows has them.
SYSTEM_LIBRARIES = {"kernel32.dll", "advapi32.dll", "shell32.dll", "msvcrt.dll"}


class Programs:
    """The two programs, and a folder in which they run."""

    def __init__(self, here: str, stage: str, prefix: str, folder: Path) -> None:
        self.here, self.stage, self.folder = str(Path(here).resolve()), Path(stage).resolve(), folder
        self.wine = shutil.which("wine64") or shutil.which("wine") or ""
        self.environment = dict(os.environ, WINEPREFIX=prefix, WINEDEBUG="-all",
                                WINEDLLOVERRIDES="mscoree,mshtml=")

    def lacks(self) -> str:
        if not (self.stage / "bin/bspscene.exe").is_file():
            return f"{self.stage}: scripts/package windows-x64 has not been run"
        return "" if self.wine else "wine is not installed"

    def windows(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run([self.wine, str(self.stage / "bin/bspscene.exe"), *arguments], env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False, **options)

    def native(self, *arguments: str, **options) -> subprocess.CompletedProcess:
        return subprocess.run([self.here, *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              **options)


def maps() -> list[Path]:
    return sorted(path for path in FIXTURES.rglob("*.bsp") if "rejected" not in path.parts)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Result(NamedTuple):
    """The output of a program, and the files in its folder after the run."""

    status: int
    output: bytes
    errors: bytes
    files: dict[str, bytes]


def compare(problems: list[str], what: str, windows: Result, native: Result) -> None:
    """Checks that both programs ended with the same status and output, and left the same files with the same bytes."""
    if windows.status != native.status:
        problems.append(f"{what}: ended with {windows.status} instead of {native.status}: "
                        f"{windows.errors.decode(errors='replace')[:300]}")
    elif windows.output != native.output:
        problems.append(f"{what}: standard output differs")
    elif windows.files != native.files:
        differing = sorted(set(windows.files) ^ set(native.files)) or \
            [name for name in native.files if windows.files[name] != native.files[name]]
        problems.append(f"{what}: differs in {', '.join(differing[:5])}")


def same(problems: list[str], what: str, folder: Path, run_windows, run_native) -> None:
    """Runs both programs, each in a folder of its own, and compares their status, output and files."""
    results = []
    for name, run in (("w", run_windows), ("n", run_native)):
        inside = folder / name
        shutil.rmtree(inside, ignore_errors=True)
        inside.mkdir(parents=True)
        done = run(inside)
        results.append(Result(done.returncode, done.stdout, done.stderr, contents(inside)))
    compare(problems, what, *results)


def fixture_commands() -> list[list[str]]:
    """Returns commands: every fixture as GLB, and one of each folder also in the other formats, with its entities and
    pictures."""
    commands, seen = [], set()
    for path in maps():
        commands.append(["convert", str(path), "out.glb"])
        if path.parent.parent.name not in seen:
            seen.add(path.parent.parent.name)
            commands += [["convert", str(path), f"out.{kind}"] for kind in ("gltf", "obj", "fbx", "usda", "usdz")]
            commands += [["entities", str(path)], ["bake", str(path), "atlas"], ["extract", str(path), "files"]]
    return commands


def windows_batch(programs: Programs, commands: list[list[str]], folder: Path) -> list[Result]:
    """Runs each command in a folder of its own, all in one start of wine, which takes longer than most commands."""
    program = on_drive(programs.stage / "bin/bspscene.exe")
    lines = ["@echo off"]
    for number, command in enumerate(commands):
        inside = folder / str(number)
        inside.mkdir(parents=True)
        words = " ".join(f'"{word}"' for word in [program, *command])
        beside = on_drive(inside)
        lines += [f"cd /d {beside}", f"{words} >{beside}.out 2>{beside}.err", f">{beside}.status echo %errorlevel%"]
    batch = folder / "all.bat"
    batch.write_text("\r\n".join([*lines, ""]), encoding="ascii")
    subprocess.run([programs.wine, "cmd", "/c", on_drive(batch)], env=programs.environment, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    results = []
    for number in range(len(commands)):
        inside = folder / str(number)
        out, err, status = (Path(f"{inside}.{kind}").read_bytes() for kind in ("out", "err", "status"))
        results.append(Result(int(status), out, err, contents(inside)))
    return results


def without_case(files: dict[str, bytes]) -> dict[str, bytes]:
    """Returns contents by name in lower case. Windows keeps the spelling of a folder from its first file; other
    spellings mean the same folder."""
    return {name.lower(): content for name, content in files.items()}


def check_same_bytes(programs: Programs, problems: list[str]) -> None:
    commands, folder = fixture_commands(), programs.folder / "batch"
    for command, windows in zip(commands, windows_batch(programs, commands, folder)):
        inside = programs.folder / "native"
        shutil.rmtree(inside, ignore_errors=True)
        inside.mkdir()
        done = programs.native(*command, cwd=inside)
        native = Result(done.returncode, done.stdout, done.stderr, contents(inside))
        if command[0] == "extract":
            windows, native = (one._replace(files=without_case(one.files)) for one in (windows, native))
        compare(problems, " ".join([command[0], str(Path(command[1]).relative_to(FIXTURES)), *command[2:]]), windows,
                native)
    print(f"{len(commands)} commands")


def check_paths(programs: Programs, problems: list[str]) -> None:
    """The files of a map's game are found, whatever the map's path is: with letters of no common code page, with more
    than 260 letters, or with backslashes."""
    game = programs.folder / "Ünï кириллица 地図" / Path(*["0123456789" * 6] * 5)
    shutil.copytree(ATRIUM.parents[1], game)
    source = game / "maps/atrium.bsp"
    for label, argument in (("slashes", str(source)), ("backslashes", "Z:" + str(source).replace("/", "\\"))):
        output = game / f"{label}.glb"
        target = str(output) if label == "slashes" else "Z:" + str(output).replace("/", "\\")
        done = programs.windows("convert", argument, target)
        expected = programs.folder / "expected.glb"
        programs.native("convert", str(source), str(expected))
        if done.returncode or not output.is_file():
            problems.append(f"{label}: {done.stderr.decode(errors='replace')}")
        elif output.read_bytes() != expected.read_bytes():
            problems.append(f"{label}: other bytes than here: {done.stderr.decode(errors='replace')}")


def check_outputs(programs: Programs, problems: list[str]) -> None:
    """Existing files are replaced on success and kept on failure; inputs are not replaced."""
    folder = programs.folder / "outputs"
    shutil.copytree(ATRIUM.parents[1], folder)
    source, target = folder / "maps/atrium.bsp", folder / "old.glb"
    target.write_bytes(b"before")
    failed = programs.windows("convert", str(source), str(target), "--output-limit", "0x")
    if not failed.returncode or target.read_bytes() != b"before":
        problems.append("a command that failed has replaced its output")
    again = programs.windows("convert", str(source), str(source))
    if not again.returncode or source.read_bytes() != ATRIUM.read_bytes():
        problems.append("the map is replaced by its output")
    done = programs.windows("convert", str(source), str(target))
    if done.returncode or target.read_bytes()[:4] != b"glTF":
        problems.append(f"an output is not replaced: {done.stderr.decode(errors='replace')}")
    absent = programs.windows("info", str(folder / "absent.bsp"))
    if b"no such file" not in absent.stderr:
        problems.append(f"a map that is not there is called {absent.stderr!r}")
    device = programs.windows("info", "nul")
    if not device.returncode:
        problems.append("NUL is read as a map")
    if list(folder.rglob(".bspscene-*")):
        problems.append("temporary files stay")


# The command that takes root's right to write everywhere from a program. The first program of a wine prefix starts the
# wine server, which then has no such right either.
LIMITED = [] if os.geteuid() else ["setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search"]


def check_read_only(programs: Programs, problems: list[str]) -> None:
    """Without permission to write, nothing changes and the reason is printed. The same holds for unreadable files."""
    if LIMITED and not shutil.which(LIMITED[0]):
        raise SystemExit(SKIPPED)
    folder = programs.folder / "locked"
    folder.mkdir()
    (folder / "old.glb").write_bytes(b"before")
    secret = programs.folder / "secret.bsp"
    shutil.copy(ATRIUM, secret)
    folder.chmod(0o555)
    secret.chmod(0)
    environment = dict(programs.environment, WINEPREFIX=str(programs.folder / "limited"))
    try:
        for command in (["convert", str(ATRIUM), str(folder / "old.glb")],
                        ["convert", str(ATRIUM), str(folder / "new.glb")],
                        ["extract", str(ATRIUM), str(folder / "files")], ["info", str(secret)]):
            done = subprocess.run([*LIMITED, programs.wine, str(programs.stage / "bin/bspscene.exe"), *command],
                                  env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            print(" ".join(command[:1]), done.returncode, done.stderr.decode(errors="replace").strip())
            if done.returncode != 1 or b"ermission denied" not in done.stderr:
                problems.append(f"{' '.join(command)}: ended with {done.returncode}: {done.stderr!r}")
        if contents(folder) != {"old.glb": b"before"}:
            problems.append(f"the folder that nobody may write to has {list(contents(folder))}")
    finally:
        folder.chmod(0o755)


def stop_in_the_middle(programs: Programs, folder: Path) -> int | None:
    """Sends SIGINT, which wine turns into Ctrl-C, while a file is written. Returns the exit status, or None if the
    program was too fast."""
    command = [programs.wine, str(programs.stage / "bin/bspscene.exe"), "extract", str(ATRIUM), "out/deep"]
    process = subprocess.Popen(command, cwd=folder, env=programs.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(folder.rglob(".bspscene-*")):
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    caught = bool(list(folder.rglob(".bspscene-*")))
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    status = process.wait()
    return status if caught else None


def check_interrupted(programs: Programs, problems: list[str]) -> None:
    """Ctrl-C leaves no file or folder behind."""
    for attempt in range(20):
        folder = programs.folder / f"interrupted-{attempt}"
        folder.mkdir()
        status = stop_in_the_middle(programs, folder)
        if status is None:
            continue
        left = [str(path.relative_to(folder)) for path in folder.rglob("*")]
        if left or not status:
            problems.append(f"ended with {status} and left {left}")
        return
    problems.append("was never caught while it wrote")


def check_python(programs: Programs, problems: list[str]) -> None:
    """The wheel in a Windows Python writes the same as the native program. Then the package's own tests run."""
    interpreter = PYTHON / "python.exe"
    wheel = next(iter(sorted(programs.stage.parents[1].glob("bspscene-*-win_amd64.whl"))), None)
    if not interpreter.is_file() or not wheel:
        print(f"{PYTHON} (scripts/test-machines windows-x64) or the wheel (scripts/package windows-x64) is not there")
        raise SystemExit(SKIPPED)
    site, out = programs.folder / "site", programs.folder / "out"
    out.mkdir()
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    chosen = maps()[::3]
    use = [programs.wine, str(interpreter), str(Path(__file__).with_name("use_package.py")), on_drive(site),
           on_drive(out), *map(on_drive, chosen)]
    run_python(problems, use, programs.environment)
    for number, path in enumerate(chosen):
        expected = programs.folder / "expected.glb"
        programs.native("convert", str(path), str(expected))
        written = out / f"{number}.glb"
        if written.is_file() and written.read_bytes() != expected.read_bytes():
            problems.append(f"{path.relative_to(FIXTURES)}: other bytes by Python on Windows than here")
    with_library = dict(programs.environment, BSPSCENE_LIBRARY=on_drive(site / "bspscene/bspscene.dll"))
    for name, command in (("test_package.py", [on_drive(programs.stage / "bin/bspscene.exe")]),
                          ("test_changed_maps.py", [])):
        tests = [programs.wine, str(interpreter), on_drive(FIXTURES.parent / "python" / name), *command]
        run_python(problems, tests, with_library)


def on_drive(path: Path) -> str:
    """Returns the path in Windows: wine has this system's files on drive Z."""
    return "Z:" + str(path).replace("/", "\\")


def run_python(problems: list[str], command: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    print(done.stdout.decode(errors="replace"))
    if done.returncode:
        problems.append(f"{Path(command[2].replace(chr(92), '/')).name} ended with {done.returncode}")


def check_exports(programs: Programs, problems: list[str]) -> None:
    """The library exports all of our functions and no others; it needs only DLLs that every Windows has."""
    dump = next((found for found in map(shutil.which, ("x86_64-w64-mingw32-objdump", "objdump")) if found), None)
    if not dump:
        raise SystemExit(SKIPPED)
    for file in ("bin/bspscene.dll", "bin/bspscene.exe"):
        text = subprocess.run([dump, "-p", str(programs.stage / file)], check=True, capture_output=True,
                              text=True).stdout
        needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
        if needed - SYSTEM_LIBRARIES:
            problems.append(f"{file} needs {', '.join(sorted(needed - SYSTEM_LIBRARIES))}")
        exported = set(re.findall(r"^\s*\[\s*\d+\] (?:\+base\[\s*\d+\]\s+)?(?:[0-9a-f]+ )?(\w+)$",
                                  text.split("[Ordinal/Name Pointer] Table")[-1], re.MULTILINE))
        foreign = {name for name in exported if not name.startswith("bspscene_")}
        if foreign or (file.endswith("dll") and len(exported) < 30):
            problems.append(f"{file} exports {len(exported)}, {', '.join(sorted(foreign)[:5])} among them")


def check_pictures(programs: Programs, problems: list[str]) -> None:
    """Pictures resemble the native ones. Embree uses another instruction set, which rounds differently where
    surfaces meet."""
    for path in (ATRIUM, FIXTURES / "source/maps/room.bsp"):
        drawn = []
        for name, run in (("here.png", programs.native), ("windows.png", programs.windows)):
            done = run("render", str(path), str(programs.folder / name), "--size", "160x120")
            if b"no renderer" in done.stderr and run == programs.native:
                raise SystemExit(SKIPPED)
            if done.returncode:
                problems.append(f"{path.name}: no {name}: {done.stderr.decode(errors='replace')}")
                break
            drawn.append(read_png(programs.folder / name))
        if len(drawn) < 2:
            continue
        (*size, rows), (*other_size, other_rows) = drawn
        if size != other_size:
            problems.append(f"{path.name}: {size} here, {other_size} on Windows")
            continue
        apart = sum(abs(a - b) > 8 for one, other in zip(rows, other_rows) for a, b in zip(one, other))
        if apart > 160 * 120 * 3 // 100:
            problems.append(f"{path.name}: {apart} values of pixels are more than 8 of 255 from those here")


CHECKS = {"same_bytes": check_same_bytes, "paths": check_paths, "outputs": check_outputs,
          "read_only": check_read_only, "interrupted": check_interrupted, "exports": check_exports,
          "pictures": check_pictures, "python": check_python}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("check", choices=sorted(CHECKS))
    parser.add_argument("--program", required=True)
    parser.add_argument("--stage", required=True)
    parser.add_argument("--prefix", required=True)
    arguments = parser.parse_args()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bspscene-windows-", ignore_cleanup_errors=True) as name:
        programs = Programs(arguments.program, arguments.stage, arguments.prefix, Path(name).resolve())
        reason = programs.lacks()
        if reason:
            print(reason)
            return SKIPPED
        CHECKS[arguments.check](programs, problems)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
