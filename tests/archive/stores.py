"""Shared code of tests of stores: catalogs, contents, and the processes that fill them."""
import hashlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

from common import FIXTURES

# All steps except pictures, which take most of the time.
STEPS = "info,entities,lightmaps,glb"
HOSTILE = [
    "bad-header_directory-cut.bsp", "bad-header_version-alone.bsp", "bad-lump_planes-offset-negative.bsp",
    "bad-lump_planes-sum-overflows.bsp", "bad-lump_surfaces-size-negative.bsp", "unknown-format_empty.bsp",
    "bad-lump_md3-model.bsp", "unknown-format_zip.bsp", "unsupported-format_titanfall.bsp",
    "unsupported-format_xbox-360.bsp",
]


def line_of(path: Path) -> str:
    """Returns the catalog line that a file would have if the catalog did not refuse it."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return json.dumps({"id": digest, "name": path.stem, "path": str(path), "members": []}) + "\n"


def hostile_lines() -> str:
    return "".join(line_of(FIXTURES / "rejected" / name) for name in HOSTILE)


def content(store: Path) -> dict[str, bytes]:
    """Returns the contents of all files by path, except run.json, which has run times."""
    return {str(path.relative_to(store)): path.read_bytes() for path in sorted(store.rglob("*"))
            if path.is_file() and path.name != "run.json"}


def results(store: Path) -> list[dict]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(store.glob("??/*/result.json"))]


def start(program: Path, store: Path, catalog: Path, *more: str, steps: str = STEPS) -> subprocess.Popen:
    command = [program, "process", store, "--catalog", catalog, "--quiet", "--steps", steps, *more]
    return subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, stdout=subprocess.PIPE)


def workers(run: subprocess.Popen) -> list[int]:
    """Returns the current child processes of a run (Linux)."""
    try:
        return [int(word) for word in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()]
    except OSError:
        return []


def is_stopped(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T"
    except OSError:
        return False


def stop_worker(run: subprocess.Popen) -> int:
    """Stops a running worker and returns its process id, or 0 if the run ended before."""
    while run.poll() is None:
        for worker in workers(run):
            try:
                os.kill(worker, signal.SIGSTOP)
                if is_stopped(worker):
                    return worker
                time.sleep(0.01)
                if is_stopped(worker):
                    return worker
            except ProcessLookupError:
                pass
    return 0


def signal_worker(run: subprocess.Popen, number: int) -> bool:
    """Sends a signal to the first worker. Returns False if the run ended before."""
    while run.poll() is None:
        for worker in workers(run):
            try:
                os.kill(worker, number)
                return True
            except ProcessLookupError:
                pass
    return False
