// Least squares: the X that minimises the norm of each column of A X - B. If there are several, X has the smallest
// norm.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/linalg/lstsq.h"

namespace ersatz::op_lstsq {

/// Returns (solution, residuals, rank, singular_values) for two batches of matrices that broadcast. A 1-d B, or a B
/// with the sizes of A without the last, is a batch of vectors. Any other B with one dim less than A is a batch of
/// matrices, like in ATen.
///
/// `driver` is a routine of LAPACK. gels assumes full rank. gelsy (the default on the CPU), gelsd and gelss compute the
/// rank. Singular values below `rcond` times the largest count as zero. The default of `rcond` is the dtype's epsilon
/// times the larger of A's sizes.
///
/// The solution is column-major, in memory with max(m, n) rows for each column, where A is m by n. `residuals` are the
/// sums of squares of the columns of A X - B. gels returns residuals if m > n. gelsd and gelss return residuals if m >
/// n and all matrices have full rank, which depends on data. All drivers except gels return `rank` (i64). gelsd and
/// gelss also return singular values. A result that a driver does not return is an empty 1-d tensor.
/// [linalg_lstsq.C1] A has at least 2 dims, and B has at least 1.
/// [linalg_lstsq.C2] A and B have one dtype.
/// [linalg_lstsq.C3] B has as many dims as A, or one less.
/// [linalg_lstsq.C4] A and B have equally many rows, and their batch dims broadcast.
/// [linalg_lstsq.C5] the driver is one of the four, in upper or lower case. On CUDA the driver is gels.
/// [linalg_lstsq.C6] A has dtype f32, f64, or complex.
/// [linalg_lstsq.C7] B has at least one column if the driver is gelsd or gelss.
/// Values: gels raises a runtime error for a matrix without full rank. gelsd and gelss raise a runtime error if the
/// singular values do not converge.
inline constexpr TypedSchema kLstsq{
    "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor "
    "residuals, Tensor rank, Tensor singular_values)"};

enum class LstsqDriver : int8_t { Gels, Gelsy, Gelsd, Gelss };
/// Returns the driver with this name, or the device's default if `name` is None. nullopt if the device does not have
/// this driver.
std::optional<LstsqDriver> lstsq_driver(const Value& name, DeviceType device);
/// True if `b` is a batch of vectors instead of matrices.
bool are_vectors(const TensorMeta& a, const TensorMeta& b);

}  // namespace ersatz::op_lstsq
