"""Runs inside Blender with a window (Xvfb is enough): imports as a user does, from the file dialog to undo and Esc.

    blender --enable-event-simulate --factory-startup --python in_window.py [-- --pictures DIRECTORY]
"""
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from blender_support import ATRIUM, METERS, addon, counts  # noqa: E402
from io_scene_bspscene.build.rebaking import compare  # noqa: E402
from io_scene_bspscene.ui import face_panel, light_operators, operators  # noqa: E402
from window import area, choose, dialog, is_running, maps, press, run, when_idle, window, within  # noqa: E402

MOVING = Path(os.environ.get("BSPSCENE_MOVING_MODELS", "/nowhere"))
PICTURES = sys.argv[sys.argv.index("--pictures") + 1] if "--pictures" in sys.argv else ""


def picture(name: str) -> None:
    if PICTURES:
        with bpy.context.temp_override(window=window()):
            bpy.ops.screen.screenshot(filepath=os.path.join(PICTURES, name + ".png"))


def undo() -> None:
    with bpy.context.temp_override(**within("VIEW_3D")):
        bpy.ops.ed.undo()


@contextmanager
def solid():
    """Lets the import set up the view, then sets it back to solid before it is drawn, because EEVEE in software takes a
    minute. addon.first_sight tests what the view shows. Yields a list of the shadings that were set."""
    real, seen = operators.view.set_up, []

    def set_up(*arguments) -> None:
        real(*arguments)
        shading = area("VIEW_3D").spaces.active.shading
        seen.append(shading.type)
        shading.type = "SOLID"

    operators.view.set_up = set_up
    try:
        yield seen
    finally:
        operators.view.set_up = real


def test_import_and_undo():
    """The window stays usable during the import. One undo removes everything that was imported."""
    with bpy.context.temp_override(**within("VIEW_3D")):
        bpy.ops.ed.undo_push(message="before")
    before = counts()
    yield from dialog()
    with solid() as shadings:
        yield from choose(ATRIUM)
        assert not maps(), "it did not wait"
        while not maps():
            yield
    for _ in range(5):
        yield
    assert maps() == ["atrium"] and shadings == ["MATERIAL"], (maps(), shadings)
    assert counts()["meshes"] > before["meshes"]
    undo()
    yield
    assert maps() == [], maps()
    assert counts() == before, (counts(), before)


def test_a_model_with_bones():
    """The import makes bones in a temporary scene. So objects that are in edit mode stay in it, and one undo removes
    everything."""
    if not MOVING.is_dir():
        return
    with bpy.context.temp_override(**within("VIEW_3D")):
        bpy.ops.ed.undo_push(message="before")
    before, scenes, shown = counts(), len(bpy.data.scenes), window().scene
    yield from dialog("bspscene_model")
    yield from choose(MOVING / "moving.mdl")
    while not maps():
        yield
    for _ in range(5):
        yield
    holder = next(made for made in window().view_layer.objects if made.type == "ARMATURE")
    assert (len(bpy.data.scenes), window().scene, bpy.context.mode) == (scenes, shown, "OBJECT")
    assert len(bpy.data.actions) == 2 and len(holder.pose.bones) == 3
    undo()
    yield
    assert counts() == before and not bpy.data.armatures and not bpy.data.actions


@contextmanager
def status_bars():
    """Returns a dictionary of the status bar's texts, by the names of workspaces."""
    said, real = {}, bpy.types.WorkSpace.status_text_set

    def noted(workspace, words) -> None:
        said[workspace.name] = words
        real(workspace, words)

    bpy.types.WorkSpace.status_text_set = noted
    try:
        yield said
    finally:
        bpy.types.WorkSpace.status_text_set = real


def test_a_click_on_a_face():
    """The user clicks on a face with the sidebar's eyedropper. The sidebar then shows what the map's file states about
    that face."""
    with bpy.context.temp_override(**within("VIEW_3D")):
        bpy.ops.ed.undo_push(message="before")
    with solid():
        yield from dialog()
        yield from choose(ATRIUM)
        while not maps():
            yield
    view = area("VIEW_3D")
    view.spaces.active.show_region_ui = True
    yield from waited(10)
    with bpy.context.temp_override(**within("VIEW_3D")):
        assert bpy.ops.object.bspscene_face("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from waited(5)
    region = next(part for part in view.regions if part.type == "WINDOW")
    place = {"x": region.x + region.width // 2, "y": region.y + region.height // 3}
    for kind, value in (("MOUSEMOVE", "NOTHING"), ("LEFTMOUSE", "PRESS"), ("LEFTMOUSE", "RELEASE")):
        window().event_simulate(type=kind, value=value, **place)
        yield
    while not face_panel._shown:
        yield
    lines = face_panel._shown[0].lines()
    assert any("textures/sample/" in line for line in lines), lines
    view.spaces.active.show_region_ui = False
    undo()
    yield


def test_escape():
    """Esc during an import restores the .blend file, and the status bars of all workspaces that were shown
    meanwhile."""
    before, first = counts(), window().workspace
    usual = operators.LONGEST_SLICE, operators.TELLING
    operators.LONGEST_SLICE = operators.TELLING = 0.0    # one build step in each tick leaves time to press Esc
    with status_bars() as said:
        yield from dialog(set_up_view=False)
        yield from choose(ATRIUM)
        while counts() == before or not said:
            yield
        window().workspace = bpy.data.workspaces["Modeling"]
        while len(said) < 2:
            yield
        assert not maps() and all(words.startswith("Importing atrium.bsp") for words in said.values()), said
        press("ESC")
        while counts() != before:
            yield
        for _ in range(5):
            yield
        assert said == {first.name: None, "Modeling": None}, said
    window().workspace = first
    yield
    operators.LONGEST_SLICE, operators.TELLING = usual
    assert not maps() and counts() == before


def half_way():
    """Starts an import and yields until it has made something and still runs."""
    operators.LONGEST_SLICE = 0.0
    before, known = counts(), maps()
    yield from dialog(set_up_view=False)
    yield from choose(ATRIUM)
    while counts() == before:
        yield
    assert maps() == known


def test_undo_in_a_second_window():
    """Undo in a second window removes datablocks, so it ends a running import first."""
    bpy.ops.wm.window_new()
    yield
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[-1]):
        bpy.ops.ed.undo_push(message="one")
        bpy.ops.ed.undo_push(message="two")
    before, usual = counts(), operators.LONGEST_SLICE
    yield from half_way()
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[-1]):
        bpy.ops.ed.undo()
    for _ in range(10):
        yield
    operators.LONGEST_SLICE = usual
    assert counts() == before, (counts(), before)
    assert not maps()
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[-1]):
        bpy.ops.wm.window_close()
    yield


def test_loading_another_file():
    """A script or a second window loads another file while an import runs."""
    while is_busy():
        yield
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "other.blend")
        yield from when_idle(bpy.ops.wm.save_as_mainfile, filepath=path)
        yield from when_idle(bpy.ops.wm.open_mainfile, filepath=path)
        yield
        before, known, usual = counts(), maps(), operators.LONGEST_SLICE
        yield from half_way()
        with bpy.context.temp_override(window=window()):
            bpy.ops.wm.open_mainfile(filepath=path)
        for _ in range(10):
            yield
        operators.LONGEST_SLICE = usual
        assert counts() == before, (counts(), before)
        assert maps() == known


def test_archive_asks_for_the_map():
    """An archive with several maps opens a dialog with their names; Return takes the first one."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "session"))
    from blender_session import make_archive
    with tempfile.TemporaryDirectory() as folder:
        path = Path(make_archive(folder, "hall", "tower"))
        yield from dialog(set_up_view=False)
        yield from choose(path)
        for _ in range(15):
            yield
        assert not maps()
        picture("choose")
        press("RET")
        while not maps():
            yield
    assert maps() == ["hall"], maps()
    undo()
    yield


def start_rebaking(**options):
    """Starts rebaking as the dialog's button does, because the button cannot be pressed while Blender draws. Yields
    until Blender bakes."""
    def rebake() -> None:
        with bpy.context.temp_override(**within("VIEW_3D")):
            bpy.ops.object.bspscene_rebake("EXEC_DEFAULT", **options)

    light_operators.RebakeLight._in_window = True
    yield from when_idle(rebake)
    light_operators.RebakeLight._in_window = False
    while not bpy.app.is_job_running("OBJECT_BAKE"):
        yield


def is_busy() -> bool:
    """True while Blender bakes or renders previews: then another bake or saving is impossible."""
    return bpy.app.is_job_running("OBJECT_BAKE") or bpy.app.is_job_running("RENDER_PREVIEW")


def test_rebaking():
    """Rebaking is a job of Blender: the window stays usable, and the result appears at the end. Esc changes nothing."""
    with bpy.context.temp_override(**within("VIEW_3D")):
        root = addon.import_map(str(ATRIUM))
    before, engine = counts(), bpy.context.scene.render.engine
    yield from start_rebaking(samples=256, factor=2)
    press("ESC")
    while bpy.context.scene.render.engine != engine or is_busy():
        yield
    for _ in range(5):
        yield
    assert not compare.has_new_light(root)
    assert {kind: number for kind, number in counts().items() if kind != "materials"} == \
        {kind: number for kind, number in before.items() if kind != "materials"}, "something is left"
    yield from start_rebaking(samples=1, factor=1)
    while not compare.has_new_light(root) or is_busy():
        yield
    for _ in range(5):
        yield
    assert compare.shows_new_light(root) and bpy.context.scene.render.engine == engine
    assert "luxels:" in bpy.data.texts["Light report"].as_string()


def edit(root: bpy.types.Collection) -> None:
    """Makes one change of each kind that can be written into a map, and one change that cannot be written."""
    objects = {made["bspscene_node"]: made for made in root.all_objects}
    objects["info_player_start:4"].location.x += 64 * METERS
    objects["func_door:1"]["speed"] = "250"
    objects["worldspawn"]["message"] = "Atrium, by night"
    objects["light:9"].data.color = (0.2, 0.4, 1.0)
    copy = objects["func_rotating:2"].copy()
    copy.location.y += 128 * METERS
    root.objects.link(copy)
    bpy.data.objects.remove(objects["info_player_deathmatch:5"])
    objects["sun:0"].location.x += 1
    root.objects.link(bpy.data.objects.new("my mark", None))


def test_write_into_map():
    """A dialog shows the list of changes, then asks for the file name; Esc writes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        with bpy.context.temp_override(**within("VIEW_3D")):
            area("VIEW_3D").spaces.active.shading.type = "SOLID"
            root = addon.import_map(str(ATRIUM))
            edit(root)
        for key in ("ESC", "RET"):
            with bpy.context.temp_override(**within("VIEW_3D")):
                bpy.ops.object.bspscene_changes("INVOKE_DEFAULT")
            yield from waited(15)
            picture("changes")
            press(key)
            yield from waited(10)
        assert bpy.data.texts["Change report"].as_string().count("entities: 4 changed, 1 added, 1 removed") == 2
        while not any(a.type == "FILE_BROWSER" for a in window().screen.areas):
            yield
        yield from waited(15)
        assert area("FILE_BROWSER").spaces.active.params.filename == "atrium_new.bsp"
        yield from choose(Path(folder) / "atrium_new.bsp")
        while not os.listdir(folder):
            yield
        assert b"Atrium, by night" in (Path(folder) / "atrium_new.bsp").read_bytes()
    assert not ATRIUM.with_name("atrium_new.bsp").exists()
    bpy.data.batch_remove([*root.all_objects, *root.children_recursive, root])
    yield from waited(5)


def drawn(ticks: int = 60):
    """Yields while shaders compile, and then for `ticks` more ticks, while the viewport collects samples. Forces a
    redraw at each tick."""
    while ticks:
        area("VIEW_3D").tag_redraw()
        yield
        ticks -= not is_running("SHADER_COMPILATION")


def waited(ticks: int):
    """Yields without forcing a redraw, because that would restart Cycles."""
    for _ in range(ticks):
        yield


def take_menu():
    """Opens the menu Object > Game map over the view, takes a picture and closes the menu."""
    with bpy.context.temp_override(**within("VIEW_3D")):
        window().cursor_warp(330, 330)
        bpy.ops.wm.call_menu(name="OBJECT_MT_bspscene")
    yield from waited(2)    # time for the menu's tooltip to appear
    picture("menu")
    press("ESC")
    yield from waited(10)


def take_pictures():
    """Takes pictures of the dialog, the imported map, the menu, the map in the mode for relighting, and the map's light
    before and after a rebake. The environment variable SAMPLE names the map, so that no private path is shown."""
    sample = Path(os.environ.get("SAMPLE", ATRIUM))
    yield from dialog()
    area("FILE_BROWSER").spaces.active.params.directory = str(sample.parent).encode()
    yield from waited(20)
    picture("dialog")
    yield from choose(sample)
    while not maps():
        yield
    yield from drawn()
    picture("first_sight")
    yield from take_menu()
    root = bpy.data.collections[maps()[0]]
    shading, scene = area("VIEW_3D").spaces.active.shading, bpy.context.scene
    shading.type = "SOLID"          # cheap to draw in software while no picture is taken
    addon.switch_materials(root, "RELIGHT")
    scene.render.engine, scene.cycles.preview_samples = "CYCLES", 256
    shading.type = "RENDERED"
    yield from waited(2400)
    picture("relight")
    shading.type = "SOLID"
    addon.switch_materials(root, "GAME")
    print("\n".join(addon.rebake_light(root, factor=2).lines()), flush=True)
    shading.type = "MATERIAL"
    for name, is_new in (("rebaked", True), ("before", False)):
        addon.show_light(root, is_new)
        yield from drawn()
        picture(name)


TESTS = [test_write_into_map, take_pictures] if PICTURES else [
    test_import_and_undo, test_a_model_with_bones, test_a_click_on_a_face, test_escape, test_undo_in_a_second_window,
    test_loading_another_file, test_archive_asks_for_the_map, test_write_into_map,
    test_rebaking]    # last, because after a bake Blender may refuse to save


addon.register()
run(TESTS)
