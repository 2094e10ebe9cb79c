#!/usr/bin/env python3
"""Makes a store like those of `process`, but without loading maps. Its texts look like markup, script, SQL or file
names. As a program, it makes a store of any number of maps, to measure how long `bspscene gallery` takes for it.

    made_store.py FOLDER COUNT
"""
import hashlib
import json
import random
import sys
from pathlib import Path

HOSTILE = [
    "<img src=x onerror=document.title='pwned'>", "</script><script>document.title='pwned'</script>",
    "\"><svg onload=document.title='pwned'>", "javascript:document.title='pwned'", "'); DROP TABLE maps; --",
    "${document.title='pwned'}", "\u2028\u2029\u202egnp.exe", "`\\\\`\\\"'", "&lt;b&gt; &amp;", "__proto__",
    "constructor", "../../../etc/passwd", "", "%00%2e%2e", "*/ document.title='pwned' /*", "a\nb\tc\u0001\u007f",
    "@SCRIPT@ @SUMMARY@", "\U0001f5fa map \u00e9\u0301",
]


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def result_of(number: int, text: str, geometry: str) -> dict:
    identity = digest("map", number)
    entry = {"id": identity, "name": text, "title": text, "family": "quake3", "variant": "quake3", "version": 46,
             "path": f"/maps/{text}", "members": [text, "maps/a.bsp"], "size": 1000 + number, "stored_size": 500,
             "geometry": geometry, "entities": digest("entities", number), "companions": [text],
             "modified": f"20{number % 100:02}-01-31"}
    return {"id": identity, "name": text, "status": "done", "version": "0", "steps": ["info"], "limits": {},
            "catalog": entry, "places": [{"name": text, "path": text, "members": [text]}], "warnings": 1}


def info_of(number: int, text: str, needs: list[tuple[str, bool]]) -> dict:
    counts = {"triangles": 100 * number, "faces": number, "entities": 3, "lights": 2, "textures_found": 1,
              "textures_missing": sum(not found for _, found in needs)}
    listed = [{"kind": "texture", "name": name, "found": found} |
              ({"path": f"{name}.tga", "archive": "pak0.pk3"} if found else {}) for name, found in needs]
    return {"meters_per_unit": 0.025, "counts": counts, "bounds": {"min": [0, 0, 0], "max": [100, 200, 300]},
            "lightmaps": {"pages": 1, "width": 512, "height": 512, "coverage": 0.5, "hdr": False}, "needs": listed,
            "warnings": [{"code": text, "count": 1, "lump": text, "message": text, "occurrences": []}]}


def entities_of(text: str, classes: list[str]) -> list[dict]:
    pairs = [["classname", "worldspawn"], ["message", text], ["author", text], [text, text]]
    return [{"classname": "worldspawn", "pairs": pairs}, *({"classname": name, "pairs": []} for name in classes)]


def put(store: Path, result: dict, **files) -> Path:
    folder = store / result["id"][:2] / result["id"]
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in {"result": result, **files}.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def make_hostile(store: Path) -> list[dict]:
    """Makes a map in the store for each hostile text. Two of the maps have the same geometry. Returns the results of
    the maps."""
    made = []
    for number, text in enumerate(HOSTILE):
        result = result_of(number, text, digest("geometry", max(number, 1)))
        needs = [(text, False), ("textures/wall", True), (text, False)]
        kept = {"name": text, "kind": "text", "size": len(text), "file": f"{number:016x}-1", "text": text}
        companions = {"title": text, "author": text, "date": text, "modes": [text], "files": [kept]}
        put(store, result, info=info_of(number, text, needs), entities=entities_of(text, [text, "light", "light"]),
            companions=companions, original=kept)
        made.append(result)
    return made


def make_many(store: Path, count: int) -> None:
    chance = random.Random(1)
    words = [f"{a}{b}" for a in ("dark", "old", "lost", "iron", "deep") for b in ("keep", "yard", "hall", "pit")]
    for number in range(count):
        name = f"{chance.choice(words)}{number % 977}"
        geometry = digest("geometry", chance.randrange(count * 4 // 5))
        needs = [(f"textures/set{chance.randrange(300)}/wall_{chance.randrange(40)}", chance.random() > 0.1)
                 for _ in range(50)]
        classes = [chance.choice(("light", "info_player_deathmatch", "func_door", f"item_{chance.randrange(60)}"))
                   for _ in range(60)]
        result = result_of(number, name, geometry)
        result["catalog"]["family"] = result["catalog"]["variant"] = chance.choice(("quake", "quake3", "source"))
        result["catalog"]["size"] = chance.randrange(100_000, 60_000_000)
        folder = put(store, result, info=info_of(number, name, needs), entities=entities_of(name, classes))
        (folder / "tile.png").touch()


if __name__ == "__main__":
    make_many(Path(sys.argv[1]), int(sys.argv[2]))
