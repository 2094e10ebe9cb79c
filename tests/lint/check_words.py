#!/usr/bin/env python3
"""Checks those rules of CONTRIBUTING.md, "Text", that a script can check: in documents, public headers and, with
--help-of, the help.

    check_words.py [--help-of BSPSCENE] [PATH...]      PATH: only these documents and headers

Documents must avoid certain shapes of sentences and use American spelling. A name with one of our prefixes must exist
in the code, and a paragraph has at most six lines. README.md and the newest version's part of the changelog have a
limit of lines (LENGTHS). In headers, the help and documents for users, a sentence has at most 30 words.
"""
import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADER = re.compile(r"(native/(render/)?include|assimp_importer/include)/.*\.(h|hpp)$")
MOST_WORDS, MOST_LINES = 30, 6
LENGTHS = {"README.md": 150, "CHANGELOG.md": 60}
# Matches documents for users. All other documents are for people who maintain formats and tests.
FOR_USERS = re.compile(r"(?:docs/|packaging/)?[^/]+\.md$|addon/README\.md$|python/bspscene/README\.md$")
ENUMERATION = 6   # a sentence with this many commas is a list

START = r"(?:^|(?<=[.!?:] ))"
# Patterns, each with a better way to write it. SENTENCES are only for documents, because comments of fields are not
# sentences.
SENTENCES = (
    (START + r"Of [a-z][^.,;:]*, ", 'begins with "Of"; begin with the subject'),
    (START + r"What (?:[^\s.;:?]+ ){8,}[^\s.;:?]+[.;:]", 'has a clause with "What" as its subject; name the subject'),
    (START + r"Who \S+s? ", '"Who" as a subject; write "anybody who", "users"'),
)
SHAPES = (
    (r"\b(?:for|by|of|to|from) who\b", 'write "for users", "for programs"'),
    (r"\b[Bb]eside\b(?! the point|:)", 'write "next to", or "with"'),
    (r"\bbehind (?:a|the|it|each|every) (?:text|string|name|number|header|lump|record|file|directory|list|table|end"
     r"|last|first)\b", 'write "after"'),
    (r"\bnothing but\b|\bno(?:ne)? but\b", 'write "only"'),
    (r"\bnone is\b|\bno one\b", "say it positively"),
    (r"\b[Oo]ne sees\b", 'write "you see"'),
    (r"\bmanieth\b|\bupon\b|\bthereof\b|\bwherein\b|\bwhereof\b", "an old word; use today's"),
)
# Matches British spelling: the endings -our, -re, -ise and -yse, a doubled l, and some single words. Names that games
# spell in this way are allowed.
BRITISH = re.compile(
    r"\b(?:(?:re|un|dis)?colou?r(?<=our)\w*|(?:behavi|neighb|fav|hon|harb|lab|flav|rum|arm|vap)our\w*|gr[e]y\w*|"
    r"(?:centi|milli|kilo)?metre[sd]?|cent(?:re[sd]?|ring)|chequer\w*|licen[c]e\w*|catalogue\w*|dialogue\w*|"
    r"(?:cancell|labell|travell|modell|signall|levell|channell)(?:ed|ing)|fulfil|skilful|artefact\w*|programmes?|"
    r"whilst|amongst|fibre|defence|offence|aluminium|judgement|storeys?|mould\w*|tyre|plough|"
    r"(?:normal|optim|recogn|initial|organ|real|minim|maxim|synchron|summar|serial|special|general|util|visual|"
    r"emphas|author|categor|character|local|standard|vector|raster|token|triangul|penal|final)is(?:e[sd]?|ing|ation)|"
    r"analys(?:e[sd]?|ing)|towards|afterwards|backwards compat\w*)\b", re.IGNORECASE)
# Matches text in which words are not checked: a name that games use, code, quotations and links.
GAMES_WORDS = re.compile(r"item_armou?r\w*|`[^`]*`|\"[^\"]*\"|\]\([^)]*\)|https?:\S+")
# Patterns of replaced words, with the new ones. native/README.md has the glossary.
REPLACED = {
    r"\bchequered\b": "checker", r"\bpage set\b": "lightmap set", r"\bstand-in\b": "fallback",
    r"\bstored light\b(?= of (?:a|the) map)": "the map's light", r"\bcorner list\b": "corners",
    r"\blight at 100\b": "illuminance at 100 units",
}


# Finds names with our prefixes in documents. OLD_NAMES is the page that lists the names before version 0.9.
OUR_NAME = re.compile(r"\b(?:bspscene|bspi|cli|bspt|BSPSCENE|BSPI|BSPT)_[A-Za-z]\w*")
OLD_NAMES = {"docs/names-0.9.md"}
NOT_TAKEN = {"BSPSCENE_AT", "bspscene_mesh_name", "bspscene_scene_mesh"}   # designs of docs/abi.md that were not taken


def tracked() -> list[str]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in names.split("\0") if name and (ROOT / name).is_file()]


def blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields paragraphs, items of lists and cells of tables: first line, number of lines, text without code."""
    start, lines, fenced = 0, list[str](), False
    for number, line in enumerate([*text.split("\n"), ""], 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        prose = line.strip() and not fenced and not fence and not line.startswith(("|", "#", "    ", "![", "<"))
        item = re.match(r"\s*(?:[-*+]|\d+\.) ", line) if prose else None
        if lines and (not prose or item):
            yield start, len(lines), " ".join(lines)
            lines = []
        if prose:
            start = start if lines else number
            lines.append(line[item.end():] if item else line.strip())
        if line.startswith("|"):
            yield from ((number, 1, cell.strip()) for cell in line.strip("|").split("|"))


def comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields comments of C, without the tables, samples and formulas in them."""
    for match in re.finditer(r"/\*.*?\*/", text, re.DOTALL):
        number = text.count("\n", 0, match.start()) + 1
        lines = [re.sub(r"^[ \t]*\*?(?=\s|$) ?", "", line) for line in match[0].strip("/*<! \t").split("\n")]
        lines = ["" if re.match(r"\||    ", line) or " = " in line else line.strip() for line in lines]
        for part in re.split(r"\n\n|\n(?=- )", "\n".join(lines)):
            yield number, 1, " ".join(part.split())


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?:;]) +", text)


def shapes(where: str, text: str, more: tuple[tuple[str, str], ...] = ()) -> list[str]:
    plain = GAMES_WORDS.sub("X", text)
    said = [f"{where}: {found[0].strip()!r} {instead}" for shape, instead in (*more, *SHAPES)
            for found in re.finditer(shape, plain)]
    said += [f"{where}: {found[0]!r} is spelled in British English" for found in BRITISH.finditer(plain)]
    said += [f"{where}: {found[0]!r}; the word is {word!r}" for old, word in REPLACED.items()
             for found in re.finditer(old, plain, re.IGNORECASE)]
    return said


def long_sentences(where: str, text: str) -> list[str]:
    counted = [(len(re.findall(r"[\w'./%-]*\w[\w'./%-]*", one)), one) for one in sentences(text)]
    return [f"{where}: a sentence of {count} words, {one[:60]!r}; write two" for count, one in counted
            if count > MOST_WORDS and one.count(",") < ENUMERATION]


def our_names() -> set[str]:
    """Returns all words that begin with a prefix of ours, in all files except documents."""
    found = subprocess.run(["git", "grep", "-hoIE", OUR_NAME.pattern.replace("?:", ""), "--", ":!*.md"], cwd=ROOT,
                           check=True, capture_output=True, text=True).stdout
    return set(found.split())


def unknown_names(name: str, text: str, known: set[str]) -> list[str]:
    if name in OLD_NAMES:
        return []
    return [f"{name}: {word} is no name of the code" for word in sorted(set(OUR_NAME.findall(text)))
            if word not in known | NOT_TAKEN and not word.endswith("_")
            and not any(one.startswith(word) for one in known)]


def check_document(name: str, text: str) -> list[str]:
    said = []
    for line, lines, block in blocks(text):
        where = f"{name}:{line}"
        said += shapes(where, block, SENTENCES)
        if FOR_USERS.match(name):
            said += long_sentences(where, block)
        if lines > MOST_LINES:
            said.append(f"{where}: a paragraph of {lines} lines; make a list, a table or two paragraphs")
    if name in LENGTHS:
        part = text if name == "README.md" else re.split(r"^## ", text, flags=re.MULTILINE)[1]
        if len(part.splitlines()) > LENGTHS[name]:
            said.append(f"{name}: {len(part.splitlines())} lines, and at most {LENGTHS[name]} are read")
    return said


def check_header(name: str, text: str) -> list[str]:
    return [one for line, _, block in comments(text)
            for one in (*shapes(f"{name}:{line}", block), *long_sentences(f"{name}:{line}", block))]


def check_help(program: str) -> list[str]:
    """Returns complaints about the paragraphs and the options of each command's help."""
    listed = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    said = []
    for command in ["", *re.findall(r"^  (\w+)  +[a-z]", listed, re.MULTILINE)]:
        words = [command, "--help"] if command else ["--help"]
        text = subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
        text = re.sub(r"^Examples:\n(?:  .*\n)+", "", text, flags=re.MULTILINE)
        for part in re.split(r"\n\n|\n(?=  \S|  +\w+: )", text):
            block = " ".join(part.split())
            where = f"bspscene {' '.join(words)}"
            said += shapes(where, block, SENTENCES) + long_sentences(where, block)
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--help-of")
    parser.add_argument("paths", nargs="*")
    arguments = parser.parse_args()
    names = arguments.paths or tracked()
    said, known = [], our_names()
    for name in names:
        if name.endswith(".md"):
            said += unknown_names(name, (ROOT / name).read_text(encoding="utf-8"), known)
            said += check_document(name, (ROOT / name).read_text(encoding="utf-8"))
        elif HEADER.match(name):
            said += check_header(name, (ROOT / name).read_text(encoding="utf-8"))
    if arguments.help_of:
        said += check_help(arguments.help_of)
    print("\n".join(said))
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
