// Least squares: X that makes the columns of A X - B shortest, and of all such X the shortest one.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/linalg/lstsq.h"

namespace ersatz::op_lstsq {

/// (solution, residuals, rank, singular_values) of each pair of matrices of two batches that broadcast; B of the
/// sizes of A but the last is a batch of vectors. Other B with one dim less are matrices, whose rows count as batches
/// with the dims before: an oddity of ATen's. `driver` is LAPACK's routine: gels takes A for one of full rank, gelsy
/// (the default on the CPU), gelsd and gelss find its rank, taking for zero what is below `rcond` (default: the
/// dtype's epsilon times the larger of A's sizes) times the largest singular value.
///
/// With A of m rows and n columns the solution is column-major with room for max(m, n) rows a column. `residuals`, the
/// sums of squares along the columns of A X - B, are there for m > n, but not of gelsy; of gelsd and gelss where all A
/// have full rank, which depends on data. `rank`, i64, is there but of gels; singular values are of gelsd and gelss.
/// What is not there is an empty vector.
/// [linalg_lstsq.C1] A has at least 2 dims, B at least 1.
/// [linalg_lstsq.C2] A and B have one dtype.
/// [linalg_lstsq.C3] B has as many dims as A, or one less.
/// [linalg_lstsq.C4] A and B have as many rows; the batches broadcast.
/// [linalg_lstsq.C5] the driver is one of the four, on CUDA gels, in letters of any case.
/// [linalg_lstsq.C6] f32, f64, or complex.
/// [linalg_lstsq.C7] gelsd and gelss have a column to solve for.
/// Values: of gels, A has full rank; of gelsd and gelss, the singular values converge (runtime error).
inline constexpr TypedSchema kLstsq{
    "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor "
    "residuals, Tensor rank, Tensor singular_values)"};

enum class LstsqDriver : int8_t { Gels, Gelsy, Gelsd, Gelss };
/// The driver of that name; without one, the default for the device. Empty: there is none of the name there.
std::optional<LstsqDriver> lstsq_driver(const Value& name, DeviceType device);
/// Is b a batch of vectors?
bool are_vectors(const TensorMeta& a, const TensorMeta& b);

}  // namespace ersatz::op_lstsq
