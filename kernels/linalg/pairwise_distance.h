// Distances between rows x and y: sum(|x - y|^p)^(1/p). For p = 0 the distance is the number of differing elements, for
// p = inf the largest difference. Results are row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/linalg/pairwise_distance.h"

namespace ersatz::op_pairwise_distance {

/// The distance of each row of x1 [..., r1, m] to each row of x2 [..., r2, m], where the batch dims broadcast. The
/// result is [..., r1, r2]. For p = 2 and compute_mode 1, the kernel computes a product of matrices, which has f16 and
/// bf16 kernels too. For compute_mode 0 it does so if x1 or x2 has more than 25 rows.
/// [_cdist_forward.C1] x1 and x2 have at least two dims.
/// [_cdist_forward.C2] the last dims of x1 and x2 have equal sizes.
/// [_cdist_forward.C3] x1 and x2 are floats of one dtype. If the result is empty or m = 0, the dtypes are not compared.
/// [_cdist_forward.C4] p is not negative.
/// [_cdist_forward.C5] compute_mode is 0, 1 or 2.
/// [_cdist_forward.C6] the batch dims of x1 and x2 broadcast.
inline constexpr TypedSchema kCdistForward{
    "aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor"};
inline constexpr TypedSchema kCdist{"aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor"};
/// The gradient of x1, with x1's batch dims broadcast. If there is nothing to compute, the result is zeros with x1's
/// own sizes. If an operand is larger than needed, its first elements in row-major order are read. For p = 0 the
/// gradient is zero, and only x1 is read.
/// [_cdist_backward.C1] x1 and x2 have at least two dims (index error).
/// [_cdist_backward.C3] all tensors that are read have one dtype, f32 or f64.
/// [_cdist_backward.C6] the batch dims broadcast, and grad_output, cdist and x2 have all elements that are read.
inline constexpr TypedSchema kCdistBackward{
    "aten::_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor"};

/// The distances of all pairs of rows of a matrix [n, m], in the order of row pairs 01, 02, ... 12, ...: a 1-d result
/// with n (n - 1) / 2 elements. If self has more dims, its first two sizes are n and m, and its first n * m elements
/// are the matrix.
/// [_pdist_forward.C1] self has at least two dims, or at least one if its first size is at most 1 (index error). self
/// has elements unless m = 0.
/// [_pdist_forward.C2] self is row-major.
inline constexpr TypedSchema kPdistForward{"aten::_pdist_forward(Tensor self, float p=2.) -> Tensor"};
/// [pdist.C1] self has two dims.
/// [pdist.C2] self has floats.
/// [pdist.C3] p is not negative.
inline constexpr TypedSchema kPdist{"aten::pdist(Tensor self, float p=2.) -> Tensor"};
/// The gradient of self. Only the first two sizes of self, n and m, are used, and the gradient of further elements is
/// zero. The incoming gradient of a pair is the first element of a row of grad_output. Surplus rows of grad_output and
/// surplus distances are ignored. For p = 0 the gradient is zero, and only self is read.
/// [_pdist_backward.C1] self has at least two dims and grad_output at least one (index error). Both grad_output and
/// pdist have an entry for each pair of rows.
/// [_pdist_backward.C2] self and pdist are row-major.
/// [_pdist_backward.C3] all tensors that are read have one dtype.
inline constexpr TypedSchema kPdistBackward{
    "aten::_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor"};

/// Distances for p = 2, computed by one product of matrices, which is inexact for rows that are close together.
inline constexpr TypedSchema kEuclidean{"aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor"};

}  // namespace ersatz::op_pairwise_distance
