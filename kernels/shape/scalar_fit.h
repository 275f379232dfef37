// Checks whether a number fits a dtype: one function for each way in which PyTorch converts numbers.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Whether c10::checked_convert accepts `value` for `dtype`. It refuses a number outside the dtype's range, and an
/// imaginary part if the dtype is real. Infinities fit floats, -255 to 255 fit u8, and any number fits bool.
bool scalar_fits(const Scalar& value, DType dtype);
/// Whether `value` is a float NaN. Returns false for a symbolic float.
bool is_nan(const Scalar& value);
/// Refuses under `label` a `value` that scalar_fits does not accept.
void require_fits(const RuleCall& call, const Scalar& value, DType dtype, std::string_view label);
/// Refuses a number that a kernel would write to `written` if its dtype cannot hold the number. On the meta device
/// nothing is refused, because no kernel runs.
void require_written_number(const RuleCall& call, const Scalar& value, const TensorMeta& written,
                            std::string_view label);
/// Refuses a number that fill_ cannot write to `filled`. On the CPU, a single f16 or bf16 element accepts any real
/// number, which becomes an infinity if it is outside of the dtype's range.
void require_fill_number(const RuleCall& call, const Scalar& value, const TensorMeta& filled, std::string_view label);

/// The dtype to which an elementwise kernel converts a scalar argument.
enum class LoopNumber : uint8_t {
  Element,  ///< the dtype of the elements
  Computed  ///< the dtype of the computation: f32 for f16 and bf16
};
/// Refuses a scalar argument that an elementwise kernel over `dtype` cannot convert. CUDA kernels always compute f16
/// and bf16 in f32. On the meta device nothing is refused, because no kernel runs.
void require_loop_number(const RuleCall& call, const Scalar& value, DType dtype, LoopNumber as, std::string_view label);
/// Calls require_loop_number for each argument of type Scalar.
void require_loop_numbers(const RuleCall& call, DType dtype, LoopNumber as, std::string_view label);

}  // namespace ersatz
