// What elementwise ops share: the common part of their rules, and running a row on a kernel's arguments.
#pragma once

#include "kernels/pointwise/engine.h"
#include "kernels/pointwise/iterator_layout.h"
#include "runtime/op/kernel.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/type_promotion.h"

namespace ersatz {

/// What PyTorch's kernels without a 16-bit form take of the floats.
inline constexpr DTypeSet kWideFloats{DType::F32, DType::F64};

}  // namespace ersatz

namespace ersatz::pointwise {

/// The result's dtype from that of the operands.
enum class Promotion : uint8_t {
  Same,       ///< the common dtype
  Float,      ///< the common dtype; integers and bool give the default dtype
  Bool,       ///< bool, computed in the common dtype
  Real,       ///< the real dtype of a complex one
  FloatReal,  ///< both: the default dtype for integers, the real dtype of a complex one
  Number      ///< as together with an int number: bool gives i64
};

/// The dtype that the operands are converted to: what the loops see, f16 and bf16 aside.
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

/// Are numbers among the operands some of what ATen iterates over, or parameters of its loop?
enum class Numbers : uint8_t { Parameters, Operands };

/// Adds one fresh output of dtype `result`. `operands` are argument positions. Tensors are converted to `convert_to`
/// first where ATen does so (see iterator_layout.h).
void answer_elementwise(RuleCall& call, std::span<const uint8_t> operands, DType result,
                        std::optional<DType> convert_to, Numbers numbers = Numbers::Parameters);

/// Runs a row into outputs[0]. `operands` are argument positions, each computed as `compute` (f16 and bf16 in f32).
void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, DType compute, const RowParams& params = {});
/// The same with a compute dtype for each operand.
void run_row(KernelCall& call, Row row, std::span<const uint8_t> operands, std::span<const DType> compute,
             DType row_dtype, const RowParams& params = {});

inline constexpr char kZeroDivisorWords[] = "integers cannot be divided by zero";
/// Raises a value failure where argument `divisor`, an integer tensor or number, has a zero; on CUDA maybe later
/// (runtime/op/value_checks.h). Rows divide nothing by zero.
void refuse_zero_divisor(const KernelCall& call, Position divisor);

/// A number as parameter i of a row.
void set_param(RowParams& params, int i, const Scalar& s);

}  // namespace ersatz::pointwise
