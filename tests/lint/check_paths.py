#!/usr/bin/env python3
"""Checks that the paths in all tracked .md files exist: links, and back-ticked paths and names of source files.

A back-ticked path is checked if its first folder is in the checkout's top folder, in native/, in native/src/ or next to
the document. A name without a folder is checked if it has an extension of source files. Links with an address are not
followed; the part after # must be a heading of the document.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = re.compile(r"[a-z_][\w.-]*\.(?:c|h|hpp|cpp|py|def|cmake|mjs|cu|schema\.json)")
# Folders that builds make, and files of other projects and of games.
MADE = ("build/", "out/", "./")
FOREIGN = {"bspfile.h", "common.c", "g_local.h", "leaf_ambient_lighting.cpp", "mapentities_shared.h", "pr_edict.c",
           "q_shared.h", "qfiles.h", "ufbx.h", "models/sub_lava.md3", "scripts/shaderlist.txt"}
PLACEHOLDER = re.compile(r"[*<>{}$|\s=,;:\"'\[\]\\]|\.\.\.|[A-Z]{3,}[./_]|\b[A-Z]{3,}$")


def tracked() -> list[str]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in names.split("\0") if name]


def anchors(text: str) -> set[str]:
    """Returns the anchors of a document's headings, as GitHub names them."""
    found = set()
    for title in re.findall(r"^#+ (.*)$", text, re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


class Checker:
    def __init__(self) -> None:
        self.files = tracked()
        self.basenames = {Path(name).name for name in self.files}
        self.folders = {str(parent) for name in self.files for parent in Path(name).parents}
        self.known = set(self.files) | self.folders

    def bases(self, document: str) -> list[str]:
        own = str(Path(document).parent)
        return [base for base in ("", "native/", "native/src/", "addon/", "tests/", f"{own}/")
                if base != "./"]

    def is_known(self, path: str) -> bool:
        return str(Path(path)) in self.known

    def token(self, document: str, token: str) -> bool:
        """True if the back-ticked token is no path, or one that exists."""
        if PLACEHOLDER.search(token) or token in FOREIGN or token.startswith(("/", "-", "~", *MADE)):
            return True
        if "/" not in token:
            return not SOURCE.fullmatch(token) or token in self.basenames
        first = token.split("/")[0]
        bases = [base for base in self.bases(document) if f"{base}{first}" in self.folders]
        return not bases or any(self.is_known(base + token.rstrip("/")) for base in bases)

    def link(self, document: str, target: str) -> bool:
        if re.match(r"[a-z]+:", target):
            return True
        path, _, anchor = target.partition("#")
        full = ROOT / document if not path else (ROOT / document).parent / path
        full = full.resolve()
        if not full.is_relative_to(ROOT) or not self.is_known(str(full.relative_to(ROOT))):
            return False
        return not anchor or full.suffix != ".md" or anchor in anchors(full.read_text(encoding="utf-8"))


def main() -> int:
    checker = Checker()
    bad = 0
    for document in checker.files:
        if not document.endswith(".md"):
            continue
        fenced = False
        for number, line in enumerate((ROOT / document).read_text(encoding="utf-8").splitlines(), 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced or line.startswith("    "):
                continue
            dead = [token for token in re.findall(r"`([^`]+)`", line) if not checker.token(document, token)]
            dead += [target for target in re.findall(r"\]\(([^)\s]+)\)", line) if not checker.link(document, target)]
            for path in dead:
                print(f"{document}:{number}: {path} does not exist")
            bad += len(dead)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
