#!/usr/bin/env python3
"""Makes one static site of all documents and the reference, which can be read without a network.

    site.py REFERENCE OUTPUT [VIEWER]    REFERENCE: what reference.py has written
                                         VIEWER: the viewer as one file, for a page with free maps to try it

scripts/docs installs MkDocs. Its warnings, for example of dead links, are errors.
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests/fixtures/atrium"
SHIM = ROOT / "tests/docs/node_modules/iframe-worker/shim/index.js"
SHIM_ADDRESS = "https://unpkg.com/iframe-worker/shim"
SKIPPED = 77
CONFIG = """
site_name: bspscene
docs_dir: {pages}
site_dir: {output}
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.tabs]
plugins: [search, offline]
extra_css: [site.css]
markdown_extensions: [tables, pymdownx.superfences, attr_list, {{toc: {{permalink: true}}}}]
validation:
  links: {{anchors: warn, not_found: warn, unrecognized_links: info, absolute_links: warn}}
  nav: {{omitted_files: ignore}}
nav:
- Readers: docs/README.md
{tried}{nav}- Reference:
  - C: api/c/index.html
  - Python: api/python/bspscene.html
  - JavaScript: api/javascript/index.html
"""
# Wide pages, because code has up to 120 columns and tables have many.
STYLE = ".md-grid { max-width: 80rem; }\n"
TRY = """# Try it

You get bspscene in this browser. Nothing is installed, and no file leaves this machine.

1. Save one of these maps. Each is the same small map, "atrium", which is in the public domain (CC0 1.0).
2. Open the <a href="viewer.html">viewer</a> and drop the file into it. You see the map in its game's light.
3. Fly with W A S D and the mouse, or press F to walk. Click a surface to see its material and light.

| map | game |
|---|---|
{maps}
"""
VARIANT = re.compile(r"/maps/atrium_(?!wad)")
TRY_PAGE = "try/index" + ".md"   # generated, so not a document of the tree
TRIED = {"quake3": "Quake III", "quake": "Quake", "goldsrc": "Half-Life"}
LINK = re.compile(r"\[([^]]*)\]\(([^)\s#]+\.md)[^)]*\)")


def copy_pages(pages: Path) -> None:
    """Copies all tracked documents, and the tracked files that they link to or show."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    tracked = set(filter(None, names.split("\0")))
    wanted = {name for name in tracked if name.endswith(".md")}
    for name in sorted(wanted):
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r'\]\(([^)\s#]+)|src="([^"]+)"', text):
            path = ((ROOT / name).parent / (target[0] or target[1])).resolve()
            if path.is_relative_to(ROOT):
                wanted.add(str(path.relative_to(ROOT)))
    for name in wanted & tracked:
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, pages / name)


def navigation() -> str:
    """Returns a section for each reader in the table of docs/README.md."""
    lines = []
    for row in (ROOT / "docs/README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        links = LINK.findall(row)
        if len(cells) == 2 and links:
            lines.append(f"- {cells[0][0].upper()}{cells[0][1:]}:\n")
            for title, target in links:
                path = (ROOT / "docs" / target).resolve().relative_to(ROOT)
                lines.append(f"  - {(title[0].upper() + title[1:])!r}: {path}\n")
    return "".join(lines)


def make_trial(pages: Path, viewer: Path) -> None:
    """Makes a page with the viewer and three free maps, each with the game files that it needs."""
    (pages / "try").mkdir()
    shutil.copy(viewer, pages / "try/viewer.html")
    rows = []
    for folder, game in TRIED.items():
        name = f"atrium_{folder}.pk3"
        with zipfile.ZipFile(pages / "try" / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted((FIXTURES / folder).rglob("*")):
                if path.is_file() and not VARIANT.search(path.as_posix()):
                    archive.write(path, path.relative_to(FIXTURES / folder))
        rows.append(f'| <a href="{name}" download>{name}</a> | {game} |')
    (pages / TRY_PAGE).write_text(TRY.format(maps="\n".join(rows)), encoding="utf-8")


def take_shim(output: Path) -> None:
    """Adds a script that makes the search work without a server. Otherwise the page would fetch this script from a web
    address."""
    if not (output / "assets").is_dir():
        return
    shutil.copy(SHIM, output / "assets/iframe-worker.js")
    for page in output.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if SHIM_ADDRESS in text:
            local = os.path.relpath(output / "assets/iframe-worker.js", page.parent).replace(os.sep, "/")
            page.write_text(text.replace(SHIM_ADDRESS, local), encoding="utf-8")


def main(reference: Path, output: Path, viewer: Path | None) -> int:
    if not importlib.util.find_spec("material") or not SHIM.exists():
        print("skipped: no mkdocs-material or iframe-worker; scripts/docs installs what it needs")
        return SKIPPED
    if not reference.is_dir():
        print(f"skipped: no reference in {reference}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        copy_pages(pages)
        shutil.copytree(reference, pages / "api")
        (pages / "site.css").write_text(STYLE, encoding="utf-8")
        if viewer:
            make_trial(pages, viewer)
        config = Path(folder) / "mkdocs.yml"
        tried = f"- Try it: {TRY_PAGE}\n" if viewer else ""
        config.write_text(CONFIG.format(pages=pages, output=output, tried=tried, nav=navigation()), encoding="utf-8")
        # With --quiet, --strict would not count warnings.
        made = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "--config-file", config],
                              env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, stderr=subprocess.PIPE, text=True)
        take_shim(output)
        print("".join(line for line in made.stderr.splitlines(True) if not line.startswith("INFO")), end="")
        return made.returncode


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(),
                  Path(sys.argv[3]).resolve() if len(sys.argv) == 4 else None))
