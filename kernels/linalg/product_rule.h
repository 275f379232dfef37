// Checks that the rules of matrix products share: dtypes of a device's kernels, `beta` and `alpha`, FLOP counts. Only
// files with rules include this header.
#pragma once

#include "kernels/no_flops.h"
#include "kernels/pointwise/row_table.h"
#include "kernels/shape/scalar_fit.h"
#include "kernels/written_elements.h"
#include "runtime/op/derived.h"
#include "runtime/op/op_entry.h"
#include "runtime/op/resized_input.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// Raises if the device has no kernel for the dtype `t`: the CPU multiplies all numbers, CUDA floats and complex
/// numbers. Meta tensors need no kernel.
inline void require_product_dtype(const RuleCall& call, DType t) {
  if (call.device.is_meta()) return;
  call.require_dtype(t, call.device.is_cuda() ? kFloatsAndComplexes : kNumbers);
}

/// Like require_product_dtype above, for products that need no kernel if an operand is empty. Sizes are read only if
/// the dtype has no kernel, so that symbolic sizes get no guard.
inline void require_product_dtype(const RuleCall& call, DType t, const TensorMeta& a, const TensorMeta& b) {
  if ((call.device.is_cuda() ? kFloatsAndComplexes : kNumbers).has(t)) [[likely]]
    return;
  if (!size_eq(a.numel(), 0) && !size_eq(b.numel(), 0)) require_product_dtype(call, t);
}

/// True if the argument, `beta` or `alpha`, can be represented in the dtype `computed`.
inline bool factor_fits(const RuleCall& call, Position argument, DType computed) {
  const Value& v = call.args[argument];
  if (v.kind() == Value::Kind::Int && !v.is_symbolic() && v.as_int64() >= -128 && v.as_int64() <= 127) [[likely]]
    return true;
  const bool is_part = v.kind() == Value::Kind::Complex && v.as_complex().imag() != 0;
  return is_part ? is_complex(computed) : scalar_fits(call.scalar(argument), computed);
}
/// Raises if the argument, `beta` or `alpha`, cannot be represented in the dtype `computed`: a complex number needs a
/// complex dtype, and integers have a range. Meta tensors are not checked.
inline void require_factor(const RuleCall& call, Position argument, DType computed, std::string_view label) {
  if (factor_fits(call, argument, computed) || call.device.is_meta()) [[likely]]
    return;
  call.require(false, label, "{} {} does not fit what is computed with, {}", call.op.schema.arguments[argument].name,
               to_string(call.args[argument]), name(computed));
}
/// Checks `beta` of a product with an inner size of 0, for which ATen computes beta * self by `mul`. ATen refuses a
/// beta of a higher kind than the dtype: a float for integers, a complex number for real numbers, an int for bools.
inline void require_scaled_self(const RuleCall& call, Position argument, DType dtype, std::string_view label) {
  const Scalar beta = call.scalar(argument);
  if (beta.to_complex() == 0.0) return;
  const bool fits = beta.is_complex()                    ? is_complex(dtype)
                    : beta.kind() == Scalar::Kind::Float ? !is_integral(dtype)
                    : beta.kind() == Scalar::Kind::Int   ? dtype != DType::Bool
                                                         : true;
  call.require(fits, label, "beta {} does not fit the product's dtype {}", to_string(Value(beta)), name(dtype));
}
/// Checks `beta` and `alpha` of the product of `a` and `b`. For an empty product neither is checked. For an inner size
/// of 0, only `beta` is checked.
inline void require_factors(const RuleCall& call, Position beta, Position alpha, const TensorMeta& a,
                            const TensorMeta& b, std::string_view label) {
  const DType computed = pointwise::compute_dtype(a.dtype);
  const bool other_kind =
      a.dtype == DType::Bool || (is_integral(a.dtype) && call.args[beta].kind() == Value::Kind::Float);
  if (!other_kind && factor_fits(call, beta, computed) && factor_fits(call, alpha, computed)) [[likely]]
    return;
  if (size_eq(a.numel(), 0) || size_eq(b.numel(), 0)) {
    const bool sums_nothing = size_ne(a.sizes[a.dim() - 2], 0) && size_ne(b.sizes[b.dim() - 1], 0);
    if (sums_nothing && (a.dim() == 2 || size_ne(a.sizes[0], 0))) require_scaled_self(call, beta, a.dtype, label);
    return;
  }
  require_factor(call, beta, computed, label);
  require_factor(call, alpha, computed, label);
}

/// Form of `out=` overloads: `out` may share memory with operands. The product is computed from the elements that the
/// operands have before the call.
inline constexpr WrittenForm kProductForm{.may_overlap = true};

/// Raises if elements of the written argument share memory. Products that ATen copies to `out` need this check.
inline void require_own_elements(const RuleCall& call) {
  require_own_elements(call, "overlap", "out", call.out.outputs[0].meta);
}
/// Raises if `out` is `self` and would be resized: ATen resizes `out` before it checks that `self` expands to the
/// product.
inline void require_self_not_resized(const RuleCall& call, Position self, std::span<const SymInt> product) {
  require_not_resized(call, call.tensor(self), call.tensor(call.args.size() - 1), product);
}
/// Raises if `self` and `out` share memory and are different tensors. If `beta` is not 0, ATen copies `self` to `out`
/// first, and a copy refuses shared memory. A self that is expanded to the product's sizes is not checked.
inline void require_copied_self(const RuleCall& call, Position self, Position beta) {
  if (call.scalar(beta).to_complex() == 0.) return;
  require_own_elements(call);
  const OutputSpec& out = call.out.outputs[0];
  const TensorImpl* from = call.tensor(self);
  if (from == out.source || from->storage != out.source->storage) return;  // before sizes, which may be symbolic
  if (!same_sizes(from->meta.sizes, out.meta.sizes)) return;
  require_no_partial_overlap(call, self, call.args.size() - 1, out.meta);
}

/// True if sizes `from` expand to sizes `to`: each dim of `from`, counted from the last, is 1 or equals the same dim of
/// `to`.
inline bool expands_to(std::span<const SymInt> from, std::span<const SymInt> to) {
  if (from.size() > to.size()) return false;
  const size_t shift = to.size() - from.size();
  for (size_t d = 0; d < from.size(); ++d) {
    if (!stretches_to(from[d], to[shift + d])) return false;
  }
  return true;
}

}  // namespace ersatz
