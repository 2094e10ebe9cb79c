"""Code that tests with a window share: finding areas, using the import dialog, and running tests while Blender handles
the window's events. A test is a generator. A timer continues it at each tick."""
import os
import sys
import time
import traceback
from pathlib import Path

import bpy

PATIENCE = 3000      # number of ticks, each a tenth of a second, before a test fails
TICK = 0.1


def window() -> bpy.types.Window:
    return bpy.context.window_manager.windows[0]


def area(kind: str) -> bpy.types.Area:
    found = [a for w in bpy.context.window_manager.windows for a in w.screen.areas]
    assert kind in [a.type for a in found], f"no {kind} among {[a.type for a in found]}"
    return next(a for a in found if a.type == kind)


def within(kind: str) -> dict:
    """Returns the context of an area's main region."""
    found = area(kind)
    region = next(r for r in found.regions if r.type == "WINDOW")
    return {"window": window(), "area": found, "region": region}


def dialog(operator: str = "bspscene", **options):
    """Opens the dialog of File > Import > Game map or Game model, as the menu does. Yields until the dialog is open."""
    with bpy.context.temp_override(**within("VIEW_3D")):
        getattr(bpy.ops.import_scene, operator)("INVOKE_DEFAULT", **options)
    while not any(a.type == "FILE_BROWSER" for a in window().screen.areas):
        yield
    for _ in range(15):
        yield


def choose(path: Path):
    """Chooses a file in the dialog and presses the import button."""
    browser = area("FILE_BROWSER")
    browser.spaces.active.params.directory = str(path.parent).encode()
    browser.spaces.active.params.filename = path.name
    # Blender closes the dialog only under the mouse pointer.
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=600, y=400)
    for _ in range(10):
        yield
    with bpy.context.temp_override(**within("FILE_BROWSER")):
        bpy.ops.file.execute()


def when_idle(operator, **options):
    """Calls an operator as soon as Blender allows it. Blender refuses changes of data while Python draws or renders. A
    thread that bakes can leave that state set; it is reset when Blender next draws a header."""
    while True:
        try:
            return operator(**options)
        except RuntimeError as error:
            if "drawing/rendering" not in str(error):
                raise
        for shown in window().screen.areas:
            shown.tag_redraw()
        yield


def press(key: str) -> None:
    window().event_simulate(type=key, value="PRESS", x=600, y=400)
    window().event_simulate(type=key, value="RELEASE", x=600, y=400)


def maps() -> list:
    return [c.name for c in bpy.context.scene.collection.children if "map_file" in c]


def run(tests) -> None:
    """Runs the tests and ends Blender with 0, or with 1 and a traceback."""
    steps = _steps(tests)

    def tick():
        try:
            next(steps)
        except StopIteration:
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)
        return TICK

    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    bpy.context.preferences.view.show_splash = False
    bpy.context.preferences.system.viewport_aa = "OFF"   # each sample would repeat all work in software rendering
    bpy.app.timers.register(tick, first_interval=1.0, persistent=True)


def _steps(tests):
    for test in tests:
        began, worked = time.perf_counter(), time.process_time()
        running = test()
        for ticks, _ in enumerate(running):
            assert ticks < PATIENCE, f"{test.__name__} does not end: {_waiting(running)}"
            yield
        took, work = time.perf_counter() - began, time.process_time() - worked
        print(f"ok {test.__name__} in {took:.1f} s, {work:.1f} s of work", flush=True)


def _waiting(running) -> str:
    """Returns the lines at which a test waits, those of the outermost generator first, and the jobs that Blender
    runs."""
    lines = []
    while running is not None and running.gi_frame is not None:
        lines.append(f"{running.gi_code.co_name}:{running.gi_frame.f_lineno}")
        running = running.gi_yieldfrom
    jobs = [job for job in ("RENDER", "RENDER_PREVIEW", "OBJECT_BAKE", "SHADER_COMPILATION", "COMPOSITE")
            if is_running(job)]
    return f"waits at {' > '.join(lines)}, jobs {jobs}"


def is_running(job: str) -> bool:
    try:
        return bpy.app.is_job_running(job)
    except ValueError:    # older versions do not know all jobs
        return False
