// Functions that elementwise ops share: for their rules, and for running a row (an op of the tables) on a call's
// arguments.
#pragma once

#include "kernels/pointwise/engine.h"
#include "kernels/pointwise/iterator_layout.h"
#include "runtime/op/kernel.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz {

/// The float dtypes of PyTorch kernels that do not support f16 and bf16.
inline constexpr DTypeSet kWideFloats{DType::F32, DType::F64};

}  // namespace ersatz

namespace ersatz::pointwise {

/// How the dtype of an op's result follows from the common dtype of its operands.
enum class Promotion : uint8_t {
  Same,       ///< the common dtype
  Float,      ///< the common dtype; for integers and bool the default dtype
  Bool,       ///< bool; the op computes in the common dtype
  Real,       ///< the common dtype; for complex dtypes the dtype of their parts
  FloatReal,  ///< the default dtype for integers and bool, the dtype of the parts for complex dtypes
  Number      ///< the dtype of a sum of the operands and an int: i64 for bool, else the common dtype
};

/// Returns the dtype that operands are converted to. Loops compute in this dtype, but in f32 for f16 and bf16.
constexpr DType operand_dtype(Promotion p, DType common, DType default_dtype) {
  if ((p == Promotion::Float || p == Promotion::FloatReal) && is_integral(common)) return default_dtype;
  return p == Promotion::Number && common == DType::Bool ? DType::I64 : common;
}
constexpr DType result_dtype(Promotion p, DType operand) {
  if (p == Promotion::Bool) return DType::Bool;
  return p == Promotion::Real || p == Promotion::FloatReal ? real_dtype(operand) : operand;
}

/// Returns the common dtype of the call's operands, which are tensors or numbers.
DType common_dtype(const RuleContext& context, std::span<const Value> args, std::span<const uint8_t> operands);

/// Whether ATen passes an op's numbers to TensorIterator as operands, or to the loop as parameters.
enum class Numbers : uint8_t { Parameters, Operands };

/// Adds a new output of dtype `result`. `operands` are argument positions. If ATen's kernel first converts tensors to
/// `convert_to`, the output's strides follow the converted tensors (iterator_layout.h).
void answer_elementwise(RuleCall& call, std::span<const uint8_t> operands, DType result,
                        std::optional<DType> convert_to, Numbers numbers = Numbers::Parameters);

/// Computes `row`, an op of the tables, into outputs[0]. `operands` are argument positions. The loop computes in
/// `compute`, but in f32 for f16 and bf16.
void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, DType compute, const RowParams& params = {});
/// Computes `row` into outputs[0]. Operand k is converted to the dtype compute[k].
void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, std::span<const DType> compute,
             DType row_dtype, const RowParams& params = {});

inline constexpr char kZeroDivisorWords[] = "integers cannot be divided by zero";
/// Raises a value failure if argument `divisor`, an integer tensor or number, contains a zero. The loops themselves do
/// not raise. On CUDA the failure may be raised later (runtime/op/value_checks.h).
void refuse_zero_divisor(const KernelCall& call, Position divisor);

/// Sets parameter i of `params` to the number `s`.
void set_param(RowParams& params, int i, const Scalar& s);

}  // namespace ersatz::pointwise
