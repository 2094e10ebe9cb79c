#!/usr/bin/env python3
"""Tests the mutants that people wrote by hand. Each must still apply to the sources, and their file must be parsed
correctly.

Usage: test_changes.py SOURCES"""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/lib"))
from mutant_changes import Change, Stale, point_of, read_changes  # noqa: E402

SOURCE = "int one(int a)\n{\n\tif (a < 3) return a;\n\treturn a + a;\n}\n\nint two(int a)\n{\n\treturn a + a;\n}\n"


class Changes(unittest.TestCase):
    def setUp(self) -> None:
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.root = Path(held.name)
        (self.root / "a.c").write_text(SOURCE)

    def read(self, text: str) -> list[Change]:
        (self.root / "list.txt").write_text(text)
        return list(read_changes(self.root / "list.txt"))

    def test_a_list(self) -> None:
        found = self.read("# why\n\na.c two\ntwice\n-a + a\n+4 * a\n\n\na.c one\nboth lines\n-\tif (a < 3) return a;\n"
                          "-\treturn\n+\treturn 1 +\n")
        self.assertEqual(found, [Change("a.c", "two", "twice", "a + a", "4 * a"),
                                 Change("a.c", "one", "both lines", "\tif (a < 3) return a;\n\treturn",
                                        "\treturn 1 +")])
        changed = [point_of(change, self.root).changed(SOURCE) for change in found]
        self.assertEqual(changed[0], SOURCE[:-9] + "4 * a;\n}\n")
        self.assertEqual(changed[1].count("return 1 + a + a"), 1)

    def test_what_is_not_there_once_is_stale(self) -> None:
        for entry in ("a.c one\nx\n-a * a\n+a\n", "a.c three\nx\n-a + a\n+a\n", "b.c one\nx\n-a + a\n+a\n",
                      "a.c one\nx\n-return a\n+return 0\n"):
            with self.subTest(entry), self.assertRaises(Stale):
                point_of(self.read(entry)[0], self.root)

    def test_python(self) -> None:
        source = "class One:\n    def one(self):\n        return 1 + 1\n\n\ndef two():\n    return 1 + 1\n"
        (self.root / "a.py").write_text(source)
        change = self.read("a.py one\nless\n-1 + 1\n+1 - 1\n")[0]
        changed = point_of(change, self.root).changed(source)
        self.assertEqual(changed.index("1 - 1"), changed.index("return") + len("return "))
        self.assertEqual(changed.count("1 + 1"), 1)

    def test_those_of_the_tree_apply(self) -> None:
        root, names = Path(ARGUMENTS[0]), []
        for path in sorted((root / "tests/mutants/changes").glob("*.txt")):
            for change in read_changes(path):
                with self.subTest(file=path.name, change=change.meaning):
                    point = point_of(change, root)
                    self.assertNotEqual(point.before, point.after)
                    names.append(point.name)
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 0)


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
