#!/usr/bin/env python3
"""The Windows program fills a store as the one that is built here does: thirty maps of which two crash and one runs
out of memory become the same files with the same bytes, but for the system's name of a crash. A map that hangs is given
up; a run that is killed takes its processes with it, and the next one goes on; two runs fill one store.

Usage: check_store.py --program BSPSCENE --stage DIRECTORY --prefix DIRECTORY
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from check_windows import FIXTURES, SKIPPED, Programs, maps

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "archive"))
from stores import STEPS, content, is_stopped, line_of, results  # noqa: E402

COUNT = 30
# MiB, which all of these maps but one are content with.
MEMORY = 6
HUNGRY = "gargoyle"
PATIENCE = 5 # seconds, which a map takes only where it hangs
MOST_TRIES = 40
ROOT = f"Fixtures={FIXTURES}"


def started(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[19])


class Runs:
    """One of the two programs, and its processes."""

    def __init__(self, command: list[str], environment: dict[str, str] | None, catalog: Path):
        self.command, self.environment, self.catalog = command, environment, catalog

    def start(self, store: Path, *more: str) -> subprocess.Popen:
        words = ["process", store, "--catalog", self.catalog, "--root", ROOT, "--steps", f"{STEPS},companions",
                 "--memory-limit", MEMORY, "--quiet", *more]
        return subprocess.Popen([*self.command, *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def whole(self, store: Path, *more: str) -> str:
        run = self.start(store, *more)
        errors = run.communicate()[1].decode(errors="replace")
        return f"{run.returncode}: {errors}" if run.returncode else ""

    def workers(self, store: Path) -> list[int]:
        """Those that a store has, the oldest first; by wine they are nobody's children."""
        found = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                is_wine = any(word.lower().endswith(b"bspscene.exe") for word in words[:2])
                if str(store).encode() in words and is_wine == bool(self.environment):
                    found.append((started(int(folder.name)), int(folder.name)))
            except OSError:
                pass
        return [process for _, process in sorted(found)][1:]

    def stop_worker(self, store: Path, run: subprocess.Popen, id_: str = "") -> int:
        """Stops the worker of a map, or of any. 0: it was too late."""
        while run.poll() is None:
            if id_ and not list((store / ".work").glob(f"{id_}.*")):
                if (store / id_[:2] / id_).exists():
                    return 0
                time.sleep(0.001)
                continue
            for worker in self.workers(store):
                try:
                    os.kill(worker, signal.SIGSTOP)
                    for _ in range(20):
                        if is_stopped(worker):
                            break
                        time.sleep(0.01)
                    # Ours is at work as long as its folder is there: there is one job.
                    if is_stopped(worker) and (not id_ or list((store / ".work").glob(f"{id_}.*"))):
                        return worker
                    os.kill(worker, signal.SIGCONT)
                except ProcessLookupError:
                    pass
        return 0


def kill(worker: int, number: int) -> None:
    os.kill(worker, number)
    os.kill(worker, signal.SIGCONT)


def crash_two(runs: Runs, store: Path, ids: list[str], problems: list[str]) -> None:
    """Until both have crashed: a map may be made before it is caught."""
    for _ in range(MOST_TRIES):
        run = runs.start(store, "--jobs", "1")
        for id_ in ids:
            worker = runs.stop_worker(store, run, id_)
            if worker:
                kill(worker, signal.SIGSEGV)
        errors = run.communicate()[1].decode(errors="replace")
        if run.returncode:
            problems.append(f"with crashes, {run.returncode}: {errors}")
        made = {one["id"]: one for one in results(store)}
        if all(made.get(id_, {}).get("reason") == "crashed" for id_ in ids):
            return
        for id_ in ids:
            for path in sorted((store / id_[:2] / id_).rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
            (store / id_[:2] / id_).rmdir()
    problems.append("no worker could be made to crash")


def comparable(store: Path) -> dict[str, bytes]:
    """What a crash is called is the system's."""
    files = content(store)
    for name, data in files.items():
        if name.endswith("/result.json") and json.loads(data).get("reason") == "crashed":
            result = json.loads(data)
            if not result["message"].startswith("crashed: "):
                sys.exit(f"a crash says {result['message']}")
            files[name] = json.dumps(dict(result, message="", last_words="")).encode()
    return files


def compare(what: str, here: dict[str, bytes], there: dict[str, bytes], problems: list[str]) -> None:
    apart = [name for name in sorted(here.keys() | there.keys()) if here.get(name) != there.get(name)]
    if apart or not here:
        problems.append(f"{what}: {len(apart)} of {len(here)} files differ: {', '.join(apart[:6])}")


def check_catalogs(programs: Programs, paths: list[Path], problems: list[str]) -> bytes:
    words = ["catalog", "--root", ROOT, "--jobs", "2", *map(str, paths)]
    here, there = programs.native(*words), programs.windows(*words)
    if there.returncode or here.stdout != there.stdout:
        problems.append(f"catalog: {there.returncode}, other lines than here: "
                        f"{there.stderr.decode(errors='replace')[:300]}")
    return here.stdout


def check_stores(programs: Programs, problems: list[str]) -> None:
    top = programs.folder
    chosen = [path for path in maps() if path.stat().st_size > 20000][:COUNT]
    catalog = top / "catalog.jsonl"
    catalog.write_bytes(check_catalogs(programs, chosen, problems) +
                        line_of(FIXTURES / "rejected/bad-header_directory-cut.bsp").encode())
    native = Runs([programs.here], None, catalog)
    windows = Runs([programs.wine, str(programs.stage / "bin/bspscene.exe")], programs.environment, catalog)
    large = sorted(chosen, key=lambda path: path.stat().st_size)
    lines = [json.loads(line) for line in catalog.read_text(encoding="utf-8").splitlines()]
    ids = [line["id"] for path in large[-6:] for line in lines if line["path"].endswith(str(path.relative_to(FIXTURES)))]
    ids = sorted(set(ids), key=[line["id"] for line in lines].index)[:2]

    for runs, name in ((native, "here"), (windows, "there")):
        crash_two(runs, top / name, ids, problems)
    compare("a store of Windows", comparable(top / "here"), comparable(top / "there"), problems)
    reasons = [one.get("message") for one in results(top / "there") if one["status"] == "quarantined"]
    print(f"{len(results(top / 'there'))} maps; quarantined: {reasons}")
    if sum(message == "out of memory" for message in reasons) != 1 or len(reasons) != 4:
        problems.append(f"quarantined: {reasons}")

    for runs, name in ((native, "calm"), (windows, "killed")):
        if name == "killed":
            check_killed(runs, top / name, problems)
        said = runs.whole(top / name, "--jobs", "2")
        if said:
            problems.append(f"{name}: {said}")
    compare("after a kill", content(top / "calm"), content(top / "killed"), problems)
    check_both(windows, top / "both", content(top / "calm"), problems)
    check_hang(windows, top / "hung", problems)


def check_killed(runs: Runs, store: Path, problems: list[str]) -> None:
    """Its processes go with it."""
    run = runs.start(store)
    worker = runs.stop_worker(store, run)
    run.kill()
    run.communicate()
    if worker:
        os.kill(worker, signal.SIGCONT)
    for _ in range(100):
        if not worker or not Path(f"/proc/{worker}").exists():
            break
        time.sleep(0.1)
    if not worker or Path(f"/proc/{worker}").exists():
        problems.append(f"worker {worker} of a killed run goes on, or none was at work")


def check_both(runs: Runs, store: Path, expected: dict[str, bytes], problems: list[str]) -> None:
    both = [runs.start(store) for _ in range(2)]
    errors = [run.communicate()[1].decode(errors="replace") for run in both]
    if any(run.returncode for run in both):
        problems.append(f"two runs: {errors}")
    compare("two runs", expected, content(store), problems)


def check_hang(runs: Runs, store: Path, problems: list[str]) -> None:
    run = runs.start(store, "--timeout", str(PATIENCE))
    worker = runs.stop_worker(store, run)
    run.communicate()
    reasons = [one["reason"] for one in results(store) if "reason" in one]
    if not worker or run.returncode or reasons.count("timeout") != 1:
        problems.append(f"a map that hangs: {run.returncode}, {reasons}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "stage", "prefix"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bspscene-windows-", ignore_cleanup_errors=True) as name:
        programs = Programs(arguments.program, arguments.stage, arguments.prefix, Path(name).resolve())
        if programs.lacks():
            print(programs.lacks())
            return SKIPPED
        check_stores(programs, problems)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
