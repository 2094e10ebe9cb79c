"""Reads suns (q3map_sun) from the shader scripts in the game's archives. Tests compare them with the library's lights
that have no entity."""
from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from count_lumps import split_lumps, tokens_of

Sun = tuple[float, ...]   # the numbers after q3map_sun: red, green, blue, intensity, degrees, elevation
NUMBERS = 6


def read_scripts(game: Path) -> list[str]:
    """Returns the scripts in the engine's order, which is the reverse order of their names. If several archives have a
    script of the same path, the one in the last archive is used."""
    scripts: dict[str, str] = {}
    for pk3 in sorted(game.glob("*.pk3"), key=lambda path: path.name.lower()):
        with zipfile.ZipFile(pk3) as archive:
            for entry in archive.namelist():
                folded = entry.lower()
                if folded.startswith("scripts/") and folded.endswith(".shader"):
                    scripts[folded] = archive.read(entry).decode("latin-1")
    return [scripts[name] for name in sorted(scripts, reverse=True)]


def suns_of_script(text: str) -> dict[str, Sun | None]:
    """Returns the sun of each shader. The first definition in the text counts."""
    suns: dict[str, Sun | None] = {}
    words = [word for _, word in tokens_of(text)]
    depth, name = 0, ""
    for at, word in enumerate(words):
        if word == "{":
            depth += 1
            if depth == 1:
                name = words[at - 1].lower() if at else ""
                is_first = name not in suns
                suns.setdefault(name, None)
        elif word == "}":
            depth -= 1
        elif depth == 1 and is_first and word.lower() in ("q3map_sun", "q3map_sunext"):
            suns[name] = tuple(float(number) for number in words[at + 1:at + 1 + NUMBERS])
    return suns


def read_suns(game: Path) -> dict[str, Sun]:
    """Returns the suns by the names of their shaders."""
    found: dict[str, Sun | None] = {}
    for text in read_scripts(game):
        for name, sun in suns_of_script(text).items():
            found.setdefault(name, sun)
    return {name: sun for name, sun in found.items() if sun}


def count_suns(data: bytes, suns: dict[str, Sun]) -> int:
    """Counts the different suns of the shaders that a map's surfaces use."""
    lumps = split_lumps(data)
    used = {struct.unpack_from("<i", lumps["surfaces"], at)[0] for at in range(0, len(lumps["surfaces"]), 104)}
    names = {lumps["shaders"][72 * number:72 * number + 64].split(b"\0")[0].decode("latin-1").lower()
             for number in used}
    return len({suns[name] for name in names if name in suns})
