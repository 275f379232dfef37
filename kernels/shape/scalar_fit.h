// The numbers that an op accepts for tensors of a dtype: one function for each way in which PyTorch converts them.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Whether ATen's checked conversion accepts `value`. It raises for a number outside the dtype's range (an infinity
/// fits a float, -255 to 255 fit u8) and for an imaginary part with a real dtype. Any number fits bool.
bool scalar_fits(const Scalar& value, DType dtype);
/// Whether the value is a float NaN. A symbolic float is never NaN.
bool is_nan(const Scalar& value);
/// Refuses a number that does not fit, under `label`.
void require_fits(const RuleCall& call, const Scalar& value, DType dtype, std::string_view label);
/// Refuses a number that a kernel would write to `written` and that its dtype cannot hold. On meta no kernel runs, so
/// nothing is refused.
void require_written_number(const RuleCall& call, const Scalar& value, const TensorMeta& written,
                            std::string_view label);
/// Refuses a number that `filled` cannot be filled with. A single f16 or bf16 element on the CPU takes any real number,
/// which becomes an infinity beyond the range of the dtype.
void require_fill_number(const RuleCall& call, const Scalar& value, const TensorMeta& filled, std::string_view label);

/// The dtype to which an elementwise kernel converts a scalar argument.
enum class LoopNumber : uint8_t {
  Element,  ///< the dtype of the elements
  Computed  ///< the dtype of the computation: f32 for f16 and bf16
};
/// Refuses a scalar argument that an elementwise kernel over `dtype` cannot convert. On CUDA, f16 and bf16 are always
/// computed in f32. On meta no kernel runs, so nothing is refused.
void require_loop_number(const RuleCall& call, const Scalar& value, DType dtype, LoopNumber as, std::string_view label);
/// Calls require_loop_number for each argument of type Scalar.
void require_loop_numbers(const RuleCall& call, DType dtype, LoopNumber as, std::string_view label);

}  // namespace ersatz
