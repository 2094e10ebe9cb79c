#!/usr/bin/env python3
"""Tests that packages come from the mirror in the machine's apt configuration, whatever form this configuration has."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "scripts/lib/apt_sources.py"
LINES = """
# deb http://old.example/debian bookworm main
deb [arch=amd64 signed-by=/etc/keys/other.gpg] https://other.example/apt bookworm main
deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] file:/srv/mirror/ bookworm main # own
deb-src http://sources.example/debian bookworm main
deb http://mirror.example/debian bookworm-updates main
"""
PARAGRAPHS = """# of the installer
Types: deb deb-src
URIs: http://first.example/debian
 http://second.example/debian
Suites: bookworm bookworm-updates
Components: main non-free-firmware
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 debian-archive
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb
URIs: http://security.example/debian
Suites: bookworm-security
Components: main

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm
Components: main
"""


class Sources(unittest.TestCase):
    def setUp(self) -> None:
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = Path(held.name)
        (self.folder / "parts").mkdir()
        (self.folder / "apt.conf").write_text(f'Dir::Etc::sourcelist "{self.folder}/sources.list";\n'
                                              f'Dir::Etc::sourceparts "{self.folder}/parts";\n', encoding="utf-8")
        (self.folder / "os-release").write_text('ID=debian\nVERSION_CODENAME=bookworm\n', encoding="utf-8")

    def told(self, kind: str = "deb-src", suite: str = "bookworm", **environment: str) -> subprocess.CompletedProcess:
        given = {name: value for name, value in os.environ.items() if name != "DEBIAN_MIRROR"}
        given |= {"APT_CONFIG": str(self.folder / "apt.conf"), "OS_RELEASE": str(self.folder / "os-release")}
        return subprocess.run([sys.executable, str(PROGRAM), kind, suite], capture_output=True, text=True, check=False,
                              env=given | environment)

    def lines_of(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def test_lines(self) -> None:
        self.lines_of("sources.list", LINES)
        self.assertEqual(self.told().stdout,
                         "Types: deb-src\nURIs: file:/srv/mirror/\nSuites: bookworm\nComponents: main\n"
                         "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n")

    def test_paragraphs(self) -> None:
        self.lines_of("parts/debian.sources", PARAGRAPHS)
        told = self.told("deb", "trixie").stdout
        self.assertEqual(told, "Types: deb\nURIs: http://first.example/debian\n http://second.example/debian\n"
                         "Suites: trixie\nComponents: main\nSigned-By: \n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n"
                         " debian-archive\n -----END PGP PUBLIC KEY BLOCK-----\n")
        self.lines_of("own.sources", told)
        # apt itself reads the result as one source list.
        asked = ["apt-get", "update", "--print-uris", "-o", f"Dir::Etc::sourcelist={self.folder}/own.sources",
                 "-o", "Dir::Etc::sourceparts=/dev/null"]
        listed = subprocess.run(asked, capture_output=True, text=True, check=False)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        for mirror in ("first", "second"):
            self.assertIn(f"'http://{mirror}.example/debian/dists/trixie/InRelease'", listed.stdout)

    def test_another_system_names_one(self) -> None:
        self.lines_of("os-release", 'ID=ubuntu\nVERSION_CODENAME=noble\n')
        self.lines_of("sources.list", LINES)
        refused = self.told()
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("DEBIAN_MIRROR", refused.stderr)
        self.assertIn("URIs: http://own.example/debian\n", self.told(DEBIAN_MIRROR="http://own.example/debian").stdout)


if __name__ == "__main__":
    if subprocess.run(["sh", "-c", "command -v apt-get apt-config"], capture_output=True, check=False).returncode:
        print("no apt here")
        sys.exit(77)
    unittest.main()
