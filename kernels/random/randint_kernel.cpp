#include <cmath>

#include "kernels/indexing/tensor_number.h"
#include "kernels/random/draw.h"
#include "kernels/random/integer_bounds.h"
#include "kernels/random/randint.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_randint {

namespace {
void draw(KernelCall& call, int64_t low, int64_t high) {
  draw_integers(call.outputs[0], default_generator(call.outputs[0].device()), low, high);
}
}  // namespace

void run_high(KernelCall& call) {
  static constexpr Schemas kArgs{kRandint, kRandintOut};
  draw(call, 0, call.integer(kArgs["high"]));
}
void run_low(KernelCall& call) {
  static constexpr Schemas kArgs{kRandintLow, kRandintLowOut};
  draw(call, call.integer(kArgs["low"]), call.integer(kArgs["high"]));
}

void run_like_high(KernelCall& call) {
  static constexpr Schemas kArgs{kRandintLike, kRandintLikeOut};
  draw(call, 0, call.integer(kArgs["high"]));
}
void run_like_low(KernelCall& call) {
  static constexpr Schemas kArgs{kRandintLikeLowDtype, kRandintLikeLowDtypeOut};
  draw(call, call.integer(kArgs["low"]), call.integer(kArgs["high"]));
}
void run_like_tensor(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Scalar bound = first_number(call.tensor(kLikeTensor["high"]));
  // A number that no 64-bit integer comes near (a double reaches 2^63 exactly).
  const bool is_integer = bound.is_integral() || (!bound.is_complex() && std::abs(bound.to_double()) < 0x1p63);
  if (!is_integer)
    fail_on_value(call, ErrorFamily::Runtime, "high is no integer of 64 bits: {}", to_string(Value(bound)));
  const int64_t high = bound.to_int();
  if (high <= 0) fail_on_value(call, ErrorFamily::Runtime, "expects 0 < high: got {}", high);
  if (!holds_integer(out.dtype(), high - 1)) {
    fail_on_value(call, ErrorFamily::Runtime, "{} is no number of dtype {}", high - 1, name(out.dtype()));
  }
  draw(call, 0, high);
}

}  // namespace ersatz::op_randint
