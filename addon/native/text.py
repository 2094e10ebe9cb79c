"""The library's texts as Python's."""
# SPDX-License-Identifier: MIT


def text(value: bytes | None) -> str:
    """UTF-8 as the library promises; "" for NULL."""
    return value.decode("utf-8", "replace") if value else ""
