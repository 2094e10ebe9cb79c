"""Converts the library's strings to Python's."""
# SPDX-License-Identifier: MIT


def text(value: str | bytes | None) -> str:
    """Converts a string of a struct or a function's UTF-8 to str; "" for NULL."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value or ""
