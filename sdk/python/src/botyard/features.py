"""A view of any game as numbers, for policies: feature hashing (Weinberger et al. 2009, "Feature hashing for large scale
multitask learning").

Every value in the view is a feature with the path to it as its name. A number is added at the place that its name is
hashed to; any other value adds 1 at the place of its name and value. These are the observations of
``botyard.engine.Game(name, encoding="hashed")`` and of the environments of loaded games. This module needs nothing else.
"""

from typing import Any, List

#: The length of the list that :func:`features` returns.
PLACES = 1024

_START, _PRIME, _WORD = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def features(view: Any, seat: int) -> List[float]:
    """Returns the view of a seat, which is counted from 0, as :data:`PLACES` numbers."""
    found = [0.0] * PLACES
    found[_place(_hashed(_START, b"seat" + bytes([seat])))] += 1
    _add(view, _START, found)
    return found


def _add(value: Any, name: int, found: List[float]) -> None:
    if isinstance(value, bool):
        found[_place(_hashed(name, b"?\1" if value else b"?\0"))] += 1
    elif isinstance(value, (int, float)):
        found[_place(name)] += value
    elif isinstance(value, str):
        found[_place(_hashed(name, b"=" + value.encode()))] += 1
    elif isinstance(value, list):
        inside = _hashed(name, b"/")
        for index, one in enumerate(value):
            _add(one, _hashed(inside, index.to_bytes(8, "little")), found)
    elif isinstance(value, dict):
        inside = _hashed(name, b".")
        for key, one in value.items():
            _add(one, _hashed(inside, key.encode()), found)
    else:
        found[_place(_hashed(name, b"!"))] += 1


def _place(name: int) -> int:
    return (name ^ name >> 32) % PLACES


def _hashed(name: int, data: bytes) -> int:
    """FNV-1a with 64 bits (Fowler, Noll, Vo)."""
    for byte in data:
        name = (name ^ byte) * _PRIME & _WORD
    return name
