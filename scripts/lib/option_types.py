"""Makes python/bspscene/option_types.py from the structs of options in the headers: a TypedDict for each struct, with
the headers' comments as documentation that editors show, and the words that stand for constants. Used by
scripts/make-abi."""
import os.path
import re
import textwrap
from typing import NamedTuple

# For each struct of options: the header that documents it, and the functions that take its fields as keywords.
STRUCTS = {"bspscene_load_options": ("load.h", "load"), "bspscene_bake_options": ("bake.h", "bake"),
           "bspscene_write_options": ("writer.h", "write, convert, write_atlas and bake_textures"),
           "bspscene_relight_options": ("relight.h", "relight"),
           "bspscene_render_options": ("render.h", "Renderer")}
# Fields that are no keyword options: the package sets them itself, has parameters for them, or does not offer them.
LEFT_OUT = {"struct_size", "name", "file_name", "allocation_limit"}
SCALARS = {"bool": "bool", "float": "float", "uint32_t": "int", "uint64_t": "int"}
HEAD = '''"""Keyword options by type, for editors and type checkers, and the words that stand for constants: made from
the headers by scripts/make-abi. A parameter `**options: Unpack[LoadOptions]` takes any of the fields of LoadOptions."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypedDict
'''


class Word(NamedTuple):
    text: str
    value: int
    says: str


def plain(comment: str | None) -> str:
    """Returns the sentences of a comment, with the names that values have in Python."""
    text = re.sub(r"\s*\n\s*\*?\s*", " ", comment or "").strip()
    text = re.sub(r"\bNULL\b", "None", text).replace("\\", "\\\\")
    return text.replace("BSPSCENE_ERROR_", "MapError with ERROR_")


def parsed(pattern: str, text: str) -> re.Match[str]:
    """Matches a pattern in a declaration. If it does not match, the error shows the declaration."""
    found = re.search(pattern, text, re.S)
    if not found:
        raise ValueError(f"not understood: {pattern} in {text[:80]!r}")
    return found


def words_of(text: str, enum: str) -> list[Word]:
    """Returns the constants of an enum without their common prefix, in lower case."""
    body = re.sub(r"/\*\*(?!<).*?\*/", "", parsed(rf"typedef enum {enum} \{{(.*?)\}} {enum};", text)[1], flags=re.S)
    rows, value = [], -1
    for key, given, comment in re.findall(r"BSPSCENE_(\w+)\s*(?:=\s*([^,\s]+))?\s*,?\s*(?:/\*\*<(.*?)\*/)?", body,
                                          re.S):
        value = int(given, 0) if given else value + 1
        if not key.endswith("FORCE_32BIT"):
            rows.append((key, value, plain(comment)))
    prefix = os.path.commonprefix([key for key, _, _ in rows]).rpartition("_")[0]
    return [Word(key[len(prefix) + 1:].lower(), value, says) for key, value, says in rows]


class Field(NamedTuple):
    name: str
    annotation: str
    says: str
    words: list[Word]


class Options:
    """The types of one struct's fields, and of the structs and words in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: list[str] = []
        self.words: dict[str, dict[str, list[Word]]] = {}
        self.known: dict[str, str] = {}   # Python type of each struct and enum, by its C name

    def alias(self, enum: str) -> tuple[str, list[Word]]:
        """Returns the name of the Literal type with the words of an enum. The type is defined when it is first used."""
        words = words_of(self.text, enum)
        if enum not in self.known:
            self.known[enum] = python_name(enum) + "Word"
            values = ", ".join(f'"{word.text}"' for word in words)
            self.lines += ["", *textwrap.wrap(f"{self.known[enum]} = Literal[{values}]", 119,
                                              subsequent_indent=" " * (len(self.known[enum]) + 11))]
        return self.known[enum], words

    def field(self, words: str, pointer: bool, name: str, size: str, says: str) -> Field | None:
        """Returns the keyword for a field of a struct. `words` is the C type of the field, and `says` is its comment.
        Returns None for callbacks, pointers other than strings, and LEFT_OUT, because no keyword sets them."""
        if name in LEFT_OUT:
            return None
        if pointer:
            return Field(name, "str | None", says, []) if words == "const char" else None
        if words in SCALARS:
            bits = re.search(r"(bspscene_\w+) bits", says)
            if bits:
                alias, choices = self.alias(bits[1])
                return Field(name, f"{alias} | Iterable[{alias}] | int", says, choices)
            kind = SCALARS[words]
            return Field(name, f"tuple[{', '.join([kind] * int(size))}]" if size else kind, says, [])
        if re.search(rf"typedef enum {words} ", self.text):
            alias, choices = self.alias(words)
            return Field(name, f"{alias} | int", says, choices)
        return Field(name, self.struct(words), says, [])

    def fields(self, struct: str) -> list[Field]:
        body = parsed(rf"typedef struct {struct} \{{(.*?)\n\}} {struct};", self.text)
        found = []
        for above, declaration, beside in re.findall(
                r"(?:/\*\*(?!<)(.*?)\*/\s*)?([^;/]+);(?:\s*/\*\*<(.*?)\*/)?",
                re.sub(r"/\*(?!\*).*?\*/", "", body[1], flags=re.S), re.S):
            words, stars, rest = parsed(r"^\s*((?:const )?\w+)\s*(\**)(.*)$", declaration).groups()
            for declarator in rest.split(","):
                name, size = parsed(r"^\s*(\w+)(?:\[(\w+)\])?\s*$", declarator).groups()
                one = self.field(words, bool(stars), name, size or "", plain(above or beside))
                found += [one] if one else []
        return found

    def struct(self, struct: str, head: str = "") -> str:
        """Adds a TypedDict for the struct, after those of the structs in its fields. Returns its name."""
        name = python_name(struct)
        if struct in self.known:
            return self.known[struct]
        self.known[struct] = name
        fields = self.fields(struct)
        self.words[name] = {field.name: field.words for field in fields if field.words}
        self.lines += ["", "", f"class {name}(TypedDict, total=False):",
                       *paragraph(head or f"Fields of {struct}.")]
        for field in fields:
            self.lines += ["", f"    {field.name}: {field.annotation}", *paragraph(field.says, field.words)]
        return name


def python_name(name: str) -> str:
    return "".join(word.capitalize() for word in name[len("bspscene_"):].split("_"))


def paragraph(text: str, words: list[Word] | None = None) -> list[str]:
    """Returns the lines of a docstring with this text. With `words`, a list of these words follows."""
    said = [word for word in words or [] if word.says]
    lines = textwrap.wrap('"""' + text, 119, initial_indent="    ", subsequent_indent="    ")
    if said:
        lines.append("")
        for word in said:
            lines += textwrap.wrap(f'- "{word.text}": {word.says}', 119, initial_indent="    ",
                                   subsequent_indent="      ")
        return [*lines, '    """']
    return [*lines[:-1], lines[-1] + '"""'] if len(lines[-1]) < 117 else [*lines, '    """']


def make(headers: str) -> str:
    """Returns the text of option_types.py."""
    options = Options(headers)
    for struct, (header, users) in STRUCTS.items():
        options.struct(struct, f"Keywords of {users}: fields of {struct} ({header}).")
    rows = ["", "", "# The words of each struct's fields, and their constants.",
            "WORDS: dict[str, dict[str, dict[str, int]]] = {"]
    for name, fields in options.words.items():
        if fields:
            rows.append(f'    "{name}": {{')
            for field, words in fields.items():
                # A no-break space keeps a word and its value on one line.
                table = ", ".join(f'"{word.text}":\xa0{word.value}' for word in words)
                rows += [line.replace("\xa0", " ") for line in textwrap.wrap(
                    f'"{field}":\xa0{{{table}}},', 119, initial_indent=" " * 8, subsequent_indent=" " * 12)]
            rows.append("    },")
    return "\n".join([HEAD, *options.lines, *rows, "}", ""])
