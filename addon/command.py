"""The command line "blender --command bspscene MAP... --output FILE". It imports maps and saves them as a .blend
without opening a window (Blender 4.2 and later)."""
import argparse
import os
from collections.abc import Sequence

import bpy

from . import view
from .jobs import Job
from .options import OPTIONS, Option, complete

NAME = "bspscene"
_handle = None


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    name = "--" + option.name.replace("_", "-")
    unsaid = argparse.SUPPRESS
    if option.kind == "bool":
        parser.add_argument(name, action="store_true", default=unsaid, help=option.description)
        parser.add_argument("--no-" + name[2:], dest=option.name, action="store_false", default=unsaid, help=unsaid)
        return
    kinds = {"float": float, "int": int}
    choices = [item[0] for item in option.items] or None
    parser.add_argument(name, type=kinds.get(option.kind, str), default=unsaid, choices=choices,
                        help=option.description)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"blender --command {NAME}", description=__doc__)
    parser.add_argument("maps", nargs="+", metavar="MAP", help="maps, or archives with maps")
    parser.add_argument("--output", "-o", required=True, help="the .blend to write")
    parser.add_argument("--no-set-up-view", dest="set_up_view", action="store_false",
                        help="do not change the camera, world and view transform of the new file")
    for option in OPTIONS:
        _add(parser, option)
    return parser


def run(arguments: list[str]) -> int:
    """Returns the exit code. 0: everything was imported and saved. 1: something could not be imported or saved, and
    nothing was saved. 2: wrong arguments."""
    try:
        given = vars(_parser().parse_args(arguments))
    except SystemExit as stop:   # argparse ends the program after an error or --help, which Blender does not expect
        return int(stop.code or 0)
    paths, output = given.pop("maps"), os.path.abspath(given.pop("output"))
    sets_up_view = given.pop("set_up_view")
    try:
        values = complete({"sky_world": sets_up_view, **given})
        _check_output(output, paths)
    except ValueError as error:
        print(f"error: {error}")
        return 2
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    job = Job(paths, values, bpy.context, False, output, all_or_none=True)
    for _ in job.steps():
        pass
    if sets_up_view and job.roots:
        view.set_up(bpy.context, job.roots, job.cameras, values["shading"] != "RELIGHT")
    for path, report in job.done:
        for line in report.lines():
            print(f"{path}: {line}")
    for failure in job.failures:
        print(f"error: {failure}")
    return 1 if job.failures or not _save(output) else 0


def _check_output(output: str, paths: Sequence[str]) -> None:
    """Checks the path of the output before the work starts. Raises ValueError."""
    folder = os.path.dirname(output)
    if not output.lower().endswith(".blend"):
        raise ValueError(f"{output}: the name of the output must end in .blend")
    if not os.path.isdir(folder):
        raise ValueError(f"{output}: there is no folder {folder}")
    for path in paths:
        if os.path.exists(path) and os.path.exists(output) and os.path.samefile(path, output):
            raise ValueError(f"{output}: is the input; give the output another name")


def _save(output: str) -> bool:
    """Saves the .blend. Blender replaces the file when the new one is complete. It keeps no backup, because nobody
    edited the file here."""
    files = bpy.context.preferences.filepaths
    backups, files.save_version = files.save_version, 0
    try:
        bpy.ops.wm.save_as_mainfile(filepath=output, check_existing=False, relative_remap=False)
        return True
    except RuntimeError as error:
        print(f"error: {output}: {str(error).strip()}")
        return False
    finally:
        files.save_version = backups


def register() -> None:
    global _handle
    if hasattr(bpy.utils, "register_cli_command"):
        _handle = bpy.utils.register_cli_command(NAME, run)


def unregister() -> None:
    global _handle
    if _handle is not None:
        bpy.utils.unregister_cli_command(_handle)
        _handle = None
