#!/usr/bin/env python3
"""Checks that the Windows program fills a store as the native program does. The store has thirty maps, of which two
crash the program and one needs too much memory. Both programs must write the same files with the same bytes, except for
the name of the crash, which depends on the system. A map that hangs is given up. If a run is killed, its processes end,
and the next run continues. Two runs can fill one store at once.

Usage: check_store.py --program BSPSCENE --stage DIRECTORY --prefix DIRECTORY
"""
import argparse
import contextlib
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from check_windows import ATRIUM, FIXTURES, SKIPPED, Programs, maps

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "archive"))
from stores import STEPS, content, is_stopped, line_of, results, workers  # noqa: E402

COUNT = 30
FEW = 6
# Memory limit in MiB, enough for all of these maps except the one with many pages of light.
MEMORY = 20
PAGES = 600
PATIENCE = 15 # seconds that a map may take; only a map that hangs takes longer
MOST_TRIES = 20
HUNG = 60 # seconds until a run counts as hung
DELAYS = [0.5, 0.8, 0.3, 1.2, 0.1] # seconds of delay before a worker is stopped, for each attempt


def started(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[19])


def hungry() -> bytes:
    """Makes a map whose light does not fit into the memory limit: lump 14 has many pages of 128 x 128 luxels."""
    data = bytearray(ATRIUM.read_bytes())
    at = 8 + 8 * 14
    light = bytes(range(256)) * (128 * 128 * 3 * PAGES // 256)
    struct.pack_into("<ii", data, at, len(data), len(light))
    return bytes(data) + light


class Runs:
    """Runs one of the two programs, and finds its processes."""

    def __init__(self, command: list[str], environment: dict[str, str] | None, top: Path):
        self.command, self.environment, self.catalog = command, environment, top / "catalog.jsonl"
        self.roots = roots(top)

    def start(self, store: Path, *more: str) -> subprocess.Popen:
        words = ["process", store, *self.roots, "--steps", f"{STEPS},companions", "--memory-limit", MEMORY, "--quiet",
                 *(more if "--catalog" in more else [*more, "--catalog", self.catalog])]
        return subprocess.Popen([*self.command, *map(str, words)], env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def whole(self, store: Path, *more: str) -> str:
        run = self.start(store, *more)
        errors = run.communicate()[1].decode(errors="replace")
        return f"{run.returncode}: {errors}" if run.returncode else ""

    def workers(self, store: Path, run: subprocess.Popen) -> list[int]:
        """Returns the worker processes of a run. Under wine they have no parent, so they are found by their
        arguments."""
        if not self.environment:
            return workers(run)
        found = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if str(store).encode() in words and words[0].lower().endswith(b"bspscene.exe"):
                    found.append((started(int(folder.name)), int(folder.name)))
            except OSError:
                pass
        return [process for _, process in sorted(found)][1:]

    def stop_worker(self, store: Path, run: subprocess.Popen, delay: float = 0) -> int:
        """Stops a worker of the run after `delay` seconds, and returns its process number. Returns 0 if the run has
        ended, or if no worker could be stopped within HUNG seconds."""
        end = time.monotonic() + HUNG
        while run.poll() is None and time.monotonic() < end:
            for worker in self.workers(store, run):
                time.sleep(delay)
                try:
                    os.kill(worker, signal.SIGSTOP)
                    for _ in range(20):
                        if is_stopped(worker):
                            return worker
                        time.sleep(0.01)
                except ProcessLookupError:
                    pass
        return 0


def go_on(process: int) -> None:
    with contextlib.suppress(ProcessLookupError): # the process may have ended already
        os.kill(process, signal.SIGCONT)


def disturb(runs: Runs, store: Path, attempt: int, number: int, *more: str) -> tuple[int, str]:
    """Stops a worker of a run and sends it the signal `number`; after SIGSTOP the worker stays stopped. Returns the
    status and the messages of the run, which may have ended before the signal."""
    run = runs.start(store, *more)
    # Under wine, a process becomes this program only after a while.
    worker = runs.stop_worker(store, run, DELAYS[attempt % len(DELAYS)] if runs.environment else 0)
    if worker and number != signal.SIGSTOP:
        os.kill(worker, number)
        go_on(worker)
    try:
        errors = run.communicate(timeout=HUNG)[1].decode(errors="replace")
    except subprocess.TimeoutExpired: # a process that is killed while wine starts it may block wine
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker or run.pid, signal.SIGKILL)
        errors = run.communicate()[1].decode(errors="replace")
    return run.returncode, errors


def crash(runs: Runs, store: Path, line: str, catalog: Path, problems: list[str]) -> None:
    """Crashes the worker that handles one map. This is tried repeatedly, because the worker may finish the map before
    the signal arrives."""
    catalog.write_text(line, encoding="utf-8")
    id_ = json.loads(line)["id"]
    # Under wine, SIGILL is sent, because wine takes SIGSEGV for a page fault of its own. Natively, SIGABRT is sent,
    # because sanitizers catch most other signals.
    number = signal.SIGILL if runs.environment else signal.SIGABRT
    for attempt in range(MOST_TRIES):
        status, errors = disturb(runs, store, attempt, number, "--catalog", str(catalog))
        if status:
            problems.append(f"with a crash, {status}: {errors}")
        if status or [one["id"] for one in results(store) if one.get("reason") == "crashed"].count(id_):
            return
        shutil.rmtree(store / id_[:2] / id_, ignore_errors=True)
    problems.append("no worker could be made to crash")


def comparable(store: Path) -> dict[str, bytes]:
    """Returns the store's files without the name of a crash, which depends on the system."""
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


def roots(top: Path) -> list[str]:
    return ["--root", f"Fixtures={FIXTURES}", "--root", f"Made={top}"]


def check_catalogs(programs: Programs, paths: list[Path], problems: list[str]) -> bytes:
    words = ["catalog", *roots(programs.folder), "--jobs", "2", *map(str, paths)]
    here, there = programs.native(*words), programs.windows(*words)
    if there.returncode or here.stdout != there.stdout:
        problems.append(f"catalog: {there.returncode}, other lines than here: "
                        f"{there.stderr.decode(errors='replace')[:300]}")
    return here.stdout


def write_catalog(path: Path, lines: list[dict]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def check_thirty(native: Runs, windows: Runs, top: Path, lines: list[dict], problems: list[str]) -> None:
    refused = json.loads(line_of(FIXTURES / "rejected/bad-header_directory-cut.bsp"))
    write_catalog(top / "catalog.jsonl",
                  [*lines, dict(refused, root="Fixtures", path="Fixtures/rejected/bad-header_directory-cut.bsp")])
    for runs, name in ((native, "here"), (windows, "there")):
        for line in lines[:2]:
            crash(runs, top / name, json.dumps(line) + "\n", top / "one.jsonl", problems)
        said = runs.whole(top / name, "--jobs", "2")
        if said:
            problems.append(f"{name}: {said}")
    compare("a store of Windows", comparable(top / "here"), comparable(top / "there"), problems)
    reasons = [one["message"] for one in results(top / "there") if one["status"] == "quarantined"]
    print(f"{len(results(top / 'there'))} maps; quarantined: {reasons}")
    if sum("memory limit" in message for message in reasons) != 1 or len(reasons) != 4:
        problems.append(f"quarantined: {reasons}")


def check_few(native: Runs, windows: Runs, top: Path, lines: list[dict], problems: list[str]) -> None:
    write_catalog(top / "catalog.jsonl", lines)
    for runs, name in ((native, "calm"), (windows, "killed")):
        if name == "killed":
            check_killed(runs, top / name, problems)
        said = runs.whole(top / name, "--jobs", "2")
        if said:
            problems.append(f"{name}: {said}")
    compare("after a kill", content(top / "calm"), content(top / "killed"), problems)
    check_both(windows, top / "both", content(top / "calm"), problems)
    write_catalog(top / "catalog.jsonl", lines[:1])
    check_hang(windows, top, problems)


def check_stores(programs: Programs, problems: list[str]) -> None:
    top = programs.folder
    large = sorted(maps(), key=lambda path: -path.stat().st_size)[:COUNT - 1]
    (top / "hungry.bsp").write_bytes(hungry())
    lines = [json.loads(line) for line in check_catalogs(programs, [*large, top / "hungry.bsp"], problems).splitlines()]
    native = Runs([programs.here], None, top)
    windows = Runs([programs.wine, str(programs.stage / "bin/bspscene.exe")], programs.environment, top)
    check_few(native, windows, top, lines[-1 - FEW:-1], problems)
    check_thirty(native, windows, top, lines, problems)


def check_killed(runs: Runs, store: Path, problems: list[str]) -> None:
    """If a run is killed, its processes end with it."""
    worker = 0
    for attempt in range(MOST_TRIES):
        run = runs.start(store)
        worker = runs.stop_worker(store, run, DELAYS[attempt % len(DELAYS)])
        run.kill()
        if worker:
            go_on(worker)
        run.communicate()
        if worker:
            break
        shutil.rmtree(store, ignore_errors=True)
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


def check_hang(runs: Runs, top: Path, problems: list[str]) -> None:
    """A run must give up a map that hangs. This is tried repeatedly, because the map may be finished before its worker
    is stopped. If the worker is stopped while wine starts, the run is blocked."""
    for attempt in range(MOST_TRIES):
        store = top / f"hung{attempt}"
        status, errors = disturb(runs, store, attempt, signal.SIGSTOP, "--timeout", str(PATIENCE))
        reasons = [one["reason"] for one in results(store) if "reason" in one]
        if status == 0 and reasons == ["timeout"]:
            return
        if status == 0 and reasons or status > 0:
            problems.append(f"a map that hangs: {status}, {reasons}, {errors}")
            return
    problems.append("no worker could be made to hang")


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
        # Wine's services run as long as any program, and take longer to start than everything else here.
        with subprocess.Popen([programs.wine, "cmd"], env=programs.environment, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as kept:
            check_stores(programs, problems)
            kept.communicate(b"exit\r\n")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
