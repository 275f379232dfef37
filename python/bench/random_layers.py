"""Draws calls whose arguments must fit each other: convolutions, pooling, norms, attention, recurrent nets, FFT,
linear algebra, losses."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from random_calls import COMPLEX, FLOATS, Draw


def _dtype(d: Draw) -> torch.dtype:
    return d.choices((torch.float32, torch.float64, torch.bfloat16, torch.float16), (6, 3, 1, 1))[0]


def _spatial(d: Draw, n: int, least: int = 3) -> list[int]:
    return [d.randint(least, least + 3) for _ in range(n)]


def _image(d: Draw, n: int, channels: int, dtype: torch.dtype) -> torch.Tensor:
    batch = [] if d.often(0.1) else [d.choices((0, 1, 2, 3), (1, 4, 5, 2))[0]]
    return d.tensor([*batch, channels, *_spatial(d, n)], dtype)


def convolution(d: Draw) -> Any:
    n, dtype, groups = d.randint(1, 3), _dtype(d) if d.often(0.9) else d.choice(COMPLEX), d.choice((1, 1, 2))
    into, out = groups * d.randint(1, 2), groups * d.randint(1, 3)
    kernel = [d.randint(1, 3) for _ in range(n)]
    x, bias = _image(d, n, into, dtype), d.tensor([out], dtype) if d.often(0.5) else None
    stride, dilation = d.choice((1, 1, 2)), d.choice((1, 1, 2))
    if d.often(0.35):
        w = d.tensor([into, out // groups, *kernel], dtype)
        call = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[n - 1]
        return call(x, w, bias, stride, d.choice((0, 1)), d.choice((0, 0, 1)), groups, dilation)
    w = d.tensor([out, into // groups, *kernel], dtype)
    padding = d.choice((0, 1, 2, "same", "valid"))
    return (F.conv1d, F.conv2d, F.conv3d)[n - 1](x, w, bias, stride, padding, dilation, groups)


def pooling(d: Draw) -> Any:
    n, dtype = d.randint(1, 3), _dtype(d)
    x = _image(d, n, d.randint(1, 3), dtype)
    k, stride, padding, ceil = d.choice((1, 2, 3)), d.choice((None, 1, 2)), d.choice((0, 0, 1)), d.often(0.3)
    return d.choice((
        lambda: getattr(F, f"avg_pool{n}d")(x, k, stride, padding, ceil, d.often(0.5)),
        lambda: getattr(F, f"max_pool{n}d")(x, k, stride, padding, d.choice((1, 1, 2)), ceil),
        lambda: getattr(F, f"max_pool{n}d")(x, k, stride, padding, 1, ceil, return_indices=True),
        lambda: getattr(F, f"adaptive_avg_pool{n}d")(x, [d.randint(0, 4) for _ in range(n)]),
        lambda: getattr(F, f"adaptive_max_pool{n}d")(x, [d.randint(1, 4) for _ in range(n)], True),
        lambda: getattr(F, f"lp_pool{n}d")(x, 2, k, stride, ceil),
        lambda: getattr(F, f"fractional_max_pool{max(n, 2)}d")(x, 2, output_size=2),
        lambda: getattr(F, f"max_unpool{n}d")(*getattr(F, f"max_pool{n}d")(x, 2, return_indices=True), 2)))()


def norms(d: Draw) -> Any:
    dtype, c = _dtype(d), d.choice((2, 4))
    x = d.tensor([d.choice((0, 1, 2, 3)), c, *_spatial(d, d.randint(0, 3), 1)], dtype)
    w, b, mean, var = (d.tensor([c], dtype) if d.often(0.6) else None for _ in range(4))
    last = list(x.shape[d.randrange(x.dim()):])
    training = d.often(0.5) or mean is None or var is None
    if mean is None or var is None:
        mean = var = None
    return d.choice((
        lambda: F.batch_norm(x, mean, var, w, b, training),
        lambda: F.group_norm(x, d.choice((1, 2)), w, b),
        lambda: F.layer_norm(x, last, d.tensor(last, dtype) if w is not None else None, d.tensor(last, dtype) if b is not None else None),
        lambda: F.rms_norm(x, last, d.tensor(last, dtype) if w is not None else None),
        lambda: F.instance_norm(x, mean, var, w, b, training),
        lambda: F.local_response_norm(x, 2),
        lambda: F.normalize(x, d.choice((1.0, 2.0, 3.0)), d.dim(x)),
        lambda: torch._weight_norm(x, x.norm(dim=0, keepdim=True), d.dim(x))))()


def attention(d: Draw) -> Any:
    dtype, batch, heads = _dtype(d), d.choice(([], [1], [2])), d.choice((1, 2))
    q, k, e = d.choice((0, 1, 3, 4)), d.choice((1, 3, 5)), d.choice((1, 4, 8))
    mask = d.choice((None, d.tensor([q, k], torch.bool), d.tensor([q, k], dtype), d.tensor([1, k], dtype)))
    lead = [*batch, heads] if d.often(0.8) else batch
    made = [d.tensor([*lead, n, e], dtype) for n in (q, k, k)]
    return F.scaled_dot_product_attention(*made, attn_mask=mask, is_causal=mask is None and d.often(0.3), scale=d.choice((None, 0.5)))


def multi_head(d: Draw) -> Any:
    net = torch.nn.MultiheadAttention(4, d.choice((1, 2)), batch_first=d.often(0.5), bias=d.often(0.7), add_bias_kv=d.often(0.2))
    x = d.tensor([2, 3, 4], torch.float32)
    return net(x, x, x, need_weights=d.often(0.5), average_attn_weights=d.often(0.5))


def recurrent(d: Draw) -> Any:
    kind = d.choice((torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN))
    net = kind(3, 4, d.choice((1, 2)), bias=d.often(0.7), batch_first=d.often(0.5), bidirectional=d.often(0.3), dtype=d.choice(FLOATS[:2]))
    x = d.tensor([d.randint(1, 3), d.randint(1, 3), 3], next(net.parameters()).dtype)
    if d.often(0.2):
        x = torch.nn.utils.rnn.pack_padded_sequence(x, [x.shape[1]] * x.shape[0], batch_first=True)
        net.batch_first = True
    out = net(x)[0]
    return out if isinstance(out, torch.Tensor) else out.data


def fft(d: Draw) -> Any:
    x = d.tensor(d.sizes(d.randint(1, 4)), d.choices((torch.float32, torch.float64, *COMPLEX, torch.int64), (3, 2, 4, 2, 1))[0])
    norm, n = d.choice((None, "forward", "ortho")), d.choice((None, None, 1, 2, 5))
    one = d.choice((torch.fft.fft, torch.fft.ifft, torch.fft.rfft, torch.fft.irfft, torch.fft.hfft, torch.fft.ihfft))
    many = d.choice((torch.fft.fftn, torch.fft.ifftn, torch.fft.rfftn, torch.fft.irfftn, torch.fft.fft2, torch.fft.rfft2, torch.fft.hfftn))
    dims = d.sample(range(x.dim()), d.randint(1, x.dim()))
    return d.choice((lambda: one(x, n, d.dim(x), norm), lambda: many(x, None, dims, norm) if d.often(0.7) else many(x, norm=norm),
                     lambda: d.choice((torch.fft.fftshift, torch.fft.ifftshift))(x, dims), lambda: torch.fft.fftfreq(d.randint(0, 5))))()


def linear_algebra(d: Draw) -> Any:
    dtype = d.choices((torch.float32, torch.float64, *COMPLEX), (4, 3, 2, 1))[0]
    batch, n, m = d.choice(([], [], [2], [0], [2, 1])), d.randint(0, 4), d.randint(0, 4)
    any_, b = d.tensor([*batch, m, n], dtype), d.tensor([*batch, n, d.randint(0, 3)], dtype)
    x = d.tensor([*batch, n, n], dtype)
    square = x + 5 * torch.eye(n, dtype=dtype)
    positive = x @ x.mH + torch.eye(n, dtype=dtype)
    la = torch.linalg
    return d.choice((
        lambda: la.solve(square, b, left=True), lambda: la.inv(square), lambda: la.det(square), lambda: la.slogdet(square), lambda: la.lu(any_),
        lambda: la.lu_factor(any_), lambda: la.qr(any_, d.choice(("reduced", "complete", "r"))), lambda: la.svd(any_, d.often(0.5)),
        lambda: la.svdvals(any_), lambda: la.eigh(positive, d.choice("LU")), lambda: la.eigvalsh(positive),
        lambda: la.cholesky(positive, upper=d.often(0.5)),
        lambda: la.matrix_exp(square), lambda: la.pinv(any_), lambda: la.matrix_rank(any_), lambda: la.cond(square),
        lambda: la.matrix_power(square, d.randint(-2, 3)),
        lambda: la.solve_triangular(square, b, upper=d.often(0.5)), lambda: la.lstsq(any_, d.tensor([*batch, m, 2], dtype)),
        lambda: la.vector_norm(any_, d.choice((0, 1, 2, 3.5, float("inf")))),
        lambda: la.matrix_norm(any_, d.choice(("fro", "nuc", 1, 2, float("inf")))),
        lambda: la.multi_dot([any_, square, square]) if not batch else any_, lambda: torch.einsum("...ij,...jk->...ik", any_, b), lambda: any_ @ b,
        lambda: torch.baddbmm(d.tensor([1, 1, 1], dtype), x.view(-1, n, n), x.view(-1, n, n)), lambda: torch.cholesky_solve(b, positive),
        lambda: torch.triangular_solve(b, square), lambda: la.householder_product(any_, d.tensor([*batch, min(m, n)], dtype)),
        lambda: torch.cdist(d.tensor([*batch, m, 3], torch.float32), d.tensor([*batch, n, 3], torch.float32), d.choice((0.0, 1.0, 2.0, 3.0)))))()


def losses(d: Draw) -> Any:
    dtype, reduction = _dtype(d), d.choice(("none", "mean", "sum"))
    x = d.tensor(d.sizes(d.randint(0, 3)), dtype)
    y = d.tensor(x.shape if d.often(0.8) else [1] * x.dim(), dtype)
    n, c = d.randint(0, 3), d.randint(1, 4)
    scores = d.tensor([n, c, *_spatial(d, d.choice((0, 0, 1, 2)), 1)], dtype)
    target = d.positions(c, [scores.shape[0], *scores.shape[2:]]).long()
    rows, classes = d.tensor([n, c], dtype), d.positions(c, [n]).long()
    sign = d.tensor([n], dtype).sign()
    return d.choice((
        lambda: F.mse_loss(x, y, reduction=reduction), lambda: F.l1_loss(x, y, reduction=reduction),
        lambda: F.smooth_l1_loss(x, y, reduction=reduction),
        lambda: F.huber_loss(x, y, reduction=reduction), lambda: F.binary_cross_entropy(x.sigmoid(), y.sigmoid(), reduction=reduction),
        lambda: F.binary_cross_entropy_with_logits(x, y, reduction=reduction), lambda: F.kl_div(x, y, reduction=reduction),
        lambda: F.poisson_nll_loss(x, y, reduction=reduction), lambda: F.soft_margin_loss(x, y.sign(), reduction=reduction),
        lambda: F.cross_entropy(scores, target, d.tensor([c], dtype) if d.often(0.3) else None, reduction=reduction,
            label_smoothing=d.choice((0.0, 0.1))),
        lambda: F.nll_loss(scores, target, reduction=reduction), lambda: F.multi_margin_loss(rows, classes, reduction=reduction),
        lambda: F.multilabel_margin_loss(rows, d.positions(c, [n, c]).long(), reduction=reduction),
        lambda: F.multilabel_soft_margin_loss(rows, rows.sigmoid(), reduction=reduction),
        lambda: F.cosine_embedding_loss(rows, rows.flip(0), sign, reduction=reduction),
        lambda: F.margin_ranking_loss(rows[:, 0], rows[:, -1], sign, reduction=reduction),
        lambda: F.hinge_embedding_loss(x, y.sign(), reduction=reduction),
        lambda: F.triplet_margin_loss(rows, rows + 1, rows - 1, reduction=reduction),
        lambda: F.gaussian_nll_loss(x, y, y.abs() + 1, reduction=reduction),
        lambda: F.ctc_loss(d.tensor([4, 2, 3], torch.float32).log_softmax(2), torch.ones(2, 2).long(), torch.tensor([4, 4]), torch.tensor([2, 1]),
            reduction=reduction)))()


def resizing(d: Draw) -> Any:
    n, dtype = d.randint(1, 3), _dtype(d)
    x = _image(d, n, 4, dtype)
    mode = d.choice(("nearest", "nearest-exact", "area", ("linear", "bilinear", "trilinear")[n - 1], "bicubic"))
    align = d.choice((None, True, False)) if "linear" in mode or "cubic" in mode else None
    grid = d.tensor([x.shape[0], *_spatial(d, n, 1), n], dtype)
    return d.choice((
        lambda: F.interpolate(x, size=[d.randint(1, 6) for _ in range(n)], mode=mode, align_corners=align),
        lambda: F.interpolate(x, scale_factor=d.choice((0.5, 1.5, 2.0)), mode=mode, align_corners=align),
        lambda: F.grid_sample(x, grid, d.choice(("bilinear", "nearest", "bicubic")), d.choice(("zeros", "border", "reflection")), d.often(0.5)),
        lambda: F.pad(x, [d.randint(-1, 2) for _ in range(2 * d.randint(1, n))], d.choice(("constant", "reflect", "replicate", "circular"))),
        lambda: F.unfold(x, d.randint(1, 2), padding=d.choice((0, 1)), stride=d.choice((1, 2))), lambda: F.pixel_shuffle(x, 2),
        lambda: F.pixel_unshuffle(x, 2), lambda: F.channel_shuffle(x, 2),
        lambda: F.affine_grid(d.tensor([2, 2, 3], dtype), [2, 1, 3, 4], d.often(0.5)),
        lambda: F.fold(d.tensor([2, 4, 4], dtype), 3, 2)))()


def embedding(d: Draw) -> Any:
    table = d.tensor([4, 3], _dtype(d))
    at = d.positions(4, d.sizes(d.randint(0, 2)))
    return d.choice((lambda: F.embedding(at, table, d.choice((None, 0))), lambda: F.one_hot(at.long(), d.choice((-1, 4))),
                     lambda: F.embedding_bag(d.positions(4, [2, 3]), table, mode=d.choice(("sum", "mean", "max"))),
                     lambda: F.embedding_bag(d.positions(4, [5]).long(), table, torch.tensor([0, 2]), mode=d.choice(("sum", "mean", "max")),
                         include_last_offset=d.often(0.5))))()


def positions(d: Draw) -> Any:
    x = d.tensor(d.sizes(d.randint(1, 3)))
    dim = d.dim(x)
    n = x.shape[dim]
    at = d.positions(n, x.shape).long()
    row = d.positions(n, [d.randint(0, 3)])
    source = d.tensor([row.numel() if k == dim % x.dim() else m for k, m in enumerate(x.shape)], x.dtype)
    reduce = d.choice(("sum", "prod", "mean", "amax", "amin"))
    return d.choice((
        lambda: x.gather(dim, at), lambda: x.scatter(dim, at, d.beside(x, x.dtype)), lambda: x.scatter(dim, at, d.tensor(x.shape, x.dtype)),
        lambda: x.scatter_add(dim, at, d.tensor(x.shape, x.dtype)),
        lambda: x.scatter_reduce(dim, at, d.tensor(x.shape, x.dtype), reduce, include_self=d.often(0.5)),
        lambda: x.index_select(dim, row), lambda: x.index_add(dim, row, source, alpha=d.choice((1, 2))),
        lambda: x.index_copy(dim, row.long(), source),
        lambda: x.index_fill(dim, row.long(), d.choice((1, -1, 0.5))), lambda: x.index_reduce(dim, row, source, d.choice(("prod", "mean", "amax"))),
        lambda: torch.take_along_dim(x, at, dim), lambda: x.take(d.positions(x.numel(), [2]).long()),
        lambda: x.put(d.positions(x.numel(), [2]).long(), d.tensor([2], x.dtype)),
        lambda: x.sort(dim, d.often(0.5)), lambda: x.topk(min(n, 2), dim), lambda: x.kthvalue(1, dim), lambda: x.median(dim),
        lambda: x.unique(return_inverse=True),
        lambda: x.cummax(dim), lambda: x.logcumsumexp(dim), lambda: x.masked_scatter(x > 0, d.tensor([x.numel()], x.dtype)),
        lambda: x.masked_select(x != 0),
        lambda: torch.searchsorted(x.sort(-1)[0], d.tensor(x.shape, x.dtype)), lambda: torch.bucketize(x, torch.arange(3.0)), lambda: x.histc(4)))()


def foreach(d: Draw) -> Any:
    xs = [d.tensor() for _ in range(d.randint(1, 4))] if d.often(0.4) else [d.tensor(None, torch.float32) for _ in range(d.randint(1, 4))]
    ys = [d.beside(x, x.dtype) for x in xs]
    one = d.choice(("sqrt", "abs", "neg", "exp", "sigmoid", "sign", "reciprocal", "trunc", "zero", "frac", "norm", "max"))
    two = d.choice(("add", "sub", "mul", "div", "pow", "maximum", "minimum", "clamp_min", "lerp"))
    end = d.choice(("", "", "_"))
    by = d.choice((ys, 2, 0.5, [1.0] * len(xs), [0.5] * len(xs)))
    return d.choice((lambda: getattr(torch, f"_foreach_{one}{end}")(xs), lambda: getattr(torch, f"_foreach_{two}{end}")(xs, by),
                     lambda: getattr(torch, f"_foreach_{d.choice(('addcmul', 'addcdiv'))}{end}")(xs, ys, ys, value=d.choice((1, 0.5))),
                     lambda: torch._foreach_copy_(xs, ys), lambda: torch._foreach_lerp(xs, ys, 0.5)))()


def optimizer(d: Draw) -> Any:
    weights = [d.tensor(d.sizes(d.randint(1, 3)), torch.float32).clone().requires_grad_() for _ in range(2)]
    kind = d.choice((torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop, torch.optim.Adagrad, torch.optim.NAdam))
    for w in weights:
        w.grad = d.tensor(w.shape, torch.float32)
    kind(weights, lr=0.1, foreach=d.often(0.5)).step()
    return weights


LAYERS = (convolution, convolution, pooling, norms, attention, multi_head, recurrent, fft, linear_algebra, losses, resizing, embedding, positions,
    foreach,
          optimizer)
