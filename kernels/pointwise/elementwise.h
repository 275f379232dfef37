// Shared by elementwise ops: the common part of their rules, and running a row on a kernel's arguments.
#pragma once

#include "kernels/pointwise/engine.h"
#include "kernels/pointwise/iterator_layout.h"
#include "runtime/op/kernel.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz {

/// Float dtypes of PyTorch kernels that have no 16-bit form.
inline constexpr DTypeSet kWideFloats{DType::F32, DType::F64};

}  // namespace ersatz

namespace ersatz::pointwise {

/// How an op's result dtype follows from its operands' dtypes.
enum class Promotion : uint8_t {
  Same,       ///< the common dtype
  Float,      ///< the common dtype; integers and bool give the default dtype
  Bool,       ///< bool, computed in the common dtype
  Real,       ///< the common dtype; complex numbers give their real dtype
  FloatReal,  ///< Float and Real together: integers give the default dtype, complex numbers their real dtype
  Number      ///< the common dtype of the operands and an int number: bool gives i64
};

/// The dtype that the operands are converted to. The loops compute in it, except that f16 and bf16 are computed in f32.
constexpr DType operand_dtype(Promotion p, DType common, DType default_dtype) {
  if ((p == Promotion::Float || p == Promotion::FloatReal) && is_integral(common)) return default_dtype;
  return p == Promotion::Number && common == DType::Bool ? DType::I64 : common;
}
constexpr DType result_dtype(Promotion p, DType operand) {
  if (p == Promotion::Bool) return DType::Bool;
  return p == Promotion::Real || p == Promotion::FloatReal ? real_dtype(operand) : operand;
}

/// The common dtype of the call's operands, tensors and numbers.
DType common_dtype(const RuleContext& context, std::span<const Value> args, std::span<const uint8_t> operands);

/// Whether an op's numbers are operands of ATen's TensorIterator, or parameters of its loop.
enum class Numbers : uint8_t { Parameters, Operands };

/// Adds one fresh output of dtype `result`. `operands` are argument positions. For ops whose ATen kernel converts
/// tensors to `convert_to` first, the layout follows the converted tensors (iterator_layout.h).
void answer_elementwise(RuleCall& call, std::span<const uint8_t> operands, DType result,
                        std::optional<DType> convert_to, Numbers numbers = Numbers::Parameters);

/// Runs a row into outputs[0]. `operands` are argument positions, each computed as `compute` (f16 and bf16 in f32).
void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, DType compute, const RowParams& params = {});
/// Runs a row into outputs[0] with a compute dtype for each operand.
void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, std::span<const DType> compute,
             DType row_dtype, const RowParams& params = {});

inline constexpr char kZeroDivisorWords[] = "integers cannot be divided by zero";
/// Raises a value failure if argument `divisor`, an integer tensor or number, contains a zero. On CUDA the failure may
/// come later (runtime/op/value_checks.h). Rows themselves do not divide by zero.
void refuse_zero_divisor(const KernelCall& call, Position divisor);

/// Sets parameter i of a row to the number `s`.
void set_param(RowParams& params, int i, const Scalar& s);

}  // namespace ersatz::pointwise
