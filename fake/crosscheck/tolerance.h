// The largest difference at which two values of one element count as equal.
//
// The tolerance depends on the dtype and on the source of the expected values. OpEntry::tolerance adds a relative
// tolerance for an op that needs more. Integers and bools have no tolerance.
//
//            unit roundoff  another device     a record           the end of a program
//            u              relative absolute  relative absolute  relative absolute
//   f64 c128 1.1e-16        1e-7     1e-7      1e-9     1e-9      1e-6     1e-8
//   f32 c64  6.0e-8         1.3e-6   1e-5      1e-4     1e-4      1e-4     1e-5
//   f16      4.9e-4         1e-3     1e-5      2e-3     2e-3      1e-2     1e-3
//   bf16     3.9e-3         1.6e-2   1e-5      2e-2     2e-2      5e-2     1e-2
//
// The call on another device gets the same inputs, so only the order of sums and the last bits of functions differ.
// These differences are about 20 u in f32, and two to four u in f16 and bf16, which are computed in f32 and rounded
// once. The figures are those of PyTorch's torch.testing.assert_close, which PyTorch's kernels are tested with. A
// record has its inputs as decimals, and its values come from another library. Ops with cancellation (differences of
// sums, determinants) lose about 1,000 u in f32. At the end of a program, the differences of a few hundred ops have
// added up.
#pragma once

#include "runtime/base/dtype.h"

namespace ersatz {

/// Values are equal if |actual - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  bool any_nan = false;  ///< for 8-bit floats, which are compared by bytes: NaNs with different bits are equal
};

/// The source of the expected values.
enum class ComparedWith : uint8_t {
  Device,     ///< the same call on another device, or with its sums in another order
  Record,     ///< values in the record of a call of another system (docs/call-records.md)
  ProgramEnd  ///< outputs of a whole program
};

Tolerance tolerance_of(DType t, ComparedWith with = ComparedWith::Device);

/// Returns an additional absolute tolerance for another device's result, if the op rounds its weights (kRoundsWeights).
/// It is 2 * u: the weighted mean of the values' magnitudes is assumed to be 2. It is 0 except for f16 and bf16,
/// because in wider dtypes weights are not rounded.
double rounded_weights(DType t);

}  // namespace ersatz
