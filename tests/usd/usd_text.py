"""A strict parser of the USD text that bspscene writes: it accepts only its small grammar.

    read(text) -> Prim the pseudo-root; raises Broken
"""
from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any
from collections.abc import Iterator

TOKEN = re.compile(r'\s*(?:("(?:[^"\\\n]|\\.)*")|(@@@[^\n]*?@@@|@[^@\n]*@)|(<[^>\n]*>)'
                   r'|(-?\d+\.?\d*(?:e[-+]?\d+)?)|([A-Za-z_][\w:.]*(?:\[\])?)|([(){}\[\],=]))', re.ASCII)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
WORDS_BEFORE = {"prepend", "uniform", "custom"}


class Broken(Exception):
    """An error in the text, with the reason."""


@dataclass
class Prim:
    kind: str
    type: str
    name: str
    path: str
    metadata: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    interpolation: dict[str, str] = field(default_factory=dict)
    children: list[Prim] = field(default_factory=list)

    def all(self) -> Iterator[Prim]:
        stack = [self]
        while stack:
            prim = stack.pop()
            yield prim
            stack += reversed(prim.children)

    def child(self, name: str) -> Prim | None:
        return next((prim for prim in self.children if prim.name == name), None)


class Reader:
    def __init__(self, text: str):
        if not text.startswith("#usda 1.0\n"):
            raise Broken("no #usda 1.0")
        self.text, self.at = text, len("#usda 1.0\n")
        self.kind, self.word = "", ""
        self.step()

    def step(self) -> None:
        match = TOKEN.match(self.text, self.at)
        if match:
            self.at, self.kind, self.word = match.end(), str(match.lastindex), match.group(match.lastindex or 0)
        elif self.text[self.at:].strip():
            raise Broken(f"near {self.text[self.at:self.at + 60]!r}")
        else:
            self.kind, self.word = "", ""

    def take(self, word: str = "") -> str:
        found = self.word
        if word and found != word:
            raise Broken(f"{found!r} instead of {word!r} near {self.text[max(0, self.at - 80):self.at]!r}")
        self.step()
        return found

    def string(self) -> str:
        if self.kind != "1":
            raise Broken(f"{self.word!r} is no string")
        return ast.literal_eval(self.take())

    def value(self) -> Any:
        if self.word in ("(", "["):
            end = ")" if self.take() == "(" else "]"
            items = []
            while self.word != end:
                items.append(self.value())
                if self.word != end:
                    self.take(",")
            self.take(end)
            return tuple(items) if end == ")" else items
        if self.kind == "1":
            return self.string()
        if self.kind in ("2", "3"):
            return self.take()
        if self.kind == "4":
            return float(self.take())
        if self.word in ("true", "false"):
            return self.take() == "true"
        raise Broken(f"{self.word!r} is no value")

    def dictionary(self) -> dict[str, Any]:
        found = {}
        self.take("{")
        while self.word != "}":
            kind = self.take()
            key = self.string() if self.kind == "1" else self.take()
            self.take("=")
            if key in found:
                raise Broken(f"{key!r} twice in a dictionary")
            found[key] = self.dictionary() if kind == "dictionary" else self.value()
        self.take("}")
        return found

    def metadata(self) -> dict[str, Any]:
        found = {}
        self.take("(")
        while self.word != ")":
            if self.word in WORDS_BEFORE:
                self.take()
            key = self.take()
            self.take("=")
            found[key] = self.dictionary() if self.word == "{" else self.value()
        self.take(")")
        return found

    def attribute(self, prim: Prim) -> None:
        while self.word in WORDS_BEFORE:
            self.take()
        kind, name = self.take(), self.take()
        if name in prim.values:
            raise Broken(f"{prim.path}: {name} twice")
        prim.types[name], prim.values[name] = kind, None
        if self.word == "=":
            self.take()
            prim.values[name] = self.value()
        if self.word == "(":
            prim.interpolation[name] = self.metadata().get("interpolation", "")

    def head(self, path: str) -> Prim:
        kind = self.take()
        prim_type = "" if self.kind == "1" else self.take()
        name = self.string()
        if not NAME.match(name):
            raise Broken(f"{name!r} is no identifier")
        prim = Prim(kind, prim_type, name, f"{path}/{name}")
        if self.word == "(":
            prim.metadata = self.metadata()
        self.take("{")
        return prim

    def document(self) -> Prim:
        root = Prim("", "", "", "", self.metadata())
        stack = [root]
        while self.word:
            if self.word in ("def", "class"):
                prim = self.head(stack[-1].path)
                if stack[-1].child(prim.name):
                    raise Broken(f"{prim.path} is there twice")
                stack[-1].children.append(prim)
                stack.append(prim)
            elif self.word == "}":
                self.take()
                stack.pop()
            else:
                self.attribute(stack[-1])
        if len(stack) != 1:
            raise Broken(f"{stack[-1].path} is not closed")
        return root


def read(text: str) -> Prim:
    return Reader(text).document()
