"""Central differences: numeric derivatives of an operator in double precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

Tensors = Sequence[torch.Tensor]
_STEP = 1e-5
_KINK = 1e-3  # if one-sided differences differ by more than this, the function counts as not smooth
_RELATIVE, _ABSOLUTE = 1e-5, 1e-7


def weighted(outs: Tensors, weights: Sequence[torch.Tensor | None]) -> torch.Tensor:
    """Returns the sum of outputs times weights. Its gradient is that of backward with the weights as incoming
    gradients."""
    total = torch.zeros((), dtype=torch.float64)
    for out, weight in zip(outs, weights):
        if weight is not None:
            product = out * weight.conj() if weight.is_complex() else out * weight
            total = total + (product.real if product.is_complex() else product).double().sum().cpu()
    return total


def places_of(t: torch.Tensor, most: int) -> list[tuple[int, ...]]:
    """Returns the positions of at most `most` elements, spread over the tensor."""
    count = t.numel()
    numbers = range(count) if count <= most else sorted({i * (count - 1) // (most - 1) for i in range(most)})
    return [tuple(int(n) for n in torch.unravel_index(torch.tensor(i), t.shape)) if t.dim() else () for i in numbers]


def difference(function: Callable[[list[torch.Tensor]], float], tensors: Tensors, k: int, at: tuple[int, ...]) -> complex | None:
    """Returns d function / d tensors[k][at], in autograd's convention for complex numbers. None if there is no
    derivative."""
    here = function(list(tensors))

    def moved(by: complex) -> float:
        changed = tensors[k].detach().clone(memory_format=torch.contiguous_format)
        changed[at] += by if changed.is_complex() else by.real
        return function([changed if i == k else t for i, t in enumerate(tensors)])

    parts = []
    for direction in (1, 1j) if tensors[k].is_complex() else (1,):
        step = _STEP * max(1.0, abs(complex(tensors[k][at])))
        right, left = (moved(step * direction) - here) / step, (here - moved(-step * direction)) / step
        if not abs(right - left) <= _KINK * max(1.0, abs(right + left) / 2):
            return None
        parts.append((right + left) / 2)
    return complex(*parts)


def agree(a: complex, b: complex, scale: float) -> bool:
    """Returns whether two derivatives are equal, for a function with values of size `scale`."""
    return abs(a - b) <= _RELATIVE * max(abs(a), abs(b)) + _ABSOLUTE * max(1.0, scale)


def number_text(x: complex) -> str:
    """Returns `2`, `0.3333333` or `1+2j`."""
    return f"{x.real:.7g}" if x.imag == 0 else f"{x.real:.7g}{x.imag:+.7g}j"
