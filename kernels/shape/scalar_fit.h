// Which numbers an op takes beside tensors of some dtype: one function for each way in which PyTorch converts them.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// False where ATen's checked conversion raises: a number outside the dtype's range (an infinity fits a float, minus
/// 255 to 255 fit u8), a complex number with an imaginary part for a real dtype. Anything fits bool.
bool scalar_fits(const Scalar& value, DType dtype);
/// A float that is not a number; a symbolic one counts as a number.
bool is_nan(const Scalar& value);
/// Refuses a number that does not fit, under `label`.
void require_fits(const RuleCall& call, const Scalar& value, DType dtype, std::string_view label);
/// The same for a number that a kernel writes to `written`, but on meta: no kernel runs there.
void require_written_number(const RuleCall& call, const Scalar& value, const TensorMeta& written,
                            std::string_view label);
/// The same for a number that `filled` is filled with. A single f16 or bf16 element on the CPU takes any real number:
/// one beyond its range becomes an infinity.
void require_fill_number(const RuleCall& call, const Scalar& value, const TensorMeta& filled, std::string_view label);

/// What a loop over elements converts a number beside them to.
enum class LoopNumber : uint8_t {
  Element,  ///< their dtype
  Computed  ///< what they are computed in: f32 for f16 and bf16
};
/// The same for a loop over elements of `dtype`. On CUDA all loops compute halves in f32; on meta none runs.
void require_loop_number(const RuleCall& call, const Scalar& value, DType dtype, LoopNumber as, std::string_view label);
/// The same for each argument of type Scalar.
void require_loop_numbers(const RuleCall& call, DType dtype, LoopNumber as, std::string_view label);

}  // namespace ersatz
