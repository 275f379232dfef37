// Functions for derivatives.def: second gradients of normalisations that a formula there cannot express.
#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

/// The operands of the first derivative of n * weight, where n = (x - mean) * scale and mean and scale are computed
/// over `dims`. All operands broadcast against x.
struct Normalised {
  Tensor grad, input, weight;  ///< weight: may be undefined
  Tensor mean, scale;
  DimVec dims;         ///< the dims over which mean and scale are computed
  DimVec weight_dims;  ///< the dims over which the weight's gradient is summed
  bool taken = true;   ///< true: mean and scale depend on the input, like in training
};
/// The incoming gradients of the three results of the first derivative. Each may be undefined.
struct OfFirst {
  Tensor input, weight, bias;
};

void add_to(Tensor& sum, const Tensor& term) { sum = sum ? add(sum, term) : term; }

/// Returns the gradients of grad, input and weight of the first derivative.
///
/// The first derivative consists of scale * P(weight * grad), sum(grad * n) and sum(grad), where P(t) = t - mean(t) - n
/// * mean(t * n).
Value second_gradients(const Normalised& f, const OfFirst& of, const Value& needed) {
  const auto mean = [&](const Tensor& t) { return call_op<"aten.mean.dim">(t, f.dims, true, Value()); };
  const Tensor n = mul(sub(f.input, f.mean), f.scale);
  const auto projected = [&](const Tensor& t) { return f.taken ? sub(sub(t, mean(t)), mul(n, mean(mul(t, n)))) : t; };
  const Tensor weighted = f.weight ? mul(f.grad, f.weight) : f.grad;
  Tensor of_grad, of_input, of_weight;
  if (of.input) {
    const Tensor through = mul(projected(of.input), f.scale);
    if (wanted(needed, 0)) of_grad = f.weight ? mul(through, f.weight) : through;
    if (wanted(needed, 2) && f.weight) {
      of_weight = call_op<"aten.sum.dim_IntList">(mul(f.grad, through), f.weight_dims, false, Value());
    }
  }
  if (wanted(needed, 0)) {
    if (of.weight) add_to(of_grad, mul(n, of.weight));
    if (of.bias) add_to(of_grad, call_op<"aten.expand.default">(of.bias, f.grad.sizes(), false));
  }
  if (wanted(needed, 1)) {
    Tensor of_n;  // the gradient of the normalised input n if the scale were constant
    if (of.input && f.taken) {
      of_n = neg(mul(add(mul(of.input, mean(mul(weighted, n))), mul(weighted, mean(mul(of.input, n)))), f.scale));
    }
    if (of.weight) add_to(of_n, mul(f.grad, of.weight));
    if (of_n) of_input = mul(projected(of_n), f.scale);
    if (of.input && f.taken) {  // adds the gradient that depends on the scale
      const Tensor turned = mean(mul(of.input, projected(weighted)));
      add_to(of_input, neg(mul(n, mul(square(f.scale), turned))));
    }
  }
  const auto answer = [](const Tensor& t) { return t ? Value(t) : Value(); };
  return Value::list(std::array{answer(of_grad), answer(of_input), answer(of_weight)});
}

/// Returns the gradients of grad_out, input and weight of native_batch_norm_backward. Arguments: grad0, grad1, grad2,
/// grad_out, input, weight, running_mean, running_var, mean, scale, train, eps, needed.
Value batch_norm_second_gradients(Arguments a) {
  const Tensor input = a[4].tensor();
  const auto rank = static_cast<size_t>(input.dim());
  const auto by_channel = [&](const Tensor& t) {
    if (!t) return t;
    DimVec sizes(rank, SymInt(1));
    sizes[1] = t.numel();
    return reshape(t, sizes);
  };
  Normalised f{.grad = a[3].tensor(), .input = input, .weight = by_channel(tensor(a[5]))};
  f.taken = a[10].as_bool();
  if (f.taken) {
    f.mean = by_channel(a[8].tensor());
    f.scale = by_channel(a[9].tensor());
  } else {
    f.mean = by_channel(a[6].tensor());
    f.scale = by_channel(call_op<"aten.rsqrt.default">(add(a[7].tensor(), a[11])));
  }
  for (size_t d = 0; d < rank; ++d) {
    if (d != 1) f.dims.push_back(static_cast<int64_t>(d));
  }
  f.weight_dims = f.dims;
  return second_gradients(f, {tensor(a[0]), by_channel(tensor(a[1])), by_channel(tensor(a[2]))}, a[12]);
}

/// Returns the gradients of grad_out, input and weight of native_layer_norm_backward. Arguments: grad0, grad1, grad2,
/// grad_out, input, normalized_shape, mean, scale, weight, needed.
Value layer_norm_second_gradients(Arguments a) {
  const Tensor input = a[4].tensor();
  const auto rank = static_cast<size_t>(input.dim()), inner = a[5].as_ints().size();
  Normalised f{.grad = a[3].tensor(), .input = input, .weight = tensor(a[8])};
  DimVec of_outer(input.sizes().first(rank - inner));
  of_outer.resize(rank, SymInt(1));
  f.mean = reshape(a[6].tensor(), of_outer);
  f.scale = reshape(a[7].tensor(), of_outer);
  for (size_t d = 0; d < rank; ++d) (d < rank - inner ? f.weight_dims : f.dims).push_back(static_cast<int64_t>(d));
  return second_gradients(f, {tensor(a[0]), tensor(a[1]), tensor(a[2])}, a[9]);
}

/// Returns the gradients of input, weight and bias of native_group_norm. Arguments: grad0, grad1, grad2, input, mean,
/// scale, weight, N, C, HxW, group, needed. If only grad0 is given and no graph is recorded, the operator
/// native_group_norm_backward computes the gradients. Otherwise differentiable operators do.
Value group_norm_gradient(Arguments a) {
  const Tensor grad = tensor(a[0]), of_mean = tensor(a[1]), of_scale = tensor(a[2]);
  if (!grad && !of_mean && !of_scale) return {};
  const Tensor input = a[3].tensor();
  if (!of_mean && !of_scale && !rule_context().grad_mode) {
    const MemoryFormat format = suggest_memory_format(input.meta());
    const auto like = [&](const Tensor& t) { return Value(call_op<"aten.contiguous.default">(t, format)); };
    const Value args[] = {like(grad), like(input), a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]};
    return Value::list(dispatch(op_entry<"aten.native_group_norm_backward.default">(), args));
  }
  const SymInt images = a[7].as_int(), channels = a[8].as_int(), positions = a[9].as_int(), groups = a[10].as_int();
  const SymInt per_group = floor_div(channels, groups), count = per_group * positions;
  const DimVec split{images, groups, per_group, positions}, by_group{images, groups, SymInt(1), SymInt(1)},
      by_channel{SymInt(1), groups, per_group, SymInt(1)}, over_group{2, 3}, over_images{0, 3};
  const Tensor scale = reshape(a[5].tensor(), by_group);
  const Tensor n = mul(sub(reshape(input, split), reshape(a[4].tensor(), by_group)), scale);
  Tensor of_input, of_weight, of_bias;
  if (grad) {
    const Tensor g = reshape(grad, split), weight = tensor(a[6]);
    if (wanted(a[11], 0)) {
      const auto mean = [&](const Tensor& t) { return call_op<"aten.mean.dim">(t, over_group, true, Value()); };
      const Tensor weighted = weight ? mul(g, reshape(weight, by_channel)) : g;
      of_input = mul(sub(sub(weighted, mean(weighted)), mul(n, mean(mul(weighted, n)))), scale);
    }
    const auto summed = [&](const Tensor& t) {
      return reshape(call_op<"aten.sum.dim_IntList">(t, over_images, false, Value()), DimVec{channels});
    };
    if (wanted(a[11], 1)) of_weight = summed(mul(g, n));
    if (wanted(a[11], 2)) of_bias = summed(g);
  } else {
    if (wanted(a[11], 1)) of_weight = zeros(input, DimVec{channels});
    if (wanted(a[11], 2)) of_bias = zeros(input, DimVec{channels});
  }
  if (wanted(a[11], 0)) {
    const auto spread = [&](const Tensor& t) { return div(reshape(t, by_group), Value(count)); };
    if (of_mean) add_to(of_input, call_op<"aten.expand.default">(spread(of_mean), split, false));
    if (of_scale) add_to(of_input, neg(mul(n, mul(square(scale), spread(of_scale)))));
    of_input = reshape(call_op<"aten.contiguous.default">(of_input, MemoryFormat::Contiguous), input.sizes());
  }
  const auto answer = [](const Tensor& t) { return t ? Value(t) : Value(); };
  return Value::list(std::array{answer(of_input), answer(of_weight), answer(of_bias)});
}

}  // namespace

void add_norm_functions() {
  add_gradient_function("batch_norm_second_gradients", batch_norm_second_gradients);
  add_gradient_function("group_norm_gradient", group_norm_gradient);
  add_gradient_function("layer_norm_second_gradients", layer_norm_second_gradients);
}

}  // namespace ersatz::derivatives
