#include "tests/ops/grad_check.h"

namespace ersatz::grad_check {

namespace {

// Cases stand here where an operator's registered samples show no difference: values outside of the function's domain,
// matrices that a factorisation does not take, indices that name an element twice, or calls that PyTorch's own backward
// refuses.
constexpr Case kCases[] = {
    {"aten._index_put_impl_.default", "f64[4,3], [None, i64[1]], f64[4,1]", -2, 2, {}, true, Layouts::Distinct},
    {"aten._index_put_impl_.default", "f64[4,3], [None, i64[2]], f64[4,2], True"},
    {"aten._linalg_eigh.default", "f64[2,3,3]", -2, 2, Matrices::Hermitian, false},
    {"aten._linalg_eigh.default", "f64[3,3], \"U\"", -2, 2, Matrices::Hermitian, false},
    {"aten._linalg_svd.default", "f64[3,3]", -2, 2, {}, false, Layouts::Distinct},
    {"aten._linalg_svd.default", "f64[2,4,3]", -2, 2, {}, false, Layouts::Distinct},
    {"aten._reshape_alias.default", "f64[2,3], [3, 2], [2, 1]", -2, 2, {}, true, Layouts::Written},
    {"aten._foreach_acos.default", "[f64[2,3]{1,2}, f64[4]]", -0.9, 0.9},
    {"aten._foreach_asin.default", "[f64[2,3]{1,2}, f64[4]]", -0.9, 0.9},
    {"aten.baddbmm_.default", "f64[2,3,5], f64[2,3,4], f64[2,4,5], beta=0.5, alpha=2.0"},
    {"aten.batch_norm_backward.default",
     "f64[2,3,5], f64[2,3,5], f64[3], f64[3], f64[3], f64[3], f64[3], False, 1e-05, [True, True, True], u8[0]", 0.5, 2},
    {"aten.bernoulli_.float", "f64[2,3], 0.4"},
    {"aten.binary_cross_entropy.default", "f64[2,3]{1,2}, f64[2,3], f64[3], 0", 0.1, 0.9},
    {"aten.binary_cross_entropy.default", "f64[2,3]{1,2}, f64[2,3], None, 1", 0.1, 0.9},
    {"aten.binary_cross_entropy.default", "f64[2,3]{1,2}, f64[2,3], None, 2", 0.1, 0.9},
    {"aten.cholesky_inverse.default", "f64[2,3,3]", -2, 2, Matrices::Lower},
    {"aten.cholesky_solve.default", "f64[2,3,2], f64[3,3]", -2, 2, Matrices::Lower},
    {"aten.embedding_dense_backward.default", "f64[3,2], i64[3], 4, -1, False", 0, 3},
    {"aten.embedding_dense_backward.default", "f64[3,2], i64[3], 4, 1, False", 0, 3},
    {"aten.geometric.default", "f64[2,3], 0.4"},
    {"aten.geometric_.default", "f64[2,3], 0.4"},
    {"aten.index_put.default", "f64[4,3], [None, i64[1]], f64[4,1]", -2, 2, {}, true, Layouts::Distinct},
    {"aten.index_put.default", "f64[4,3], [None, i64[2]], f64[4,2], True"},
    {"aten.index_put_.default", "f64[4,3], [None, i64[1]], f64[4,1]", -2, 2, {}, true, Layouts::Distinct},
    {"aten.index_put_.default", "f64[4,3], [None, i64[2]], f64[4,2], True"},
    {"aten.index_reduce_.default", "f64[4,3], 0, i64[5], f64[5,3], \"prod\"", 0, 3, {}, false},
    {"aten.index_reduce_.default", "f64[4,3], 0, i64[5], f64[5,3], \"mean\", include_self=False", 0, 3, {}, false},
    {"aten.linalg_cholesky_ex.default", "f64[2,3,3]", -2, 2, Matrices::Positive},
    {"aten.linalg_cholesky_ex.default", "f64[3,3], upper=True", -2, 2, Matrices::Positive},
    {"aten.linalg_qr.default", "f64[2,4,3]", -2, 2, {}, true, Layouts::Distinct},
    {"aten.linalg_qr.default", "f64[3,3], \"complete\"", -2, 2, {}, true, Layouts::Distinct},
    {"aten.linalg_qr.default", "f64[2,3,5]", -2, 2, {}, true, Layouts::Distinct},
    {"aten.max_unpool2d.default", "f64[2,3,1,1], i64[2,3,1,1], [4, 4]", 0, 15},
    {"aten.max_unpool3d.default", "f64[2,3,1,1,1], i64[2,3,1,1,1], [4, 4, 4], [2, 2, 2], [0, 0, 0]", 0, 15},
    {"aten.native_batch_norm_backward.default",
     "f64[2,3,5], f64[2,3,5], f64[3], f64[3], f64[3], f64[3], f64[3], False, 1e-05, [True, True, True]", 0.5, 2},
    {"aten.nll_loss2d_backward.default", "f64[2,2,2], f64[2,3,2,2], i64[2,2,2], f64[3], 0, -100, f64[]", 0, 2},
    {"aten.nll_loss2d_backward.default", "f64[], f64[2,3,2,2], i64[2,2,2], f64[3], 2, -100, f64[]", 0, 2},
    {"aten.nll_loss_backward.default", "f64[4], f64[4,3], i64[4], f64[3], 0, -100, f64[]", 0, 2},
    {"aten.nll_loss_backward.default", "f64[], f64[4,3], i64[4], f64[3], 2, -100, f64[]", 0, 2},
    {"aten.polar.default", "f64[2,3]{1,2}, f64[2,3]{1,2}", 0.2, 2},
    {"aten.rrelu_with_noise_backward.default",
     "f64[2,3], f64[2,3]{1,2}, f64[2,3], 0.125, 0.5, True, False",
     -2,
     2,
     {},
     false},
    {"aten.rrelu_with_noise_backward.default",
     "f64[2,3], f64[2,3]{1,2}, f64[2,3], 0.125, 0.5, False, False",
     -2,
     2,
     {},
     false},
    {"aten.scatter.src", "f64[4,3], 0, i64[1,3], f64[1,3]", 0, 3, {}, true, Layouts::Distinct},
    {"aten.scatter_.src", "f64[4,3], 0, i64[1,3], f64[1,3]", 0, 3, {}, true, Layouts::Distinct},
    {"aten.scatter_add.default", "f64[4,3], 0, i64[6,2], f64[6,2]", 0, 2},
    {"aten.scatter_add_.default", "f64[4,3], 0, i64[6,2], f64[6,2]", 0, 2},
    {"aten.scatter_reduce.two", "f64[4,3], 0, i64[6,2], f64[6,2], \"sum\"", 0, 2},
    {"aten.scatter_reduce.two", "f64[4,3], 1, i64[4,2], f64[4,2], \"prod\"", 0, 2},
    {"aten.scatter_reduce.two", "f64[4,3], 0, i64[3,3], f64[3,3], \"mean\", include_self=False", 0, 3},
    {"aten.scatter_reduce.two", "f64[4,3], 0, i64[3,3], f64[3,3], \"amax\"", 0, 3},
    {"aten.scatter_reduce_.two", "f64[4,3], 0, i64[6,2], f64[6,2], \"sum\"", 0, 2},
    {"aten.scatter_reduce_.two", "f64[4,3], 1, i64[4,2], f64[4,2], \"prod\"", 0, 2, {}, false},
    {"aten.scatter_reduce_.two", "f64[4,3], 0, i64[3,3], f64[3,3], \"amin\", include_self=False", 0, 3},
    {"aten.silu_.default", "f64[2,3]", -2, 2, {}, false},
    {"aten.soft_margin_loss_backward.default", "f64[2,3], f64[2,3], f64[2,3], 0", -2, 2, {}, false},
    {"aten.soft_margin_loss_backward.default", "f64[], f64[2,3], f64[2,3], 1", -2, 2, {}, false},
};

constexpr Skip kSkips[] = {
    {"aten._ctc_loss.default",
     "PyTorch's gradient holds for log probabilities that sum to 1, and a difference leaves them"},
    {"aten.as_strided_scatter.default", "PyTorch's gradient is wrong, and this follows it: docs/deviations.md"},
    {"aten.linalg_eig.default", "the phase of the vectors is arbitrary, and most losses depend on it"},
    {"aten.log_sigmoid_backward.default",
     "its buffer is a function of its input; second gradients of log_sigmoid_forward are checked"},
    {"aten.native_layer_norm_backward.default",
     "its mean and rstd are functions of its input; second gradients of native_layer_norm are checked"},
    {"aten.normal.Tensor_Tensor", "random: PyTorch's gradient is zero, though the result depends on the arguments"},
    {"aten.normal.Tensor_float", "random: PyTorch's gradient is zero, though the result depends on the arguments"},
    {"aten.normal.float_Tensor", "random: PyTorch's gradient is zero, though the result depends on the arguments"},
    {"aten.special_zeta.other_scalar", "PyTorch has no formula for its only argument"},
};

}  // namespace

std::span<const Case> cases() { return kCases; }
std::span<const Skip> skips() { return kSkips; }

}  // namespace ersatz::grad_check
