"""The native library: found beside this file, loaded, checked and let go again. No bpy here."""
import _ctypes
import ctypes
import os
import sys
from pathlib import Path

from . import abi

NAMES = {"win32": "bspscene.dll", "darwin": "libbspscene.dylib"}

_loaded: ctypes.CDLL | None = None
_users = 0


class MapError(Exception):
    """A map that could not be loaded; the message is one line for users."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    @property
    def cancelled(self) -> bool:
        return self.status == abi.ERROR_CANCELLED


class LibraryError(Exception):
    """The library is not there or is not the one this add-on was made for; the message is for users."""


def path() -> Path:
    """Where the library is looked for: BSPSCENE_LIBRARY, which tests and developers set, or beside this file."""
    named = os.environ.get("BSPSCENE_LIBRARY")
    return Path(named) if named else Path(__file__).resolve().parent / NAMES.get(sys.platform, "libbspscene.so")


def get() -> ctypes.CDLL:
    """The library, loaded at the first call. Raises LibraryError."""
    global _loaded
    if _loaded is None:
        _loaded = _load(path())
    return _loaded


def count_user(change: int) -> None:
    """Counts what still needs the library: scenes and lists of files."""
    global _users
    _users += change


def release() -> bool:
    """Closes the library file so that an update can replace it. False, and nothing done, while somebody needs it."""
    global _loaded
    if _users:
        return False
    if _loaded is None:
        return True
    handle = _loaded._handle
    _loaded = None
    if sys.platform == "win32":
        _ctypes.FreeLibrary(handle)
    else:
        _ctypes.dlclose(handle)
    return True


def _load(file: Path) -> ctypes.CDLL:
    if not file.is_file():
        raise LibraryError(f"The native library is missing: {file}. "
                           "Install the add-on's zip for this operating system.")
    try:
        library = ctypes.CDLL(str(file))
    except OSError as error:
        raise LibraryError(f"The native library cannot be loaded: {error}. Is the zip for another system?") from error
    try:
        for name, (result, parameters) in abi.FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, parameters
    except AttributeError as error:
        raise LibraryError(f"{file} is another version: {error}. {_REINSTALL}") from error
    _check(library, file)
    return library


_REINSTALL = "Remove the add-on, restart Blender and install one zip."


def _check(library: ctypes.CDLL, file: Path) -> None:
    """The layout of every struct must be the one that abi.py describes."""
    version = library.bspscene_version().decode()
    wanted = f"{abi.VERSION_MAJOR}.{abi.VERSION_MINOR}.{abi.VERSION_PATCH}"
    other = [kind.__name__ for number, kind in abi.STRUCTS.items()
             if library.bspscene_struct_size(number) != ctypes.sizeof(kind)]
    if other or version.split(".")[:2] != wanted.split(".")[:2]:
        reason = f"version {version} instead of {wanted}" + (f", other layout of {', '.join(other)}" if other else "")
        raise LibraryError(f"{file} does not belong to this add-on: {reason}. {_REINSTALL}")
