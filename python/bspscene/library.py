"""Finds the native library next to this file or in the system, and loads, checks and unloads it. This module does not
use bpy."""
# SPDX-License-Identifier: MIT
import _ctypes
import ctypes
import os
import platform
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import abi

HERE = Path(__file__).resolve().parent
# The names that Blender gives to processors.
_PROCESSORS = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
# The version series, with which the file names of system-wide libraries end. A program runs with all later versions of
# its series, see bspscene.h.
_SERIES = str(abi.VERSION_MAJOR or f"{abi.VERSION_MAJOR}.{abi.VERSION_MINOR}")

_loaded: ctypes.CDLL | None = None
_users = 0
_lock = threading.RLock()   # protects the next two variables; reentrant, because the garbage collector may call
                            # count_user in a thread that holds it


class MapError(Exception):
    """A map could not be loaded, or its output could not be written. The message is one line for users.

    `status` is one of the constants abi.ERROR_...
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    @classmethod
    def of(cls, error: abi.Error, what: str = "") -> "MapError":
        """Returns an exception with the library's message. If `what` is given, the message begins with it."""
        return cls(f"{what}: {error.message}" if what else error.message, error.status)

    @property
    def canceled(self) -> bool:
        return self.status == abi.ERROR_CANCELED


class LibraryError(Exception):
    """The library is missing or does not fit this package. The message is written for users."""


def file_name(library: str) -> str:
    """Returns the name of the library's file on this system; `library` is "bspscene" or "bspscene_render"."""
    return {"win32": f"{library}.dll", "darwin": f"lib{library}.dylib"}.get(sys.platform, f"lib{library}.so")


def platform_name() -> str:
    """This system and processor as Blender's manifests name them: linux-x64, windows-x64, macos-arm64."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    return f"{system}-{_PROCESSORS.get(machine, machine)}"


def find(library: str, setting: str) -> str:
    """Returns the file of a library, or its name for the system's loader. Tries, in this order: the file named by the
    environment variable `setting` (for tests and developers); the file next to this module; the file in a folder for
    this platform next to this module, which packages for several platforms have ("macos" serves all Macs); the system's
    library.
    """
    named = os.environ.get(setting)
    if named:
        return named
    name = file_name(library)
    for file in (HERE / name, HERE / platform_name() / name, HERE / "macos" / name):
        if file.is_file():
            return str(file)
    return f"{name}.{_SERIES}" if sys.platform.startswith("linux") else str(HERE / name)


def path() -> str:
    """Returns the path of the library that `get` loads."""
    return find("bspscene", "BSPSCENE_LIBRARY")


def get() -> ctypes.CDLL:
    """Returns the library, loaded at the first call. Raises LibraryError."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _load(path())
        return _loaded


def count_user(change: int) -> None:
    """Adds `change` to the number of users of the library: scenes, lists of files and running calls."""
    global _users
    with _lock:
        _users += change


@contextmanager
def in_use() -> Iterator[ctypes.CDLL]:
    """Returns the library, which stays open until the end of the block. Raises LibraryError."""
    count_user(1)
    try:
        yield get()
    finally:
        count_user(-1)


def release() -> bool:
    """Closes the library file, so that an update can replace it. Returns False if it is still used."""
    global _loaded
    with _lock:
        if _users:
            return False
        if _loaded is None:
            return True
        handle = _loaded._handle
        _loaded = None
        # _ctypes has one of these two functions, depending on the system.
        close = getattr(_ctypes, "FreeLibrary", None) or _ctypes.dlclose
        close(handle)
        return True


def open_library(file: str, functions: Mapping[str, tuple[Any, list[Any]]]) -> ctypes.CDLL:
    """Loads a library and tells ctypes the types of its functions. Raises LibraryError."""
    # The system's loader searches for a name without a directory.
    if os.path.dirname(file) and not os.path.isfile(file):
        raise LibraryError(f"The native library is missing: {file}. Install bspscene for this operating system.")
    try:
        library = ctypes.CDLL(file)
    except OSError as error:
        raise LibraryError(f"The native library cannot be loaded: {error}. "
                           "Is bspscene installed for another system?") from error
    try:
        for name, (result, parameters) in functions.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, parameters
    except AttributeError as error:
        raise LibraryError(f"{file} is another version: {error}. {_REINSTALL}") from error
    return library


_REINSTALL = "Remove bspscene, restart the program that uses it, and install one version."


def _load(file: str) -> ctypes.CDLL:
    """Loads the library. It must be of the same version series as abi.py, and must have all functions that abi.py
    declares."""
    library = open_library(file, abi.FUNCTIONS)
    version = library.bspscene_version().decode()
    series = version.split(".")[:1 if abi.VERSION_MAJOR else 2]
    smaller = [kind.__name__ for number, kind in abi.STRUCTS.items()
               if library.bspscene_struct_size(number) < ctypes.sizeof(kind)]
    if smaller or ".".join(series) != _SERIES:
        reason = f"version {version} instead of {_SERIES}" + (f", too old for {', '.join(smaller)}" if smaller else "")
        raise LibraryError(f"{file} does not belong to this package: {reason}. {_REINSTALL}")
    return library
