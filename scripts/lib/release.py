"""Functions that the products of scripts/package share: reproducible archives, the version, and the licenses of
everything that is compiled in."""
import gzip
import io
import os
import re
import tarfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "build" / "bundle" / "sources"
PINS = ROOT / "scripts" / "bundle" / "sources.txt"
# The licenses of the thread library and the C library of mingw-w64, which are linked on Windows.
MINGW = Path("/usr/share/doc/mingw-w64-x86-64-dev/copyright")
# The licenses of what emscripten links.
EMSCRIPTEN = ROOT / "native/web/licenses/emscripten.txt"
MUSL = Path("/usr/share/emscripten/system/lib/libc/musl/COPYRIGHT")
# The licenses of embedded data.
OWN_LICENSES = ROOT / "native/licenses"
# The earliest time that zip can store.
FIRST_TIME = 315532800


def moment() -> int:
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", FIRST_TIME)), FIRST_TIME)


def version() -> str:
    header = (ROOT / "native/include/bspscene/common.h").read_text(encoding="utf-8")
    found = re.search(r'BSPSCENE_VERSION_STRING "([^"]+)"', header)
    if not found:
        raise SystemExit("common.h: no version")
    return found[1]


def packages() -> list[tuple[str, str]]:
    """Returns the name and version of each source package that is compiled in."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("=", 1)) for line in lines if "=" in line and not line.startswith("#")]  # type: ignore


def file_version(number: str) -> str:
    """Returns a package's version for file names, without its epoch."""
    return number.split(":", 1)[-1]


def upstream_version(number: str) -> str:
    return file_version(number).rsplit("-", 1)[0]


def checksum(name: str, number: str) -> str:
    """Returns the SHA-256 by which a source package is pinned. If the package's .dsc is pinned, this is the checksum
    of the .dsc, which has the hashes of the other files. Otherwise it is that of the authors' archive."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    sums = {file: digest for digest, file in (line.split("  ") for line in lines if "  " in line)}
    archive = f"{name}_{upstream_version(number)}.orig.tar."
    pinned = sums.get(f"{name}_{file_version(number)}.dsc")
    return pinned or next(digest for file, digest in sums.items() if file.startswith(archive))


def license(folder: Path) -> str:
    """Returns Debian's copyright file, or the authors' texts if Debian's part of a package was not used."""
    text = folder / "debian" / "copyright"
    if text.is_file():
        return text.read_text(encoding="utf-8").strip()
    texts = [folder / "LICENSE.txt", folder / "third-party-programs.txt"]
    return "\n\n".join(path.read_text(encoding="cp1252").strip() for path in texts)


def section(title: str, text: str) -> str:
    if not text.strip():
        raise SystemExit(f"{title}: no text of its license")
    return f"{title}\n{'=' * len(title)}\n\n{text.strip()}\n"


def licenses(web: bool = False) -> str:
    """Returns the list of what is compiled in, with all licenses, without which a release cannot be published. With
    `web`, it is for the module for browsers."""
    texts = [section(f"{name} {number}", license(SOURCES / f"{name}-{upstream_version(number)}"))
             for name, number in packages()]
    texts += [section(path.stem, path.read_text(encoding="utf-8")) for path in sorted(OWN_LICENSES.glob("*.txt"))]
    if web:
        texts += [section("emscripten", EMSCRIPTEN.read_text(encoding="utf-8")),
                  section("musl", MUSL.read_text(encoding="utf-8"))]
    elif MINGW.is_file():
        texts.append(section("mingw-w64, in the files for Windows", MINGW.read_text(encoding="utf-8")))
    return "What is compiled into this program and library, under which licenses.\n\n" + "\n\n".join(texts)


class Archive:
    """Writes a .zip or .tar.gz whose files have the time of the last commit and no owner, so that archives are
    reproducible."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: dict[str, tuple[bytes, bool]] = {}
        self.links: dict[str, str] = {}

    def add(self, name: str, content: bytes, executable: bool = False) -> None:
        self.files[name] = (content, executable)

    def link(self, name: str, target: str) -> None:
        """Adds a symbolic link, which only a .tar.gz can contain."""
        self.links[name] = target

    def folders(self) -> set[str]:
        return {str(parent) for name in self.files for parent in Path(name).parents if str(parent) != "."}

    def write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.suffix == ".zip":
            self._write_zip()
        else:
            self._write_tar()
        print(f"{self.path} ({self.path.stat().st_size / 1e6:.1f} MB)")

    def _write_zip(self) -> None:
        if self.links:
            raise SystemExit(f"{self.path}: links in a zip, {sorted(self.links)[0]} among them")
        when = time.gmtime(moment())[:6]
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as out:
            # Also adds an entry for each directory. Without these, Blender 3.4 unpacks an update over the old files,
            # including the library.
            for name in sorted([folder + "/" for folder in self.folders()] + list(self.files)):
                content, executable = self.files.get(name, (b"", True))
                entry = zipfile.ZipInfo(name, when)
                entry.create_system = 3
                kind = 0o040000 if name.endswith("/") else 0o100000
                entry.external_attr = (kind | (0o755 if executable else 0o644)) << 16
                entry.compress_type = zipfile.ZIP_STORED if name.endswith("/") else zipfile.ZIP_DEFLATED
                out.writestr(entry, content)

    def _write_tar(self) -> None:
        with self.path.open("wb") as file, \
                gzip.GzipFile("", "wb", 9, file, mtime=moment()) as packed, \
                tarfile.open(mode="w", fileobj=packed, format=tarfile.USTAR_FORMAT) as out:
            for name in sorted([*self.files, *self.links]):
                content, executable = self.files.get(name, (b"", True))
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime, entry.mode = len(content), moment(), 0o755 if executable else 0o644
                if name in self.links:
                    entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, self.links[name], 0o777
                out.addfile(entry, io.BytesIO(content))
