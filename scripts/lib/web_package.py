#!/usr/bin/env python3
"""MODULE OUT: the npm package and the viewer's page, of the module in the folder MODULE, as archives in OUT and as the
folders OUT/web/package and OUT/web/viewer."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release import ROOT, Archive, licences, version  # noqa: E402

WEB = ROOT / "native/web"
VIEWER = WEB / "viewer"
MODULE = ["bspscene_core.mjs", "bspscene_core.wasm"]
SCRIPTS = ["bspscene.mjs", "worker.mjs", "engine.mjs", "memory.mjs", "counts.mjs", "tree.mjs", "bspscene.d.ts"]


def fill_package(folder: Path, module: Path) -> None:
    """What `npm install` unpacks."""
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
    (folder / "third-party.txt").write_text(licences(), encoding="utf-8")


def fill_viewer(folder: Path, package: Path) -> None:
    """A page with all that it needs, for any server of files."""
    folder.mkdir(parents=True)
    build = package.parent / "build"
    shutil.copytree(package, build / "package", dirs_exist_ok=True)
    shutil.copytree(VIEWER, build / "package" / "viewer", ignore=shutil.ignore_patterns("node_modules"))
    bundle: list[str | Path] = [
        VIEWER / "node_modules/.bin/esbuild", "--bundle", "--format=esm", "--minify", "--target=es2022",
        "--legal-comments=none", "--external:node:*"]
    for source, target in (("viewer/main.mjs", "main.js"), ("worker.mjs", "worker.mjs")):
        subprocess.run([*bundle, build / "package" / source, f"--outfile={folder / target}", "--log-level=warning"],
                       check=True, env={"NODE_PATH": str(VIEWER / "node_modules"), "PATH": "/usr/bin:/bin"})
    for name in ("index.html", "viewer.css"):
        shutil.copy(VIEWER / name, folder)
    shutil.copy(package / "bspscene_core.wasm", folder)
    three = (VIEWER / "node_modules/three/LICENSE").read_text(encoding="utf-8")
    (folder / "licences.txt").write_text(f"three.js\n========\n\n{three}\n\n{licences()}", encoding="utf-8")
    shutil.rmtree(build)


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
    # npm wants everything in a folder of this name.
    pack(web / "package", out / f"bspscene-{version()}-npm.tar.gz", "package")
    pack(web / "viewer", out / f"bspscene-{version()}-viewer.zip", f"bspscene-{version()}-viewer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
