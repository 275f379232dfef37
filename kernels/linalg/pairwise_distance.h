// Distances between rows: sum(|x - y|^p)^(1/p), the number of differing elements for p = 0, the largest difference for
// p = inf. Results are row-major.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/linalg/pairwise_distance.h"

namespace ersatz::op_pairwise_distance {

/// Of each row of x1 [..., r1, m] to each of x2 [..., r2, m], the batches broadcast: [..., r1, r2]. compute_mode 0
/// and 1 let the kernel multiply matrices for p = 2 (0 where there are more than 25 rows), which takes f16 and bf16
/// too.
/// [_cdist_forward.C1] x1 and x2 have two dims at least.
/// [_cdist_forward.C2] their last dims have one size.
/// [_cdist_forward.C3] floats, of one dtype where there is something to compute.
/// [_cdist_forward.C4] p is not negative.
/// [_cdist_forward.C5] compute_mode is 0, 1 or 2.
/// [_cdist_forward.C6] the batches broadcast.
inline constexpr TypedSchema kCdistForward{
    "aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor"};
inline constexpr TypedSchema kCdist{"aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor"};
/// The gradient of x1, of the sizes that it has after broadcasting; x1's own, of zeros, where there is nothing. Of
/// operands that are larger than need be the first elements are read, in row-major order: of x2 rows as long as x1's.
/// For p = 0 the gradient is zero, and nothing is read but x1.
/// [_cdist_backward.C1] x1 and x2 have two dims at least (index error).
/// [_cdist_backward.C3] f32 or f64, one for all that is read.
/// [_cdist_backward.C6] the batches broadcast; what is read of grad_output, cdist and x2 is there.
inline constexpr TypedSchema kCdistBackward{
    "aten::_cdist_backward(Tensor grad_output, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor"};

/// Of each pair of rows of one matrix [n, m], in the order 01, 02, ... 12, ...: [n (n - 1) / 2]. Of a tensor of more
/// dims the first elements are the matrix, n and m the first sizes.
/// [_pdist_forward.C1] two dims at least; of one row any number of them (index error). There are elements unless m = 0.
/// [_pdist_forward.C2] row-major.
inline constexpr TypedSchema kPdistForward{"aten::_pdist_forward(Tensor self, float p=2.) -> Tensor"};
/// [pdist.C1] two dims.
/// [pdist.C2] floats.
/// [pdist.C3] p is not negative.
inline constexpr TypedSchema kPdist{"aten::pdist(Tensor self, float p=2.) -> Tensor"};
/// The gradient of self, whose first two sizes count; of what more elements it has the gradient is zero. A pair's
/// incoming gradient is the first element of a row of grad_output; rows and distances behind the last pair's count for
/// nothing. For p = 0 the gradient is zero, and nothing is read but self.
/// [_pdist_backward.C1] self has two dims, grad_output one (index error); there is a row and a distance for each pair.
/// [_pdist_backward.C2] self and pdist are row-major.
/// [_pdist_backward.C3] one dtype of all that is read.
inline constexpr TypedSchema kPdistBackward{
    "aten::_pdist_backward(Tensor grad_output, Tensor self, float p, Tensor pdist) -> Tensor"};

/// Of p = 2 by one product of matrices, which loses the digits of close rows.
inline constexpr TypedSchema kEuclidean{"aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor"};

}  // namespace ersatz::op_pairwise_distance
