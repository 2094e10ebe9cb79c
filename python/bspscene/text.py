"""Converts the library's strings to Python's."""
# SPDX-License-Identifier: MIT


def text(value: str | bytes | None) -> str:
    """A text of a struct, or the UTF-8 that a function returned; "" for NULL."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""
