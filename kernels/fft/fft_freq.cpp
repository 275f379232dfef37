#include "kernels/fft/fft_freq.h"

#include "kernels/creation/arange.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_fft_freq {
namespace {

template <bool half>
void rule(RuleCall& call) {
  const int64_t n = call.integer(kFreq["n"]);
  const Position options = kFreq["dtype"];
  const DType dtype = dtype_of_factory(call, options, call.context.default_dtype);
  call.require(is_float(dtype) || is_complex(dtype), "C2", "expects a floating dtype: got {}", name(dtype));
  // the `out=` overload in ATen checks the dtype before the sizes
  if (!call.op.written.empty()) call.require_dtype(dtype, kFloats);
  // An `out` that has as many elements as the result keeps its shape.
  const TensorMeta& out = answer_vector(call, options, dtype, call.device, half ? n / 2 + 1 : n);
  call.require_index(half || out.dim() > 0, "C3", "the out argument must have a dim: it is {}", out);
  call.require_dtype(dtype, kFloats);
}

template <bool half>
void run(KernelCall& call) {
  const int64_t n = call.integer(kFreq["n"]);
  const Tensor& out = call.outputs[0];
  const Tensor k = ops::reshape(
      ops::arange(Scalar(half ? n / 2 + 1 : n), {.dtype = out.dtype(), .device = out.device()}), out.sizes());
  if (!half) {
    // If `out` is not 1-d, ATen slices its rows. ATen subtracts n only if the slice has as many elements as there are
    // negative frequencies.
    const Tensor negative = ops::slice(k, 0, SymInt((n + 1) / 2));
    if (size_eq(negative.numel(), n / 2)) ops::copy_(negative, ops::add(negative, Scalar(-n)));
  }
  ops::copy_(out, ops::mul(k, Scalar(1.0 / (static_cast<double>(n) * call.real(kFreq["d"])))));
}

void add(Registry& r, const char* name, Rule rule, FillKernel kernel) {
  OpEntry& op = r.add(kFreq.with(name))
                    .tag(Tag::Factory)
                    .with_rule(rule)
                    .every_device(kernel)
                    .sample("5, 0.5")
                    .sample("4, dtype=f64")
                    .refuses("C1", "-4")
                    .refuses("C2", "4, dtype=i64");
  r.add_out_alike(op, "out").sample("5, 0.5, out=f32[0]");
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "fft_fftfreq", rule<false>, run<false>);
  add(r, "fft_rfftfreq", rule<true>, run<true>);
  r.find_mutable("aten.fft_fftfreq.out")->refuses("C3", "1, out=f32[]");
}

}  // namespace ersatz::op_fft_freq
