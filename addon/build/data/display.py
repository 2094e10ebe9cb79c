"""Converts display bytes to linear light, which float colors in Blender contain."""
import numpy

_BYTES = numpy.arange(256) / 255.0
LINEAR = numpy.where(_BYTES <= 0.04045, _BYTES / 12.92, ((_BYTES + 0.055) / 1.055) ** 2.4).astype(numpy.float32)
