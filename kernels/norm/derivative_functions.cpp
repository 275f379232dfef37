// Gradients of the gradients of normalisations, where text cannot say them.
#include "kernels/derivative_calls.h"
#include "kernels/derivatives.h"
#include "runtime/autograd/formula.h"
#include "runtime/op/dispatch.h"

namespace ersatz::derivatives {

namespace {

using namespace calls;

/// A normalisation x -> n = (x - mean) * scale over `dims`, times a weight, that was differentiated once: its operands,
/// each as it is broadcast against x.
struct Normalised {
  Tensor grad, input, weight;  ///< weight: may be undefined
  Tensor mean, scale;
  DimVec dims;         ///< over which mean and scale were taken
  DimVec weight_dims;  ///< over which the weight's gradient is summed
  bool taken = true;   ///< mean and scale are functions of the input (training)
};
/// The gradients of the three results of the first derivative; each may be undefined.
struct OfFirst {
  Tensor input, weight, bias;
};

void add_to(Tensor& sum, const Tensor& term) { sum = sum ? add(sum, term) : term; }

/// The gradients of the incoming gradient, the input and the weight.
///
/// With P(t) = t - mean(t) - n * mean(t * n) the first derivative is scale * P(weight * grad), sum(grad * n), sum(grad).
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
    Tensor of_n;  // with the scale held
    if (of.input && f.taken) {
      of_n = neg(mul(add(mul(of.input, mean(mul(weighted, n))), mul(weighted, mean(mul(of.input, n)))), f.scale));
    }
    if (of.weight) add_to(of_n, mul(f.grad, of.weight));
    if (of_n) of_input = mul(projected(of_n), f.scale);
    if (of.input && f.taken) {  // by the scale
      const Tensor turned = mean(mul(of.input, projected(weighted)));
      add_to(of_input, neg(mul(n, mul(square(f.scale), turned))));
    }
  }
  const auto answer = [](const Tensor& t) { return t ? Value(t) : Value(); };
  return Value::list(std::array{answer(of_grad), answer(of_input), answer(of_weight)});
}

/// batch_norm_second_gradients(grad0, grad1, grad2, grad_out, input, weight, running_mean, running_var, mean, scale,
/// train, eps, needed)
Value batch_norm_second_gradients(Arguments a) {
  const Tensor input = a[4].tensor();
  const auto rank = static_cast<size_t>(input.dim());
  const auto by_channel = [&](const Tensor& t) {
    if (!t) return t;
    DimVec sizes(rank, SymInt(1));
    sizes[1] = t.numel();
    return reshape(t, sizes);
  };
  Normalised f{.grad = a[3].tensor(), .input = input, .weight = by_channel(optional_tensor(a[5]))};
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
  return second_gradients(
      f, {optional_tensor(a[0]), by_channel(optional_tensor(a[1])), by_channel(optional_tensor(a[2]))}, a[12]);
}

/// layer_norm_second_gradients(grad0, grad1, grad2, grad_out, input, normalized_shape, mean, scale, weight, needed)
Value layer_norm_second_gradients(Arguments a) {
  const Tensor input = a[4].tensor();
  const auto rank = static_cast<size_t>(input.dim()), inner = a[5].as_ints().size();
  Normalised f{.grad = a[3].tensor(), .input = input, .weight = optional_tensor(a[8])};
  DimVec of_outer(input.sizes().first(rank - inner));
  of_outer.resize(rank, SymInt(1));
  f.mean = reshape(a[6].tensor(), of_outer);
  f.scale = reshape(a[7].tensor(), of_outer);
  for (size_t d = 0; d < rank; ++d) (d < rank - inner ? f.weight_dims : f.dims).push_back(static_cast<int64_t>(d));
  return second_gradients(f, {optional_tensor(a[0]), optional_tensor(a[1]), optional_tensor(a[2])}, a[9]);
}

/// not_derived("argument"): no gradient of this argument is known; backward says so when it comes by.
Value not_derived(Arguments a) {
  throw Error(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
              fmt::format("the derivative with respect to {} is not implemented, and a gradient is asked for",
                          a[0].as_string()));
}

}  // namespace

void add_norm_functions() {
  add_gradient_function("batch_norm_second_gradients", batch_norm_second_gradients);
  add_gradient_function("layer_norm_second_gradients", layer_norm_second_gradients);
  add_gradient_function("not_derived", not_derived);
}

}  // namespace ersatz::derivatives
