"""Finds points in a C file where a change compiles but has another meaning.

It reads only bodies of functions, and relies on the project's formatting: the braces of a body are alone in the first
column, and an operator with spaces on both sides is binary. Assertions are left out, because released programs do not
contain them."""
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass


SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=",
}
WORDS = {"true": "false", "false": "true"}

TOKEN = re.compile(r"""
    (?P<blank>   \s+ )
  | (?P<comment> /\*.*?\*/ | //[^\n]* )
  | (?P<directive> ^[ \t]*\#(?:\\\n|[^\n])* )
  | (?P<text>    "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<number>  (?:0[xX][0-9a-fA-F]+ | (?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[a-zA-Z]* )
  | (?P<word>    [A-Za-z_]\w* )
  | (?P<operator> <<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|. )
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
BODY = re.compile(r"^\{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"\b(\w+)\s*\(")
CALL = re.compile(r"^\t+[A-Za-z_]\w*\([^;{}]*\);$", re.MULTILINE)
ASSIGNMENT = re.compile(r"^\t+\*?[A-Za-z_][\w.>\[\]\-]* (?:=|[-+*/|&^]=) [^;{}]*;$", re.MULTILINE)
LEFT_ALONE = re.compile(r"^(?:assert|BSPI_ASSERT|static_assert|va_start|va_end|\(void\))", re.IGNORECASE)


@dataclass(frozen=True)
class Point:
    """One mutant: `before`, at offset `at` of the file, becomes `after`."""
    file: str
    function: str
    at: int
    line: int
    before: str
    after: str
    context: str          # the line that contains the point
    column: int           # number of the mutant among those of this line
    body: tuple[int, int]  # where the function's body begins and ends in the file

    @property
    def name(self) -> str:
        """The mutant's name. It stays the same while the line and its function stay the same, even if they move in the
        file."""
        said = "\0".join((self.file, self.function, self.context, str(self.column), self.before, self.after))
        return hashlib.sha1(said.encode()).hexdigest()[:12]

    def changed(self, source: str) -> str:
        return source[:self.at] + self.after + source[self.at + len(self.before):]


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    at: int


def tokens(body: str, start: int) -> list[Token]:
    """Returns tokens without blanks and comments; `at` counts from the start of the file."""
    found = (Token(str(match.lastgroup), match.group(), start + match.start()) for match in TOKEN.finditer(body))
    return [token for token in found if token.kind not in ("blank", "comment", "directive")]


def is_binary(source: str, token: Token) -> bool:
    end = token.at + len(token.text)
    return source[token.at - 1] in " \t" and source[end] in " \n"


def is_sign(before: Token) -> bool:
    """True if '-' after this token is unary."""
    return before.text in ("(", "[", ",", "=", "?", ":", "return", "{") or before.text in SWAPS


def is_size_of_array(found: list[Token], i: int) -> bool:
    """True for the 3 in 'float a[3]'. A test could not notice a larger array."""
    if i < 3 or found[i - 1].text != "[" or found[i - 2].kind != "word" or found[i - 3].kind != "word":
        return False
    return found[i - 3].text not in ("return", "sizeof", "else")


def other_number(text: str) -> str | None:
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
        return hex(int(text, 16) >> 1) if int(text, 16) > 1 else None
    if re.fullmatch(r"\d*\.\d*f?", text):
        suffix = "f" if text.endswith("f") else ""
        value = float(text.rstrip("f"))
        return (repr(value * 2) if value else "1.0") + suffix
    return None


def changes_of_tokens(source: str, found: list[Token]) -> Iterator[tuple[int, str, str]]:
    for i, token in enumerate(found):
        before = found[i - 1] if i else Token("operator", "{", 0)
        text = token.text
        if token.kind == "operator" and text in SWAPS and is_binary(source, token):
            yield token.at, text, SWAPS[text]
        elif token.kind == "operator" and text in "!-" and before.text != ")" and is_sign(before):
            yield token.at, text, ""
        elif token.kind == "word" and text in WORDS:
            yield token.at, text, WORDS[text]
        elif token.kind == "word" and text in ("x", "y", "z") and before.text in (".", "->"):
            yield token.at, text, {"x": "y", "y": "x", "z": "x"}[text]
        elif token.kind == "number" and before.text != "case" and not is_size_of_array(found, i):
            after = other_number(text)
            if after:
                yield token.at, text, after
        elif token.kind == "word" and text in ("if", "while") and found[i + 1:i + 2] and found[i + 1].text == "(":
            end = closing(found, i + 1)
            if end is not None:
                whole = source[found[i + 1].at:end + 1]
                yield found[i + 1].at, whole, f"(!{whole})"


def closing(found: list[Token], opening: int) -> int | None:
    depth = 0
    for token in found[opening:]:
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return token.at
    return None


def changes_of_statements(body: str, start: int) -> Iterator[tuple[int, str, str]]:
    """Returns changes that each remove a call or an assignment."""
    for pattern in (CALL, ASSIGNMENT):
        for match in pattern.finditer(body):
            statement = match.group().lstrip("\t")
            if statement.count("(") == statement.count(")"):
                yield start + match.end() - len(statement), statement, ";"


def line_at(source: str, at: int) -> tuple[str, int]:
    """Returns the line without its indentation, and the position of `at` in it."""
    start = source.rfind("\n", 0, at) + 1
    line = source[start:source.find("\n", at)]
    indent = len(line) - len(line.lstrip())
    return line.strip(), at - start - indent


def bodies(source: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Returns each function's name and the range of its body."""
    for body in BODY.finditer(source):
        head = source[:body.start()].rstrip().rsplit("\n\n", 1)[-1]
        head = re.sub(r"/\*.*?\*/", "", head, flags=re.DOTALL)
        named = NAME.search(head)
        if named:
            yield named.group(1), body.span(1)


def point_at(file: str, source: str, function: str, body: tuple[int, int], at: int, before: str, after: str) -> Point:
    context, column = line_at(source, at)
    return Point(file, function, at, source.count("\n", 0, at) + 1, before, after, context, column, body)


def points(file: str, source: str) -> list[Point]:
    """Returns all points of a file, in order."""
    found = []
    for function, body in bodies(source):
        text = source[slice(*body)]
        changes = [*changes_of_tokens(source, tokens(text, body[0])), *changes_of_statements(text, body[0])]
        found += [point_at(file, source, function, body, *change) for change in changes]
    kept = (point for point in found if not LEFT_ALONE.match(point.context))
    return sorted(kept, key=lambda point: (point.at, point.after))
