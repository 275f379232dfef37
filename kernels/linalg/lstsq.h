// Least squares: the X that minimises the norm of each column of A X - B, and among those the X of smallest norm.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/linalg/lstsq.h"

namespace ersatz::op_lstsq {

/// (solution, residuals, rank, singular_values) for two batches of matrices that broadcast. If B has A's sizes without
/// the last, it is a batch of vectors. Another B with one dim less than A is a batch of matrices, like in ATen.
/// `driver` is a routine of LAPACK. gels assumes full rank. gelsy (the CPU's default), gelsd and gelss find the rank:
/// singular values below `rcond` times the largest count as zero. The default of `rcond` is the dtype's epsilon times
/// the larger of A's sizes.
///
/// The solution is column-major, in memory with max(m, n) rows for each column, where A is m by n. `residuals` are the
/// sums of squares of the columns of A X - B. gels returns them if m > n; gelsd and gelss do so if in addition all A
/// have full rank, which depends on data.
/// All drivers but gels return `rank` (i64); gelsd and gelss return singular values. A result that is not returned is
/// an empty 1-d tensor.
/// [linalg_lstsq.C1] A has at least 2 dims, B at least 1.
/// [linalg_lstsq.C2] A and B have one dtype.
/// [linalg_lstsq.C3] B has as many dims as A, or one less.
/// [linalg_lstsq.C4] A and B have equally many rows; the batches broadcast.
/// [linalg_lstsq.C5] the driver is one of the four, in any case; on CUDA it is gels.
/// [linalg_lstsq.C6] f32, f64, or complex.
/// [linalg_lstsq.C7] for gelsd and gelss B has at least one column.
/// Values: gels requires full rank, gelsd and gelss require that the singular values converge (runtime error).
inline constexpr TypedSchema kLstsq{
    "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor "
    "residuals, Tensor rank, Tensor singular_values)"};

enum class LstsqDriver : int8_t { Gels, Gelsy, Gelsd, Gelss };
/// The driver with this name, or the device's default if `name` is None. nullopt if the device has no driver with this
/// name.
std::optional<LstsqDriver> lstsq_driver(const Value& name, DeviceType device);
/// Is b a batch of vectors?
bool are_vectors(const TensorMeta& a, const TensorMeta& b);

}  // namespace ersatz::op_lstsq
