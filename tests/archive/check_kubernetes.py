#!/usr/bin/env python3
"""Promise: docs/examples/archive-job.yaml is a valid Job. Its pods, one of which is evicted and retried, make the same
store as a single run. There is no cluster: each pod is run as its command, with its index, and folders for volumes."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from check_machines import difference
from common import FIXTURES, arguments, run, skip
from stores import STEPS, hostile_lines, start, workers

MANIFEST = Path(__file__).resolve().parents[2] / "docs" / "examples" / "archive-job.yaml"
READ = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))"


def validate(peers: Path, manifest: Path) -> str:
    """Returns the errors that the schemas find, or ""."""
    done = subprocess.run([peers, "-m", "kubernetes_validate", "--strict", manifest], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def checked_job(peers: Path, top: Path) -> dict:
    """Returns the Job of the manifest. Fails the test if the schemas refuse it, or accept a misspelt one."""
    found = validate(peers, MANIFEST)
    if found:
        sys.exit(f"{MANIFEST.name}: {found}")
    misspelt = top / "misspelt.yaml"
    misspelt.write_text(MANIFEST.read_text(encoding="utf-8").replace("completionMode", "completionMood"))
    if not validate(peers, misspelt):
        sys.exit("a misspelt manifest is taken; this check is broken")
    documents = json.loads(subprocess.check_output([peers, "-c", READ, MANIFEST]))
    return next(document for document in documents if document["kind"] == "Job")


class Pods:
    """Does what Kubernetes does for a Job: runs each index again until it ends with 0, a few indices at a time."""

    def __init__(self, job: dict, program: Path, folders: dict[str, Path]):
        self.spec = job["spec"]
        container = self.spec["template"]["spec"]["containers"][0]
        mounted = {mount["mountPath"]: folders[mount["name"]] for mount in container["volumeMounts"]}
        self.command = [self.in_folders(word, mounted) for word in container["command"]]
        self.command[-1] += f" --steps {STEPS}"
        self.environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}")
        self.tries: dict[int, int] = {}
        self.running: dict[int, subprocess.Popen] = {}

    @staticmethod
    def in_folders(text: str, mounted: dict[str, Path]) -> str:
        paths = "|".join(re.escape(path) for path in mounted)
        return re.sub(rf"(?<= )({paths})\b", lambda found: str(mounted[found[1]]), text)

    def begin(self, index: int):
        self.tries[index] = self.tries.get(index, 0) + 1
        if self.tries[index] > 1 + self.spec["backoffLimitPerIndex"]:
            sys.exit(f"index {index} failed {self.tries[index] - 1} times")
        environment = dict(self.environment, JOB_COMPLETION_INDEX=str(index))
        self.running[index] = subprocess.Popen(self.command, env=environment, stderr=subprocess.PIPE, text=True)

    def evict_one(self) -> int | None:
        """Sends SIGTERM to a running pod, as if its node were removed. Returns its index, or None."""
        for index, pod in self.running.items():
            if workers(pod):
                pod.send_signal(signal.SIGTERM)
                return index
        return None

    def run(self) -> list[int]:
        """Runs all indices of the Job. Returns the indices that were retried."""
        waiting, evicted = list(range(self.spec["completions"])), None
        while waiting or self.running:
            while waiting and len(self.running) < min(self.spec["parallelism"], 4):
                self.begin(waiting.pop(0))
            if evicted is None:
                evicted = self.evict_one()
            for index, pod in list(self.running.items()):
                if pod.poll() is None:
                    continue
                del self.running[index]
                words = pod.communicate()[1]
                if index == evicted and not pod.returncode and self.tries[index] == 1:
                    evicted = None   # the pod finished its last map before the signal arrived
                if pod.returncode:
                    print(f"index {index} ended with {pod.returncode}: {words}")
                    self.begin(index)
            time.sleep(0.005)
        return [index for index, count in self.tries.items() if count > 1]


def main() -> int:
    given = arguments(__doc__, "peers")
    peers = Path(given.peers)
    if not peers.exists() or subprocess.run([peers, "-c", "import kubernetes_validate, yaml"]).returncode:
        skip("kubernetes-validate is not installed; scripts/test installs tests/peers/requirements.txt")
    if not shutil.which("sh"):
        skip("there is no sh")
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        folders = {key: top / key for key in ("maps", "store", "temporary")}
        for folder in folders.values():
            folder.mkdir()
        catalog = folders["maps"] / "maps.jsonl"
        archive = [FIXTURES / name for name in ("atrium", "source", "mohaa", "nightfire")]
        catalog.write_bytes(run(given.program, "catalog", "--recursive", *archive) + hostile_lines().encode())
        start(given.program, top / "calm", catalog, "--jobs", "2").communicate()
        again = Pods(checked_job(peers, top), given.program, folders).run()
        problems = difference(top / "calm", folders["store"])
    if len(again) != 1:
        problems.append(f"one index was evicted, tried again were {again}")
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
