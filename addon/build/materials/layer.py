"""Blends textures by weights and by their brightness, as bspscene_layer in material.h describes."""
from bspscene import abi

from .shading import Tree


class LayerStack:
    """Blends layers one after the other. `color` is the result of the layers so far."""

    def __init__(self, tree: Tree, color, lowest: abi.Layer) -> None:
        self.tree, self.color = tree, color
        self._bright = self._brightness(lowest, color)

    def _brightness(self, layer: abi.Layer, color):
        return self.tree.smooth_step(self.tree.luminance(color), *layer.luminance)

    def put(self, layer: abi.Layer, color, weight) -> None:
        tree, share = self.tree, layer.luminance_share
        own = self._brightness(layer, color)
        # gain = 1 + (1 - brightness of the layers below) * (1 - share) + own brightness * share
        gain = tree.math("MULTIPLY_ADD", self._bright, share - 1.0, 2.0 - share)
        gain = tree.math("MULTIPLY_ADD", own, share, gain)
        amount = tree.smooth_step(tree.math("MULTIPLY", weight, gain), *layer.blend)
        covered = tree.scaled(tree.vector("MULTIPLY", self.color, color), 2.0) if layer.doubled else color
        self.color = tree.mix(amount, self.color, covered)
        change = tree.math("SUBTRACT", own, self._bright)
        self._bright = tree.math("MULTIPLY_ADD", change, amount, self._bright)
