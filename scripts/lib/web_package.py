#!/usr/bin/env python3
"""MODULE OUT: makes the npm package and the viewer's page from the module in the folder MODULE. Both are written as
archives into OUT, and as the folders OUT/web/package and OUT/web/viewer. The page is also written as one file,
OUT/web/viewer.html."""
import base64
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release import ROOT, Archive, licenses, version  # noqa: E402
from three_parts import copy_parts  # noqa: E402

WEB = ROOT / "native/web"
VIEWER = WEB / "viewer"
MODULES = ["bspscene_core.wasm", "bspscene_files.wasm"]
MODULE = ["bspscene_core.mjs", *MODULES]
# The sample maps of the page, which are CC0: for each, its files in the fixtures' folder.
FIXTURES = ROOT / "tests/fixtures/atrium"
SAMPLES = {
    "quake3": ["maps/atrium.bsp", "scripts/sample.shader", "textures/sample/*.tga", "env/*.tga", "models/sample/*.md3",
               "models/sample/*.obj", "models/sample/*.mtl", "models/sample/*.tga"],
    "quake": ["maps/atrium.bsp", "maps/atrium.lit", "gfx/palette.lmp"],
    "goldsrc": ["maps/atrium_wad.bsp", "sample.wad"],
}
SINGLE_WORKER = "single_worker.js"
SCRIPTS = ["bspscene.mjs", "worker.mjs", "engine.mjs", "memory.mjs", "counts.mjs", "tree.mjs", "bspscene.d.ts"]


def fill_package(folder: Path, module: Path) -> None:
    """Writes the files of the npm package."""
    folder.mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(WEB / name, folder)
    for name in MODULE:
        shutil.copy(module / name, folder)
    subprocess.run([sys.executable, WEB / "make_layout.py", folder], check=True)
    facts = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    (folder / "package.json").write_text(json.dumps({**facts, "version": version()}, indent=2) + "\n", encoding="utf-8")
    shutil.copy(WEB / "README.md", folder)
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "third-party.txt").write_text(licenses(web=True), encoding="utf-8")


def bundle(source: Path, target: Path, *options: str) -> None:
    words: list[str | Path] = [
        VIEWER / "node_modules/.bin/esbuild", source, f"--outfile={target}", "--bundle", "--format=esm", "--minify",
        "--target=es2022", "--legal-comments=none", "--external:node:*", "--log-level=warning", *options]
    subprocess.run(words, check=True, env={"NODE_PATH": str(VIEWER / "node_modules"), "PATH": "/usr/bin:/bin"})


def fill_viewer(folder: Path, package: Path) -> None:
    """Writes the page with all files that it needs, for any web server."""
    folder.mkdir(parents=True)
    build = package.parent / "build"
    shutil.copytree(package, build / "package", dirs_exist_ok=True)
    shutil.copytree(VIEWER, build / "package" / "viewer", ignore=shutil.ignore_patterns("node_modules"))
    three = copy_parts(VIEWER / "node_modules/three", build / "three")
    bundle(build / "package/viewer/main.mjs", folder / "main.js", f"--alias:three={three.resolve()}")
    bundle(build / "package/worker.mjs", folder / "worker.mjs")
    # Bundles the worker for the page in one file.
    bundle(build / "package/worker.mjs", folder.parent / SINGLE_WORKER, "--format=iife", '--define:import.meta.url=""')
    for name in ("index.html", "viewer.css"):
        shutil.copy(VIEWER / name, folder)
    for name in MODULES:
        shutil.copy(package / name, folder)
    for name, patterns in SAMPLES.items():
        shutil.copy(VIEWER / f"sample_{name}.webp", folder)
        write_sample(FIXTURES / name, patterns, folder / f"sample_{name}.zip")
    terms = (VIEWER / "node_modules/three/LICENSE").read_text(encoding="utf-8")
    (folder / "licenses.txt").write_text(f"three.js\n========\n\n{terms}\n\n{licenses(web=True)}", encoding="utf-8")
    shutil.rmtree(build)


def write_sample(game: Path, patterns: list[str], archive: Path) -> None:
    """Writes an archive with the files of a map, in a folder like a game's."""
    made = Archive(archive)
    for pattern in patterns:
        for path in sorted(game.glob(pattern)):
            made.add(f"atrium/{path.relative_to(game)}", path.read_bytes())
    made.write()


def write_single(folder: Path, file: Path) -> None:
    """Writes the page as one file, which needs no server. Script and style are inline, and the page's policy allows
    them by their checksums. Worker and modules are embedded as data (viewer/inside.mjs)."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    script, style = ((folder / name).read_text(encoding="utf-8") for name in ("main.js", "viewer.css"))
    data = {"worker": folder.parent / SINGLE_WORKER, "core": folder / MODULES[0], "files": folder / MODULES[1]}
    blocks = [f'<script type="text/plain" id="inside-{name}">{packed(source)}</script>'
              for name, source in data.items()]
    blocks.append(f'<script type="text/plain">{(folder / "licenses.txt").read_text(encoding="utf-8")}</script>')
    for text in (script, *blocks):
        if re.search("</script|<!--", text.removesuffix("</script>"), re.I):
            raise SystemExit(f"what would end a script's element: {text[:80]}")
    changes = {
        "script-src 'self'": f"script-src {allowed(script)}", "style-src 'self'": f"style-src {allowed(style)}",
        "worker-src 'self'": "worker-src blob:",
        '<link rel="stylesheet" href="viewer.css">': f"<style>{style}</style>",
        '<script type="module" src="main.js"></script>':
            "\n".join([*blocks, f'<script type="module">{script}</script>'])}
    # The page in one file has no samples, because these lie next to the page of many files.
    page = re.sub(r'(<ul id="samples"[^>]*>).*?</ul>', r"\1</ul>", page, flags=re.S)
    for before, after in changes.items():
        if page.count(before) != 1:
            raise SystemExit(f"index.html: {before}")
        page = page.replace(before, after)
    file.write_text(page, encoding="utf-8")


def packed(file: Path) -> str:
    return base64.b64encode(gzip.compress(file.read_bytes(), 9, mtime=0)).decode()


def allowed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def pack(folder: Path, archive: Path, inside: str) -> None:
    made = Archive(archive)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            made.add(f"{inside}/{path.relative_to(folder)}", path.read_bytes())
    made.write()
    print(archive)


def main() -> int:
    module, out = Path(sys.argv[1]), Path(sys.argv[2])
    web = out / "web"
    shutil.rmtree(web, ignore_errors=True)
    fill_package(web / "package", module)
    fill_viewer(web / "viewer", web / "package")
    write_single(web / "viewer", web / "viewer.html")
    (web / SINGLE_WORKER).unlink()
    # npm requires a folder of this name.
    pack(web / "package", out / f"bspscene-{version()}-npm.tar.gz", "package")
    pack(web / "viewer", out / f"bspscene-{version()}-viewer.zip", f"bspscene-{version()}-viewer")
    shutil.copy(web / "viewer.html", out / f"bspscene-{version()}-viewer.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
