"""Compiles all mutants of a sample into one build; the environment variable BSPT_MUTANT chooses one at run time.

A function with mutants contains its body once for each of them, and the original. The environment variable BSPT_REACHED
may name a file of MARKS bytes. Each function with mutants then marks in that file that it was run."""
import re
from collections import defaultdict

from mutant_points import Point

MARKS = 1 << 16
DECLARED = "extern int bspt_mutant;\nextern unsigned char *bspt_reached;\n#line 1\n"
# Linked into every target that has mutants.
PROGRAM = f"""#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((visibility("hidden"))) int bspt_mutant;
__attribute__((visibility("hidden"))) unsigned char *bspt_reached;

__attribute__((constructor)) static void begin(void)
{{
	const char *number = getenv("BSPT_MUTANT"), *path = getenv("BSPT_REACHED");
	if (number) bspt_mutant = atoi(number);
	int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	if (file < 0) return;
	void *bytes = mmap(0, {MARKS}, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (bytes != MAP_FAILED) bspt_reached = bytes;
	close(file);
}}
"""
LABEL = re.compile(r"\bgoto (\w+);")


def function_of(point: Point) -> str:
    return f"{point.file}:{point.function}"


def with_own_labels(body: str, number: int) -> str:
    for label in set(LABEL.findall(body)):
        body = re.sub(rf"\b(goto )?{label}\b(?=[;:])", rf"\g<1>{label}_{number}", body)
    return body


def switched(source: str, numbered: list[tuple[int, Point]], marks: dict[str, int]) -> str:
    """Returns a file's text with these mutants."""
    bodies: dict[tuple[int, int], list[tuple[int, Point]]] = defaultdict(list)
    for number, point in numbered:
        bodies[point.body].append((number, point))
    for (start, end), changes in sorted(bodies.items(), reverse=True):
        text = f"\tif (bspt_reached) bspt_reached[{marks[function_of(changes[0][1])]}] = 1;\n\t"
        for number, point in changes:
            body = point.changed(source)[start:end + len(point.after) - len(point.before)]
            text += f"if (bspt_mutant == {number}) {{\n{with_own_labels(body, number)}\t}} else "
        source = f"{source[:start]}{text}{{\n{source[start:end]}\t}}\n{source[end:]}"
    return DECLARED + source
