#!/usr/bin/env python3
"""One linter over what it is for; it has to find nothing. Its rules are in the checkout's top directory.

    linters.py NAME [--build DIR] [--update]     NAME: clang-format, clang-tidy, cppcheck, mypy, ruff,
                                                 shellcheck

The program is the one beside this Python (scripts/test installs requirements.txt there), of BUILD/peers/bin, or in the
PATH; without it the test is skipped. clang-tidy and cppcheck take how files are compiled from the build directory;
what cppcheck is wrong about is in cppcheck.txt, with the reason. clang-format
checks the files of formatted.txt: the tree is written by hand in nearly its style, and a file that is in it stays
in it; --update adds those that have come to agree. Not in it are files in which clang-format 18 would take tabs in
front of comments, or the columns of comments behind members, for a single space.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMATTED = Path(__file__).resolve().parent / "formatted.txt"
SKIPPED = 77
CODE = (".c", ".h", ".cpp", ".hpp")
# Run inside Blender, whose modules mypy does not know.
NOT_TYPED = "tests/addon/"


def written(*tops: str) -> list[str]:
    """Files below these folders that are ours, as paths from the top."""
    found = []
    for top in tops:
        for folder, folders, names in os.walk(ROOT / top):
            folders[:] = sorted(set(folders) - {"fixtures", "corpus", "node_modules", "__pycache__"})
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in sorted(names)]
    return found


def run(*command: str, cwd: Path = ROOT) -> int:
    return subprocess.run(command, cwd=str(cwd)).returncode


def shell_of(path: str) -> str:
    """bash, sh or "" for what is no shell script."""
    if path.endswith(".sh"):
        return "sh" if path.startswith("tests/") else "bash"
    with (ROOT / path).open("rb") as file:
        first = file.readline().decode("utf-8", "replace")
    shell = first.split("/")[-1].split()[-1] if first.startswith("#!") else ""
    return shell if shell in ("bash", "sh") else ""


def shellcheck(program: str, _: argparse.Namespace) -> int:
    files = [path for path in written("scripts", ".ci", "tests") if "." not in Path(path).name or path.endswith(".sh")]
    failed = 0
    for shell in ("bash", "sh"):
        mine = [path for path in files if shell_of(path) == shell]
        failed |= run(program, "--shell", shell, *mine) if mine else 0
    return failed


def ruff(program: str, _: argparse.Namespace) -> int:
    return run(program, "check", "--quiet", "--no-cache", ".")


def mypy(program: str, _: argparse.Namespace) -> int:
    """The add-on as the package it is and, strictly, the package that Python's users get; scripts and tests folder by
    folder: their modules have equal names."""
    options = ["--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary"]
    folders: dict[str, list[str]] = {}
    for path in written("scripts", "tests"):
        if path.endswith(".py") and not path.startswith(NOT_TYPED):
            folders.setdefault(os.path.dirname(path), []).append(path)
    folders["scripts"] = ["scripts/make-abi"]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        # What all import is read once.
        options += ["--cache-dir", f"{folder}/cache"]
        (Path(folder) / "bspscene").symlink_to(ROOT / "addon")
        failed |= run(program, *options, "-p", "bspscene", cwd=Path(folder))
        (Path(folder) / "bspscene").unlink()
        (Path(folder) / "bspscene").symlink_to(ROOT / "addon/native")
        failed |= run(program, *options, "--strict", "-p", "bspscene", cwd=Path(folder))
        for files in folders.values():
            failed |= run(program, *options, *files)
    return failed


def clang_tidy(program: str, arguments: argparse.Namespace) -> int:
    commands = Path(arguments.build) / "compile_commands.json"
    if not commands.exists():
        print(f"skipped: {commands} does not exist")
        return SKIPPED
    text = commands.read_text(encoding="utf-8")
    files = [path for path in written("native", "assimp_importer")
             if path.endswith((".c", ".cpp")) and f'"{ROOT / path}"' in text and "_template" not in path]
    if not files:
        print(f"{commands}: has none of our files; this check is broken")
        return 1
    done = subprocess.run(["xargs", "-n", "16", "-P", str(os.cpu_count() or 1), program, "-p", str(arguments.build),
                           "--quiet"], cwd=str(ROOT), input="\n".join(files), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    print(done.stdout)
    return 1 if done.returncode else 0


def cppcheck(program: str, arguments: argparse.Namespace) -> int:
    commands = Path(arguments.build) / "compile_commands.json"
    if not commands.exists():
        print(f"skipped: {commands} does not exist")
        return SKIPPED
    filters = [f"--file-filter={ROOT}/{top}/*" for top in ("native", "assimp_importer")]
    done = subprocess.run([program, f"--project={commands}", *filters, "-j", str(os.cpu_count() or 1),
                           "--enable=warning,portability", "--inline-suppr", "--error-exitcode=1",
                           f"--suppressions-list={Path(__file__).resolve().parent / 'cppcheck.txt'}",
                           "--template={file}:{line}: {severity}: {id}: {message}"],
                          cwd=str(ROOT), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    looked_at = sum(line.startswith("Checking ") and "native/" in line for line in lines)
    print("\n".join(line for line in lines if not line.startswith("Checking ") and "files checked" not in line))
    if not looked_at:
        print(f"{commands}: has none of our files; this check is broken")
    return 1 if done.returncode or not looked_at else 0


def clang_format(program: str, arguments: argparse.Namespace) -> int:
    files = [path for path in written("native", "assimp_importer", "tests") if path.endswith(CODE)]
    listed = FORMATTED.read_text(encoding="utf-8").split()
    gone = sorted(set(listed) - set(files))
    if not arguments.update:
        for path in gone:
            print(f"{path} is not there any more: {FORMATTED.name} names it by its new place, or not at all")
        return 1 if gone else run(program, "--dry-run", "-Werror", *listed)
    differ = set()
    for path in files:
        text = (ROOT / path).read_text(encoding="utf-8")
        wanted = subprocess.run([program, path], cwd=str(ROOT), check=True, stdout=subprocess.PIPE,
                                encoding="utf-8").stdout
        if wanted != text:
            differ.add(path)
    FORMATTED.write_text("".join(f"{path}\n" for path in files if path not in differ), encoding="utf-8")
    print(f"{len(files) - len(differ)} of {len(files)} files are formatted")
    return 0


LINTERS = {"clang-format": clang_format, "clang-tidy": clang_tidy, "cppcheck": cppcheck, "mypy": mypy, "ruff": ruff,
           "shellcheck": shellcheck}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(LINTERS))
    parser.add_argument("--build", default=str(ROOT / "build/dev"))
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    places = [str(Path(sys.executable).parent), f"{arguments.build}/peers/bin", os.environ.get("PATH", "")]
    program = shutil.which(arguments.name, path=os.pathsep.join(places))
    if not program:
        print(f"skipped: {arguments.name} is not installed; scripts/test installs it")
        return SKIPPED
    return LINTERS[arguments.name](program, arguments)


if __name__ == "__main__":
    sys.exit(main())
