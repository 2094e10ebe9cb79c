"""Converts keys of entities to custom properties and back, and finds changed, added and removed ones."""
import re
from collections.abc import Iterable
from typing import NamedTuple

import bpy
from bspscene.scene import Scene

KEY_LENGTH = 63   # largest length in bytes of a custom property's name
OWN = "bspscene_"   # prefix of the names of the add-on's own properties
NO_KEYS = ("cycles", "_RNA_UI")   # custom properties that Blender or its own add-ons set; they are not keys of entities
MODEL = "model"     # key with the file of a prop's model; the import adds it if the model is named only in the game's
                    # code


def property_name(key: str, owner: bpy.types.ID) -> str:
    """Returns the custom property's name for a key: truncated to Blender's limit, and different from Blender's own
    properties."""
    name = key.encode("utf-8")[:KEY_LENGTH - 1].decode("utf-8", "ignore") or "_"
    return name + "_" if name in owner.bl_rna.properties else name


def key_of(name: str, owner: bpy.types.ID) -> str:
    """Returns the key for a custom property of this name."""
    return name[:-1] if name.endswith("_") and name[:-1] in owner.bl_rna.properties else name


class Shown(NamedTuple):
    """A custom property that shows a pair of an entity's key and value; `pair` is the index of the pair."""
    name: str
    value: str
    pair: int


def shown_pairs(scene: Scene, entity: int, owner: bpy.types.ID) -> list[Shown]:
    """Returns the pairs of an entity as custom properties. The first property of a repeated key has the value that the
    game reads. Further ones have numbered names: "target 2"."""
    pairs = scene.keys(entity)
    places: dict[str, list[int]] = {}
    for number, (key, _) in enumerate(pairs):
        places.setdefault(key.lower(), []).append(number)
    shown, seen = [], set()
    for numbers in places.values():
        # If several pairs have one key, the game reads either the first or the last. If it reads the last, the first
        # and the last change places here.
        order = list(numbers)
        if not scene.data.first_key_wins:
            order[0], order[-1] = order[-1], order[0]
        for count, (place, number) in enumerate(zip(numbers, order), 1):
            key = pairs[place][0]
            name = property_name(key if count == 1 else f"{key} {count}", owner)
            if name not in seen:
                seen.add(name)
                shown.append((place, Shown(name, pairs[number][1], number)))
    return [one for _, one in sorted(shown)]


def value_text(value: object) -> str | None:
    """Returns the string of a key for a custom property's value: text, a number, or a list of numbers. Returns None for
    values of other types."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number_text(value, 6)
    if isinstance(value, Iterable) and not hasattr(value, "keys") and not isinstance(value, bpy.types.ID):
        parts = [value_text(part) for part in value]
        if parts and all(part is not None and " " not in part for part in parts):
            return " ".join(filter(None, parts))
    return None


def number_text(value: float, digits: int) -> str:
    """Formats a number without exponent, which not every game's parser reads, and without trailing zeros."""
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


class Changes(NamedTuple):
    """Differences between an object and its entity. `pairs` has the new value of each changed pair, by the pair's
    index, or None if it was removed. `added` has new keys and their values."""
    pairs: dict[int, str | None]
    added: list[tuple[str, str]]


def changes_of(scene: Scene, entity: int, owner: bpy.types.ID, model: str) -> Changes:
    """Returns the user's changes to keys. `model` is the path that the import stored as the custom property "model". It
    does not count as a change."""
    pairs: dict[int, str | None] = {}
    shown = shown_pairs(scene, entity, owner)
    for name, value, pair in shown:
        now = value_text(owner[name]) if name in owner else None
        is_as_imported = now == value or (name == MODEL and model and now == model)
        if not is_as_imported:
            pairs[pair] = now
    known = {name for name, _, _ in shown} | ({MODEL} if model and owner.get(MODEL) == model else set())
    further = own_pairs(owner, {name.lower() for name in known})
    return Changes(pairs, [(key, value) for name, key, value in further if name not in known])


def own_pairs(owner: bpy.types.ID, repeated: Iterable[str] = ()) -> list[tuple[str, str, str]]:
    """Returns the name, key and value of each custom property that can be a key. If `repeated` has the name "target",
    the property "target 2" is another value of the key "target"."""
    found = []
    for name in owner.keys():
        value = value_text(owner[name])
        if name.startswith(OWN) or name in NO_KEYS or value is None:
            continue
        number = re.fullmatch(r"(.+) (\d+)", name)
        is_repeated = number is not None and number[1].lower() in repeated
        found.append((name, number[1] if number and is_repeated else key_of(name, owner), value))
    return found
