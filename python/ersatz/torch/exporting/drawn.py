"""Random inputs around given ones, with equal structure, sizes and dtypes. Values are edge cases, extremes, and
values of other sets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

__all__ = ["drawn", "drawn_near"]

Draw = Callable[[torch.Tensor, Sequence[torch.Tensor], random.Random], torch.Tensor]


def _of_few_rows(t: torch.Tensor, all_: Sequence[torch.Tensor], r: random.Random) -> torch.Tensor:
    """Returns a tensor that repeats one, two or more rows of the given tensors."""
    dims = [d for d in range(t.dim()) if t.shape[d]]
    if not dims:
        return t.clone()
    dim = r.choice(dims)
    pool = torch.cat([x for x in all_ if x.shape == t.shape] or [t], dim)
    few = [r.randrange(pool.shape[dim]) for _ in range(r.choice([1, 1, 1, 2, 3, t.shape[dim]]))]
    return pool.index_select(dim, torch.tensor([r.choice(few) for _ in range(t.shape[dim])], device=t.device))


def _some_rows_moved(t: torch.Tensor, all_: Sequence[torch.Tensor], r: random.Random) -> torch.Tensor:
    """Replaces some rows by other given rows."""
    other = _of_few_rows(t, all_, r)
    dims = [d for d in range(t.dim()) if t.shape[d]]
    if not dims:
        return other
    dim = r.choice(dims)
    shape = [1] * t.dim()
    shape[dim] = t.shape[dim]
    return torch.where(_some(torch.empty(t.shape[dim], device=t.device), r, r.choice([0.1, 0.3, 0.6])).view(shape), other, t)


def _one_value(t: torch.Tensor, r: random.Random) -> torch.Tensor:
    return torch.full_like(t, t.flatten()[r.randrange(t.numel())].item()) if t.numel() else t.clone()


def _permuted(t: torch.Tensor, r: random.Random) -> torch.Tensor:
    if t.dim() == 0:
        return t.clone()
    dim = r.randrange(t.dim())
    order = list(range(t.shape[dim]))
    r.shuffle(order)
    return t.index_select(dim, torch.tensor(order, dtype=torch.long, device=t.device))


def _some(t: torch.Tensor, r: random.Random, share: float) -> torch.Tensor:
    """Returns a random mask over the elements."""
    g = torch.Generator().manual_seed(r.randrange(1 << 30))
    return (torch.rand(t.shape, generator=g) < share).to(t.device)


def _normal(t: torch.Tensor, r: random.Random) -> torch.Tensor:
    g = torch.Generator().manual_seed(r.randrange(1 << 30))
    return torch.randn(t.shape, generator=g).to(t)


def _floats(special: bool) -> list[Draw]:
    def scaled(by: float) -> Draw:
        return lambda t, all_, r: t * by

    return [
        lambda t, all_, r: torch.zeros_like(t),
        scaled(-1.0),
        scaled(0.1),
        scaled(10.0),
        scaled(0.5),
        scaled(2.0),
        lambda t, all_, r: -t.abs(),
        lambda t, all_, r: t.abs(),
        _of_few_rows,
        _of_few_rows,
        _some_rows_moved,
        lambda t, all_, r: _one_value(t, r),
        lambda t, all_, r: _permuted(t, r),
        lambda t, all_, r: torch.ones_like(t),
        lambda t, all_, r: r.choice(all_).clone(),
        lambda t, all_, r: torch.where(_some(t, r, 0.5), t, r.choice([x for x in all_ if x.shape == t.shape])),
        lambda t, all_, r: torch.where(_some(t, r, r.choice([0.1, 0.5, 0.9])), t, torch.zeros_like(t)),
        lambda t, all_, r: t + _normal(t, r) * (t.std() if t.numel() > 1 else 1.0),
        lambda t, all_, r: t.mean() + _normal(t, r) * (t.std() if t.numel() > 1 else 1.0),
        *(
            (
                lambda t, all_, r: torch.where(_some(t, r, 0.05), torch.full_like(t, float("nan")), t),
                lambda t, all_, r: torch.where(_some(t, r, 0.05), torch.full_like(t, float("inf")), t),
            )
            if special
            else ()
        ),
    ]


def _range(all_: Sequence[torch.Tensor]) -> tuple[int, int]:
    filled = [t for t in all_ if t.numel()]
    low, high = min((int(t.min()) for t in filled), default=0), max((int(t.max()) for t in filled), default=1)
    return min(low, 0), high


def _integers() -> list[Draw]:
    def uniform(t: torch.Tensor, all_: Sequence[torch.Tensor], r: random.Random) -> torch.Tensor:
        low, high = _range(all_)
        g = torch.Generator().manual_seed(r.randrange(1 << 30))
        return torch.randint(min(low, 0), r.randint(low, high) + 1, t.shape, generator=g).to(t)

    def of_seen(t: torch.Tensor, all_: Sequence[torch.Tensor], r: random.Random) -> torch.Tensor:
        values = torch.cat([x.flatten() for x in all_])
        if not len(values):
            return t.clone()
        g = torch.Generator().manual_seed(r.randrange(1 << 30))
        return values[torch.randint(0, len(values), t.shape, generator=g).to(t.device)].to(t)

    return [
        lambda t, all_, r: torch.zeros_like(t),
        lambda t, all_, r: torch.ones_like(t),
        lambda t, all_, r: torch.full_like(t, _range(all_)[1]),
        lambda t, all_, r: _one_value(t, r),
        of_seen,
        uniform,
        _of_few_rows,
        _some_rows_moved,
        lambda t, all_, r: _permuted(t, r),
        lambda t, all_, r: t.sort(-1).values if t.dim() else t.clone(),
        lambda t, all_, r: torch.where(_some(t, r, 0.5), t, torch.zeros_like(t)),
        lambda t, all_, r: (t - 1).clamp(min=_range(all_)[0]),
        lambda t, all_, r: torch.where(_some(t, r, 0.3), torch.ones_like(t), t),
        lambda t, all_, r: r.choice(all_).clone(),
    ]


def _bools() -> list[Draw]:
    def one(t: torch.Tensor, all_: Sequence[torch.Tensor], r: random.Random) -> torch.Tensor:
        out = torch.zeros_like(t)
        if out.numel():
            out.view(-1)[r.randrange(out.numel())] = True
        return out

    return [
        lambda t, all_, r: torch.zeros_like(t),
        lambda t, all_, r: torch.ones_like(t),
        one,
        lambda t, all_, r: _some(t, r, r.random()),
        lambda t, all_, r: ~t,
        lambda t, all_, r: _permuted(t, r),
        _of_few_rows,
        _some_rows_moved,
        lambda t, all_, r: r.choice(all_).clone(),
    ]


def _draws_of(t: torch.Tensor, special: bool = False) -> list[Draw]:
    if t.dtype == torch.bool:
        return _bools()
    if t.is_floating_point():
        return _floats(special)
    return _integers() if not t.is_complex() else []


def _one_set(trees: Sequence[list[Any]], spec: Any, base: int, which: Sequence[int], how: Sequence[int], special: bool, r: random.Random) -> Any:
    leaves = list(trees[base])
    for at, number in zip(which, how):
        leaf = leaves[at]
        draws = _draws_of(leaf, special)
        if not draws:
            continue
        others = [tree[at] for tree in trees if isinstance(tree[at], torch.Tensor) and tree[at].shape == leaf.shape and tree[at].dtype == leaf.dtype]
        with torch.no_grad():
            leaves[at] = draws[number % len(draws)](leaf.detach(), others or [leaf], r).contiguous()
    return pytree.tree_unflatten(leaves, spec)


def drawn(sets: Sequence[tuple[Any, ...]], special: bool = False, seed: int = 0) -> Iterator[tuple[Any, ...]]:
    """Yields sets of inputs without end: first with a single tensor changed, in each way, then with several random
    changes. Sizes are those of a given set. `special`: with NaN and Inf too, for models that handle them."""
    r = random.Random(seed)
    flat = [pytree.tree_flatten(s) for s in sets]
    trees, spec = [leaves for leaves, s in flat if s == flat[0][1]], flat[0][1]
    tensors = [i for i, leaf in enumerate(trees[0]) if isinstance(leaf, torch.Tensor) and _draws_of(leaf)]
    if not tensors:
        return
    for number in range(max(len(_draws_of(trees[0][i], special)) for i in tensors)):
        for at in tensors:
            if number < len(_draws_of(trees[0][at], special)):
                yield _one_set(trees, spec, number % len(trees), [at], [number], special, r)
    while True:
        which = r.sample(tensors, r.randint(1, len(tensors)))
        yield _one_set(trees, spec, r.randrange(len(trees)), which, [r.randrange(100) for _ in which], special, r)


def drawn_near(one: tuple[Any, ...], sets: Sequence[tuple[Any, ...]], seed: int) -> Iterator[tuple[Any, ...]]:
    """Yields sets that differ from `one` in few elements."""
    r = random.Random(seed)
    leaves, spec = pytree.tree_flatten(one)
    others = [pytree.tree_flatten(s)[0] for s in sets]
    tensors = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor) and leaf.numel() and _draws_of(leaf)]
    while tensors:
        new = list(leaves)
        for at in r.sample(tensors, r.randint(1, len(tensors))):
            leaf = new[at]
            like = [o[at] for o in others if isinstance(o[at], torch.Tensor) and o[at].shape == leaf.shape] or [leaf]
            with torch.no_grad():
                if r.random() < 0.5:
                    new[at] = r.choice([_some_rows_moved, _of_few_rows])(leaf.detach(), [leaf.detach(), *like], r)
                    continue
                change = r.choice(_draws_of(leaf))(leaf.detach(), like, r).to(leaf.dtype)
                new[at] = torch.where(_some(leaf, r, r.choice([0.1, 0.3, 1.0])), change, leaf)
        yield pytree.tree_unflatten(new, spec)
