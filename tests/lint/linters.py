#!/usr/bin/env python3
"""Runs one linter over the files that it is for. It must find nothing. Its rules are in the checkout's top directory.

    linters.py NAME [--build DIR] [--update]     NAME: clang-analyzer, clang-format, clang-tidy, cppcheck,
                                                 gcc-analyzer, mypy, reuse, ruff, shellcheck

The program is the one next to this Python (scripts/test installs requirements.txt there), in BUILD/peers/bin, or in the
PATH; without it the test is skipped. clang-tidy, cppcheck and the analyzers of clang and gcc learn from the build
directory how files are compiled. cppcheck.txt, clang-analyzer.txt and gcc-analyzer.txt list wrong messages of these
programs, with the reason. clang-format checks only the files that formatted.txt lists. All files are formatted by
hand, in nearly the style of clang-format. Listed files must have exactly its style. --update adds the files to the
list that have this style now. Files are not listed if clang-format 18 would replace tabs before comments, or columns
of comments after members, by a single space.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMATTED = Path(__file__).resolve().parent / "formatted.txt"
SKIPPED = 77
GCC = "12"    # version of gcc; others give other results
CODE = (".c", ".h", ".cpp", ".hpp")
# This code runs inside Blender, whose modules mypy does not know.
NOT_TYPED = "tests/addon/"
TYPED_CALLS = "tests/python/typed_calls.py"


def written(*tops: str) -> list[str]:
    """Returns our files below these folders, as paths from the top."""
    found = []
    for top in tops:
        for folder, folders, names in os.walk(ROOT / top):
            folders[:] = sorted(set(folders) - {"fixtures", "corpus", "node_modules", "__pycache__"})
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in sorted(names)]
    return found


def run(*command: str, cwd: Path = ROOT) -> int:
    return subprocess.run(command, cwd=str(cwd)).returncode


def shell_of(path: str) -> str:
    """Returns "bash", "sh", or "" if the file is not a shell script."""
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


def reuse(program: str, _: argparse.Namespace) -> int:
    """Checks that every file has a license and a copyright, from REUSE.toml."""
    return run(program, "lint", "--lines")


def mypy(program: str, _: argparse.Namespace) -> int:
    """Runs mypy on the add-on as one package, and strictly on the Python package for users. Scripts and tests are
    checked folder by folder, because some folders have modules with the same name."""
    options = ["--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary"]
    folders: dict[str, list[str]] = {}
    for path in written("scripts", "tests"):
        if path.endswith(".py") and not path.startswith(NOT_TYPED):
            folders.setdefault(os.path.dirname(path), []).append(path)
    folders["scripts"] = ["scripts/make-abi"]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        # All runs use the same cache, so that packages which several runs import are checked only once.
        options += ["--cache-dir", f"{folder}/cache"]
        for name, place in (("io_scene_bspscene", "addon"), ("bspscene", "python/bspscene")):
            (Path(folder) / name).symlink_to(ROOT / place)
        failed |= run(program, *options, "-p", "io_scene_bspscene", cwd=Path(folder))
        failed |= run(program, *options, "--strict", "-p", "bspscene", cwd=Path(folder))
        users = [str(ROOT / path) for path in written("docs/examples") if path.endswith(".py")]
        failed |= run(program, *options, "--strict", *users, str(ROOT / TYPED_CALLS), cwd=Path(folder))
        for files in folders.values():
            failed |= run(program, *options, *files)
    return failed


def compiled(arguments: argparse.Namespace) -> dict[str, dict[str, str]]:
    """Returns the compile commands of our files by their paths, or nothing if no build was configured."""
    commands = Path(arguments.build) / "compile_commands.json"
    listed = json.loads(commands.read_text(encoding="utf-8")) if commands.exists() else []
    of_path = {one["file"]: one for one in reversed(listed)}
    return {path: of_path[str(ROOT / path)] for path in written("native", "assimp_importer")
            if path.endswith((".c", ".cpp")) and str(ROOT / path) in of_path and "_template" not in path}


def without_files(arguments: argparse.Namespace) -> int:
    commands = Path(arguments.build) / "compile_commands.json"
    if not commands.exists():
        print(f"skipped: {commands} does not exist")
        return SKIPPED
    print(f"{commands}: has none of our files; this check is broken")
    return 1


def tidied(program: str, arguments: argparse.Namespace, files: list[str], *options: str) -> tuple[str, int]:
    """Returns clang-tidy's messages about the files. Runs one process for each processor."""
    done = subprocess.run(["xargs", "-n", "8", "-P", str(os.cpu_count() or 1), program, "-p", str(arguments.build),
                           "--quiet", *options], cwd=str(ROOT), input="\n".join(files), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return done.stdout, done.returncode


def clang_tidy(program: str, arguments: argparse.Namespace) -> int:
    files = list(compiled(arguments))
    if not files:
        return without_files(arguments)
    said, failed = tidied(program, arguments, files)
    print(said)
    return 1 if failed else 0


def judged(name: str, said: str) -> int:
    """Compares an analyzer's messages with its list of known errors (check:file). Prints messages that are not in the
    list, and entries of the list that have no message. Returns 1 if there are any."""
    lines = (Path(__file__).resolve().parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    wrong = {line for line in lines if line and line[0] != "#"}
    met, failed = set(), 0
    for path, line, warning, check in re.findall(r"^(\S+?):(\d+):\d+: (?:warning|error): (.*) \[([^\]]*)\]$", said,
                                                 re.M):
        known = f"{check}:{os.path.relpath(path, ROOT) if os.path.isabs(path) else path}"
        met.add(known)
        if known not in wrong:
            failed = 1
            print(f"{known}, line {line}: {warning}")
    for gone in sorted(wrong - met):
        failed = 1
        print(f"{gone}: is not said any more; {name}.txt should not name it")
    return failed


def clang_analyzer(program: str, arguments: argparse.Namespace) -> int:
    """Runs the clang checks that follow the paths of execution through functions. Assertions are enabled, so the checks
    use them. Leaves out the checks that want functions of C11's Annex K, which no system has, and the check of padding
    in structs."""
    files = list(compiled(arguments))
    if not files:
        return without_files(arguments)
    checks = "-*,clang-analyzer-*,-clang-analyzer-security.insecureAPI.*,-clang-analyzer-optin.performance.Padding"
    said, _ = tidied(program, arguments, files, f"--checks={checks}", "--config={}", "--extra-arg=-UNDEBUG")
    return judged("clang-analyzer", said)


def gcc_analyzer(program: str, arguments: argparse.Namespace) -> int:
    """Runs gcc's static analyzer for C only, because its makers say that it does not understand C++."""
    version = subprocess.run([program, "-dumpversion"], stdout=subprocess.PIPE, text=True).stdout.strip()
    if version != GCC:
        print(f"skipped: gcc {version or 'of no version'}, and gcc-analyzer.txt is of gcc {GCC}")
        return SKIPPED
    files = {path: one for path, one in compiled(arguments).items() if path.endswith(".c")}
    if not files:
        return without_files(arguments)

    def analyzed(path: str) -> str:
        words = shlex.split(files[path]["command"])
        of_file = [word for i, word in enumerate(words)
                   if word.startswith(("-D", "-I", "-std=", "-isystem")) or words[i - 1] == "-isystem"]
        return subprocess.run([program, *of_file, "-UNDEBUG", "-fanalyzer", "-Wno-analyzer-use-of-uninitialized-value",
                               "-fdiagnostics-plain-output", "-c", path, "-o", os.devnull], cwd=str(ROOT), check=True,
                              stderr=subprocess.PIPE, text=True).stderr

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return judged("gcc-analyzer", "".join(pool.map(analyzed, files)))


def cppcheck(program: str, arguments: argparse.Namespace) -> int:
    if not compiled(arguments):
        return without_files(arguments)
    commands = Path(arguments.build) / "compile_commands.json"
    filters = [f"--file-filter={ROOT}/{top}/*" for top in ("native", "assimp_importer")]
    done = subprocess.run([program, f"--project={commands}", *filters, "-j", str(os.cpu_count() or 1),
                           "--enable=warning,portability", "--inline-suppr", "--error-exitcode=1",
                           f"--suppressions-list={Path(__file__).resolve().parent / 'cppcheck.txt'}",
                           "--template={file}:{line}: {severity}: {id}: {message}"],
                          cwd=str(ROOT), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    looked_at = sum(line.startswith("Checking ") and "native/" in line for line in lines)
    print("\n".join(line for line in lines if not line.startswith("Checking ") and "files checked" not in line))
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


LINTERS = {"clang-analyzer": clang_analyzer, "clang-format": clang_format, "clang-tidy": clang_tidy,
           "cppcheck": cppcheck, "gcc-analyzer": gcc_analyzer, "mypy": mypy, "reuse": reuse, "ruff": ruff,
           "shellcheck": shellcheck}
PROGRAMS = {"clang-analyzer": "clang-tidy", "gcc-analyzer": "gcc"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(LINTERS))
    parser.add_argument("--build", default=str(ROOT / "build/dev"))
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    places = [str(Path(sys.executable).parent), f"{arguments.build}/peers/bin", os.environ.get("PATH", "")]
    name = PROGRAMS.get(arguments.name, arguments.name)
    program = shutil.which(name, path=os.pathsep.join(places))
    if not program:
        print(f"skipped: {name} is not installed; scripts/test installs it")
        return SKIPPED
    return LINTERS[arguments.name](program, arguments)


if __name__ == "__main__":
    sys.exit(main())
