"""Tests the zip as an extension, in a Python with the bpy module 4.2 or later. Blender's tool accepts the zip and makes
a repository, from which the zip is installed over HTTP. The extension imports a map, is updated while it is in use, and
unloads its library."""
import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from own_zip import loaded_libraries, make_zip  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
ATRIUM = ROOT / "tests/fixtures/atrium/quake3/maps/atrium.bsp"
MODULE = "bl_ext.user_default.bspscene"


def tool(bpy, *arguments: str) -> None:
    """Runs `blender --command extension`, which the bpy module contains as a script."""
    script = Path(bpy.utils.system_resource("SCRIPTS", path="addons_core")) / "bl_pkg/cli/blender_ext.py"
    subprocess.run([sys.executable, str(script), *arguments], check=True, stdout=subprocess.DEVNULL)


def install_from_server(bpy, folder: str) -> None:
    """Does what Blender does with a remote repository: reads the repository's list of extensions and fetches the
    zip."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        local = Path(folder) / "remote"
        local.mkdir()
        place = ("--local-dir", str(local), "--remote-url", f"http://127.0.0.1:{server.server_address[1]}/index.json")
        tool(bpy, "sync", *place)
        version = ".".join(str(number) for number in bpy.app.version)
        tool(bpy, "install", "bspscene", *place, "--blender-version", version, "--local-cache", "0")
        server.shutdown()
    assert list((local / "bspscene/wheels").glob("*.whl"))
    assert not list((local / "bspscene").rglob("*.so")), "a library outside of a wheel"


def import_and_check(bpy) -> None:
    before = len(bpy.context.scene.collection.children)
    assert bpy.ops.import_scene.bspscene(filepath=str(ATRIUM)) == {"FINISHED"}
    assert len(bpy.context.scene.collection.children) == before + 1


def main(folder: str) -> None:
    # Blender reads the folder of extensions at its start.
    os.environ["BLENDER_USER_RESOURCES"] = folder
    package = make_zip(folder, extension=True)
    import bpy
    import addon_utils   # available only after bpy
    tool(bpy, "validate", str(package))
    index = Path(folder) / "index.json"
    written = index.read_text()
    ours = json.loads(written)
    tool(bpy, "server-generate", "--repo-dir", folder)
    theirs = json.loads(index.read_text())
    if "wheels" in theirs["data"][0]:   # Blender 4.2 writes "wheels"; 4.5 writes which Python versions they are for
        del theirs["data"][0]["wheels"]
        theirs["data"][0]["python_versions"] = ["3"]
    assert theirs == ours, (theirs, ours)
    index.write_text(written)
    install_from_server(bpy, folder)
    addon_utils.enable("bl_pkg")
    for _ in range(2):
        bpy.ops.extensions.package_install_files(filepath=str(package), repo="user_default", enable_on_install=True)
        assert addon_utils.check(MODULE) == (True, True), addon_utils.check(MODULE)
        import_and_check(bpy)
    loaded = loaded_libraries()
    assert loaded and all(folder in line for line in loaded), "another library is in use"
    addon_utils.disable(MODULE, default_set=True)
    assert not loaded_libraries(), "the library is still open"
    print(f"{bpy.app.version_string}: validated, installed, updated and released")


if __name__ == "__main__":
    code = 1
    try:
        with tempfile.TemporaryDirectory() as own_folder:
            main(own_folder)
        code = 0
    except BaseException:
        import traceback
        traceback.print_exc()
    # The exit handlers of bpy 4.2 crash, see in_blender.py.
    sys.stdout.flush()
    os._exit(code)
