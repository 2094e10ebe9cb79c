"""Writes Blender's lamps as keys of entities, with the strength and color that the library reads back."""
import math
from collections.abc import Sequence

import bpy
from bspscene import abi
from bspscene.scene import Scene

from ..baked.daylight import APPLIED
from ..objects import light as light_module
from .goals import Goal, enlargement_of, light_of
from .keys import number_text
from .record import Record

STRENGTHS = ("_light", "light")   # keys of a lamp's strength; the value is a number, "r g b", or "r g b number"
COLORS = ("_color", "color")
USUAL = "300"                     # default brightness of a lamp
SAME = 1e-3                       # largest relative difference of a lamp that counts as unchanged
CLOSE = 0.01
MOST_STEPS = 10
GAMMA = 2.2
LEAST = 1e-4                      # smallest value of a color channel that counts as more than black


def _brightest(color: Sequence[float]) -> float:
    return max(*color, 1e-9)


class Look:
    """A lamp's strength and color. The color is scaled so that its largest channel is 1, and the strength is multiplied
    by that channel."""

    def __init__(self, energy: float, color: Sequence[float]) -> None:
        self.energy = energy * _brightest(color)
        self.color = [max(part, 0.0) / _brightest(color) for part in color]

    def has_color(self, other: "Look", error: float) -> bool:
        return all(abs(one - two) <= error for one, two in zip(self.color, other.color))

    def has_energy(self, other: "Look", error: float) -> bool:
        return abs(self.energy - other.energy) <= error * max(abs(self.energy), 1e-6)


def look_of(lamp: bpy.types.Light) -> Look:
    return Look(lamp.energy / (lamp.get(APPLIED) or 1.0), lamp.color)


def look_in(scene: Scene, entity: int) -> Look | None:
    """Returns the strength and color that the map gives an entity's lamp, or None if it has no lamp."""
    record = light_of(scene, entity)
    if record is None:
        return None
    meters = scene.meters_per_unit * enlargement_of(scene, entity)
    return Look(light_module.energy(record, meters, scene.data.linear_lights), light_module.light_color(record))


def is_changed(lamp: bpy.types.Light, before: Look) -> bool:
    now = look_of(lamp)
    return not (before.has_energy(now, SAME) and before.has_color(now, SAME))


def shape_is_changed(lamp: bpy.types.Light, record: abi.Light) -> bool:
    """True if the lamp has another type than the map's, or another cone."""
    if lamp.type != light_module.kind_of(record):
        return True
    wanted = light_module.cone_of(record)
    return lamp.type == "SPOT" and any(abs(one - two) > SAME for one, two in
                                       zip((lamp.spot_size, lamp.spot_blend), wanted))


class Shine(Goal):
    """Finds the keys for a lamp's strength and color. Changes one of them at each step, and learns from the trial how
    the strength depends on its key."""

    def __init__(self, record: Record, wanted: Look) -> None:
        super().__init__(record)
        self._wanted = wanted
        self._steps = 0
        self._power = 1.0
        self._last: tuple[float, float] | None = None   # the number that was tried last, and the lamp's strength with
                                                        # it
        self._color_steps = 0
        self._before = [(key, record.get(key), record.place(key)) for key in (*STRENGTHS, *COLORS)]

    def step(self, scene: Scene, entity: int) -> bool:
        now = look_in(scene, entity)
        self._steps += 1
        if now is None or now.energy * self._wanted.energy <= 0 or self._steps > MOST_STEPS:
            return self.fail()
        if not now.has_color(self._wanted, CLOSE):
            self._tint(now.color)
        elif not self._wanted.has_energy(now, CLOSE):
            self._strengthen(now.energy)
        else:
            return True
        return False

    def fail(self) -> bool:
        self._undo = self._before
        return super().fail()

    def why(self) -> str:
        return "has a new strength or color, but no values of its keys give this light"

    def _strength_key(self) -> str:
        for key in STRENGTHS:
            if any(self.record.numbers(key)):
                return key
        self.record.put(STRENGTHS[1], USUAL)
        return STRENGTHS[1]

    def _strengthen(self, energy: float) -> None:
        key = self._strength_key()
        numbers = self.record.numbers(key)
        number = numbers[3] if len(numbers) > 3 else max(numbers[:3])
        if self._last and self._last[0] != number and self._last[1] != energy:
            power = math.log(energy / self._last[1]) / math.log(number / self._last[0])
            self._power = min(max(power, 0.2), 5.0)
        self._last = (number, energy)
        factor = (self._wanted.energy / energy) ** (1 / self._power)
        if len(numbers) > 3:
            numbers[3] *= factor
        else:
            numbers = [part * factor for part in numbers]
        self._write(key, numbers)

    def _write(self, key: str, numbers: Sequence[float]) -> None:
        """Writes numbers with about four digits. Keeps the text that follows the numbers in the old value."""
        rest = (self.record.get(key) or "").split()[len(numbers):]
        texts = [number_text(part, max(3 - int(math.log10(max(part, 1))), 0)) for part in numbers]
        self.record.put(key, " ".join([*texts, *rest]))

    def _tint(self, color: Sequence[float]) -> None:
        key = self._strength_key()
        self._color_steps += 1
        if len(self.record.numbers(key)) < 3:
            own = next((name for name in COLORS if self.record.numbers(name)), COLORS[0])
            if self._color_steps == 3 and color == [1.0, 1.0, 1.0]:
                # The color key has no effect: in this game, color and strength are in one key.
                self.record.put(own, None)
                strength = self.record.numbers(key)[0]
                self._write(key, [255, 255, 255, strength])
                own, self._last = key, None
            key = own
        numbers = self.record.numbers(key)
        rgb = numbers[:3] if len(numbers) >= 3 else [1.0, 1.0, 1.0]
        brightest = _brightest(rgb)
        rgb = [self._channel(part / brightest, now, wanted) for part, now, wanted in
               zip(rgb, color, self._wanted.color)]
        self._write(key, [part / _brightest(rgb) * brightest for part in rgb] + numbers[3:])

    @staticmethod
    def _channel(part: float, now: float, wanted: float) -> float:
        if wanted < LEAST:
            return 0.0
        if now < LEAST:
            return wanted ** (1 / GAMMA)
        return part * (wanted / now) ** (1 / GAMMA)
