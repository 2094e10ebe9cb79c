#!/usr/bin/env python3
"""Tests scripts/lib/bundle.sh. The script reports success only if it fetched everything. If a file could not be
fetched, the next run tries it again. A failure does not end the program that runs the script, such as scripts/test."""
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A substitute for apt-get. It fails if the given source list is empty, and `source` copies the files of OFFERED.
APT = """#!/bin/sh
for option; do
	case $option in Dir::Etc::sourcelist=*) test -s "${option#*=}" || exit 1 ;; esac
done
case "$*" in *" source "*) cp "$OFFERED"/* . ;; esac
"""
UNPACKER = "#!/bin/sh\nmkdir first-1.0\n"
FETCH = "source scripts/lib/bundle.sh; if ! (fetch_sources); then echo failed; fi"


class Sources(unittest.TestCase):
    def setUp(self) -> None:
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.tree = Path(held.name)
        self.sources = self.tree / "build/bundle/sources"
        for folder in ("bin", "offered", "scripts/bundle"):
            (self.tree / folder).mkdir(parents=True)
        (self.tree / "scripts/lib").symlink_to(ROOT / "scripts/lib")
        (self.tree / "apt.conf").write_text(f'Dir::Etc::sourcelist "{self.tree}/sources.list";\n', encoding="utf-8")
        (self.tree / "sources.list").write_text("deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
                                                "http://mirror.example/debian bookworm main\n", encoding="utf-8")
        for name, text in (("apt-get", APT), ("dpkg-source", UNPACKER)):
            (self.tree / "bin" / name).write_text(text, encoding="utf-8")
            (self.tree / "bin" / name).chmod(0o755)
        self.offer()

    def offer(self) -> None:
        offered = self.tree / "offered"
        (offered / "first_1.0-1.dsc").write_text("of dpkg-source\n", encoding="utf-8")
        with tarfile.open(offered / "second_2.0.orig.tar.gz", "w:gz") as archive:
            archive.add(__file__, "second/it")
        sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
                       for path in sorted(offered.iterdir()))
        (self.tree / "scripts/bundle/sources.txt").write_text(f"# pins\nfirst=1.0-1\nsecond=2.0-1\n{sums}",
                                                              encoding="utf-8")

    def fetch(self) -> str:
        (self.tree / "os-release").write_text("ID=debian\nVERSION_CODENAME=bookworm\n", encoding="utf-8")
        environment = os.environ | {"PATH": f"{self.tree}/bin:{os.environ['PATH']}",
                                    "OFFERED": str(self.tree / "offered"), "APT_CONFIG": str(self.tree / "apt.conf"),
                                    "OS_RELEASE": str(self.tree / "os-release")}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", FETCH], cwd=self.tree, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_all_is_there(self) -> None:
        said = self.fetch()
        self.assertNotIn("failed", said)
        self.assertTrue((self.sources / "unpacked").is_file(), said)
        self.assertTrue((self.sources / "first-1.0").is_dir(), said)
        self.assertEqual((self.sources / "second-2.0/it").read_bytes(), Path(__file__).read_bytes())

    def test_what_fails_is_asked_for_again(self) -> None:
        archive = self.tree / "offered/second_2.0.orig.tar.gz"
        good = archive.read_bytes()
        for bad in (None, good[:-1] + b"?"):
            archive.unlink()
            if bad is not None:
                archive.write_bytes(bad)
            self.assertIn("failed", self.fetch())
            self.assertFalse((self.sources / "unpacked").exists())
            archive.write_bytes(good)
        self.assertNotIn("failed", self.fetch())


if __name__ == "__main__":
    if subprocess.run(["sh", "-c", "command -v apt-get apt-config"], capture_output=True, check=False).returncode:
        print("no apt here")
        sys.exit(77)
    unittest.main()
