"""The mode in which materials are made, and the settings for all materials."""
from typing import NamedTuple

MODES = ("GAME", "LIGHT", "RELIGHT", "EXPORT")
LIT_BY_GAME = ("GAME", "LIGHT")   # modes that show the game's light and sky without any lamp in the scene


class MaterialOptions(NamedTuple):
    mode: str          # one of MODES
    filtering: str
    animated: bool
    keep: bool         # leave the materials of an earlier import of the same map unchanged
