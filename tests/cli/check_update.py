#!/usr/bin/env python3
"""--update keeps the recorded output of a script if the program fails."""
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "help"


def main() -> int:
    recorded = {path: path.read_bytes() for path in HERE.glob(f"{NAME}.std*")}
    command = [sys.executable, str(HERE / "run.py"), "--program", "/bin/false", "--update", NAME]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    now = {path: path.read_bytes() for path in HERE.glob(f"{NAME}.std*")}
    for path, content in recorded.items():
        path.write_bytes(content)
    if not recorded or done.returncode != 1 or "nothing is recorded" not in done.stdout or now != recorded:
        print(f"status {done.returncode}, {len(recorded)} files before, {len(now)} after: {done.stdout}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
