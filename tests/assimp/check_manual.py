"""Checks the launcher's manual page: it agrees with --help, and groff formats it without a warning.

    check_manual.py LAUNCHER PAGE
"""

import re
import shutil
import subprocess
import sys


def main() -> int:
    launcher, page = sys.argv[1:]
    told = subprocess.run([launcher, "--help"], capture_output=True, text=True, check=True).stdout
    with open(page, encoding="utf-8") as file:
        text = file.read()
    plain = re.sub(r"\\f[BRI]", "", text).replace("\\-", "-")
    examples = [line.strip() for line in told.splitlines() if line.startswith("  bspscene")]
    wanted = {*re.findall(r"--\w+", told), *examples}
    lacking = sorted(word for word in wanted if word not in plain)
    if lacking or "@" in plain:
        sys.exit(f"{page} lacks {lacking}")
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", page], capture_output=True, text=True, check=True)
        if done.stderr or "BSPSCENE-ASSIMP(1)" not in re.sub(r"\x1b\[\d+m", "", done.stdout):
            sys.exit(done.stderr or "no title")
    return 0


if __name__ == "__main__":
    sys.exit(main())
