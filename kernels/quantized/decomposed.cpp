#include "kernels/quantized/decomposed.h"

#include <algorithm>

#include "kernels/creation/full.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/permute.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/registry.h"

namespace ersatz::op_decomposed {
namespace {

using namespace arithmetic;

struct Range {
  DType dtype;
  int64_t least, most;
};
/// The dtypes to which numbers can be quantised, with the smallest and the largest number of each.
constexpr Range kRanges[] = {{DType::U8, 0, 255},           {DType::I8, -128, 127},
                             {DType::I16, -32768, 32767},   {DType::I32, -2147483648LL, 2147483647LL},
                             {DType::U16, 0, 65535},        {DType::F8E4M3FN, -448, 448},
                             {DType::F8E5M2, -57344, 57344}};

const Range* range_of(DType t) {
  const auto at = std::find_if(std::begin(kRanges), std::end(kRanges), [&](const Range& r) { return r.dtype == t; });
  return at == std::end(kRanges) ? nullptr : at;
}

const Range& require_range(const CompositeCall& call, DType dtype) {
  const Range* range = range_of(dtype);
  if (!range) call.refuse(ErrorFamily::Value, "C2", "numbers are not quantised to {}", name(dtype));
  return *range;
}

void require_bounds(const CompositeCall& call, DType dtype, SymInt least, SymInt most) {
  const Range& range = require_range(call, dtype);
  call.require(check_ge(least, range.least) && check_le(most, range.most), "C3",
               "quant_min and quant_max must be from {} to {} for {}: they are {} and {}", range.least, range.most,
               name(dtype), least, most);
}

/// Returns the input as f32.
Tensor numbers(const CompositeCall& call) {
  const Tensor input = call.tensor(kQuantize["input"]);
  if (is_reduced_float(input.dtype())) return ops::to(input, DType::F32);
  call.require(input.dtype() == DType::F32, "C1", "input must be f32, f16 or bf16: it is {}", input.meta());
  return input;
}

Tensor quantised_numbers(const CompositeCall& call, DType dtype) {
  const Tensor input = call.tensor(kQuantize["input"]);
  call.require(input.dtype() == dtype, "C1", "input must have dtype {}: it is {}", name(dtype), input.meta());
  return input;
}

Tensor clamp(const Tensor& t, const Value& least, const Value& most) {
  return least.is_tensor() ? call_op<"aten.clamp.Tensor">(t, least, most)
                           : call_op<"aten.clamp.default">(t, least, most);
}
/// Returns round(x * factor) + zero_point, clamped to [least, most].
template <class Factor, class Zero>
Tensor quantized(const Tensor& x, const Factor& factor, const Zero& zero_point, const Value& least, const Value& most) {
  const Tensor q = call_op<"aten.add.Tensor">(ops::round(x * factor), zero_point, Scalar(1));
  return clamp(q, least, most);
}

// Operators with one scale for the whole tensor.

void quantize(CompositeCall& call) {
  const Tensor x = numbers(call);
  const DType dtype = call[kQuantize["dtype"]].as_dtype();
  require_bounds(call, dtype, call.sym(kQuantize["quant_min"]), call.sym(kQuantize["quant_max"]));
  const double scale = call.real(kQuantize["scale"]);
  call.require(scale != 0, "C6", "scale must not be 0{}", "");
  const Tensor q = quantized(x, Scalar(1.0 / scale), call[kQuantize["zero_point"]], call[kQuantize["quant_min"]],
                             call[kQuantize["quant_max"]]);
  call.returns(ops::to(q, dtype));
}

DType number_dtype(const Value& given) { return given.is_none() ? DType::F32 : given.as_dtype(); }

void dequantize(CompositeCall& call) {
  const Tensor x = quantised_numbers(call, call[kDequantize["dtype"]].as_dtype());
  require_range(call, x.dtype());
  const Tensor moved = call_op<"aten.sub.Scalar">(ops::to(x, number_dtype(call[kDequantize["out_dtype"]])),
                                                  call[kDequantize["zero_point"]], Scalar(1));
  call.returns(moved * Scalar(call.real(kDequantize["scale"])));
}

/// Returns argument `i` as a 0-d tensor. The argument is a tensor with a scale, a zero point or a bound. Raises [op.C5]
/// unless it has one element.
Tensor one_number(const CompositeCall& call, Position i) {
  const Tensor t = call.tensor(i);
  call.require(check_eq(t.numel(), 1), "C5", "{} must have one element: it is {}", call.op.schema.arguments[i].name,
               t.meta());
  return ops::reshape(t, {});
}

/// Returns `t` converted so that it promotes like a Python number: a float becomes f64 if `beside` is f64, else f32.
Tensor as_number(const Tensor& t, DType beside) {
  return is_float(t.dtype()) ? ops::to(t, beside == DType::F64 ? DType::F64 : DType::F32) : t;
}

void quantize_tensor(CompositeCall& call) {
  const Tensor scale = one_number(call, kQuantizeTensor["scale"]),
               zero_point = one_number(call, kQuantizeTensor["zero_point"]);
  const Tensor x = numbers(call);
  const DType dtype = call[kQuantizeTensor["dtype"]].as_dtype();
  Value least = call[kQuantizeTensor["quant_min"]].borrowed(), most = call[kQuantizeTensor["quant_max"]].borrowed();
  if (least.is_tensor()) {
    require_range(call, dtype);
    least = one_number(call, kQuantizeTensor["quant_min"]), most = one_number(call, kQuantizeTensor["quant_max"]);
  } else {
    require_bounds(call, dtype, least.as_bound(), most.as_bound());
  }
  const Tensor factor = as_number(ops::reciprocal(ops::to(scale, DType::F64)), x.dtype());
  const Tensor q = quantized(x, factor, as_number(zero_point, x.dtype()), least, most);
  call.returns(ops::to(q, dtype));
}

void dequantize_tensor(CompositeCall& call) {
  const Tensor scale = one_number(call, kDequantizeTensor["scale"]),
               zero_point = one_number(call, kDequantizeTensor["zero_point"]);
  const Tensor x = quantised_numbers(call, call[kDequantizeTensor["dtype"]].as_dtype());
  require_range(call, x.dtype());
  const Tensor y = ops::to(x, number_dtype(call[kDequantizeTensor["out_dtype"]]));
  const Tensor moved = y - as_number(zero_point, y.dtype());
  call.returns(ops::to(moved * as_number(scale, y.dtype()), is_float(y.dtype()) ? y.dtype() : DType::F32));
}

// Operators with a scale for each index of a dim.

/// Exchanges dim 0 with `axis`. A second call restores the order. Raises [op.C4] if `axis` is out of range.
Tensor exchanged(const CompositeCall& call, const Tensor& t, int64_t axis) {
  const int64_t rank = t.dim();
  call.require(axis < rank, "C4", "axis must be below {}: it is {}", rank, axis);
  call.require_index(axis >= -rank, "C4", "axis must be at least {}: it is {}", -rank, axis);
  DimVec order;
  for (int64_t d = 0; d < rank; ++d) order.push_back(d);
  std::swap(order[0], order[static_cast<size_t>(axis < 0 ? axis + rank : axis)]);
  return ops::permute(t, order);
}
/// Returns `t` viewed so that it broadcasts along dim 0 of a tensor of rank `rank`.
Tensor along_first(const Tensor& t, int64_t rank) {
  DimVec sizes{t.size(0)};
  for (int64_t d = 1; d < rank; ++d) sizes.push_back(1);
  return ops::view(t, sizes);
}

void quantize_channel(CompositeCall& call) {
  const Tensor x = numbers(call);
  const int64_t axis = call.integer(kQuantizeChannel["axis"]);
  const DType dtype = call[kQuantizeChannel["dtype"]].as_dtype();
  const Tensor moved = exchanged(call, x, axis);
  require_bounds(call, dtype, call.sym(kQuantizeChannel["quant_min"]), call.sym(kQuantizeChannel["quant_max"]));
  const Tensor scales = along_first(call.tensor(kQuantizeChannel["scales"]), x.dim()),
               zero_points = along_first(call.tensor(kQuantizeChannel["zero_points"]), x.dim());
  const Tensor q = quantized(moved, ops::reciprocal(scales), zero_points, call[kQuantizeChannel["quant_min"]],
                             call[kQuantizeChannel["quant_max"]]);
  call.returns(ops::to(exchanged(call, q, axis), dtype));
}

void dequantize_channel(CompositeCall& call) {
  const Tensor x = quantised_numbers(call, call[kDequantizeChannel["dtype"]].as_dtype());
  const int64_t axis = call.integer(kDequantizeChannel["axis"]);
  Tensor moved = exchanged(call, x, axis);
  require_bounds(call, x.dtype(), call.sym(kDequantizeChannel["quant_min"]), call.sym(kDequantizeChannel["quant_max"]));
  if (call.has(kDequantizeChannel["zero_points"]))
    moved = moved - along_first(call.tensor(kDequantizeChannel["zero_points"]), x.dim());
  const Tensor y = moved * along_first(call.tensor(kDequantizeChannel["scales"]), x.dim());
  call.returns(exchanged(call, ops::to(y, number_dtype(call[kDequantizeChannel["out_dtype"]])), axis));
}

/// Unsqueezes `t` before and after `axis`. Like in PyTorch, `axis` is not wrapped, so a negative axis adds more dims.
Tensor around(Tensor t, int64_t axis, int64_t rank) {
  for (int64_t d = 0; d < axis; ++d) t = ops::unsqueeze(t, d);
  for (int64_t d = axis + 1; d < rank; ++d) t = ops::unsqueeze(t, d);
  return t;
}

void fake_quant_channel(CompositeCall& call) {
  const Tensor x = call.tensor(kFakeQuantChannel["input"]);
  const int64_t axis = call.integer(kFakeQuantChannel["axis"]);
  call.require(x.dtype() == DType::F32, "C1", "input must be f32: it is {}", x.meta());
  call.require(axis < x.dim(), "C4", "axis must be below {}: it is {}", x.dim(), axis);
  const Tensor scales = around(ops::to(call.tensor(kFakeQuantChannel["scales"]), DType::F32), axis, x.dim()),
               zero_points = around(ops::to(call.tensor(kFakeQuantChannel["zero_points"]), DType::I32), axis, x.dim());
  const Tensor q = quantized(x, ops::reciprocal(scales), zero_points, call[kFakeQuantChannel["quant_min"]],
                             call[kFakeQuantChannel["quant_max"]]);
  call.returns((q - zero_points) * scales);
}

// Operators with a scale for each group of elements in a row.

SymInt require_groups(const CompositeCall& call, Position scales, SymInt group) {
  const TensorMeta& input = call.meta(kQuantize["input"]);
  call.require(check_gt(group, 1) && input.dim() == 2, "C7",
               "expects groups of 2 at least, in two dims: got {}, input is {}", group, input);
  const TensorMeta& s = call.meta(scales);
  if (s.dim() > 0 && check_eq(s.sizes.back(), 1) && check_gt(group, input.sizes[1])) group = input.sizes[1];
  call.require(check_eq(floor_div(input.sizes[1], group) * group, input.sizes[1]), "C7",
               "groups of {} must divide the last dim: input is {}", group, input);
  return group;
}
Tensor as_column(const Tensor& t) { return ops::reshape(t, DimVec{-1, 1}); }

void quantize_group(CompositeCall& call) {
  const Tensor input = call.tensor(kQuantizeGroup["input"]);
  const SymInt group = require_groups(call, kQuantizeGroup["scales"], call.sym(kQuantizeGroup["group_size"]));
  const Tensor q = ops::reshape(input, DimVec{-1, group}) / as_column(call.tensor(kQuantizeGroup["scales"])) +
                   as_column(call.tensor(kQuantizeGroup["zero_points"]));
  const Tensor kept = clamp(ops::round(q), call[kQuantizeGroup["quant_min"]], call[kQuantizeGroup["quant_max"]]);
  call.returns(ops::reshape_as(ops::to(kept, call[kQuantizeGroup["dtype"]].as_dtype()), input));
}

void dequantize_group(CompositeCall& call) {
  const Tensor input = call.tensor(kDequantizeGroup["input"]);
  const SymInt group = require_groups(call, kDequantizeGroup["scales"], call.sym(kDequantizeGroup["group_size"]));
  const Tensor zero_points = call.has(kDequantizeGroup["zero_points"])
                                 ? as_column(call.tensor(kDequantizeGroup["zero_points"]))
                                 : ops::zeros({}, {.dtype = DType::I32, .device = input.device()});
  const Tensor y =
      (ops::reshape(input, DimVec{-1, group}) - zero_points) * as_column(call.tensor(kDequantizeGroup["scales"]));
  call.returns(ops::to(ops::reshape_as(y, input), call[kDequantizeGroup["output_dtype"]].as_dtype()));
}

// Operators with a scale for each token.

void quantize_token(CompositeCall& call) {
  const Tensor input = call.tensor(kQuantizeToken["input"]), scales = call.tensor(kQuantizeToken["scales"]),
               zero_points = call.tensor(kQuantizeToken["zero_points"]);
  const DType dtype = call[kQuantizeToken["dtype"]].as_dtype();
  require_bounds(call, dtype, call.sym(kQuantizeToken["quant_min"]), call.sym(kQuantizeToken["quant_max"]));
  SymInt tokens = 1;
  for (int64_t d = 0; d + 1 < input.dim(); ++d) tokens = tokens * input.size(d);
  call.require(check_eq(scales.numel(), tokens) && check_eq(zero_points.numel(), tokens), "C5",
               "expects a scale and a zero point for each of {} tokens: they are {} and {}", tokens, scales.meta(),
               zero_points.meta());
  const Tensor q = ops::round(input * ops::reciprocal(scales) + zero_points);
  call.returns(ops::to(clamp(q, call[kQuantizeToken["quant_min"]], call[kQuantizeToken["quant_max"]]), dtype));
}

void dequantize_token(CompositeCall& call) {
  const Tensor y = (call.tensor(kDequantizeToken["input"]) - call.tensor(kDequantizeToken["zero_points"])) *
                   call.tensor(kDequantizeToken["scales"]);
  call.returns(ops::to(y, call[kDequantizeToken["output_dtype"]].as_dtype()));
}

// Operators that choose scales.

struct Extremes {
  Tensor least, most;  ///< REQUIRES: least <= 0 <= most
};
Extremes around_zero(const Tensor& least, const Tensor& most) {
  return {ops::minimum(least, ops::zeros_like(least)), ops::maximum(most, ops::zeros_like(most))};
}

template <bool symmetric>
void choose(CompositeCall& call) {
  const Tensor input = call.tensor(kChoose["input"]);
  constexpr DTypeSet taken{DType::F16, DType::BF16, DType::F32};
  call.require(taken.has(input.dtype()), "C1", "input must be f32, f16 or bf16: it is {}", input.meta());
  const DType dtype = call[kChoose["dtype"]].as_dtype();
  call.require(range_of(dtype) != nullptr, "C2", "numbers are not quantised to {}", name(dtype));
  const int64_t least = call.integer(kChoose["quant_min"]), most = call.integer(kChoose["quant_max"]);
  call.require(least <= 0 && most >= 0 && least < most, "C8",
               "the range must have 0 and another number: it is {} to {}", least, most);
  const Values both = call_op_all<"aten.aminmax.default">(input, Value(), false);
  const Extremes x = around_zero(both[0].tensor(), both[1].tensor());
  const Tensor eps =
      ops::full(DimVec{1}, Scalar(call.real(kChoose["eps"])), {.dtype = DType::F32, .device = input.device()});
  const double span = static_cast<double>(most - least);
  Tensor scale, zero_point;
  if (symmetric) {
    scale = ops::maximum(ops::maximum(-x.least, x.most) / Scalar(span / 2), eps);
    const int64_t middle = dtype == DType::U8 ? 128 : 0;
    zero_point = ops::full_like(scale, Scalar(middle), {.dtype = DType::I64});
  } else {
    scale = ops::maximum((x.most - x.least) / Scalar(span), eps);
    const Tensor steps = ops::to(ops::round(x.least / scale), DType::I32);
    zero_point = clamp(call_op<"aten.rsub.Scalar">(steps, Scalar(least), Scalar(1)), least, most);
  }
  call.returns(ops::to(scale, DType::F64));
  call.returns(ops::to(zero_point, DType::I64));
}

const DimVec& last_dim() {
  static const DimVec dims{-1};
  return dims;
}

void choose_token(CompositeCall& call) {
  const DType dtype = call[kChooseToken["dtype"]].as_dtype();
  call.require(dtype == DType::I8, "C9", "tokens are quantised to i8: dtype is {}", name(dtype));
  Tensor largest = call_op<"aten.amax.default">(ops::abs(call.tensor(kChooseToken["input"])), last_dim(), true);
  if (largest.dtype() == DType::F16) largest = ops::to(largest, DType::F32);
  const Tensor scales = call_op<"aten.clamp.default">(largest, Scalar(1e-5), Value()) / Scalar(127);
  call.returns(scales);
  call.returns(ops::zeros_like(scales));
}

/// Chooses a scale for i8. Like in PyTorch, the argument `dtype` is ignored.
void choose_token_asymmetric(CompositeCall& call) {
  const Tensor input = call.tensor(kChooseToken["input"]);
  const Extremes x = around_zero(call_op<"aten.amin.default">(input, last_dim(), true),
                                 call_op<"aten.amax.default">(input, last_dim(), true));
  const Scalar least(-128), most(127);
  const Tensor scale = call_op<"aten.clamp.default">((x.most - x.least) / Scalar(255.), Scalar(0x1p-23), Value());
  const Tensor low = x.least / scale, high = x.most / scale;
  const auto plus = [](const Tensor& t, const Scalar& n) { return call_op<"aten.add.Scalar">(t, n, Scalar(1)); };
  const auto minus = [](const Scalar& n, const Tensor& t) { return call_op<"aten.rsub.Scalar">(t, n, Scalar(1)); };
  const Tensor from_least = ops::gt(plus(low, least) + plus(high, most), Scalar(0));
  const Tensor zero_point = call_op<"aten.where.self">(from_least, minus(least, low), minus(most, high));
  call.returns(ops::to(scale, DType::F64));
  call.returns(ops::to(ops::round(clamp(zero_point, least, most)), DType::I64));
}

/// Converts the input, and copies it even if the dtype does not change.
void convert(CompositeCall& call) {
  call.returns(call_op<"aten._to_copy.default">(call[kConvert["input"]], call[kConvert["dtype"]], Value(), Value(),
                                                Value(), false, Value()));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kQuantize)
      .made_of(quantize)
      .sample("f32[2,3]{1,2}, 0.1, 2, -128, 127, i8")
      .refuses("C1", "f64[2], 0.1, 0, 0, 100, i8")
      .refuses("C2", "f32[2], 0.1, 0, 0, 100, i64")
      .refuses("C3", "f32[2], 0.1, 0, -129, 127, i8")
      .refuses("C6", "f32[2], 0.0, 0, 0, 100, i8");
  r.add(kDequantize)
      .made_of(dequantize)
      .sample("i8[2,3]{1,2}, 0.1, 2, -128, 127, i8", -9, 9)
      .sample("u8[2,3], 0.1, 2, 0, 255, u8, out_dtype=bf16", 0, 9)
      .refuses("C1", "i8[2], 0.1, 0, 0, 100, u8")
      .refuses("C2", "i64[2], 0.1, 0, 0, 100, i64");
  for (const char* form : {"tensor", "tensor2"}) {
    const bool tensors = std::string_view(form) == "tensor2";
    const char* bound = tensors ? "Tensor" : "int";
    const std::string bounds = tensors ? "i64[], i64[1]" : "-9, 9";
    r.add(kQuantizeTensor.with(form, bound, bound))
        .made_of(quantize_tensor)
        .sample(fmt::format("f32[2,3], f32[], i64[1], {}, i8", bounds), 1, 2)
        .refuses("C5", fmt::format("f32[2,3], f32[2], i64[], {}, i8", bounds));
    r.add(kDequantizeTensor.with(form, bound, bound))
        .made_of(dequantize_tensor)
        .sample(fmt::format("i8[2,3], f32[], i64[1], {}, i8", bounds))
        .refuses("C5", fmt::format("i8[2,3], f32[2], i64[], {}, i8", bounds));
  }
  r.add(kQuantizeChannel)
      .made_of(quantize_channel)
      .sample("f32[2,3,4]{12,1,3}, f32[4], i64[4], -1, 0, 255, u8", 1, 2)
      .refuses("C4", "f32[2], f32[2], i64[2], 1, 0, 100, i8");
  r.add(kDequantizeChannel)
      .made_of(dequantize_channel)
      .sample("i8[2,3,4]{12,1,3}, f32[3], None, 1, -128, 127, i8")
      .sample("i8[2,3], f64[3], i64[3], 1, -128, 127, i8, out_dtype=bf16")
      .refuses("C4", "i8[2], f32[2], None, 1, 0, 100, i8");
  r.add(kFakeQuantChannel)
      .made_of(fake_quant_channel)
      .sample("f32[2,3], f32[3], i64[3], 1, -9, 9", 1, 2)
      .sample("f32[2,3], f32[3], i64[3], -1, -9, 9", 1, 2)
      .refuses("C1", "f16[2], f32[2], i32[2], 0, 0, 9");
  r.add(kQuantizeGroup)
      .made_of(quantize_group)
      .sample("f32[3,8], f32[3,2], i32[3,2], -9, 9, i8, 4", 1, 2)
      .refuses("C7", "f32[3,8], f32[3,2], i32[3,2], -9, 9, i8, 5");
  r.add(kDequantizeGroup)
      .made_of(dequantize_group)
      .sample("i8[3,8]{1,3}, f32[3,1], None, -9, 9, i8, 8, f32")
      .refuses("C7", "i8[3,8], f32[3,8], None, -9, 9, i8, 1, f32");
  r.add(kQuantizeToken)
      .made_of(quantize_token)
      .sample("f32[2,3], f32[2,1], i64[2,1], -9, 9, i8", 1, 2)
      .refuses("C5", "f32[2,3], f32[3], i64[3], -9, 9, i8");
  r.add(kDequantizeToken).made_of(dequantize_token).sample("i8[2,3], f32[2,1], i64[2,1], -9, 9, i8, bf16");
  for (const char* name : {"choose_qparams", "choose_qparams_symmetric"}) {
    r.add(kChoose.with(name))
        .made_of(std::string_view(name) == "choose_qparams" ? choose<false> : choose<true>)
        .sample("f32[2,3]{1,2}, -128, 127, 1e-05, i8")
        .sample("bf16[2,3], 0, 255, 1e-05, u8")
        .refuses("C1", "f64[2], 0, 9, 1e-05, i8")
        .refuses("C2", "f32[2], 0, 9, 1e-05, i64")
        .refuses("C8", "f32[2], 5, 9, 1e-05, i8");
  }
  r.add(kChooseToken.with("choose_qparams_per_token"))
      .made_of(choose_token)
      .sample("f32[2,3], i8")
      .sample("f16[2,3], i8")
      .refuses("C9", "f32[2,3], u8");
  for (const char* name : {"choose_qparams_per_token_asymmetric", "_choose_qparams_per_token_asymmetric_impl"})
    r.add(kChooseToken.with(name)).made_of(choose_token_asymmetric).sample("f32[2,3]{1,2}, i8");
  r.add(kConvert).made_of(convert).sample("f32[2,3]{1,2}, f16");
}

}  // namespace ersatz::op_decomposed
