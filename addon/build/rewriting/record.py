"""The keys and values of an entity that is to be written."""
from collections.abc import Iterable
from typing import NamedTuple

Pair = tuple[str, str]


class Record:
    """All keys and values of an entity. `source` is the entity's number in the map, or None for a new entity. `name` is
    for messages. If a key is repeated, functions use the pair that the game reads."""

    def __init__(self, source: int | None, pairs: Iterable[Pair], name: str, first_wins: bool) -> None:
        self.source, self.pairs, self.name, self._first_wins = source, list(pairs), name, first_wins

    def place(self, key: str) -> int | None:
        """Returns the index of the pair that the game reads for a key."""
        places = [number for number, (name, _) in enumerate(self.pairs) if name.lower() == key.lower()]
        return (places[0] if self._first_wins else places[-1]) if places else None

    def get(self, key: str) -> str | None:
        place = self.place(key)
        return None if place is None else self.pairs[place][1]

    def put(self, key: str, value: str | None, at: int | None = None) -> None:
        """Sets a key's value, or removes the key if the value is None. A new key is inserted at the index `at`, or
        added at the end if `at` is None."""
        place = self.place(key)
        if value is None:
            if place is not None:
                del self.pairs[place]
        elif place is None:
            self.pairs.insert(len(self.pairs) if at is None else at, (key, value))
        else:
            self.pairs[place] = (self.pairs[place][0], value)

    def numbers(self, key: str) -> list[float]:
        """Returns the numbers at the beginning of a key's value."""
        found: list[float] = []
        for word in (self.get(key) or "").split():
            try:
                found.append(float(word))
            except ValueError:
                break
        return found


class Told(NamedTuple):
    """A message about an object or a change that cannot be written as an entity."""
    name: str
    why: str

    def line(self) -> str:
        return f"{self.name}: {self.why}"
