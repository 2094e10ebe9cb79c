"""addon_zip.py LIBRARY OUT_DIRECTORY: makes the add-on's two zips for this machine. They contain a built library and
the libraries that it needs. Also writes index.json, with which the directory is an extension repository on any web
server."""
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import addon_files  # noqa: E402
from release import OWN_LICENSES, Archive, section, version  # noqa: E402
from wheel import pack  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# Libraries that every Linux desktop and Blender itself have, such as the C and C++ runtimes.
SYSTEM = re.compile(r"(ld-linux-[-\w]+|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so")
# The names that Blender gives to processors.
PROCESSORS = {"x86_64": "x64", "aarch64": "arm64"}


def needed(library: Path) -> list:
    """Returns the files of the libraries that `library` is linked with, except those in SYSTEM."""
    listing = subprocess.run(["ldd", str(library)], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [line.split()[2] for line in listing.splitlines() if " => /" in line]
    return [Path(path) for path in found if not SYSTEM.match(Path(path).name)]


def license_of(library: Path) -> str:
    """Returns Debian's copyright file of the package that contains a library."""
    # dpkg knows a file by its real path, without symbolic links of folders.
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


def wheel_of(library: Path, out: Path) -> Path:
    further = needed(library)
    files = {"libbspscene.so": library.resolve().read_bytes(),
             **{path.name: path.resolve().read_bytes() for path in further}}
    papers = {"LICENSE": (ROOT / "LICENSE").read_bytes(), "licenses/third-party.txt": licenses(further).encode()}
    return pack(version(), f"linux_{platform.machine()}", files, papers, out)


def main() -> int:
    library, out = Path(sys.argv[1]), Path(sys.argv[2])
    name = f"linux-{PROCESSORS.get(platform.machine(), platform.machine())}"
    with tempfile.TemporaryDirectory() as folder:
        wheel = wheel_of(library, Path(folder))
        for ending, files in (("", addon_files.extension([name], [wheel])),
                              ("-before-4.2", addon_files.legacy({name: wheel}))):
            archive = Archive(out / f"bspscene-{version()}-{name}{ending}.zip")
            for path, content in files.items():
                archive.add(path, content)
            archive.write()
    addon_files.write_index([name], out / f"bspscene-{version()}-{name}.zip")
    return 0


if __name__ == "__main__":
    sys.exit(main())
