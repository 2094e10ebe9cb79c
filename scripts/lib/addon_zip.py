"""addon_zip.py LIBRARY OUT_DIRECTORY: the add-on's zip, with the library and those it needs in native/, and index.json,
with which the directory is an extension repository on any web server."""
import ast
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from release import OWN_LICENSES, section  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
ADDON = ROOT / "addon"
PACKAGE = "bspscene"
# Libraries of every Linux desktop and of Blender itself: the C and C++ runtimes.
SYSTEM = re.compile(r"(ld-linux-[-\w]+|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so")


def needed(library: Path) -> list:
    """Files of the libraries that a library is linked with, without the runtimes."""
    listing = subprocess.run(["ldd", str(library)], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [line.split()[2] for line in listing.splitlines() if " => /" in line]
    return [Path(path) for path in found if not SYSTEM.match(Path(path).name)]


def read_manifest(text: str) -> dict:
    """Reads the manifest's keys: strings, lists of strings and one level of tables."""
    found: dict = {}
    table = found
    for line in text.splitlines():
        if line.startswith("["):
            table = found.setdefault(line.strip("[] "), {})
        elif " = " in line:
            key, value = line.split(" = ", 1)
            table[key] = ast.literal_eval(value)
    return found


def license_of(library: Path) -> str:
    """Debian's copyright file of the package that contains a library."""
    # dpkg knows the file by its real path, without links of folders.
    paths = [str(library), str(library.resolve()), str(library.resolve()).removeprefix("/usr")]
    for path in paths:
        found = subprocess.run(["dpkg", "-S", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            text = Path("/usr/share/doc", found.stdout.split(":")[0], "copyright")
            if text.is_file():
                return text.read_text(encoding="utf-8")
    raise SystemExit(f"{library}: no package says its license")


def licenses(libraries: list) -> str:
    texts = {path.name: license_of(path) for path in libraries}
    texts.update((path.stem, path.read_text(encoding="utf-8")) for path in sorted(OWN_LICENSES.glob("*.txt")))
    return "\n\n".join(section(title, text) for title, text in texts.items())


def write_index(manifest: dict, package: Path) -> None:
    """Writes the same as `blender --command extension server-generate` for this one package."""
    content = package.read_bytes()
    entry = dict(manifest, archive_url=f"./{package.name}", archive_size=len(content),
                 archive_hash="sha256:" + hashlib.sha256(content).hexdigest())
    index = {"version": "v1", "blocklist": [], "data": [entry]}
    (package.parent / "index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    library, out = Path(sys.argv[1]), Path(sys.argv[2])
    manifest = read_manifest((ADDON / "blender_manifest.toml").read_text(encoding="utf-8"))
    target = out / f"{PACKAGE}-{manifest['version']}-{manifest['platforms'][0]}.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        # Adds entries of directories: without them Blender 3.4 unpacks an update over the old one, including the
        # library.
        for path in [ADDON, *sorted(ADDON.rglob("*"))]:
            if "__pycache__" not in path.parts:
                package.write(path, Path(PACKAGE) / path.relative_to(ADDON))
        package.write(library.resolve(), f"{PACKAGE}/native/libbspscene.so")
        further = needed(library)
        for path in further:
            package.write(path.resolve(), f"{PACKAGE}/native/{path.name}")
        package.writestr(f"{PACKAGE}/native/third-party.txt", licenses(further))
    write_index(manifest, target)
    print(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
