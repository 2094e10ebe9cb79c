"""Collects the files of the Blender add-on for its two zips. The extension is for Blender 4.2 and later and contains
the Python package as wheels. The other zip is for older versions of Blender, which do not support wheels; it contains
the package's files."""
import ast
import hashlib
import json
import re
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ADDON = ROOT / "addon"
MANIFEST = "blender_manifest.toml"
MODULE = "io_scene_bspscene"   # module name of the add-on before Blender 4.2, because the package is called `bspscene`
IMPORT = re.compile(rb"^(\s*from )(bspscene(?:\.\w+)*)( import )", re.MULTILINE)


def read_manifest() -> dict:
    """Reads the manifest's keys: strings, lists of strings and one level of tables."""
    found: dict = {}
    table, pending = found, ""
    for line in (ADDON / MANIFEST).read_text(encoding="utf-8").splitlines():
        pending += "" if line.startswith("#") else line
        if pending.startswith("["):
            table = found.setdefault(pending.strip("[] "), {})
        elif " = " in pending:
            key, value = pending.split(" = ", 1)
            if value.startswith("[") and not value.endswith("]"):
                continue   # the list continues in the next line
            table[key] = ast.literal_eval(value)
        pending = ""
    return found


def code() -> dict[str, bytes]:
    """Returns all files of the add-on except the manifest."""
    return {path.relative_to(ADDON).as_posix(): path.read_bytes() for path in sorted(ADDON.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts and path.name != MANIFEST and path.suffix != ".whl"}


def manifest(platforms: list[str], wheels: list[Path]) -> bytes:
    """Returns the manifest of a zip that supports these platforms and contains these wheels."""
    text = (ADDON / MANIFEST).read_text(encoding="utf-8")
    for key, values in (("platforms", platforms), ("wheels", [f"./wheels/{wheel.name}" for wheel in wheels])):
        listed = "".join(f"\n    {json.dumps(value)}," for value in values)
        text, count = re.subn(rf"(?ms)^{key} = \[.*?\]$", f"{key} = [{listed}\n]", text)
        assert count == 1, key
    return text.encode()


def extension(platforms: list[str], wheels: list[Path]) -> dict[str, bytes]:
    """Returns the files of an extension."""
    return {**code(), MANIFEST: manifest(platforms, wheels),
            **{f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels}}


def legacy(wheels: dict[str, Path]) -> dict[str, bytes]:
    """Returns the files of the add-on for Blender 3.4 to 4.1. It contains the files of the package, unpacked from the
    wheels of some platforms. Imports of the package become relative, because an add-on must not change where Python
    finds modules."""
    files = {f"{MODULE}/{name}": relative(name, content) for name, content in code().items()}
    for platform, path in wheels.items():
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                folder, _, rest = name.partition("/")
                if folder == "bspscene":
                    inside = rest if Path(rest).suffix in (".py", ".typed") else f"{platform}/{rest}"
                    files[f"{MODULE}/bspscene/{inside}"] = wheel.read(name)
                elif rest.startswith("licenses/"):
                    files[f"{MODULE}/bspscene/{rest}"] = wheel.read(name)
    return files


def relative(name: str, content: bytes) -> bytes:
    """Returns a file of the add-on. In Python files, imports of the package become relative to the folder of the
    add-on's __init__.py."""
    dots = b"." * (name.count("/") + 1)
    return IMPORT.sub(rb"\g<1>" + dots + rb"\2\3", content) if name.endswith(".py") else content


def write_index(platforms: list[str], package: Path) -> None:
    """Writes the index that `blender --command extension server-generate` of Blender 5.0 would write for this
    package."""
    content, entry = package.read_bytes(), dict(read_manifest(), platforms=platforms, python_versions=["3"])
    del entry["wheels"]
    entry.update(archive_url=f"./{package.name}", archive_size=len(content),
                 archive_hash="sha256:" + hashlib.sha256(content).hexdigest())
    index = {"version": "v1", "blocklist": [], "data": [entry]}
    (package.parent / "index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
