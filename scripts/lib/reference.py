#!/usr/bin/env python3
"""Makes the reference of the C, C++, Python and JavaScript interfaces, and fails if a tool warns.

    reference.py OUTPUT         writes OUTPUT/c, OUTPUT/python and OUTPUT/javascript
    reference.py --split FILE   prints a header with one name in each declaration (Doxygen's input filter)

scripts/docs installs the tools. Without one of them the exit status is 77.
"""
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import typing
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TYPEDOC = ROOT / "tests/docs/node_modules/.bin/typedoc"
SKIPPED = 77
DOXYGEN = """
PROJECT_NAME = bspscene
INPUT = native/include/bspscene native/render/include/bspscene
FILE_PATTERNS = *.h *.hpp
EXCLUDE = native/include/bspscene/binding.h native/render/include/bspscene/render_binding.h
FILTER_PATTERNS = *.h="{python} {script} --split"
OUTPUT_DIRECTORY = {output}
HTML_OUTPUT = c
GENERATE_LATEX = NO
QUIET = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
WARN_IF_UNDOCUMENTED = YES
OPTIMIZE_OUTPUT_FOR_C = YES
JAVADOC_AUTOBRIEF = YES
DISTRIBUTE_GROUP_DOC = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = BSPSCENE_API= BSPSCENE_RENDER_API= __cplusplus
STRIP_FROM_PATH = native/include native/render/include
STRIP_FROM_INC_PATH = native/include native/render/include
HTML_TIMESTAMP = NO
HAVE_DOT = NO
"""
# A pattern for an array and its count, or several names, that are declared on one line with one comment.
PAIR = re.compile(r"^(\t[^;/\n]+;)[ \t]+(\w+ \w+;)[ \t]*(/\*\*<.*?\*/)", re.M | re.S)
NAME = r"\*?\w+(?:\[\w+\])*"
SEVERAL = re.compile(rf"^\t((?:const )?\w+ )({NAME}(?:, {NAME})+);\s*(/\*\*<.*?\*/)", re.M | re.S)


def split(path: str) -> None:
    """Returns a header with one name in each declaration. Doxygen gives the comment after a declaration only to its
    last name, so it is repeated for each."""
    def repeat(match: re.Match[str]) -> str:
        kind, names, comment = match.groups()
        return "".join(f"\t{kind}{name}; {comment}\n" for name in names.split(", ")).rstrip("\n")
    text = PAIR.sub(r"\1 \3\n\t\2 \3", Path(path).read_text(encoding="utf-8"))
    print(SEVERAL.sub(repeat, text), end="")


def missing_tools() -> list[str]:
    missing = [name for name in ("doxygen", "node") if not shutil.which(name)]
    missing += [name for name in ("pdoc", "numpy") if not importlib.util.find_spec(name)]
    return missing + ([] if TYPEDOC.exists() else ["typedoc"])


def c_reference(output: Path) -> bool:
    text = DOXYGEN.format(python=sys.executable, script=Path(__file__).resolve(), output=output)
    return subprocess.run(["doxygen", "-"], input=text, text=True, cwd=ROOT).returncode == 0


def python_reference(output: Path, work: Path) -> bool:
    """Documents the package, except the module `abi`, because its structs are in the C reference."""
    import pdoc
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(ROOT / "python"))
    import bspscene
    # pdoc looks up annotations of named tuples in the wrong module.
    for kind in vars(bspscene).values():
        if isinstance(kind, type) and hasattr(kind, "_fields") and issubclass(kind, tuple):
            kind.__new__.__annotations__ = typing.get_type_hints(kind)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        pdoc.pdoc("bspscene", "!bspscene.abi", output_directory=output / "python")
    for warning in found:
        print(f"pdoc: {warning.message}")
    return not found


def javascript_reference(output: Path, work: Path) -> bool:
    shutil.copy(ROOT / "native/web/bspscene.d.ts", work)
    (work / "package.json").write_text('{"name": "bspscene"}')
    (work / "tsconfig.json").write_text('{"compilerOptions": {"module": "nodenext", "target": "es2022", '
                                        '"lib": ["es2022", "dom"], "types": []}, "files": ["bspscene.d.ts"]}')
    layout = subprocess.run([sys.executable, ROOT / "native/web/make_layout.py", work])
    typedoc: list[str | Path] = [
        TYPEDOC, "--tsconfig", work / "tsconfig.json", "--out", output / "javascript", "--readme", "none",
        "--disableSources", "--treatWarningsAsErrors", "--logLevel", "Warn", work / "bspscene.d.ts",
    ]
    return layout.returncode == 0 and subprocess.run(typedoc, cwd=work).returncode == 0


def main(output: Path) -> int:
    missing = missing_tools()
    if missing:
        print(f"skipped: no {', '.join(missing)}; scripts/docs installs what it needs")
        return SKIPPED
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        done = [c_reference(output), python_reference(output, work), javascript_reference(output, work)]
    return 0 if all(done) else 1


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--split":
        split(sys.argv[2])
    elif len(sys.argv) == 2:
        sys.exit(main(Path(sys.argv[1]).resolve()))
    else:
        sys.exit(__doc__)
