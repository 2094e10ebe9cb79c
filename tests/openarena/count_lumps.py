#!/usr/bin/env python3
"""Counts the contents of a Quake III map by parsing its lumps with struct, to check `bspscene info`.

count_lumps.py MAP.bsp... prints one JSON object per line.
"""
from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

LUMPS = ["entities", "shaders", "planes", "nodes", "leafs", "leaf_surfaces", "leaf_brushes", "models", "brushes",
         "brush_sides", "draw_vertices", "draw_indices", "fogs", "surfaces", "lightmaps", "light_grid", "visibility"]
RECORD_SIZES = {"shaders": 72, "planes": 16, "nodes": 36, "leafs": 48, "models": 40, "brushes": 12, "brush_sides": 8,
                "draw_vertices": 44, "fogs": 72, "surfaces": 104, "lightmaps": 128 * 128 * 3}
SURFACE_KINDS = {1: "polygons", 2: "patches", 3: "meshes", 4: "billboards", 5: "meshes"}


def split_lumps(data: bytes) -> dict[str, bytes]:
    magic, version = struct.unpack_from("<4si", data)
    if magic != b"IBSP" or version not in (46, 47):
        raise ValueError(f"not a Quake III map: {magic!r} {version}")
    lumps = {}
    for index, name in enumerate(LUMPS):
        offset, size = struct.unpack_from("<ii", data, 8 + 8 * index)
        lumps[name] = data[offset:offset + size] if size else b""
        if len(lumps[name]) != size:
            raise ValueError(f"{name} ends outside of the file")
    return lumps


def tokens_of(text: str) -> list[tuple[bool, str]]:
    """Returns (is quoted, text) of each token in the entity lump: braces, "strings", words. A // comment ends with its
    line."""
    tokens = []
    at = 0
    while at < len(text):
        char = text[at]
        if ord(char) <= 32:
            at += 1
        elif text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif char == '"':
            end = text.find('"', at + 1)
            end = len(text) if end < 0 else end
            tokens.append((True, text[at + 1:end]))
            at = end + 1
        elif char in "{}":
            tokens.append((False, char))
            at += 1
        else:
            end = at
            while end < len(text) and ord(text[end]) > 32 and text[end] not in '{}"':
                end += 1
            tokens.append((False, text[at:end]))
            at = end
    return tokens


def parse_entities(lump: bytes) -> list[list[tuple[str, str]]]:
    text = lump.split(b"\0")[0].decode("latin-1")
    entities: list[list[tuple[str, str]]] = []
    current: list[str] = []
    for quoted, token in tokens_of(text):
        if not quoted and token == "{":
            current = []
        elif not quoted and token == "}":
            entities.append(list(zip(current[::2], current[1::2])))
        else:
            current.append(token)
    return entities


def first_value(entity: list[tuple[str, str]], key: str) -> str:
    for name, value in entity:
        if name.strip().lower() == key:
            return value
    return ""


def count(data: bytes) -> dict:
    lumps = split_lumps(data)
    counts = {name: len(lumps[name]) // size for name, size in RECORD_SIZES.items()}
    entities = parse_entities(lumps["entities"])
    kinds = {"polygons": 0, "patches": 0, "meshes": 0, "billboards": 0}
    for index in range(counts["surfaces"]):
        kind = struct.unpack_from("<i", lumps["surfaces"], 104 * index + 8)[0]
        if kind in SURFACE_KINDS:
            kinds[SURFACE_KINDS[kind]] += 1
    brush_entities = 0
    for entity in entities:
        model = first_value(entity, "model")
        number = int(model[1:]) if model.startswith("*") and model[1:].isdigit() else 0
        brush_entities += 0 < number < counts["models"]
    clusters = struct.unpack_from("<i", lumps["visibility"])[0] if len(lumps["visibility"]) >= 8 else 0
    return {
        "version": struct.unpack_from("<i", data, 4)[0],
        "models": counts["models"],
        "faces": counts["surfaces"],
        **kinds,
        "vertex_records": counts["draw_vertices"],
        "map_lightmaps": counts["lightmaps"],
        "entities": len(entities),
        "brush_entities": brush_entities,
        "lights": sum(first_value(entity, "classname").lower().startswith("light") for entity in entities),
        "clusters": clusters,
    }


def main(paths: list[str]) -> int:
    for path in paths:
        print(json.dumps({"file": Path(path).name, **count(Path(path).read_bytes())}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
