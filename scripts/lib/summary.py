#!/usr/bin/env python3
"""Prints a summary of ctest's JUnit files: the tests that took longest, those that were skipped with the reasons, and
those that failed. The last line has the numbers of passed, failed and skipped tests.

Usage: summary.py [--failed WHAT]... FILE.xml...
WHAT is a step that failed outside of ctest, such as the build. Ends with 1 if anything failed.
"""
import argparse
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SLOWEST = 20


def is_skipped(case) -> bool:
    skipped = case.find("skipped")
    return skipped is not None and skipped.get("message", "").startswith("SKIP_")


def reason(case) -> str:
    """Returns the last line of output that says why a test was skipped."""
    output = (case.findtext("system-out") or "").strip().splitlines()
    told = [line.strip() for line in output if "skip" in line.lower()]
    line = told[-1] if told else (output[-1].strip() if output else "no reason given")
    return re.sub(r"^skipped:\s*", "", line, flags=re.IGNORECASE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failed", action="append", default=[])
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()

    passed, failed, skipped, times = 0, list(arguments.failed), [], []
    for path in arguments.files:
        try:
            cases = ElementTree.parse(path).getroot().iter("testcase")
        except (OSError, ElementTree.ParseError) as error:
            failed.append(f"{path.stem}: no result ({error})")
            continue
        for case in cases:
            name, status = case.get("name"), case.get("status")
            times.append((float(case.get("time") or 0), name))
            if status == "run":
                passed += 1
            elif status in ("notrun", "disabled") and is_skipped(case):
                skipped.append(f"{name}: {reason(case)}")
            else:
                failed.append(name)

    if times:
        print(f"\nThe slowest of {len(times)} tests, {sum(time for time, _ in times):.0f} s together:")
    for seconds, name in sorted(times, reverse=True)[:SLOWEST]:
        print(f"{seconds:7.1f}  {name}")
    print()
    for line in skipped:
        print(f"skipped  {line}")
    for line in failed:
        print(f"FAILED   {line}")
    closing = f"{passed} passed, {len(failed)} failed"
    print(closing + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
