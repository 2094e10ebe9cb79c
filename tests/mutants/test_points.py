#!/usr/bin/env python3
"""Tests which points of a file scripts/mutants changes, and which it leaves alone.

Usage: test_points.py SOURCES"""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/lib"))
from mutant_points import Point, points  # noqa: E402

HEAD = "static bool one(int *a)\n{\n"

# Lines of a function, each with the changes that mutate it.
TABLE = {
    "\tif (a < b) x();": {("(a < b)", "(!(a < b))"), ("<", "<=")},
    "\treturn a && !b;": {("&&", "||"), ("!", "")},
    "\treturn a - -b;": {("-", "+"), ("-", "")},
    "\tc = a * b;": {("*", "+"), ("c = a * b;", ";")},
    "\tint *c = b;": set(),                                      # this is a declaration, not a multiplication
    "\tfloat c = .5f;": {(".5f", "1.0f")},
    "\tchar c[3];": set(),
    "\tstruct one *const c[3][2];": {("2", "3")},
    "\treturn a[0].x;": {("0", "1"), ("x", "y")},
    "\treturn 0xFF;": {("0xFF", "0x7f")},
    "\tcase 3: return true;": {("true", "false")},
    "\tassert(a < b);": set(),
    "\tcall(\"a < b\", 'c');": {("call(\"a < b\", 'c');", ";")},
    "\t/* a < b */": set(),
    "#if A < 3": set(),
    # No mutant removes this call, because it is not alone in its line: a comment follows.
    "\tclose(file); /* not a - b */": set(),
    "\twhile (*a++) continue;": {("(*a++)", "(!(*a++))")},
}


def changes_of(line: str) -> list[Point]:
    return points("file.c", HEAD + line + "\n}\n")


class Points(unittest.TestCase):
    def test_changes_of_a_line(self) -> None:
        for line, wanted in TABLE.items():
            with self.subTest(line):
                self.assertEqual({(point.before, point.after) for point in changes_of(line)}, wanted)

    def test_only_bodies_are_changed(self) -> None:
        self.assertEqual(points("file.c", "static const int a[] = {\n\t1 + 2,\n};\nint f(int a);\n"), [])

    def test_a_point_knows_its_place(self) -> None:
        source = "int g(void)\n{\n}\n\n/* (why) */\nstatic bool\nf(int a)\n{\n\treturn a == 1;\n}\n"
        [equal, one] = points("file.c", source)
        self.assertEqual((equal.function, equal.line, equal.context), ("f", 9, "return a == 1;"))
        self.assertEqual(equal.changed(source), source.replace("==", "!="))
        self.assertEqual(one.changed(source), source.replace("1;", "2;"))

    def test_names_last_while_a_line_does(self) -> None:
        line = "\tif (a - b - c) x = 1;"
        names = [point.name for point in changes_of(line)]
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual([point.name for point in points("file.c", "int y;\n\n" + HEAD + "\tz();\n" + line + "\n}\n")
                          if point.context != "z();"], names)

    def test_every_source_gives_points_that_differ(self) -> None:
        root, names = Path(ARGUMENTS[0]), set()
        for path in sorted(root.glob("native/src/**/*.c")):
            source = path.read_text()
            for point in points(path.relative_to(root).as_posix(), source):
                self.assertEqual(source[point.at:point.at + len(point.before)], point.before)
                names.add(point.name)
        self.assertGreater(len(names), 10000)


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
