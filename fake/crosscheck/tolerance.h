// How far two values of one element may lie apart and still be called equal.
//
// One table says it, by dtype and by what the values were compared with; an op that needs more says so in its entry
// (`OpEntry::tolerance`, relative, on top). Integers and bools have none.
//
//            unit roundoff  another device     a record           the end of a program
//            u              relative absolute  relative absolute  relative absolute
//   f64 c128 1.1e-16        1e-7     1e-7      1e-9     1e-9      1e-6     1e-8
//   f32 c64  6.0e-8         1.3e-6   1e-5      1e-4     1e-4      1e-4     1e-5
//   f16      4.9e-4         1e-3     1e-5      2e-3     2e-3      1e-2     1e-3
//   bf16     3.9e-3         1.6e-2   1e-5      2e-2     2e-2      5e-2     1e-2
//
// Another device gets the same inputs, so that only the order of a sum and the last bits of a function differ: some
// 20 u of f32; of halves two to four, since they are computed in f32 and rounded once. PyTorch's tests take the same
// figures (torch.testing.assert_close), by which kernels are written; f64 is held as loosely as there.
// A record's inputs were written down as decimals and its values come from another library; ops with cancellation in
// them (differences of sums, determinants) lose about 1,000 u of f32.
// At the end of a program the differences of a few hundred ops have added up.
#pragma once

#include "runtime/base/dtype.h"

namespace ersatz {

/// |actual - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  bool any_nan = false;  ///< of floats of 8 bits, whose bytes are compared: a NaN equals a NaN of other bits
};

/// What values are compared with.
enum class ComparedWith : uint8_t {
  Device,     ///< the same call on another device, or in another order of its sums
  Record,     ///< values written down beside a call of another system (docs/call-records.md)
  ProgramEnd  ///< outputs of a whole program
};

Tolerance tolerance_of(DType t, ComparedWith with = ComparedWith::Device);

/// What another device's result may be off by, absolute and on top, where the op rounds its weights (kRoundsWeights):
/// by u of a weighted mean of the values' sizes, taken as 2. Of halves; wider dtypes have nothing rounded on the way.
double rounded_weights(DType t);

}  // namespace ersatz
