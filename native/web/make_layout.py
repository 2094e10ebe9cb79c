#!/usr/bin/env python3
"""Describes the library's structs and constants for JavaScript and TypeScript. They come from python/bspscene/abi.py,
which is made from the headers. Structs are laid out as clang does for wasm32.

    native/web/make_layout.py FOLDER    writes FOLDER/layout.mjs and FOLDER/records.d.ts
"""
import ctypes
import importlib
import json
import re
import sys
import types
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
# For each C type: its name in the layout, and its size in bytes.
SCALARS: dict[Any, tuple[str, int]] = {
    ctypes.c_bool: ("bool", 1), ctypes.c_char: ("char", 1), ctypes.c_uint8: ("u8", 1), ctypes.c_int32: ("i32", 4),
    ctypes.c_uint32: ("u32", 4), ctypes.c_uint64: ("u64", 8), ctypes.c_float: ("f32", 4), ctypes.c_double: ("f64", 8),
}
POINTERS: dict[Any, str] = {ctypes.c_char_p: "text", ctypes.c_void_p: "pointer"}
ARRAYS = {"f32": "Float32Array", "u32": "Uint32Array", "i32": "Int32Array", "u8": "Uint8Array"}
SEEN = {"bool": "boolean", "text": "string | null", "chars": "string"}

def load_abi() -> Any:
    """Loads abi.py without its package, because the package needs numpy."""
    package = types.ModuleType("native")
    package.__path__ = [str(ROOT / "python/bspscene")]
    sys.modules["native"] = package
    return importlib.import_module("native.abi")


class Layout:
    """The structs by their names. A struct has its size, and for each field [name, offset, kind, ...]."""

    def __init__(self, abi: Any) -> None:
        self.structs: dict[str, dict[str, Any]] = {}
        self.sizes: dict[str, tuple[int, int]] = {}
        for name, value in vars(abi).items():
            if isinstance(value, type) and issubclass(value, abi.Record) and value is not abi.Record:
                self.add(name, value)

    def add(self, name: str, struct: Any) -> None:
        fields, offset, widest = [], 0, 1
        for field, kind, *_ in struct._fields_:
            described, size, alignment = self.describe(name, field, kind)
            offset = (offset + alignment - 1) // alignment * alignment
            fields.append([field, offset, *described])
            offset += size
            widest = max(widest, alignment)
        size = (offset + widest - 1) // widest * widest
        self.structs[name] = {"size": size, "fields": fields}
        self.sizes[name] = size, widest

    def describe(self, struct: str, field: str, kind: Any) -> tuple[list[Any], int, int]:
        """Returns the words that describe the type of a field, its size and its alignment in bytes."""
        if (struct, field) in SIZE_FIELDS:
            return ["u32"], 4, 4
        if kind in SCALARS:
            word, size = SCALARS[kind]
            return [word], size, size
        if kind in POINTERS:
            return [POINTERS[kind]], 4, 4
        if issubclass(kind, ctypes.Structure):
            return ["struct", kind.__name__], *self.sizes[kind.__name__]
        if issubclass(kind, ctypes.Array):
            words, size, alignment = self.describe(struct, field, kind._type_)
            if words == ["char"]:
                return ["chars", kind._length_], kind._length_, 1
            return ["several", kind._length_, size, *words], size * kind._length_, alignment
        if not hasattr(kind, "_type_") or not isinstance(kind._type_, type):
            return ["function"], 4, 4
        return ["to", *self.pointed(kind._type_)], 4, 4

    def pointed(self, kind: Any) -> list[Any]:
        if kind in SCALARS:
            return ["numbers", SCALARS[kind][0]]
        if kind is ctypes.c_char_p:
            return ["texts"]
        if issubclass(kind, ctypes.Structure):
            return ["struct", kind.__name__]
        return ["pointers", kind._type_.__name__]


def size_fields() -> set[tuple[str, str]]:
    """Returns the fields that the headers declare as size_t. In ctypes they have the type that size_t is on this
    machine."""
    found = set()
    for header in (ROOT / "native/include/bspscene").glob("*.h"):
        for body, name in re.findall(r"typedef struct \w+ \{(.*?)\n\} bspscene_(\w+);", header.read_text(), re.S):
            python = "".join(word.capitalize() for word in name.split("_"))
            found |= {(python, field) for field in re.findall(r"\bsize_t (\w+)(?=;)", body)}
    return found


SIZE_FIELDS = size_fields()


def seen(words: list[Any], counted: bool) -> str:
    """Returns the type of a field in TypeScript. `counted`: a pointer to structs is an array, not one struct."""
    match words:
        case ["several", _, _, *each]:
            return f"{seen(each, counted)}[]"
        case ["struct", name]:
            return str(name)
        case ["to", "numbers", number]:
            return f"{ARRAYS[number]} | null"
        case ["to", "texts"]:
            return "string[]"
        case ["to", "pointers", name]:
            return f"{name}[]"
        case ["to", "struct", name]:
            return f"{name}[]" if counted else f"{name} | null"
        case ["pointer"]:
            return "Uint8Array | Uint16Array | null"
        case [word, *_]:
            return SEEN.get(word, "number")
    raise AssertionError(words)


def declarations(layout: Layout, lists: set[tuple[str, str]]) -> str:
    """Returns TypeScript interfaces for the records that can be reached from a scene."""
    lines = ["/** Records of a scene, made from the library's headers, which say what each field means. */"]
    todo, done = ["Scene"], set()
    while todo:
        name = todo.pop()
        if name in done:
            continue
        done.add(name)
        lines.append(f"export interface {'SceneData' if name == 'Scene' else name} {{")
        for field, _, *words in layout.structs[name]["fields"]:
            lines.append(f"\t{field}: {seen(words, (name, field) in lists)};")
            todo += [word for word in words if isinstance(word, str) and word in layout.structs]
        lines.append("}")
    return "\n".join(lines) + "\n"


# Structs of options that JavaScript sets by the names of their fields. Fields with callbacks or pointers are left out.
OPTIONS = ["LoadOptions", "BakeOptions", "WriteOptions"]
HIDDEN = {"function", "struct", "pointer"}


def option_types(layout: Layout) -> str:
    lines = []
    spelled = (ROOT / "native/web/memory.mjs").read_text()
    words_of = set(re.findall(r"(\w+): '[A-Z_]+_'", spelled)) | {"sky"}
    for name in OPTIONS:
        lines.append(f"export interface {name} {{")
        for field, _, *words in layout.structs[name]["fields"]:
            if field == "struct_size" or words[0] in HIDDEN or words[0] == "to" and words[1] != "numbers":
                continue
            kind = {"bool": "boolean", "text": "string", "to": "ArrayLike<number>"}.get(words[0], "number")
            if field in words_of:
                kind += " | string | string[]" if field == "include_mask" else " | string"
            lines.append(f"\t{field}?: {kind};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    abi = load_abi()
    layout = Layout(abi)
    constants = {name: value for name, value in vars(abi).items() if name.isupper() and isinstance(value, int)}
    rules = (ROOT / "native/web/counts.mjs").read_text()
    lists = set()
    for name, body in re.findall(r"^\t(\w+): \{(.*?)^\t\},", rules, re.S | re.M):
        lists |= {(name, field) for field in re.findall(r"^\t\t(\w+):", body, re.M)}
    for name, struct in layout.structs.items():
        names = {field[0] for field in struct["fields"]}
        lists |= {(name, field) for field in names if singular(field) + "_count" in names}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "layout.mjs").write_text(
        f"export const structs = {json.dumps(layout.structs, separators=(',', ':'))};\n"
        f"export const constants = {json.dumps(constants, separators=(',', ':'))};\n")
    (folder / "records.d.ts").write_text(declarations(layout, lists) + option_types(layout))


def singular(name: str) -> str:
    return {"meshes": "mesh", "entities": "entity", "material_passes": "material_pass"}.get(name, name[:-1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
