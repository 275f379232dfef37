#include "kernels/random/dropout_family.h"

#include <cmath>

#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/random/bernoulli.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_dropout_family {
namespace {

/// Draws a tensor that is 1 for each element, or each whole channel, that dropout keeps, else 0.
Tensor kept(const CompositeCall& call, const Tensor& input, double p, bool of_features) {
  FactoryOptions drawn;  // by default, the tensor has the options of the input
  if (is_complex(input.dtype())) drawn = {.dtype = real_dtype(input.dtype()), .device = input.device()};
  Tensor noise;
  if (of_features) {
    call.require(input.dim() >= 2, "C2", "the input must have a batch and channels, it is {}", input.meta());
    DimVec sizes(size_t(input.dim()), SymInt(1));
    sizes[0] = input.sizes()[0];
    sizes[1] = input.sizes()[1];
    noise = ops::new_empty(input, sizes, drawn);
  } else {
    noise = ops::empty_like(input, drawn);
  }
  return call_op<"aten.bernoulli_.float">(noise, 1 - p, Value());
}

template <bool kFeatures, bool kAlpha, bool kInplace>
void run(CompositeCall& call) {
  constexpr const Schema& schema = kInplace ? kEachInplace : kEach;
  constexpr Position input_at = schema[kInplace ? "self" : "input"];
  const double p = call.real(schema["p"]);
  call.require(p >= 0 && p <= 1, "C1", "p must lie in [0, 1]: got {}", p);
  const Tensor input = call.tensor(input_at);
  const auto times = [&](const Tensor& factor) {
    return kInplace ? call_op<"aten.mul_.Tensor">(input, factor) : ops::mul(input, factor);
  };
  if (p == 0 || !call.boolean(schema["train"]) || !size_ne(input.numel(), 0)) return call.returns(call[input_at]);
  if (p == 1) return call.returns(times(ops::zeros(DimVec(), {.dtype = input.dtype(), .device = input.device()})));
  const Tensor noise = kept(call, input, p, kFeatures);
  if (!kAlpha) return call.returns(times(call_op<"aten.div_.Scalar">(noise, Scalar(1 - p))));
  constexpr double alpha = 1.7580993408473766;  // a dropped element has the value -alpha
  const double a = 1 / std::sqrt((alpha * alpha * p + 1) * (1 - p));
  const Tensor shift = ops::add(noise, Scalar(-1));
  call_op<"aten.mul_.Scalar">(shift, Scalar(alpha * a));
  call_op<"aten.add_.Scalar">(shift, Scalar(alpha * a * p), Scalar(1));
  const Tensor scaled = times(call_op<"aten.mul_.Scalar">(noise, Scalar(a)));
  call.returns(call_op<"aten.add_.Tensor">(scaled, shift, Scalar(1)));
}

/// The body of aten.dropout. For 0 < p < 1, PyTorch has a CUDA kernel of dropout. In ersatz, native_dropout computes
/// the result of that kernel.
void dropout(CompositeCall& call) {
  const Tensor input = call.tensor(kEach["input"]);
  const double p = call.real(kEach["p"]);
  if (!input.device().is_cuda() || !call.boolean(kEach["train"]) || !(p > 0 && p < 1) || !size_ne(input.numel(), 0))
    return run<false, false, false>(call);
  call.returns(std::get<0>(ops::native_dropout(input, p, true)));
}

void native_backward(CompositeCall& call) {
  const Tensor kept = ops::mul(call.tensor(kNativeBackward["grad_output"]), call.tensor(kNativeBackward["mask"]));
  call.returns(ops::mul(kept, Scalar(call.real(kNativeBackward["scale"]))));
}

void native_backward_out(CompositeCall& call) {
  const Tensor result = call_op<"aten.native_dropout_backward.default">(call.tensor(kNativeBackward["grad_output"]),
                                                                        call.tensor(kNativeBackward["mask"]),
                                                                        call.real(kNativeBackward["scale"]));
  write_result(call, result, kNativeBackward.out());
}

template <bool kFeatures, bool kAlpha>
void add(Registry& r, const char* name) {
  for (const bool inplace : {false, true}) {
    OpEntry& op = r.add((inplace ? kEachInplace : kEach).with(name))
                      .tag(Tag::Random)
                      .with_composite(inplace ? run<kFeatures, kAlpha, true> : run<kFeatures, kAlpha, false>)
                      .sample("f32[2,3,4], 0.5, True")
                      .sample("f32[2,3], 1.0, True")
                      .sample("f32[2,3], 0.5, False")
                      .refuses("C1", "f32[2], -0.5, False");
    if (kFeatures) op.refuses("C2", "f32[2], 0.5, True");
  }
}

}  // namespace

void register_ops(Registry& r) {
  add<false, false>(r, "dropout");
  r.find_mutable("aten.dropout.default")->with_composite(dropout);
  add<false, true>(r, "alpha_dropout");
  add<true, false>(r, "feature_dropout");
  add<true, true>(r, "feature_alpha_dropout");
  OpEntry& backward = r.add(kNativeBackward)
                          .tag(Tag::Pointwise)
                          .with_composite(native_backward)
                          .sample("f32[2,3]{1,2}, bool[2,3], 2.0");
  r.add_out_alike(backward, "out").with_composite(native_backward_out).sample("f32[2,3], bool[2,3], 2.0, out=f32[0]");
}

}  // namespace ersatz::op_dropout_family
