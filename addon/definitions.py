"""Reads entity definitions of game editors, which say what classes and their keys mean: FGD (Worldcraft, Hammer), DEF
(QuakeEd, Radiant) and ENT (XML of Radiant). No bpy here."""
import re
import xml.etree.ElementTree as xml
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ENDINGS = (".fgd", ".def", ".ent")
FOLDERS = ("", "scripts", "maps", "bin")   # folders of a game that may have editors' definition files
LARGEST = 8 << 20                          # largest size in bytes of a file that is read


class Key(NamedTuple):
    kind: str                # "integer", "choices", "flags", ...; "" in DEF, which has none
    label: str
    text: str
    default: str
    choices: dict[str, str]  # possible values, and what each means


class Definition(NamedTuple):
    text: str
    keys: dict[str, Key]
    bases: tuple[str, ...]


Definitions = dict[str, Definition]

_ENT_KINDS = {"real": "float"}   # names of types in ENT, and their names in FGD
_TOKEN = re.compile(r'//[^\n]*|"(?P<text>[^"\n]*)"?|(?P<word>[-\w.$@!%&*/\\]+)|(?P<sign>[()\[\]=:,+])')
_QUAKED = re.compile(r"/\*QUAKED\s+(\S+)([^\n]*)\n(.*?)\*/", re.DOTALL)
_DEF_KEY = re.compile(r'^\s*"([^"\n]+)"\s*:?\s*(.*)$', re.MULTILINE)


def of_game(place: str) -> Definitions:
    """Reads all definition files in a game's directory. Empty if there is no directory."""
    files = [file for name in FOLDERS for file in sorted(Path(place, name).glob("*"))
             if file.suffix.lower() in ENDINGS] if place else []
    return _read(tuple((str(file), file.stat().st_mtime_ns) for file in files))


@lru_cache(maxsize=8)
def _read(files: tuple[tuple[str, int], ...]) -> Definitions:
    found: Definitions = {}
    for name, _ in files:
        try:
            content = Path(name).read_bytes()[:LARGEST].decode("utf-8", "replace")
        except OSError:
            continue
        found.update(_READERS[Path(name).suffix.lower()](content))
    return found


def read_def(content: str) -> Definitions:
    """Reads the comments that begin with QUAKED. Flags follow the sizes; a line that begins with a quoted name
    describes a key."""
    found: Definitions = {}
    for name, head, body in _QUAKED.findall(content):
        flags = re.sub(r"\([^)]*\)|\?", " ", head).split()
        keys = {key.lower(): Key("", key, text.strip(), "", {}) for key, text in _DEF_KEY.findall(body)}
        if flags:
            choices = {str(1 << number): flag for number, flag in enumerate(flags) if flag not in ("-", "x")}
            keys["spawnflags"] = Key("flags", "spawnflags", "", "0", choices)
        found[name.lower()] = Definition(_DEF_KEY.split(body)[0].strip(), keys, ())
    return found


def read_ent(content: str) -> Definitions:
    """Reads the elements <group> and <point>, which contain an element for each key, named after the key's type.
    Returns nothing for the entities of a map, which have the same file ending, and for XML with a DTD."""
    if not re.match(r"\s*<(\?xml|classes)", content) or "<!DOCTYPE" in content or "<!ENTITY" in content:
        return {}
    try:
        root = xml.fromstring(content.encode())
    except xml.ParseError:
        return {}
    lists = {kind.get("name", ""): {item.get("value", ""): item.get("name", "") for item in kind.iter("item")}
             for kind in root.iter("list")}
    found: Definitions = {}
    for made in root:
        if made.tag in ("group", "point") and made.get("name"):
            keys = dict(_ent_keys(made, lists))
            found[made.get("name", "").lower()] = Definition(_words(made.text), keys, ())
    return found


def _ent_keys(made: xml.Element, lists: dict[str, dict[str, str]]) -> Iterator[tuple[str, Key]]:
    flags = {}
    for part in made:
        name, label = part.get("key", ""), part.get("name", "")
        if part.tag == "flag" and part.get("bit", "").isdigit() and int(part.get("bit", "")) < 32:
            flags[str(1 << int(part.get("bit", "")))] = label or name
        elif name:
            kind = "choices" if part.tag in lists else _ENT_KINDS.get(part.tag, part.tag)
            yield name.lower(), Key(kind, label or name, _words(part.text), part.get("value", ""),
                                    lists.get(part.tag, {}))
    if flags:
        yield "spawnflags", Key("flags", "spawnflags", "", "0", flags)


def _words(text: str | None) -> str:
    return " ".join((text or "").split()).strip("- ")


def read_fgd(content: str) -> Definitions:
    """Reads FGD. Text that cannot be parsed is skipped up to the next class."""
    found: Definitions = {}
    for part in re.split(r"(?m)^\s*@", content)[1:]:
        tokens = list(_tokens(part))
        if tokens and tokens[0][1].lower().endswith("class"):
            _read_class(tokens, found)
    return found


def _tokens(part: str) -> Iterator[tuple[str, str]]:
    """Returns the tokens of a text as pairs of a kind ("text", "word" or "sign") and a value."""
    for match in _TOKEN.finditer(part):
        if match.lastgroup:
            yield match.lastgroup, match[match.lastgroup]


def _read_class(tokens: list[tuple[str, str]], found: Definitions) -> None:
    values = [value for _, value in tokens]
    if ("sign", "=") not in tokens:
        return
    start = tokens.index(("sign", "="))
    bases = [values[i + 1:j] for i in range(start) if values[i].lower() == "base" and ")" in values[i:]
             for j in [values.index(")", i)]]
    if start + 1 >= len(tokens):
        return
    opening = next((i for i in range(start, len(tokens)) if tokens[i] == ("sign", "[")), len(tokens))
    text = "".join(value for kind, value in tokens[start + 2:opening] if kind == "text")
    names = tuple(value.lower() for group in bases for value in group if value not in "(,")
    found[values[start + 1].lower()] = Definition(text, dict(_keys(tokens[opening + 1:])), names)


def _keys(tokens: list[tuple[str, str]]) -> Iterator[tuple[str, Key]]:
    """Parses keys: NAME(TYPE) [: "label" [: default [: "text"]]] [= [ value : "label" ... ]]."""
    at = 0
    while at + 3 < len(tokens):
        if tokens[at][0] != "word" or tokens[at + 1:at + 4:2] != [("sign", "("), ("sign", ")")]:
            at += 1
            continue
        name, kind = tokens[at][1].lower(), tokens[at + 2][1].lower()
        at, parts, choices = at + 4, [""], {}
        while at < len(tokens) and tokens[at][1] in (":", "+") or (at < len(tokens) and tokens[at][0] == "text"):
            if tokens[at] == ("sign", ":"):
                parts.append("")
                if at + 1 < len(tokens) and tokens[at + 1][0] == "word":
                    at += 1
                    parts[-1] = tokens[at][1]
            elif tokens[at][0] == "text":
                parts[-1] += tokens[at][1]
            at += 1
        if tokens[at:at + 2] == [("sign", "="), ("sign", "[")]:
            end = next((i for i in range(at, len(tokens)) if tokens[i] == ("sign", "]")), len(tokens))
            choices = dict(_choices(tokens[at + 2:end]))
            at = end + 1
        label, default, text = (parts[1:] + ["", "", ""])[:3]
        yield name, Key(kind, label or name, text, default, choices)


def _choices(tokens: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for number in range(len(tokens) - 2):
        if tokens[number + 1] == ("sign", ":") and tokens[number + 2][0] == "text" and \
                (number == 0 or tokens[number - 1] != ("sign", ":")):
            yield tokens[number][1], tokens[number + 2][1]


_READERS = {".fgd": read_fgd, ".def": read_def, ".ent": read_ent}


def keys_of(definitions: Definitions, classname: str) -> dict[str, Key]:
    """Returns the keys of a class, including those of its base classes."""
    found: dict[str, Key] = {}
    pending, seen = [classname.lower()], set()
    while pending:
        name = pending.pop()
        if name in seen or name not in definitions:
            continue
        seen.add(name)
        found = {**definitions[name].keys, **found}
        pending.extend(definitions[name].bases)
    return found


def wrong(key: Key, value: str) -> str:
    """Returns what is wrong with a value, or ""."""
    if key.kind in ("integer", "flags") and not re.fullmatch(r"\s*[-+]?\d+\s*", value):
        return "not a whole number"
    if key.kind == "float" and not re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", value):
        return "not a number"
    if key.kind == "boolean" and value not in ("0", "1", "yes", "no"):
        return "neither 0 nor 1"
    if key.kind == "choices" and key.choices and value not in key.choices:
        return "none of " + ", ".join(key.choices)
    if key.kind == "flags" and key.choices:
        known = sum(int(choice) for choice in key.choices if choice.isdigit())
        return "unknown flags" if int(value) & ~known else ""
    return ""


def unknown(definitions: Definitions, classname: str, keys: Iterable[str]) -> set[str]:
    """Returns those keys that the class does not define. Returns none if the class has no definition. Keys that every
    entity may have are never returned."""
    if classname.lower() not in definitions:
        return set()
    common = {"classname", "origin", "angle", "angles", "targetname", "target", "spawnflags", "model", "hammerid"}
    return {key for key in keys if key.lower() not in common and key.lower() not in keys_of(definitions, classname)}
