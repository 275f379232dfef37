// Decompositions of backward operators into the core operators that PyTorch's tracer records for a gradient.
#include <cmath>
#include <numbers>

#include "kernels/core_decompositions.h"
#include "kernels/decomposition.h"

namespace ersatz::decomposition {
namespace {

Tensor kept_sum(const Tensor& t, const DimVec& dims) { return call_op<"aten.sum.dim_IntList">(t, dims, true, Value()); }
Tensor unsqueezed(Tensor t, int64_t dims) {
  for (int64_t d = 0; d < dims; ++d) t = unsqueeze(t, -1);
  return t;
}
bool wanted(const CompositeCall& call, size_t mask, size_t i) { return given(call, mask).as_list()[i].as_bool(); }
/// Returns the dtype that a gradient is computed in: f32 for f16 and bf16, else `t`.
DType computed(DType t) { return t == DType::F16 || t == DType::BF16 ? DType::F32 : t; }

/// Arguments: (grad_output, output, dim, input_dtype).
void log_softmax_backward(CompositeCall& call) {
  const Tensor grad = tensor(call, 0);
  const Tensor probabilities = call_op<"aten.exp.default">(tensor(call, 1));
  const Tensor part = mul(probabilities, kept_sum(grad, {given(call, 2).as_int()}));
  call.returns(laid_out(cast(sub(grad, part), given(call, 3).as_dtype())));
}
void softmax_backward(CompositeCall& call) {
  const Tensor output = tensor(call, 1), weighted = mul(tensor(call, 0), output);
  const Tensor part = mul(output, kept_sum(weighted, {given(call, 2).as_int()}));
  call.returns(laid_out(cast(sub(weighted, part), given(call, 3).as_dtype())));
}

/// Arguments: (grad_output, self, threshold).
void threshold_backward(CompositeCall& call) {
  const Tensor grad = tensor(call, 0), below = call_op<"aten.le.Scalar">(tensor(call, 1), given(call, 2));
  call.returns(where(below, number(0, grad.dtype(), grad.device()), grad));
}

/// Returns the derivative of gelu at x, for approximate="none": cdf(x) + x pdf(x) of the normal distribution.
Tensor slope_of_gelu(const Tensor& x) {
  const Tensor cdf = mul(add(call_op<"aten.erf.default">(mul(x, 1 / std::numbers::sqrt2)), 1), 0.5);
  const double scale = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  const Tensor pdf = mul(call_op<"aten.exp.default">(mul(mul(x, x), -0.5)), scale);
  return add(cdf, mul(x, pdf));
}
/// Returns the derivative of gelu at x, for approximate="tanh". Here gelu is 0.5 x (1 + tanh(u)) with u = sqrt(2/pi) (x
/// + k x^3).
Tensor slope_of_tanh_gelu(const Tensor& x) {
  constexpr double kCubic = 0.044715;
  const double factor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  const Tensor square = mul(x, x), inner = mul(add(x, mul(mul(square, x), kCubic)), factor);
  const Tensor bent = call_op<"aten.tanh.default">(inner), half = mul(x, 0.5);
  const Tensor left = mul(add(bent, 1), 0.5), of_tanh = sub(1, mul(bent, bent));
  const Tensor of_inner = mul(add(mul(square, 3 * kCubic), 1), factor);
  return add(left, mul(mul(half, of_tanh), of_inner));
}
/// Arguments: (grad_output, self, approximate).
void gelu_backward(CompositeCall& call) {
  Formula f(call);
  const Tensor grad = f[0], x = f[1];
  f.returns(mul(grad, given(call, 2).as_string() == "tanh" ? slope_of_tanh_gelu(x) : slope_of_gelu(x)));
}

/// Arguments of nll_loss_backward and nll_loss2d_backward: (grad_output, self, target, weight, reduction, ignore_index,
/// total_weight).
void nll_loss_backward(CompositeCall& call) {
  const Tensor x = tensor(call, 1);
  Tensor grad = tensor(call, 0);
  const int64_t channel = x.dim() < 2 ? 0 : 1;
  const Value& ignored = given(call, 5);
  if (given(call, 4).as_int64() == 1) grad = div(grad, tensor(call, 6));
  const Tensor target = unsqueeze(tensor(call, 2), channel);
  const auto counted = [&](const Tensor& t, DType dtype) {
    const Tensor is_counted = call_op<"aten.ne.Scalar">(target, ignored);
    return where(is_counted, t, number(0, dtype, x.device()));
  };
  const Tensor index = counted(target, target.dtype());
  const Tensor zeros =
      call_op<"aten.full_like.default">(x, 0, Value(), Value(), Value(), false, MemoryFormat::Preserve);
  const Tensor picked = call_op<"aten.scatter.value">(zeros, channel, index, -1.0);
  if (grad.dim() > 0 && x.dim() > grad.dim()) grad = unsqueeze(grad, channel);
  if (!given(call, 3).is_none()) {
    DimVec shape(x.dim(), SymInt(1));
    shape[channel] = x.size(channel);
    grad = mul(grad, view(tensor(call, 3), shape));
  }
  call.returns(mul(picked, counted(grad, grad.dtype())));
}

/// Arguments: (grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask).
void layer_norm_backward(CompositeCall& call) {
  const Tensor input = tensor(call, 1);
  const DType result = input.dtype(), compute = computed(result);
  const auto prepared = [&](const Tensor& t) {
    if (!t || t.dtype() == compute) return t;
    return call_op<"aten._to_copy.default">(t, compute, Value(), Value(), Value(), false, MemoryFormat::Contiguous);
  };
  const Tensor grad = prepared(tensor(call, 0)), x = prepared(input), weight = prepared(tensor(call, 5));
  const Tensor mean = tensor(call, 3), rstd = tensor(call, 4);
  const auto rank = static_cast<int64_t>(x.dim());
  const int64_t outer = rank - static_cast<int64_t>(given(call, 2).as_ints().size());
  DimVec inner_dims, outer_dims;
  SymInt n = 1, m = 1;
  for (int64_t d = 0; d < rank; ++d) {
    (d < outer ? outer_dims : inner_dims).push_back(d);
    (d < outer ? m : n) = (d < outer ? m : n) * x.size(d);
  }
  if (guard_eq(n, 0) || guard_eq(m, 0)) {
    const auto none = [&](size_t mask, const DimVec& sizes) {
      call.returns(wanted(call, 7, mask) ? Value(filled(sizes, 0, result, x.device())) : Value());
    };
    const DimVec shape(given(call, 2).as_ints());
    return none(0, sizes_of(input)), none(1, shape), none(2, shape);
  }
  const Tensor normal = mul(sub(x, unsqueezed(mean, rank - static_cast<int64_t>(mean.dim()))),
                            unsqueezed(rstd, rank - static_cast<int64_t>(rstd.dim())));
  const auto over_outer = [&](const Tensor& t) { return outer == 0 ? t : sum_of(t, outer_dims); };
  const auto give = [&](size_t mask, const Tensor& t) {
    call.returns(wanted(call, 7, mask) ? Value(cast(t, result)) : Value());
  };
  if (wanted(call, 7, 0)) {
    const Tensor scaled = weight ? mul(grad, weight) : grad;
    const Tensor all = mul(scaled, Value(n)), sum = kept_sum(scaled, inner_dims);
    const Tensor part = mul(normal, kept_sum(mul(scaled, normal), inner_dims));
    give(0, mul(div(unsqueezed(rstd, rank - static_cast<int64_t>(rstd.dim())), Value(n)), sub(sub(all, sum), part)));
  } else {
    call.returns(Value());
  }
  if (wanted(call, 7, 1) && weight) {
    give(1, over_outer(mul(grad, normal)));
  } else {
    call.returns(Value());
  }
  if (wanted(call, 7, 2)) {
    give(2, outer == 0 ? call_op<"aten.clone.default">(grad, Value()) : over_outer(grad));
  } else {
    call.returns(Value());
  }
}

/// Arguments: (grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask).
void batch_norm_backward(CompositeCall& call) {
  const Tensor input = tensor(call, 1), weight = tensor(call, 2);
  const DType compute = computed(input.dtype());
  const Tensor grad = cast(tensor(call, 0), compute), x = cast(input, compute);
  const bool train = given(call, 7).as_bool();
  const auto rank = static_cast<int64_t>(x.dim());
  Tensor mean = tensor(call, 5), scale = tensor(call, 6);
  if (!train) {
    mean = tensor(call, 3);
    scale = call_op<"aten.rsqrt.default">(add(tensor(call, 4), given(call, 8)));
  }
  const auto broadcast = [&](Tensor t) {  // t has one value for each channel
    for (int64_t d = 0; d < rank; ++d) {
      if (d != 1) t = unsqueeze(t, d);
    }
    return t;
  };
  DimVec others;
  SymInt count = 1;
  for (int64_t d = 0; d < rank; ++d) {
    if (d == 1) continue;
    others.push_back(d);
    count = count * x.size(d);
  }
  const double share = 1.0 / static_cast<double>(count.guard_int());
  mean = broadcast(mean);
  const Tensor sum = sum_of(grad, others), product = sum_of(mul(grad, sub(x, mean)), others);
  const Tensor of_mean = broadcast(mul(sum, share));
  const Tensor slope = broadcast(mul(mul(product, share), mul(scale, scale)));
  const Tensor factor = weight ? broadcast(mul(scale, weight)) : mul(broadcast(scale), 1.0);
  const Tensor of_input = train ? mul(sub(sub(grad, mul(sub(x, mean), slope)), of_mean), factor) : mul(grad, factor);
  const DType of_weight = weight ? weight.dtype() : computed(input.dtype());
  call.returns(cast(of_input, input.dtype()));
  call.returns(wanted(call, 9, 1) ? Value(cast(mul(product, scale), of_weight)) : Value());
  call.returns(wanted(call, 9, 2) ? Value(cast(sum, of_weight)) : Value());
}

/// Arguments: (grad_output, indices, num_weights, padding_idx, scale_grad_by_freq).
void embedding_backward(CompositeCall& call) {
  const Tensor given_grad = tensor(call, 0), indices = tensor(call, 1);
  Tensor grad = cast(given_grad, computed(given_grad.dtype()));
  const SymInt rows = given(call, 2).as_int();
  const Device device = grad.device();
  const auto both = [](const Tensor& a, const Tensor& b) { return call_op<"aten.bitwise_and.Tensor">(a, b); };
  const auto otherwise = [](const Tensor& mask) { return call_op<"aten.bitwise_not.default">(mask); };
  const auto clamped = [&](SymInt low) {
    return call_op<"aten.clamp.default">(indices, Value(low), Value(rows - SymInt(1)));
  };
  const auto put = [&](const Tensor& into, const Tensor& values) {
    return call_op<"aten.index_put.default">(into, Value::list(Values{Value(clamped(SymInt(0) - rows))}), values, true);
  };
  const Tensor fits = both(call_op<"aten.ge.Scalar">(indices, 0), call_op<"aten.lt.Scalar">(indices, Value(rows)));
  if (given(call, 4).as_bool()) {
    const Tensor none = filled({rows}, 0, indices.dtype(), device);
    const Tensor ones =
        call_op<"aten.full_like.default">(indices, 1, Value(), Value(), Value(), false, MemoryFormat::Preserve);
    const Tensor counts = put(none, where(otherwise(fits), number(0, indices.dtype(), device), ones));
    const Tensor times = call_op<"aten.index.Tensor">(counts, Value::list(Values{Value(clamped(0))}));
    grad = div(grad, unsqueeze(where(otherwise(fits), number(1, indices.dtype(), device), times), -1));
  }
  const Tensor kept = both(fits, call_op<"aten.ne.Scalar">(indices, given(call, 3)));
  const Tensor mask = unsqueezed(kept, static_cast<int64_t>(grad.dim()) - static_cast<int64_t>(kept.dim()));
  DimVec sizes{rows};
  for (int64_t d = indices.dim(); d < grad.dim(); ++d) sizes.push_back(grad.size(d));
  const Tensor zeros = filled(sizes, 0, grad.dtype(), device);
  const Tensor made = put(zeros, where(otherwise(mask), number(0.0, grad.dtype(), device), grad));
  call.returns(cast(made, given_grad.dtype()));
}

constexpr Row kBackwardRows[] = {
    {"aten._log_softmax_backward_data.default", log_softmax_backward},
    {"aten._softmax_backward_data.default", softmax_backward},
    {"aten.embedding_dense_backward.default", embedding_backward},
    {"aten.gelu_backward.default", gelu_backward},
    {"aten.native_batch_norm_backward.default", batch_norm_backward},
    {"aten.native_layer_norm_backward.default", layer_norm_backward},
    {"aten.nll_loss2d_backward.default", nll_loss_backward},
    {"aten.nll_loss_backward.default", nll_loss_backward},
    {"aten.threshold_backward.default", threshold_backward},
};

}  // namespace

std::span<const Row> backward_rows() { return kBackwardRows; }

}  // namespace ersatz::decomposition
