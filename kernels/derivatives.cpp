#include "kernels/derivatives.h"

#include "runtime/autograd/derivative.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

namespace {

struct NamedRow {
  std::string_view op;
  DerivativeRow row;
};

constexpr NamedRow kRows[] = {
#define DERIVATIVE(op, node, ...) {op, {DerivativeRow::Kind::Formula, node, __VA_ARGS__}},
#define ITEMS_DERIVATIVE(op, node, item) {op, {DerivativeRow::Kind::Items, node, item}},
#define NO_GRADIENT(op) {op, {DerivativeRow::Kind::NoGradient, "", ""}},
#define FORGETS_GRADIENT(op) {op, {DerivativeRow::Kind::NoGradient, "", kForgetsHistory}},
#define OUT_REFUSED(op) {op, {DerivativeRow::Kind::None, "", kOutRefused}},
#define OUT_COPIED(op) {op, {DerivativeRow::Kind::None, "", kOutCopied}},
#define OUT_PASSES(op) {op, {DerivativeRow::Kind::None, "", kOutPasses}},
#define RESIZES(op) {op, {DerivativeRow::Kind::NoGradient, "", kResizes}},
#define REFUSES_GRADIENT(op) {op, {DerivativeRow::Kind::Refused, "", ""}},
#include "kernels/attention/derivatives.def"
#include "kernels/conv/derivatives.def"
#include "kernels/fft/derivatives.def"
#include "kernels/foreach/derivatives.def"
#include "kernels/indexing/derivatives.def"
#include "kernels/linalg/derivatives.def"
#include "kernels/loss/derivatives.def"
#include "kernels/no_gradient.def"
#include "kernels/norm/derivatives.def"
#include "kernels/out_gradients.def"
#include "kernels/pointwise/derivatives.def"
#include "kernels/pooling/derivatives.def"
#include "kernels/random/derivatives.def"
#include "kernels/reduction/derivatives.def"
#include "kernels/resize/derivatives.def"
#include "kernels/rnn/derivatives.def"
#include "kernels/shape/derivatives.def"
#include "kernels/sorting/derivatives.def"
#undef DERIVATIVE
#undef ITEMS_DERIVATIVE
#undef NO_GRADIENT
#undef FORGETS_GRADIENT
#undef OUT_COPIED
#undef OUT_PASSES
#undef OUT_REFUSED
#undef RESIZES
#undef REFUSES_GRADIENT
};

/// Operators that PyTorch differentiates only if their result is real.
constexpr std::string_view kRealDerivatives[] = {
#define REAL_DERIVATIVE(op) op,
#include "kernels/real_derivatives.def"
#undef REAL_DERIVATIVE
};

Tensor add(const Tensor& a, const Tensor& b) { return call_op<"aten.add.Tensor">(a, b, 1); }
void add_into(const Tensor& to, const Tensor& b) { call_op<"aten.add_.Tensor">(to, b, 1); }

Tensor sum_to(const Tensor& gradient, std::span<const SymInt> sizes) {
  const std::span<const SymInt> of = gradient.sizes();
  if (sizes.empty()) return call_op<"aten.sum.default">(gradient, std::optional<DType>());
  const size_t more = of.size() - sizes.size();
  DimVec dims;
  for (size_t d = 0; d < of.size(); ++d) {
    if (d < more || (size_eq(sizes[d - more], 1) && !size_eq(of[d], 1))) dims.push_back(static_cast<int64_t>(d));
  }
  Tensor sum = gradient;
  if (!dims.empty()) sum = call_op<"aten.sum.dim_IntList">(gradient, dims, true, std::optional<DType>());
  return more ? call_op<"aten.view.default">(sum, sizes) : sum;
}

Tensor cast(const Tensor& t, DType dtype) {
  return call_op<"aten._to_copy.default">(t, dtype, Value(), Value(), Value(), false, Value());
}
Tensor to_device(const Tensor& t, Device device) {
  return call_op<"aten._to_copy.default">(t, Value(), Value(), device, Value(), false, Value());
}
Tensor real_part(const Tensor& t) {
  return call_op<"aten.select.int">(call_op<"aten.view_as_real.default">(call_op<"aten.resolve_conj.default">(t)), -1,
                                    0);
}
Tensor clone(const Tensor& t, MemoryFormat format) { return call_op<"aten.clone.default">(t, format); }
Tensor empty_strided(const Tensor& like, std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  return call_op<"aten.new_empty_strided.default">(like, sizes, strides, Value(), Value(), Value(), Value());
}
void zero(const Tensor& t) { call_op<"aten.zero_.default">(t); }
void copy_into(const Tensor& to, const Tensor& from) { call_op<"aten.copy_.default">(to, from, false); }
void copy_resized(const Tensor& to, const Tensor& from) {
  if (!same_sizes(to.sizes(), from.sizes())) call_op<"aten.resize_.default">(to, from.sizes(), Value());
  copy_into(to, from);
}
/// Returns as_strided of `t` with sizes, strides and offset of `geometry`. If `t` is complex and `geometry` is real,
/// `t` is viewed by view_as_real first.
Tensor as_strided(const Tensor& t, const TensorMeta& geometry) {
  const bool parts = is_complex(t.dtype()) && !is_complex(geometry.dtype);
  const Tensor of = parts ? call_op<"aten.view_as_real.default">(t) : t;
  return call_op<"aten.as_strided.default">(of, geometry.sizes, geometry.strides, geometry.offset);
}
Tensor ones_like(const Tensor& t) {
  return call_op<"aten.ones_like.default">(t, Value(), Value(), Value(), Value(), MemoryFormat::Preserve);
}
Tensor zeros(const Tensor& like, std::span<const SymInt> sizes) {
  return call_op<"aten.new_zeros.default">(like, sizes, Value(), Value(), Value(), Value());
}
bool has_nan(const Tensor& t) {
  const Tensor any = call_op<"aten.any.default">(call_op<"aten.isnan.default">(t));
  return call_op_all<"aten.item.default">(any)[0].as_bool();
}
Tensor negative(const Tensor& t) { return call_op<"aten.neg.default">(t); }

/// Calls the overload that ATen calls for a C++ expression like `a + b`. A number after a tensor is an argument of the
/// Scalar overload. A number before a tensor is wrapped in a tensor.
Tensor arithmetic(char sign, const Value& a, const Value& b) {
  if (a.is_tensor() && b.is_tensor()) {
    const Tensor x = a.tensor(), y = b.tensor();
    switch (sign) {
      case '+':
        return call_op<"aten.add.Tensor">(x, y, 1);
      case '-':
        return call_op<"aten.sub.Tensor">(x, y, 1);
      case '*':
        return call_op<"aten.mul.Tensor">(x, y);
      default:
        return call_op<"aten.div.Tensor">(x, y);
    }
  }
  if (a.is_tensor()) {
    const Tensor x = a.tensor();
    switch (sign) {
      case '+':
        return call_op<"aten.add.Scalar">(x, b, 1);
      case '-':
        return call_op<"aten.sub.Scalar">(x, b, 1);
      case '*':
        return call_op<"aten.mul.Scalar">(x, b);
      default:
        return call_op<"aten.div.Scalar">(x, b);
    }
  }
  const Tensor y = b.tensor();
  switch (sign) {
    case '+':
      return call_op<"aten.add.Scalar">(y, a, 1);
    case '-':
      return call_op<"aten.rsub.Scalar">(y, a, 1);
    case '*':
      return call_op<"aten.mul.Scalar">(y, a);
    default:
      return call_op<"aten.mul.Scalar">(call_op<"aten.reciprocal.default">(y), a);
  }
}

/// Returns the gradient of a view's base. An element outside of the view gets zero. An element that is several times in
/// the view gets the sum of their gradients. Source: ATen's `as_strided_backward`.
Tensor as_strided_backward(const Tensor& gradient, const TensorMeta& base, const TensorMeta& view) {
  if (!is_complex(base.dtype) || is_complex(view.dtype)) {
    return derivatives::as_strided_gradient(gradient, base, view.sizes, view.strides, view.offset);
  }
  TensorMeta parts = base;  // the view's elements are the real and imaginary parts
  parts.dtype = view.dtype;
  for (SymInt& stride : parts.strides) stride = stride * 2;
  parts.sizes.push_back(2);
  parts.strides.push_back(1);
  parts.offset = base.offset * 2;
  return call_op<"aten.view_as_complex.default">(
      derivatives::as_strided_gradient(gradient, parts, view.sizes, view.strides, view.offset));
}

/// If an in-place operator has its own registration, gives it the derivative of its functional operator. In-place
/// operators that are derived (runtime/op/derived.h) have that derivative already.
void add_inplace_rows(Registry& registry) {
  for (const OpEntry* op : registry.all()) {
    const std::string_view name = op->name;
    const size_t dot = name.rfind('.');
    if (op->derivative.kind != DerivativeRow::Kind::None || op->functional || !name.substr(0, dot).ends_with('_'))
      continue;
    const std::string functional = fmt::format("{}{}", name.substr(0, dot - 1), name.substr(dot));
    const OpEntry* of = registry.find(functional);
    if (of && of->derivative.kind == DerivativeRow::Kind::Formula) {
      registry.find_mutable(name)->derivative = of->derivative;
    }
  }
}

}  // namespace

void add_derivatives(Registry& registry) {
  derivatives::add_functions();
  for (const NamedRow& r : kRows) {
    OpEntry* op = registry.find_mutable(r.op);
    ERSATZ_ASSERT(op, "derivatives.def names {}, which is no operator", r.op);
    op->derivative = r.row;
  }
  for (const std::string_view name : kRealDerivatives) {
    OpEntry* op = registry.find_mutable(name);
    ERSATZ_ASSERT(op, "real_derivatives.def names {}, which is no operator", name);
    op->real_derivative = true;
  }
  add_inplace_rows(registry);
  install_gradient_ops({.add = add,
                        .add_into = add_into,
                        .sum_to = sum_to,
                        .cast = cast,
                        .to_device = to_device,
                        .real_part = real_part,
                        .clone = clone,
                        .empty_strided = empty_strided,
                        .zero = zero,
                        .copy_into = copy_into,
                        .copy_resized = copy_resized,
                        .as_strided = as_strided,
                        .as_strided_backward = as_strided_backward,
                        .ones_like = ones_like,
                        .zeros = zeros,
                        .has_nan = has_nan,
                        .arithmetic = arithmetic,
                        .negative = negative});
}

}  // namespace ersatz
