#!/usr/bin/env python3
"""Runs the bspscene commands of README.md and docs/*.md unchanged, in copies of the atrium's game directory.

    check_readme.py BSPSCENE

In README.md it runs every command of sh blocks, in other pages every command for the atrium or the archive pak0.pk3, in
blocks and back-ticks. A command in several pages is run once.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from readme import ROOT, code_blocks  # noqa: E402

ATRIUM = ROOT / "tests" / "fixtures" / "atrium" / "quake3"
PAGES = ("README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
OURS = re.compile(r"maps/atrium\.bsp|pak0\.pk3|models/sample/")
INLINE = re.compile(r"`(bspscene [^`]+)`|^ {4}(bspscene .*)$", re.M)
VIEWER = "viewer.html"
# Matches commands that are not run: with placeholders, or for games that are not installed.
EXAMPLES = re.compile(r"corners\.json|--map oa_|\bMAP\b")


def commands(page: str) -> Iterator[list[str]]:
    lines = [line for block in code_blocks("sh", page) for line in block.splitlines()]
    if page != "README.md":
        lines += [one or other for one, other in INLINE.findall((ROOT / page).read_text(encoding="utf-8"))]
        lines = [line for line in lines if OURS.search(line) and not EXAMPLES.search(line)]
    for line in lines:
        words = shlex.split(line, comments=True)
        if words and words[0] == "bspscene":
            yield words[1:]


def make_game(folder: Path, program: str) -> None:
    """Makes the atrium's directory, pak0.pk3 with its contents, an edited entity file and a page of a viewer."""
    shutil.copytree(str(ATRIUM), str(folder))
    shutil.make_archive(str(folder / "pak0"), "zip", str(ATRIUM))
    (folder / "pak0.zip").rename(folder / "pak0.pk3")
    entities = subprocess.check_output([program, "entities", "maps/atrium.bsp"], cwd=str(folder))
    for name in ("changed.ent", "atrium.ent"):
        (folder / name).write_bytes(entities)
    (folder / VIEWER).write_text('<title>viewer</title><p id="inside-worker"></p>\n<script type="module"></script>\n')


def run(program: str, words: list[str], folder: Path) -> bool:
    output = None
    if any(word.endswith(".html") for word in words) and words[0] == "convert":
        words = [*words, "--viewer", VIEWER]   # the viewer is given here, because only scripts/package-web makes one
    if ">" in words:
        output = (folder / words[words.index(">") + 1]).open("wb")
        words = words[:words.index(">")]
    done = subprocess.run([program, *words], cwd=str(folder), stdout=output or subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    print(f"$ bspscene {' '.join(words)}\n{(done.stdout or b'')[:500].decode('utf-8', 'replace')}"
          f"{done.stderr[:1500].decode('utf-8', 'replace')}")
    return done.returncode == 0


def main() -> int:
    program = os.path.abspath(sys.argv[1])
    tried: dict[str, int] = {}
    done: list[list[str]] = []
    failed = 0
    with tempfile.TemporaryDirectory(prefix="bspscene-readme-") as name:
        for number, page in enumerate(PAGES):
            new = [words for words in commands(page) if words not in done]
            if not new:
                continue
            print(f"== {page}")
            folder = Path(name) / str(number)
            make_game(folder, program)
            for words in new:
                failed += not run(program, words, folder)
            done += new
            tried[page] = len(new)
    print(tried)
    for page in ("README.md", "docs/engines.md"):
        if page not in tried:
            print(f"{page}: no command found; this check is broken")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
