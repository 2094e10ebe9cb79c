"""A goal is a wanted state of an entity in the game. It is reached by changing keys. Which keys matter differs by game,
and only the library knows it. So after each change, the library loads a trial version of the map, and the goal compares
the result."""
import math
from collections.abc import Iterator

from bspscene import abi
from bspscene.scene import Scene
from mathutils import Matrix, Vector

from .keys import number_text
from .places import ANGLE_DECIMALS, angles_of
from .record import Record, Told

NEAR = 1e-3         # largest difference between unit vectors that count as equal
NEAR_PLACE = 0.5    # largest distance in game units between positions that count as equal
SIZES = ("modelscale", "uniformscale", "scale")


def place_of(scene: Scene, entity: int) -> Matrix:
    """Returns the world transform of an entity's node, in game units."""
    t = scene.world_transform(scene.data.entities[entity].contents.node)
    return Matrix((t[0:4], t[4:8], t[8:12], (0, 0, 0, 1)))


def turn_of(place: Matrix) -> Matrix:
    return place.to_quaternion().to_matrix()


class Goal:
    """The wanted state of one property of an entity. `step` gets a trial version of the map. It returns True if the
    property is as wanted there. Otherwise it changes the record for the next trial. If nothing is left to try, the goal
    fails: the old keys are restored, and `told` says what is not written."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.told: Told | None = None
        self._undo: list[tuple[str, str | None, int | None]] = []

    def step(self, scene: Scene, entity: int) -> bool:
        raise NotImplementedError

    def _change(self, pairs: list[tuple[str, str | None]]) -> None:
        self._take_back()
        self._undo = [(key, self.record.get(key), self.record.place(key)) for key, _ in pairs]
        for key, value in pairs:
            self.record.put(key, value)

    def _take_back(self) -> None:
        for key, value, place in reversed(self._undo):
            self.record.put(key, value, place)
        self._undo = []

    def fail(self) -> bool:
        self._take_back()
        self.told = Told(self.record.name, self.why())
        return True

    def why(self) -> str:
        """Returns the message for a goal that failed."""
        raise NotImplementedError


class Place(Goal):
    """The position of an entity. "origin" is already set to it, but the game shows some entities elsewhere."""

    def __init__(self, record: Record, wanted: Vector) -> None:
        super().__init__(record)
        self._wanted = wanted

    def step(self, scene: Scene, entity: int) -> bool:
        if (place_of(scene, entity).translation - self._wanted).length > NEAR_PLACE:
            return self.fail()
        return True

    def why(self) -> str:
        return "its new origin is written, but the game takes its position from other keys, such as a path"


class Turn(Goal):
    """The rotation of an entity's node. For lamps only the direction counts."""

    def __init__(self, record: Record, wanted: Matrix, is_lamp: bool, prefers_angles: bool) -> None:
        super().__init__(record)
        self._wanted, self._is_lamp = wanted, is_lamp
        pitch, yaw, roll = angles_of(wanted)
        self._ways = self._all_ways(pitch, yaw, 0.0 if is_lamp else roll, prefers_angles)

    def step(self, scene: Scene, entity: int) -> bool:
        now, columns = turn_of(place_of(scene, entity)), 1 if self._is_lamp else 3
        if all((now.col[i] - self._wanted.col[i]).length < NEAR for i in range(columns)):
            return True
        pairs = next(self._ways, None)
        if pairs is None:
            return self.fail()
        self._change(pairs)
        return False

    def why(self) -> str:
        if self.record.get("target") and self._is_lamp:
            return "was turned, but it points at its target: move the target instead"
        return "was turned, but no key of the game gives it this rotation"

    def _all_ways(self, pitch: float, yaw: float, roll: float,
                  prefers_angles: bool) -> Iterator[list[tuple[str, str | None]]]:
        def said(*numbers: float) -> str:
            return " ".join(number_text(number, ANGLE_DECIMALS) for number in numbers)

        has_angles, is_flat = self.record.get("angles") is not None, pitch == 0 and roll == 0
        if self.record.get("mangle") is not None:
            yield [("mangle", said(pitch, yaw, roll))]
            yield [("mangle", said(yaw, -pitch, roll))]
        if not has_angles and (self.record.get("angle") is not None or not prefers_angles):
            if is_flat:
                yield [("angle", said(yaw))]
            if abs(pitch) == 90:
                yield [("angle", "-1" if pitch < 0 else "-2")]
        yield [("angles", said(pitch, yaw, roll))]
        yield [("angles", said(-pitch, yaw, roll))]
        if is_flat:
            yield [("angle", said(yaw))]
            yield [("angles", None), ("angle", said(yaw))]
        yield [("pitch", said(-pitch)), ("angles", said(0, yaw, roll))]
        yield [("pitch", said(-pitch)), ("angle", said(yaw))]
        yield [("pitch", said(-pitch)), ("angles", said(0, yaw, roll)), ("angle", None)]


class Size(Goal):
    """The size of an entity's node. `factor` is how much the user scaled it."""

    def __init__(self, record: Record, wanted: Vector, factor: Vector) -> None:
        super().__init__(record)
        self._wanted = wanted
        is_even = min(factor) > 0 and max(factor) - min(factor) < NEAR * max(factor)
        self._ways = iter([(key, record.numbers(key)[0] * factor[0]) for key in SIZES if record.numbers(key)]
                          if is_even else [])

    def step(self, scene: Scene, entity: int) -> bool:
        now = place_of(scene, entity).to_scale()
        if (now - self._wanted).length < NEAR * self._wanted.length:
            return True
        way = next(self._ways, None)
        if way is None:
            return self.fail()
        self._change([(way[0], number_text(way[1], 4))])
        return False

    def why(self) -> str:
        return "was scaled, but no key of the game gives it this size"


def prefers_angles(scene: Scene) -> bool:
    """True if the map's entities use the key "angles" rather than "angle"."""
    keys = [pair.key.lower() for pair in scene.data.pairs[:scene.data.pair_count] if pair.key]
    return keys.count("angles") > keys.count("angle")


def light_of(scene: Scene, entity: int) -> abi.Light | None:
    """Returns the lamp that an entity describes, or None."""
    number = scene.data.nodes[scene.data.entities[entity].contents.node].contents.light
    return None if number == abi.NO_INDEX else scene.data.lights[number].contents


def enlargement_of(scene: Scene, entity: int) -> float:
    """Returns the scale factor of the entity's node: that of the 3D skybox if the node is in the skybox, else 1."""
    parent = scene.data.nodes[scene.data.entities[entity].contents.node].contents.parent
    return 1.0 if parent == abi.NO_INDEX else math.hypot(*scene.world_transform(parent)[0:9:4])
