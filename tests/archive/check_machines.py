#!/usr/bin/env python3
"""Promise: a store that the schedulers of several machines fill equals that of a single run: four jobs of GNU parallel,
with and without shards, and an array job of Slurm with a task that is requeued."""
import getpass
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from common import FIXTURES, arguments, run, skip
from stores import STEPS, content, hostile_lines, results, start

SHARDS = 4
LONGEST = 600 # longest wait for Slurm, in seconds; it should need only a few
JOB = """#!/bin/sh
#SBATCH --array=1-{shards} --requeue --output={top}/job-%a.log
exec "{program}" process "{store}" --catalog "{catalog}" --steps {steps} --quiet --shard $SLURM_ARRAY_TASK_ID/{shards}
"""
CONFIGURATION = """ClusterName=bspscene
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={top}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.pid
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=10
NodeName={host} NodeAddr=127.0.0.1 CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def difference(calm: Path, other: Path) -> list[str]:
    one, two = content(calm), content(other)
    problems = [f"{other.name}: {name} is another or missing" for name in one if two.get(name) != one[name]]
    problems += [f"{other.name}: {name} is too much" for name in two if name not in one]
    if problems:
        problems += [f"{result['name']}: {result['message']}" for result in results(other) if "reason" in result]
    return problems or ([] if results(calm) else ["the undisturbed store is empty"])


# ---- GNU parallel ----------------------------------------------------------------------------------------------------

def by_parallel(program: Path, top: Path, catalog: Path) -> list[str]:
    if not shutil.which("parallel"):
        skip("GNU parallel is not installed")
    problems = []
    for name, shard, way in (("shards", ["--shard", f"{{}}/{SHARDS}"], []), ("one", [], ["-N0"])):
        command = ["parallel", "--will-cite", "--jobs", str(SHARDS), *way, str(program), "process", str(top / name),
                   "--catalog", str(catalog), "--steps", STEPS, "--quiet", *shard,
                   ":::", *(str(number) for number in range(1, SHARDS + 1))]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            problems.append(f"parallel ended with {done.returncode}: {done.stderr}")
        problems += difference(top / "calm", top / name)
    return problems


# ---- Slurm -----------------------------------------------------------------------------------------------------------

class Slurm:
    """A Slurm cluster of only this machine, whose files are in a folder."""

    def __init__(self, top: Path):
        self.top = top
        self.daemons: list[subprocess.Popen] = []
        controller, daemon = (self.free_port() for _ in range(2))
        configuration = top / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(top=top, host=socket.gethostname().split(".")[0],
                                                      user=getpass.getuser(), processors=os.cpu_count(),
                                                      controller=controller, daemon=daemon))
        self.environment = dict(os.environ, SLURM_CONF=str(configuration))

    @staticmethod
    def free_port() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def daemon(self, *command: str):
        self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL))

    def __enter__(self) -> "Slurm":
        top, key = self.top, self.top / "munge.key"
        for folder in ("state", "spool"):
            (top / folder).mkdir()
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={top}/munge.socket",
                    f"--pid-file={top}/munge.pid", f"--log-file={top}/munge.log", f"--seed-file={top}/munge.seed")
        wait("munged", lambda: (top / "munge.socket").exists())
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        wait("Slurm's node", lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"))
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()

    def ask(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout


def wait(what: str, done: Callable[[], object]):
    end = time.monotonic() + LONGEST
    while not done():
        if time.monotonic() > end:
            sys.exit(f"waited {LONGEST} s for {what}")
        time.sleep(0.05)


def runs_of(store: Path) -> list[int]:
    """Returns the running `process` programs, without their child processes."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if words[1:3] == [b"process", os.fsencode(store)]:
                found[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    return [process for process, parent in found.items() if parent not in found]


def task_of(process: int) -> str:
    words = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    values = dict(word.decode().split("=", 1) for word in words if word.startswith(b"SLURM_ARRAY_"))
    return f"{values['SLURM_ARRAY_JOB_ID']}_{values['SLURM_ARRAY_TASK_ID']}"


def stop_one(store: Path) -> int:
    """Kills one running `process` that has finished some maps but not all, so that Slurm requeues it."""
    while True:
        for process in runs_of(store) if store.exists() and results(store) else []:
            try:
                os.kill(process, signal.SIGSTOP)
                return process
            except ProcessLookupError:
                pass
        time.sleep(0.01)


def by_slurm(program: Path, top: Path, catalog: Path) -> list[str]:
    for name in ("slurmctld", "slurmd", "munged", "sbatch"):
        if not shutil.which(name):
            skip(f"Slurm is not installed: no {name}")
    store, script = top / "slurm", top / "job.sh"
    script.write_text(JOB.format(top=top, program=program, store=store, catalog=catalog, steps=STEPS, shards=SHARDS))
    with Slurm(top) as slurm:
        job = slurm.ask("sbatch", "--parsable", str(script)).strip()
        if not job:
            return [f"sbatch did not take the job: {(top / 'slurmctld.log').read_text()[-2000:]}"]
        process = stop_one(store)
        task = task_of(process)
        slurm.ask("scontrol", "requeue", task)
        wait("the array's end", lambda: not slurm.ask("squeue", "-h", "-j", job))
        told = slurm.ask("scontrol", "show", "job", task)
    problems = [] if "Restarts=1 " in told and "COMPLETED" in told else [f"{task} was not requeued and done:\n{told}"]
    print(f"{task} was requeued in its middle")
    for number in range(1, SHARDS + 1):
        problems += [f"task {number}: {line}" for line in (top / f"job-{number}.log").read_text().splitlines()]
    return problems + difference(top / "calm", store)


def main() -> int:
    given = arguments(__doc__, "by")
    program = given.program
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        catalog = top / "catalog.jsonl"
        folders = [FIXTURES / "atrium", FIXTURES / "source", FIXTURES / "mohaa", FIXTURES / "nightfire"]
        catalog.write_bytes(run(program, "catalog", "--recursive", *folders) + hostile_lines().encode())
        start(program, top / "calm", catalog, "--jobs", "2").communicate()
        problems = {"parallel": by_parallel, "slurm": by_slurm}[given.by](program, top, catalog)
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
