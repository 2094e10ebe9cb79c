#!/usr/bin/env python3
"""scripts/format breaks the long lines of a file and leaves everything else as it is.

Exit code 77: clang-format is not there.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

FORMAT = Path(__file__).resolve().parents[2] / "scripts/format"
KEPT = """/* Two declarations in a line, columns, a table. */
typedef struct list {
	int *items; int count;             /* of items */
} list;
static const struct { int a, b; } table[] = {
	{ 1, 2 }, { 3, 4 },
};
"""
NAMES = [f"argument_number_{i}" for i in range(7)]


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="bspscene-format-") as folder:
        path = Path(folder) / "example.c"
        path.write_text(KEPT + f"void call(list *l)\n{{\n\tanswer = question({', '.join(NAMES)});\n}}\n",
                        encoding="utf-8")
        (Path(folder) / ".clang-format").write_bytes((FORMAT.parent.parent / ".clang-format").read_bytes())
        told = subprocess.run([FORMAT, "--check", path], capture_output=True, text=True, check=False)
        done = subprocess.run([FORMAT, path], capture_output=True, text=True, check=False)
        text = path.read_text(encoding="utf-8")
    if "clang-format is not there" in done.stderr:
        print("skipped: clang-format is not there")
        return 77
    lines = text.splitlines()
    problems = []
    if told.returncode != 1 or not told.stdout.endswith("example.c:10: longer than 120 columns\n"):
        problems.append(f"--check says: {told.stdout!r}")
    if done.returncode or max(len(line.expandtabs(4)) for line in lines) > 120 or len(lines) != 12:
        problems.append(f"the long line is not broken in two:\n{text}")
    if not text.startswith(KEPT):
        problems.append(f"the rest has changed:\n{text}")
    print("\n".join(problems) or "one line was broken, and nothing else changed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
