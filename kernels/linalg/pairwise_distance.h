// Distances between rows: sum(|x - y|^p)^(1/p), the number of differing elements for p = 0, the largest difference for
// p = inf. Results are row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/linalg/pairwise_distance.h"

namespace ersatz::op_pairwise_distance {

/// The distance of each row of x1 [..., r1, m] to each row of x2 [..., r2, m], with the batches broadcast: [..., r1,
/// r2]. For p = 2, compute_mode 1 lets the kernel use a product of matrices, which takes f16 and bf16 too. compute_mode
/// 0 does so for more than 25 rows.
/// [_cdist_forward.C1] x1 and x2 have two dims at least.
/// [_cdist_forward.C2] their last dims have equal sizes.
/// [_cdist_forward.C3] floats of one dtype; the dtype is not compared if there is nothing to compute.
/// [_cdist_forward.C4] p is not negative.
/// [_cdist_forward.C5] compute_mode is 0, 1 or 2.
/// [_cdist_forward.C6] the batches broadcast.
inline constexpr TypedSchema kCdistForward{
    "aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor"};
inline constexpr TypedSchema kCdist{"aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor"};
/// The gradient of x1, in its broadcast sizes. If nothing is computed, zeros in x1's own sizes. If an operand is larger
/// than needed, its first elements in row-major order are read. For p = 0 the gradient is zero, and only x1 is read.
/// [_cdist_backward.C1] x1 and x2 have two dims at least (index error).
/// [_cdist_backward.C3] f32 or f64, the same for all tensors that are read.
/// [_cdist_backward.C6] the batches broadcast, and grad_output, cdist and x2 have the elements that are read.
inline constexpr TypedSchema kCdistBackward{
    "aten::_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor"};

/// The distances of all pairs of rows of a matrix [n, m], in the order 01, 02, ... 12, ...: [n (n - 1) / 2]. If self
/// has more dims, its first elements are the matrix, with the first two sizes as n and m.
/// [_pdist_forward.C1] two dims at least; of one row any number of them (index error). There are elements unless m = 0.
/// [_pdist_forward.C2] row-major.
inline constexpr TypedSchema kPdistForward{"aten::_pdist_forward(Tensor self, float p=2.) -> Tensor"};
/// [pdist.C1] two dims.
/// [pdist.C2] floats.
/// [pdist.C3] p is not negative.
inline constexpr TypedSchema kPdist{"aten::pdist(Tensor self, float p=2.) -> Tensor"};
/// The gradient of self. Only its first two sizes n and m are used; the gradient of further elements is zero. The
/// incoming gradient of a pair is the first element of a row of grad_output. Surplus rows and distances are ignored.
/// For p = 0 the gradient is zero, and only self is read.
/// [_pdist_backward.C1] self has two dims, grad_output one (index error); there is a row and a distance for each pair.
/// [_pdist_backward.C2] self and pdist are row-major.
/// [_pdist_backward.C3] all tensors that are read have one dtype.
inline constexpr TypedSchema kPdistBackward{
    "aten::_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor"};

/// Distances for p = 2 by one product of matrices, which is inexact for rows that are close together.
inline constexpr TypedSchema kEuclidean{"aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor"};

}  // namespace ersatz::op_pairwise_distance
