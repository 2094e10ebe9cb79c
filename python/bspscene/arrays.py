"""Types of the arrays that the package returns. There is a name for each number of dimensions: Table[numpy.float32] is
an array of rows of floats."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy

Number = TypeVar("Number", bound=numpy.generic)
Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[Any]]                          # an array of any shape
Row: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[Number]]
Table: TypeAlias = numpy.ndarray[tuple[int, int], numpy.dtype[Number]]           # a row for each vertex or triangle
# The dimensions are height, width and channels of a picture; or, of a rig, frames, bones or vertices, and values.
Picture: TypeAlias = numpy.ndarray[tuple[int, int, int], numpy.dtype[Number]]
