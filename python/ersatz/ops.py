"""`ersatz.ops.aten.add.Tensor`: operators as attributes, like PyTorch's `torch.ops`."""

from __future__ import annotations

from typing import Any

from . import _ersatz


class Packet:
    """The overloads of one operator: `ops.aten.add`. Calling it calls the first overload whose schema takes the
    arguments unconverted, else the first that takes them converted. Errors of that overload are raised."""

    def __init__(self, name: str, overloads: dict[str, str]) -> None:
        self._name = name
        self._overloads = overloads
        self._operators: list[_ersatz.Operator] | None = None

    def overloads(self) -> list[str]:
        """Returns the names of the overloads; an overload without a name is `default`."""
        return list(self._overloads)

    def __getattr__(self, overload: str) -> _ersatz.Operator:
        name = self._overloads.get(overload)
        if name is None:
            raise AttributeError(f"{self._name} has no overload '{overload}': there are {', '.join(self._overloads)}")
        operator = _ersatz.find_operator(name)
        assert operator is not None
        setattr(self, overload, operator)
        return operator

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._operators is None:
            self._operators = [getattr(self, overload) for overload in self._overloads]
        return _ersatz.call_overload(self._operators, args, kwargs)

    def __dir__(self) -> list[str]:
        return self.overloads()

    def __repr__(self) -> str:
        return f"<operator {self._name}: {', '.join(self._overloads)}>"


class Namespace:
    """The operators of one namespace: `ops.aten`."""

    def __init__(self, name: str, packets: dict[str, dict[str, str]]) -> None:
        self._name = name
        self._packets = packets

    def __getattr__(self, operator: str) -> Packet:
        overloads = self._packets.get(operator)
        if overloads is None:
            raise AttributeError(f"no operator {self._name}.{operator}; load_plugin registers those of a shared library")
        packet = Packet(f"{self._name}.{operator}", overloads)
        setattr(self, operator, packet)
        return packet

    def __dir__(self) -> list[str]:
        return list(self._packets)

    def __repr__(self) -> str:
        return f"<operators of {self._name}: {len(self._packets)}>"


class Operators:
    """All operators, by namespace."""

    def __getattr__(self, namespace: str) -> Namespace:
        packets: dict[str, dict[str, str]] = {}
        for name in _ersatz.operator_names():
            space, operator, overload = name.split(".", 2)
            if space == namespace:
                packets.setdefault(operator, {})[overload] = name
        if not packets:
            raise AttributeError(f"no operator of namespace {namespace}; load_plugin registers those of a shared library")
        found = Namespace(namespace, packets)
        if namespace == "aten":  # this namespace cannot change, but plugins may add operators to others
            setattr(self, namespace, found)
        return found

    def __repr__(self) -> str:
        return f"<operators: {len(_ersatz.operator_names())}>"


ops = Operators()
