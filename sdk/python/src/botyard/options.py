"""The options of a bot that a match may set, declared as typed class attributes.

    class Mine(Bot):
        depth = IntOption(3, min=1, max=9, about="plies to search")

``self.depth`` is an ``int``: the value that the match set, or the default. Options are set before
:meth:`Bot.start` is called.
"""

import math
from typing import Any, Dict, Generic, Optional, Sequence, Type, TypeVar, Union, overload

T = TypeVar("T")
Self = TypeVar("Self", bound="Option[Any]")

#: The largest integer that the protocol allows.
MAX_INT = 2**53


class OptionError(ValueError):
    """An option that the bot did not declare, or a value that it does not allow."""


class Option(Generic[T]):
    """An option with a default. Use one of the subclasses."""

    kind = ""

    def __init__(self, default: T, about: str = "", name: str = "") -> None:
        self.default = default
        self.about = about
        #: The name in the protocol; by default the name of the attribute.
        self.name = name
        self.attribute = ""
        if not self.accepts(default):
            raise OptionError(f"default: expected {self.expected()}, got {default!r}")

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute
        self.name = self.name or attribute

    @overload
    def __get__(self: Self, bot: None, owner: type) -> Self: ...

    @overload
    def __get__(self, bot: object, owner: type) -> T: ...

    def __get__(self: Any, bot: Optional[object], owner: type) -> Any:
        if bot is None:
            return self
        return bot.__dict__.get(self.attribute, self.default)

    def __set__(self, bot: object, value: T) -> None:
        if not self.accepts(value):
            raise OptionError(f"option {self.name}: expected {self.expected()}, got {value!r}")
        bot.__dict__[self.attribute] = value

    def accepts(self, value: object) -> bool:
        """Returns whether a match may set this value."""
        raise NotImplementedError

    def expected(self) -> str:
        """Returns the allowed values, in words."""
        raise NotImplementedError

    def bounds(self) -> Dict[str, Any]:
        """Returns the fields of this kind of option in ``hello``."""
        return {}

    def spec(self) -> Dict[str, Any]:
        """Returns the option's declaration in ``hello``."""
        spec: Dict[str, Any] = {"kind": self.kind, **self.bounds(), "default": self.default}
        if self.about:
            spec["about"] = self.about
        return spec


class IntOption(Option[int]):
    """An integer from ``min`` to ``max``, both included."""

    kind = "int"

    def __init__(
        self, default: int, *, min: int, max: int, about: str = "", name: str = ""
    ) -> None:
        self.min, self.max = min, max
        super().__init__(default, about, name)

    def accepts(self, value: object) -> bool:
        is_int = isinstance(value, int) and not isinstance(value, bool)
        return is_int and self.min <= value <= self.max  # type: ignore[operator]

    def expected(self) -> str:
        return f"an integer from {self.min} to {self.max}"

    def bounds(self) -> Dict[str, Any]:
        return {"min": self.min, "max": self.max}


class FloatOption(Option[float]):
    """A number from ``min`` to ``max``, both included."""

    kind = "float"

    def __init__(
        self, default: float, *, min: float, max: float, about: str = "", name: str = ""
    ) -> None:
        self.min, self.max = min, max
        super().__init__(default, about, name)

    def accepts(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return math.isfinite(value) and self.min <= value <= self.max

    def expected(self) -> str:
        return f"a number from {self.min} to {self.max}"

    def bounds(self) -> Dict[str, Any]:
        return {"min": self.min, "max": self.max}


class EnumOption(Option[str]):
    """One of the words in ``values``."""

    kind = "enum"

    def __init__(
        self, default: str, *, values: Sequence[str], about: str = "", name: str = ""
    ) -> None:
        self.values = list(values)
        super().__init__(default, about, name)

    def accepts(self, value: object) -> bool:
        return value in self.values

    def expected(self) -> str:
        return "one of " + ", ".join(self.values)

    def bounds(self) -> Dict[str, Any]:
        return {"values": self.values}


class BoolOption(Option[bool]):
    """``True`` or ``False``."""

    kind = "bool"

    def accepts(self, value: object) -> bool:
        return isinstance(value, bool)

    def expected(self) -> str:
        return "true or false"


class TextOption(Option[str]):
    """Any text."""

    kind = "text"

    def accepts(self, value: object) -> bool:
        return isinstance(value, str)

    def expected(self) -> str:
        return "a text"


def declared(bot: Union[object, Type[object]]) -> Dict[str, "Option[Any]"]:
    """Returns the options that a bot declares, by their names in the protocol."""
    cls = bot if isinstance(bot, type) else type(bot)
    found: Dict[str, Option[Any]] = {}
    for base in reversed(cls.__mro__):
        for value in vars(base).values():
            if isinstance(value, Option):
                found[value.name] = value
    return found


def set_options(bot: object, values: Dict[str, Any]) -> None:
    """Sets the options of a bot as a match does, and resets all others to their defaults."""
    options = declared(bot)
    for option in options.values():
        bot.__dict__.pop(option.attribute, None)
    for name, value in values.items():
        if name not in options:
            known = ", ".join(sorted(options)) or "none"
            raise OptionError(f"there is no option {name}; the options of this bot are: {known}")
        options[name].__set__(bot, value)
