#!/usr/bin/env python3
"""apt_sources.py deb|deb-src SUITE: prints the machine's own entries for Debian, changed to another suite, in deb822
form.

Reads the files that apt itself reads, so that any mirror works: sources.list and *.list by lines, *.sources by
paragraphs. On a system that is not Debian, DEBIAN_MIRROR names the mirror.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
LINE = re.compile(r"(deb|deb-src)\s+(?:\[([^]]*)\]\s+)?(\S+)\s+(\S+)\s+(.*)")
# For each option that one-line entries may have: the name of its field in deb822 form.
KEPT = {"signed-by": "Signed-By", "trusted": "Trusted", "check-valid-until": "Check-Valid-Until",
        "allow-insecure": "Allow-Insecure"}

Entry = dict[str, str]   # keys in lowercase


def read_lines(text: str) -> list[Entry]:
    """Reads entries of the one-line form."""
    found = []
    for line in text.splitlines():
        parts = LINE.fullmatch(line.partition("#")[0].strip())
        if not parts:
            continue
        kind, options, address, suite, components = parts.groups()
        entry = {"types": kind, "uris": address, "suites": suite, "components": components}
        for option in (options or "").split():
            name, _, value = option.partition("=")
            entry[name.lower().rstrip("+-")] = value.replace(",", " ")
        found.append(entry)
    return found


def read_paragraphs(text: str) -> list[Entry]:
    """Reads entries of the deb822 form. Values keep their line breaks, because a value may contain a key block."""
    found = []
    text = re.sub(r"^#.*\n?", "", text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n[ \t]*\n", text):
        entry: Entry = {}
        name = ""
        for line in paragraph.splitlines():
            if line[:1] in " \t" and name:
                entry[name] += "\n" + line
            elif ":" in line:
                name, _, value = line.partition(":")
                name = name.strip().lower()
                entry[name] = value.strip()
        if entry and entry.get("enabled", "yes").lower() not in ("no", "false", "0"):
            found.append(entry)
    return found


def read_configuration() -> list[Entry]:
    """Returns all entries, in the order in which apt reads them."""
    asked = ["apt-config", "shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"]
    told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    places = {name: Path(path) for name, path in re.findall(r"^(\w+)='(.*)'$", told, re.MULTILINE)}
    files = [places["LIST"]] if "LIST" in places else []
    if "PARTS" in places:
        files += sorted(places["PARTS"].glob("*"))
    found = []
    for file in files:
        if file.suffix in (".list", ".sources") and file.is_file():
            text = file.read_text(encoding="utf-8", errors="replace")
            found += (read_lines if file.suffix == ".list" else read_paragraphs)(text)
    return found


def release() -> set[str]:
    """Returns the suite names by which Debian's archive may call this system's release. The set is empty if the system
    is not Debian."""
    fields = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path(os.environ.get("OS_RELEASE", "/etc/os-release"))
                             .read_text(encoding="utf-8"), re.MULTILINE))
    if fields.get("ID") != "debian":
        return set()
    return {fields.get("VERSION_CODENAME", "sid"), "stable", "testing", "unstable", "sid"}


def debian_entries(entries: list[Entry], suites: set[str]) -> list[Entry]:
    """Returns the entries of Debian's own archive. Other archives may use the same suite names, but are signed with
    other keys."""
    fitting = [entry for entry in entries
               if "deb" in entry.get("types", "").split() and suites & set(entry.get("suites", "").split())
               and "main" in entry.get("components", "").split() and entry.get("uris")]
    known = [entry for entry in fitting if "debian-archive" in entry.get("signed-by", "debian-archive")]
    return known or fitting


def as_text(entry: Entry, kind: str, suite: str) -> str:
    lines = [f"Types: {kind}", f"URIs: {entry['uris']}", f"Suites: {suite}", "Components: main"]
    options = {"signed-by": KEYRING, **entry} if Path(KEYRING).exists() else entry
    lines += [f"{title}: {options[name]}" for name, title in KEPT.items() if name in options]
    return "\n".join(lines) + "\n"


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1] not in ("deb", "deb-src"):
        print(__doc__, file=sys.stderr)
        return 2
    mirror = os.environ.get("DEBIAN_MIRROR")
    found = [{"uris": mirror}] if mirror else debian_entries(read_configuration(), release())
    if not found:
        print("apt is told of no mirror of Debian; DEBIAN_MIRROR can name one", file=sys.stderr)
        return 1
    print("\n".join(as_text(entry, *sys.argv[1:]) for entry in found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
