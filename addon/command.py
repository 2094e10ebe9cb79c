"""blender --command bspscene MAP... --output FILE: maps to a .blend without a window (Blender 4.2 and later)."""
import argparse
from typing import List

import bpy

from . import importer
from .native.library import LibraryError, MapError
from .options import OPTIONS, Option

NAME = "bspscene"
_handle = None


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    name = "--" + option.name.replace("_", "-")
    if option.kind == "bool":
        parser.add_argument(name, action="store_true", default=option.default, help=option.description)
        parser.add_argument("--no-" + name[2:], dest=option.name, action="store_false", help=argparse.SUPPRESS)
        return
    kinds = {"float": float, "int": int}
    choices = [item[0] for item in option.items] or None
    parser.add_argument(name, type=kinds.get(option.kind, str), default=option.default, choices=choices,
                        help=option.description)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"blender --command {NAME}", description=__doc__)
    parser.add_argument("maps", nargs="+", metavar="MAP", help="maps, or archives with maps")
    parser.add_argument("--output", "-o", required=True, help="the .blend to write")
    for option in OPTIONS:
        _add(parser, option)
    return parser


def run(arguments: List[str]) -> int:
    """Exit code 0: everything was imported and saved; 1: something was not; 2: wrong arguments."""
    try:
        given = vars(_parser().parse_args(arguments))
    except SystemExit as stop:   # argparse leaves by itself; Blender does not expect that
        return int(stop.code or 0)
    maps, output = given.pop("maps"), given.pop("output")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    # Where the .blend is decides where lightmap pages go.
    bpy.ops.wm.save_as_mainfile(filepath=output, check_existing=False)
    failed = 0
    for path in maps:
        report = importer.Report()
        try:
            importer.import_map(path, report, **given)
        except (MapError, LibraryError, ValueError) as error:
            print(f"error: {error}")
            failed = 1
            continue
        for line in report.lines():
            print(f"{path}: {line}")
    bpy.ops.wm.save_as_mainfile(filepath=output, check_existing=False)
    return failed


def register() -> None:
    global _handle
    if hasattr(bpy.utils, "register_cli_command"):
        _handle = bpy.utils.register_cli_command(NAME, run)


def unregister() -> None:
    global _handle
    if _handle is not None:
        bpy.utils.unregister_cli_command(_handle)
        _handle = None
