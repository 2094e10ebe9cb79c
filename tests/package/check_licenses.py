#!/usr/bin/env python3
"""Promise: a package has the license text of everything that is compiled into it, and of every shared library that it
contains. Checks the add-on of scripts/package-addon, and each wheel, add-on, npm package, viewer and command line in
out/."""
import argparse
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts" / "lib"))
import release  # noqa: E402

BUNDLE = SOURCE / "scripts" / "bundle"
# If a license text is shorter than this many characters, it is missing or cut.
LEAST_TEXT = 400
LIBRARY = re.compile(r"/lib(?!bspscene)[^/]*\.so[.0-9]*$")


def sections(text: str) -> dict[str, str]:
    """Returns the sections by the first word of their titles, which have a line of "=" below."""
    parts = re.split(r"(?m)^(\S.*)\n=+\n", text)
    return {title.split()[0].rstrip(","): body for title, body in zip(parts[1::2], parts[2::2])}


def check_text(what: str, text: str, names: list[str]) -> list[str]:
    found = sections(text)
    return [f"{what}: no license of {name}" for name in names if len(found.get(name, "")) < LEAST_TEXT]


def check_pins() -> list[str]:
    """Checks that release.licenses knows exactly the dependencies that the bundle compiles."""
    pinned = [name for name, _ in release.packages()]
    compiled = [name for path in BUNDLE.glob("*.cmake") if path.name != "bundle_tests.cmake"
                for name in re.findall(r'bundle_source\(\w+ "(.*)-\*"\)', path.read_text(encoding="utf-8"))]
    return [] if sorted(pinned) == sorted(compiled) else [f"compiled {compiled}, pinned {pinned}"]


def check_made_texts(top: Path) -> list[str]:
    """Checks that release.licenses returns all licenses, and that it fails if one license is missing or empty."""
    for name, number in release.packages():
        folder = top / f"{name}-{release.upstream_version(number)}" / "debian"
        folder.mkdir(parents=True)
        (folder / "copyright").write_text(f"license of {name}\n" * 40)
    release.SOURCES = top
    own = [path.stem for path in release.OWN_LICENSES.glob("*.txt")]
    problems = check_text("licenses", release.licenses(), [name for name, _ in release.packages()] + own)
    if release.MUSL.is_file():
        problems += check_text("of the web", release.licenses(web=True), ["emscripten", "musl", *own])
    for text in (None, "\n"):
        (folder / "copyright").unlink() if text is None else (folder / "copyright").write_text(text)
        try:
            release.licenses()
            problems.append(f"{name} without a license is packed")
        except (SystemExit, OSError):
            pass
    return problems


def check_addon(library: Path, top: Path) -> list[str]:
    """Packs the add-on with this system's libraries, and checks its license text."""
    packed = subprocess.run([sys.executable, SOURCE / "scripts/lib/addon_zip.py", library, top], capture_output=True,
                            text=True)
    if packed.returncode:
        return [f"addon_zip: {packed.stderr}"]
    problems = []
    for path in top.glob("*.zip"):
        files = read_archive(path)
        text = "".join(content.decode() for name, content in files.items() if name.endswith("third-party.txt"))
        inside = [Path(name).name for name in files if LIBRARY.search(name)]
        if not inside or not {"LICENSE", "io_scene_bspscene/LICENSE"} & set(files):
            problems.append(f"{path.name}: {sorted(files)}")
        problems += check_text(path.name, text, [*inside, "librequake"])
    return problems


def read_archive(path: Path) -> dict[str, bytes]:
    if path.suffix in (".zip", ".whl"):
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        for name in [name for name in files if name.endswith(".whl")]:
            with zipfile.ZipFile(io.BytesIO(files[name])) as wheel:
                files.update({f"{name}/{part}": wheel.read(part) for part in wheel.namelist()})
        return files
    with tarfile.open(path) as archive:
        opened = ((one.name, archive.extractfile(one)) for one in archive if one.isfile())
        return {name: file.read() for name, file in opened if file}


def check_product(path: Path) -> list[str]:
    files = read_archive(path)
    names = [name for name, _ in release.packages()] + ["librequake"]
    if any(name.endswith(".wasm") for name in files):
        names += ["emscripten", "musl"]
    if any(name.endswith(".dll") for name in files):
        names.append("mingw-w64")
    if "-viewer" in path.name:
        names.append("three.js")
    texts = [content.decode() for name, content in files.items() if name.endswith(("third-party.txt", "licenses.txt"))]
    own = any(name.rsplit("/", 1)[-1] == "LICENSE" for name in files) or "-viewer" in path.name
    return ([] if own else [f"{path.name}: no LICENSE"]) + check_text(path.name, "\n".join(texts), names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("--out", type=Path, help="products of scripts/package and scripts/package-web")
    args = parser.parse_args()
    problems = check_pins()
    with tempfile.TemporaryDirectory() as name:
        (made := Path(name) / "made").mkdir()
        (zipped := Path(name) / "zipped").mkdir()
        problems += check_made_texts(made)
        if sys.platform == "linux" and Path("/var/lib/dpkg/status").is_file():
            problems += check_addon(args.library.resolve(), zipped)
    for path in sorted(args.out.glob("bspscene-*")) if args.out and args.out.is_dir() else []:
        if path.name.endswith((".whl", ".zip", "npm.tar.gz")):
            problems += check_product(path)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
