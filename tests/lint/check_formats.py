#!/usr/bin/env python3
"""Compares docs/formats with the sources. Tables of records must have the offsets, types and sizes of the FIELD and
SKIP rows that read the files; tables of lumps must have their names; and every record with at least LEAST_ROWS fields
must be in a document. docs/formats/README.md tells how a document names the source that it is compared with."""
import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "docs" / "formats"
SOURCE = ROOT / "native" / "src"
READERS = ("families", "models")
# Records with fewer fields than this (an index, an edge) need no table.
LEAST_ROWS = 3

SIZES = {"i8": 1, "u8": 1, "char": 1, "bytes": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "f32": 4, "rgbe": 4}
TYPES = {"I8": "i8", "U8": "u8", "I16": "i16", "U16": "u16", "I32": "i32", "U32": "u32", "F32": "f32", "CHARS": "char"}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?[ \t]*(.*)$", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"((?:families|models)/[^"]+)"', re.MULTILINE)
LAYOUT = re.compile(r"\bbspi_layout\s+(\w+)\s*=\s*LAYOUT\(([^;]*)\)\s*;")
ROWS = re.compile(r"\bbspi_field\s+(\w+)\[\]\s*=\s*\{(.*?)\}\s*;", re.DOTALL)
ROW = re.compile(r"\b(FIELD|FIELD_FIRST|NAME_FIELD|SKIP)\(|\{\s*\"")
NAMES = re.compile(r"\bchar\s*\*\s*const\s+(\w+)\[\w*\]\s*=\s*\{(.*?)\}\s*;", re.DOTALL)

READ_BY = re.compile(r"^Read by .*$")
READER = re.compile(r"`([\w/]+\.[ch])`")
COLUMN = re.compile(r"`(\w+)` (\d+)$")
LUMPS = re.compile(r"^lump[^`]*`(\w+)`$")
CELL = re.compile(r"(\d+) (.+)$")
TYPE = re.compile(r"(\w+|\{[^{}]*\})((?:\[\d+\])*)$")


@dataclass
class Layout:
    size: int
    rows: list[tuple[int, str]]        # offset and type of each field; the type is "" for bytes that are not read


# ---- Sources ---------------------------------------------------------------------------------------------------


def arguments(text: str, start: int) -> tuple[list[str], int]:
    """Returns the arguments of the call whose parenthesis is at `start`, and where it ends."""
    parts, depth, begin, i, quoted = [], 0, start + 1, start, False
    for i in range(start, len(text)):
        quoted ^= text[i] == '"'
        if quoted:
            continue
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if (depth == 1 and text[i] == ",") or depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
        if depth == 0:
            break
    return parts, i + 1


def number(text: str) -> int:
    """Evaluates an expression of integers, such as `(32) + 4 * (2)`."""
    def value(node) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.BinOp):
            left, right = value(node.left), value(node.right)
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Sub):
                return left - right
            if isinstance(node.op, ast.Mult):
                return left * right
        raise ValueError(text)
    return value(ast.parse(text.strip(), mode="eval").body)


Macros = dict[str, tuple[list[str] | None, str]]


def expand(text: str, macros: Macros) -> str:
    """Returns `text` with the macros of its file expanded. Macros in their results are expanded too."""
    names = re.compile(r"\b(" + "|".join(map(re.escape, macros)) + r")\b") if macros else None
    match = names.search(text) if names else None
    while match and names:
        parameters, body = macros[match.group(1)]
        start = end = match.end()
        if parameters is not None:
            given, end = arguments(text, text.index("(", start))
            for parameter, argument in zip(parameters, given):
                body = re.sub(rf"\b{parameter}\b", argument.replace("\\", r"\\"), body)
        text = text[:match.start()] + body + text[end:]
        match = names.search(text, match.start())
    return text


def read_rows(body: str) -> list[tuple[int, str]]:
    rows = []
    for match in ROW.finditer(body):
        if match.group(1):
            parts, _ = arguments(body, match.end() - 1)
            at = parts[1] if match.group(1) == "SKIP" else parts[2]
            kind = {"SKIP": "", "NAME_FIELD": "char"}.get(match.group(1))
            rows.append((number(at), TYPES[parts[3]] if kind is None else kind))
        else:
            # If a row uses no macro, its arguments are: name, offset, member, count, BSPI_type, memory.
            parts, _ = arguments(body, match.start())
            rows.append((number(parts[1]), TYPES[parts[4].removeprefix("BSPI_")]))
    return rows


def plain_text(path: Path) -> str:
    return COMMENT.sub("", path.read_text(encoding="utf-8")).replace("\\\n", " ")


def headers_of(text: str, found: dict[str, str]) -> dict[str, str]:
    """Adds the headers of families and models that `text` includes, directly or indirectly, to `found`, and returns
    `found`. It has the text of each header by its path."""
    for name in INCLUDE.findall(text):
        if name not in found:
            found[name] = plain_text(SOURCE / name)
            headers_of(found[name], found)
    return found


def read_source(path: Path) -> tuple[dict[str, Layout], dict[str, list[str]]]:
    """Returns the layouts of a file and its lists of names."""
    text = plain_text(path)
    headers = headers_of(text, {})
    defined = "\n".join([*headers.values(), text])
    macros: Macros = {}
    for name, parameters, body in DEFINE.findall(defined):
        macros[name] = ([p.strip() for p in parameters[1:-1].split(",")] if parameters else None, body)
    text = expand(DEFINE.sub("", text), macros)
    rows = {name: read_rows(body) for name, body in ROWS.findall(text)}
    constants = dict(re.findall(r"\b([A-Z][A-Z0-9_]+)\s*=\s*(\d+)\b", text))
    layouts = {}
    for name, inside in LAYOUT.findall(text):
        _, _, table, size = arguments(f"({inside})", 0)[0]
        layouts[name] = Layout(number(constants.get(size, size)), rows[table])
    return layouts, {name: re.findall(r'"([^"]*)"', body) for name, body in NAMES.findall(text)}


# ---- Documents -------------------------------------------------------------------------------------------------


def tables(path: Path):
    """Yields for each table its header, its rows, its line number, and the source files that read its records. The
    last line "Read by ..." before the table names these files."""
    readers: list[str] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for i, line in enumerate(lines):
        if READ_BY.match(line):
            readers = READER.findall(line)
        if not line.startswith("|") or i + 1 == len(lines) or not re.match(r"\|[-|: ]+\|$", lines[i + 1]):
            continue
        cells = []
        for row in lines[i + 2:]:
            if not row.startswith("|"):
                break
            cells.append([c.strip() for c in row.strip().strip("|").split("|")])
        yield [c.strip() for c in line.strip().strip("|").split("|")], cells, i + 1, readers


def elements(kind: str) -> list[str]:
    """Returns the plain types that a type is made of, in order, for `f32[2][4]` or `{u16 u8[3] bytes}[8]`."""
    match = TYPE.match(kind)
    if not match:
        raise ValueError(kind)
    plain, counts = match.groups()
    if plain.startswith("{"):
        parts = [e for part in plain[1:-1].split() for e in elements(part)]
    elif plain in SIZES:
        parts = [plain]
    else:
        raise ValueError(kind)
    for count in re.findall(r"\d+", counts):
        parts = parts * int(count)
    return parts


def check_column(layout: Layout, size: int, cells: list[str]) -> str:
    """Returns what is wrong with a column that claims to show this layout, or nothing."""
    if size != layout.size:
        return f"has {layout.size} bytes, the head of the column says {size}"
    at = 0
    told: dict[int, str] = {}
    for cell in cells:
        if cell in {"", "–"}:
            continue
        match = CELL.match(cell)
        try:
            parts = elements(match.group(2)) if match else []
        except ValueError:
            parts = []
        if not match or not parts:
            return f'has the cell "{cell}"; write an offset and a type, "{at} i32"'
        if int(match.group(1)) != at:
            return f'has the cell "{cell}", but the rows before it end at {at}; add the row that is missing'
        for part in parts:
            told[at] = part
            at += SIZES[part]
    if at != size:
        return f"has rows up to byte {at}, but the record has {size}; add the rows that are missing"
    for offset, kind in layout.rows:
        if kind and told.get(offset) != kind:
            return (f"has {kind} at {offset} in the source, {told.get(offset, 'nothing')} in this table; "
                    "mend the wrong one")
    return ""


def main() -> int:
    problems: list[str] = []
    sources, known = {}, set()
    for folder in READERS:
        for path in sorted((SOURCE / folder).rglob("*.c")):
            if path.name.startswith("_"):
                continue
            sources[path.name] = read_source(path)
            known |= {(path.name, name) for name, layout in sources[path.name][0].items()
                      if len(layout.rows) >= LEAST_ROWS}
    shown = set()
    for document in sorted(DOCUMENTS.glob("*.md")):
        for header, rows, line, readers in tables(document):
            where = f"{document.relative_to(ROOT)}:{line}"
            for column, title in enumerate(header):
                match = COLUMN.search(title)
                if match:
                    found = [r for r in readers if r in sources and match.group(1) in sources[r][0]]
                    if not found:
                        problems.append(f"{where}: the column is headed `{match.group(1)}`, but "
                                        f"{', '.join(readers) or 'no file'} of the last line \"Read by\" has no layout "
                                        "of that name; mend the head or that line")
                        continue
                    shown.add((found[0], match.group(1)))
                    wrong = check_column(sources[found[0]][0][match.group(1)], int(match.group(2)),
                                         [row[column] for row in rows])
                    if wrong:
                        problems.append(f"{where}: {match.group(1)} {wrong}")
                match = LUMPS.match(title)
                if match:
                    names = next((sources[r][1][match.group(1)] for r in readers
                                  if r in sources and match.group(1) in sources[r][1]), None)
                    if names is None:
                        problems.append(f"{where}: the column is headed `{match.group(1)}`, but {', '.join(readers)} "
                                        "of the last line \"Read by\" has no list of names called so")
                    elif names != [row[column] for row in rows[:len(names)]]:
                        problems.append(f"{where}: this table names the lumps differently from {match.group(1)} in the "
                                        f"source, which has {', '.join(names)}")
                    if [row[0] for row in rows] != [str(i) for i in range(len(rows))]:
                        problems.append(f"{where}: the lumps are not numbered 0, 1, 2, ...; add the missing rows")
    problems += [f"{source}: no document in docs/formats shows the record {name}; add a table with the column "
                 f"`{name}` {sources[source][0][name].size} after a line \"Read by `{source}`.\", "
                 "as docs/formats/README.md shows" for source, name in sorted(known - shown)]
    for problem in problems:
        print(problem)
    print(f"{len(shown)} records, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
