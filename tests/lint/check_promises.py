#!/usr/bin/env python3
"""Checks that for every promise in headers and documents a test is named that would fail if it were broken.

Usage: check_promises.py SOURCES [--list]

A promise is a sentence with one of the words of PROMISE. promises.txt has a row for each: its file, a part of the
sentence, and the tests. A test is named as in ctest, or by the file of a unit test. If a single function of the test
checks the promise, its name follows after a colon. If a sentence promises nothing in spite of its words, the row has a
'-' and the reason. `--list` prints what has no row."""
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PROMISE = re.compile(r"always the same|same (bytes|pixels|pictures?|scene|map gives|seed|order|numbers|name)\b|"
                     r"in (the|that|file|its) order\b|in the order (of|in|that)|\bstable\b|"
                     r"(does|do) not (depend|change with)|deterministic|for any number of threads|"
                     r"equal seeds|comes? (first|before)\b|sorted (by|without)|unique in", re.IGNORECASE)
TABLE = "tests/lint/promises.txt"
# Documents of formats and of measurements make no promises.
NO_PROMISES = re.compile(r"docs/(evidence|bench|viewers)\.md|docs/formats/|docs/pictures/")


def promising_files(root: Path) -> list[Path]:
    headers = [path for ending in ("*.h", "*.hpp", "*.hxx") for path in (root / "native/include").rglob(ending)]
    documents = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "addon").glob("*.md")]
    return [path for path in sorted({*headers, *documents})
            if path.is_file() and not NO_PROMISES.search(path.relative_to(root).as_posix())]


def sentences(path: Path) -> Iterator[str]:
    text = path.read_text()
    if path.suffix in (".h", ".hpp", ".hxx"):
        comments = re.findall(r"/\*.*?\*/", text, re.DOTALL)
        parts = [re.sub(r"\s*\n\s*\*?\s?", " ", comment.strip("/* <\n")) for comment in comments]
    else:
        parts = re.split(r"\n\s*\n|\n(?=[-|#]|\d+\. )", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for part in parts:
        for sentence in re.split(r"(?<=[.!?:;|])\s+", " ".join(part.split())):
            if PROMISE.search(sentence):
                yield sentence


def read_table(root: Path) -> list[tuple[str, str, list[str]]]:
    rows = []
    for line in (root / TABLE).read_text().splitlines():
        if line and line[0] != "#":
            file, phrase, tests = line.split("\t")
            rows.append((file, phrase, [] if tests.startswith("- ") else tests.split()))
    return rows


def known_tests(root: Path) -> dict[str, str]:
    """Returns the names of tests with the text of their sources. The text is "" if the name does not tell the source
    file."""
    found = {path.stem: path.read_text() for path in (root / "tests").rglob("test_*.c")}
    for path in (root / "tests").rglob("CMakeLists.txt"):
        text = path.read_text()
        found.update((name, "") for name in re.findall(r"\b[a-z]+\.\w+(?:\.\w+)*|\bgolden\b", text))
        for prefix in re.findall(r"\b([a-z]+)\.\$\{", text):    # these tests are made from a list
            found.update((f"{prefix}.{word}", "") for word in re.findall(r"\w+", text))
    for path in (root / "tests/support/check").glob("*.c"):
        found.setdefault(path.stem, path.read_text())
    for path in [*(root / "tests").rglob("*.py"), *(root / "tests").rglob("*.mjs"), *(root / "tests").rglob("*.sh")]:
        found.setdefault(path.relative_to(root / "tests").as_posix(), path.read_text())
    return found


def problem_of(test: str, known: dict[str, str]) -> str | None:
    name, _, function = test.partition(":")
    if name not in known:
        return f"there is no test {name}"
    return f"{name} has no {function}" if function and function not in known[name] else None


def main() -> int:
    root = Path(sys.argv[1]).resolve()
    rows, known = read_table(root), known_tests(root)
    problems, used = [], set()
    for path in promising_files(root):
        name = path.relative_to(root).as_posix()
        for sentence in sentences(path):
            fitting = [row for row in rows if row[0] == name and row[1] in sentence]
            used |= {(row[0], row[1]) for row in fitting}
            if not fitting:
                problems.append(f"{name}: no row in {TABLE} for: {sentence[:160]}")
    for file, phrase, tests in rows:
        if (file, phrase) not in used:
            problems.append(f"{TABLE}: {file} has no promise with: {phrase}")
        problems += [f"{TABLE}: {phrase}: {why}" for why in (problem_of(test, known) for test in tests) if why]
    print("\n".join(problems) or f"{len(rows)} promises, each with its test")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
