#!/usr/bin/env python3
"""Tests a program that contains all mutants and runs one of them, chosen by number. For each number, it must behave
like a program that has only this mutant.

Usage: test_switch.py COMPILER"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/lib"))
from mutant_points import points  # noqa: E402
from mutant_switch import MARKS, PROGRAM, function_of, switched  # noqa: E402

# A function whose mutants all compile and terminate.
SOURCE = """#include <stdio.h>

static int count(int most)
{
	int found = 0;
	for (int i = 0; i < most; i++) {
		if (i % 3 == 1) goto done;
		found += i * 2;
	}
done:
	return found - 1;
}

static int unused(int a)
{
	return a + 1;
}

int main(void)
{
	if (0) unused(1);
	printf("%d %d\\n", count(1), count(9));
}
"""


class Switch(unittest.TestCase):
    def setUp(self) -> None:
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.place = Path(held.name)
        (self.place / "switch.c").write_text(PROGRAM)
        self.changes = [point for point in points("a.c", SOURCE) if point.function in ("count", "unused")]
        self.marks = {"a.c:count": 5, "a.c:unused": 6}

    def built(self, source: str, *others: str) -> list[str]:
        (self.place / "a.c").write_text(source)
        subprocess.run([ARGUMENTS[0], "-w", "-o", "a", "a.c", *others], cwd=self.place, check=True)
        return [str(self.place / "a")]

    def output(self, program: list[str], **variables: str) -> str:
        return subprocess.run(program, check=True, capture_output=True, text=True, timeout=60,
                              env={**os.environ, **variables}).stdout

    def test_each_number_is_one_change(self) -> None:
        self.assertGreater(len(self.changes), 10)
        alone = [self.output(self.built(SOURCE)),
                 *(self.output(self.built(point.changed(SOURCE))) for point in self.changes)]
        program = self.built(switched(SOURCE, list(enumerate(self.changes, 1)), self.marks), "switch.c")
        self.assertEqual([self.output(program, BSPT_MUTANT=str(number)) for number in range(len(alone))], alone)
        self.assertEqual(self.output(program), alone[0])

    def test_what_runs_is_noted(self) -> None:
        self.assertEqual({function_of(point) for point in self.changes}, set(self.marks))
        program = self.built(switched(SOURCE, list(enumerate(self.changes, 1)), self.marks), "switch.c")
        notes = self.place / "reached"
        notes.write_bytes(bytes(MARKS))
        self.output(program, BSPT_REACHED=str(notes))
        reached = notes.read_bytes()
        self.assertEqual([mark for mark in range(MARKS) if reached[mark]], [5])


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
