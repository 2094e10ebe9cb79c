"""Compares facts of a written file with the expected ones; prints and counts every difference."""
import math
from typing import Any

NEAR = 1e-5
_differences = 0


def is_near(value: Any, want: Any) -> bool:
    """True if values are equal, except for rounding of floats and of sequences of floats."""
    if isinstance(want, float):
        return isinstance(value, (int, float)) and math.isclose(value, want, rel_tol=NEAR, abs_tol=NEAR / 10)
    if isinstance(want, (list, tuple)):
        return (isinstance(value, (list, tuple)) and len(value) == len(want) and
                all(is_near(a, b) for a, b in zip(value, want)))
    return bool(value == want)


def expect(what: str, value: Any, want: Any) -> None:
    global _differences
    if not is_near(value, want):
        _differences += 1
        print(f"{what}: {value!r} instead of {want!r}")


def differences() -> int:
    """Returns the number of differences so far."""
    return _differences
